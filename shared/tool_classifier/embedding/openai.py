"""Embeddings from any endpoint that speaks OpenAI's API (https://platform.openai.com/docs/api-reference/embeddings)."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime

import httpx
import numpy as np
from pydantic import BaseModel, ValidationError

from tool_classifier.embedding import Vectors
from tool_classifier.errors import (
    EmbeddingDimensionError,
    EmbeddingError,
    EmbeddingUnavailableError,
    SettingsError,
)
from tool_classifier.text.normalise import normalise

_MAX_CHARACTERS = 8_000  # OpenAI's models take 8 191 tokens; words of any language have fewer tokens than characters
_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 8.0
_PORTS = 2**16
_REFUSES_TEXTS = (400, 413, 422)
_HINTS = {
    401: "Check EMBEDDING_API_KEY.",
    403: "Check EMBEDDING_API_KEY.",
    404: "Check EMBEDDING_URL and EMBEDDING_MODEL.",
    429: "Raise the endpoint's rate limit or quota, or try again later.",
}


class _Item(BaseModel):
    embedding: list[float]
    index: int = 0  # endpoints that leave default values out of their JSON omit it for the first item


class _Body(BaseModel):
    data: list[_Item]


class OpenAiEmbedder:
    """Embedder of a remote model. `url` is the API's base (`.../v1`) or the full `.../embeddings` address.

    A request that meets 429, 5xx or a broken connection is repeated, `attempts` in all; one that times out is not.
    Raises SettingsError for a URL or key that cannot be used.
    """

    def __init__(
        self,
        *,
        client: httpx.AsyncClient,
        url: str,
        model: str,
        api_key: str | None,
        dimension: int,
        batch_size: int = 64,
        timeout_seconds: float = 10,
        attempts: int = 3,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._client = client
        self._url = _embeddings_url(url)
        self._host = self._url.netloc.decode()
        self._model = model
        self._headers = _headers(api_key)
        self._dimension = dimension
        self._batch_size = batch_size
        self._timeout_seconds = timeout_seconds
        self._attempts = attempts
        self._sleep = sleep
        self._jitter = jitter

    @property
    def id(self) -> str:
        """Model and dimension: some models return several dimensions."""
        return f"{self._model}@{self._dimension}"

    @property
    def dimension(self) -> int:
        """The configured dimension; every answer is checked against it."""
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Returns float32 of shape (len(texts), dimension), rows of length 1; without texts nothing is sent.

        Raises EmbeddingUnavailableError, EmbeddingDimensionError, or EmbeddingError for an unusable answer.
        """
        # The API refuses an empty text, and JSON cannot carry a lone surrogate.
        prepared = [normalise(text)[:_MAX_CHARACTERS].rstrip() or " " for text in texts]
        vectors = [np.empty((0, self._dimension), dtype=np.float32)]
        for start in range(0, len(prepared), self._batch_size):
            batch = prepared[start : start + self._batch_size]
            response = await self._post(batch)
            vectors.append(self._read(response, expected=len(batch)))
        return np.concatenate(vectors)

    async def _post(self, batch: list[str]) -> httpx.Response:
        for earlier in range(self._attempts - 1):
            wait = _FIRST_WAIT_SECONDS * 2**earlier * (1 + self._jitter()) / 2
            with suppress(httpx.RequestError):
                response = await self._send(batch)
                if not _is_temporary(response.status_code):
                    return response
                wait = max(wait, _retry_after_seconds(response))
            await self._sleep(min(wait, _LONGEST_WAIT_SECONDS))
        try:
            return await self._send(batch)
        except httpx.RequestError as error:
            raise self._unavailable(f"cannot be reached ({type(error).__name__})") from error

    async def _send(self, batch: list[str]) -> httpx.Response:
        body = {"model": self._model, "input": batch, "encoding_format": "float"}
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await self._client.post(
                    self._url, json=body, headers=self._headers, timeout=None, follow_redirects=False
                )
        except TimeoutError as error:
            raise self._unavailable(f"did not answer within {self._timeout_seconds:g} s") from error

    def _read(self, response: httpx.Response, *, expected: int) -> Vectors:
        status = response.status_code
        if status != httpx.codes.OK:
            if status in _REFUSES_TEXTS:
                raise self._failed(f"refused the request with HTTP {status}", hint="Check EMBEDDING_MODEL.")
            raise self._unavailable(f"answered HTTP {status}", hint=_HINTS.get(status, "Check EMBEDDING_URL."))
        try:
            items = sorted(_Body.model_validate_json(response.content).data, key=lambda item: item.index)
        except ValidationError:
            # Without its cause, which quotes the body.
            raise self._failed("answered with something else than embeddings") from None
        if [item.index for item in items] != list(range(expected)):
            raise self._failed(f"returned {len(items)} vectors, not one for each of {expected} texts")
        for item in items:
            if len(item.embedding) != self._dimension:
                raise EmbeddingDimensionError(
                    f"{self._model} at {self._host} returns vectors of dimension {len(item.embedding)}, "
                    f"but EMBEDDING_DIMENSION is {self._dimension}",
                    hint="Set EMBEDDING_DIMENSION to what the model returns, then index again.",
                )
        return self._unit([item.embedding for item in items])

    def _unit(self, embeddings: list[list[float]]) -> Vectors:
        rows = np.array(embeddings, dtype=np.float64)
        with np.errstate(over="ignore"):
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise self._failed("returned a vector without a direction (zeros, or numbers that are not finite)")
        unit: Vectors = (rows / lengths).astype(np.float32)
        return unit

    def _failed(self, what: str, *, hint: str = "") -> EmbeddingError:
        return EmbeddingError(f"the embedding endpoint {self._host} {what}", hint=hint)

    def _unavailable(self, what: str, *, hint: str = "Check EMBEDDING_URL.") -> EmbeddingUnavailableError:
        return EmbeddingUnavailableError(f"the embedding endpoint {self._host} {what}", hint=hint)


def _embeddings_url(text: str) -> httpx.URL:
    try:
        url = httpx.URL(text.strip())
    except httpx.InvalidURL as error:
        raise SettingsError(f"EMBEDDING_URL is not a URL: {error}", hint="Give the API's base, `.../v1`.") from error
    if url.scheme not in ("http", "https") or not url.host or (url.port or 0) >= _PORTS:
        raise SettingsError(
            f"EMBEDDING_URL is not an http(s) address: scheme {url.scheme!r}, host {url.host!r}, port {url.port}",
            hint="Give the API's base, such as https://api.openai.com/v1.",
        )
    path = url.path.rstrip("/")
    return url.copy_with(path=path if path.endswith("/embeddings") else f"{path}/embeddings")


def _headers(api_key: str | None) -> dict[str, str]:
    key = (api_key or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise SettingsError(
            "EMBEDDING_API_KEY holds characters that no HTTP header can carry", hint="Copy the key again."
        )
    return {"Authorization": f"Bearer {key}"} if key else {}


def _is_temporary(status: int) -> bool:
    return status == httpx.codes.TOO_MANY_REQUESTS or httpx.codes.is_server_error(status)


def _retry_after_seconds(response: httpx.Response) -> float:
    """What the server asks for, in seconds or as a date (RFC 9110, 10.2.3); 0 when it says nothing usable."""
    value = response.headers.get("retry-after", "")
    if value.isdecimal():
        return float(value)
    try:
        return parsedate_to_datetime(value).timestamp() - time.time()
    except (ValueError, OverflowError):
        return 0.0
