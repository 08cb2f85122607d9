"""The HTTP call to a registered service: one attempt, one deadline, a bounded body."""

import asyncio
import logging
import ssl
import zlib
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from tool_classifier.errors import ServiceCallError, ServiceReplyError, ServiceStatusError, ServiceTimeoutError
from tool_classifier.models import HttpMethod, ServiceReply, ServiceRequest
from tool_classifier.services.reply import parse_reply

_HEADERS = {"Accept": "application/json", "Accept-Encoding": "gzip"}
_GZIP = zlib.MAX_WBITS | 16  # how zlib's interface asks for that format


def build_http_client() -> httpx.AsyncClient:
    """The client that all adapters share. It keeps no cookies, which would carry one chat's session into another.

    Silences httpx's own log line for each request: its URL holds the entity values of a GET.
    """
    logging.getLogger("httpx").setLevel(logging.WARNING)
    return httpx.AsyncClient(
        trust_env=False,
        follow_redirects=False,
        verify=ssl.create_default_context(),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )


async def probe(client: httpx.AsyncClient, url: str, *, timeout_seconds: float) -> int:
    """Asks for a URL without following redirects; returns the HTTP status, whatever it is.

    Raises ServiceCallError when nothing answers.
    """
    try:
        async with client.stream("GET", url, timeout=timeout_seconds, follow_redirects=False) as response:
            return response.status_code
    except (httpx.RequestError, httpx.InvalidURL, UnicodeError) as error:
        raise ServiceCallError(
            f"{_host(url)} does not answer ({type(error).__name__})",
            hint="Check RUUTER_SERVICE_BASE_URL and that the gateway can be reached from here.",
        ) from error


class HttpServiceClient:
    """ServiceClient over HTTP. A request is sent once, whatever happens: a service may not be idempotent."""

    def __init__(self, *, client: httpx.AsyncClient, timeout_seconds: float = 10, max_bytes: int = 1_000_000) -> None:
        self._client = client
        self._timeout_seconds = timeout_seconds
        self._max_bytes = max_bytes

    async def call(self, request: ServiceRequest) -> ServiceReply:
        """POST with JSON `{chatId, authorId, input}`, or GET with them as parameters, `input` repeated.

        `timeout_seconds` covers everything from connecting to the last byte; `max_bytes` counts the unpacked body.
        Raises ServiceTimeoutError, ServiceStatusError (any status but 200), ServiceReplyError or ServiceCallError.
        """
        host = _host(request.url)
        try:
            async with asyncio.timeout(self._timeout_seconds):
                body = await self._fetch(request, host)
        except TimeoutError as error:
            raise ServiceTimeoutError(
                f"the service at {host} did not answer within {self._timeout_seconds:g} s",
                hint="Make the service faster, or raise SERVICE_CALL_TIMEOUT.",
            ) from error
        except (httpx.RequestError, httpx.InvalidURL, UnicodeError) as error:
            raise ServiceCallError(
                f"the service at {host} could not be called ({type(error).__name__})",
                hint="Check RUUTER_SERVICE_BASE_URL and that the service runs.",
            ) from error
        return parse_reply(body)

    async def _fetch(self, request: ServiceRequest, host: str) -> bytes:
        fields = {"chatId": request.chat_id, "authorId": request.author_id, "input": list(request.input)}
        in_url = request.method is HttpMethod.GET
        sent = self._client.stream(
            request.method,
            request.url,
            params=fields if in_url else None,
            json=None if in_url else fields,
            headers=_HEADERS,
            timeout=None,  # the deadline covers it all; httpx's own timeouts limit each read, not their sum
            follow_redirects=False,
        )
        async with sent as response:
            if response.status_code != httpx.codes.OK:
                raise ServiceStatusError(
                    f"the service at {host} answered HTTP {response.status_code}",
                    hint="Only status 200 carries an answer.",
                )
            packed = bytearray()
            async for chunk in response.aiter_raw():
                packed += chunk
                self._check_size(packed)
            return self._unpacked(bytes(packed), response.headers.get("content-encoding", "identity").lower())

    def _unpacked(self, packed: bytes, encoding: str) -> bytes:
        # Not httpx's decoder: it unpacks a whole chunk before anyone can count, a thousand times its size at worst.
        if encoding == "identity":
            return packed
        if encoding != "gzip":
            raise ServiceReplyError(
                f"the service's body has the content encoding {encoding!r}; only gzip was asked for"
            )
        unpacker = zlib.decompressobj(_GZIP)
        try:
            body = unpacker.decompress(packed, self._max_bytes + 1)
        except zlib.error as error:
            raise ServiceReplyError("the service's body is not the gzip that it claims to be") from error
        self._check_size(body)
        if not unpacker.eof:  # what came may read well, but its checksum did not come
            raise ServiceReplyError("the service's gzip body ends early")
        return body

    def _check_size(self, body: bytes | bytearray) -> None:
        if len(body) > self._max_bytes:
            raise ServiceReplyError(
                f"the service's body is larger than {self._max_bytes} bytes", hint="Return a shorter answer."
            )


def _host(url: str) -> str:
    """The host and port for messages, without credentials; of any text, so that it cannot raise."""
    return url.partition("://")[2].partition("/")[0].rpartition("@")[2]
