"""Calling services over real HTTP: what is sent, what comes back, and everything that can go wrong on the way."""

import asyncio
import gzip
import json
import logging
import zlib
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.fakes.loopback import loopback, response
from tool_classifier.errors import (
    ServiceCallError,
    ServiceReplyError,
    ServiceStatusError,
    ServiceTimeoutError,
)
from tool_classifier.models import Button, HttpMethod, ServiceReply, ServiceRequest
from tool_classifier.services.client import HttpServiceClient, build_http_client
from tool_classifier.services.endpoint import endpoint_url

GOOD = b'[{"content": "38.5 THB", "buttons": [{"title": "Jah", "payload": "yes"}]}]'
SECRET = "saladus"


def request_to(url, *, method=HttpMethod.POST, values=(SECRET, "")):
    return ServiceRequest(method=method, url=url, chat_id="chat-1", author_id="author-1", input=values)


def answering(data):
    async def respond(_request, writer):
        writer.write(data)

    return respond


async def call(respond, *, method=HttpMethod.POST, values=(SECRET, ""), name="currency", **limits):
    """Returns the reply or the ServiceCallError of one call, and what the server received."""
    async with loopback(respond) as server, build_http_client() as http:
        client = HttpServiceClient(client=http, **{"timeout_seconds": 5, **limits})
        request = request_to(endpoint_url(server.url, name), method=method, values=values)
        try:
            result = await client.call(request)
        except ServiceCallError as error:
            result = error
        return result, server


def run(respond, **options):
    return asyncio.run(call(respond, **options))


def test_a_post_carries_chat_author_and_values_in_order():
    reply, server = run(answering(response(GOOD)), values=("EUR", "", "õ🙂"))

    assert reply == ServiceReply(content="38.5 THB", buttons=(Button(title="Jah", payload="yes"),))
    (received,) = server.received
    assert (received.method, received.target) == ("POST", "/services/active/currency")
    assert received.headers["content-type"] == "application/json"
    assert json.loads(received.body) == {"chatId": "chat-1", "authorId": "author-1", "input": ["EUR", "", "õ🙂"]}


def test_a_get_carries_them_as_parameters_and_repeats_input():
    reply, server = run(answering(response(GOOD)), method=HttpMethod.GET, values=("a&b=c", "", "õ#"))

    assert reply.content == "38.5 THB"
    (received,) = server.received
    parts = urlsplit(received.target)
    assert (received.method, parts.path, received.body) == ("GET", "/services/active/currency", b"")
    assert parse_qsl(parts.query, keep_blank_values=True) == [
        ("chatId", "chat-1"),
        ("authorId", "author-1"),
        ("input", "a&b=c"),
        ("input", ""),
        ("input", "õ#"),
    ]


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("../../admin", "/services/active/..%2F..%2Fadmin"),
        ("%2e%2e", "/services/active/%252e%252e"),
        ("a?x=1", "/services/active/a%3Fx%3D1"),
        ("🙂", "/services/active/%F0%9F%99%82"),
    ],
)
def test_a_hostile_name_reaches_the_server_as_one_segment(name, target):
    _, server = run(answering(response(GOOD)), name=name)

    assert server.received[0].target == target


@pytest.mark.parametrize("status", [201, 204, 301, 302, 307, 400, 404, 429, 500, 503])
def test_any_status_but_200_is_an_error_and_a_redirect_is_not_followed(status):
    headers = {"Location": "/elsewhere"} if 300 <= status < 400 else {}
    body = b"" if status == 204 else GOOD

    error, server = run(answering(response(body, status=status, headers=headers)))

    assert type(error) is ServiceStatusError
    host = urlsplit(server.url).netloc
    assert error.message == f"the service at {host} answered HTTP {status}"
    assert [received.target for received in server.received] == ["/services/active/currency"]


@pytest.mark.parametrize("body", [b"not json", b"[]", b'{"content": "dict"}', b'"bare"', b"", b'[{"content": null}]'])
def test_a_body_of_another_shape_is_an_error(body):
    error, _ = run(answering(response(body)))

    assert type(error) is ServiceReplyError


def test_an_endless_body_is_cut_off_at_the_cap():
    written = 0

    async def endless(_request, writer):
        nonlocal written
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n[")
        while True:
            writer.write(b" " * 10_000)
            written += 10_000
            await writer.drain()

    error, _ = run(endless, max_bytes=100_000)

    assert type(error) is ServiceReplyError
    assert error.message == "the service's body is larger than 100000 bytes"
    assert written < 20_000_000


def test_a_body_of_exactly_the_cap_is_read():
    body = GOOD.ljust(1_000)

    reply, _ = run(answering(response(body)), max_bytes=1_000)
    error, _ = run(answering(response(body)), max_bytes=999)

    assert reply.content == "38.5 THB"
    assert type(error) is ServiceReplyError


def test_a_packed_body_is_unpacked():
    reply, server = run(answering(response(gzip.compress(GOOD), headers={"Content-Encoding": "GZip"})))

    assert reply.content == "38.5 THB"
    assert server.received[0].headers["accept-encoding"] == "gzip"


def test_the_cap_counts_the_unpacked_body():
    bomb = gzip.compress(b"[" + b" " * 20_000_000)
    assert len(bomb) < 30_000

    error, _ = run(answering(response(bomb, headers={"Content-Encoding": "gzip"})), max_bytes=100_000)

    assert error.message == "the service's body is larger than 100000 bytes"


@pytest.mark.parametrize(
    ("body", "encoding", "reason"),
    [
        (GOOD, "gzip", "not the gzip"),
        (zlib.compress(GOOD), "deflate", "'deflate'"),
        (GOOD, "br", "'br'"),
        (gzip.compress(GOOD), "gzip, gzip", "'gzip, gzip'"),
        (gzip.compress(GOOD)[:20], "gzip", "ends early"),
        (gzip.compress(GOOD)[:-1], "gzip", "ends early"),
        (gzip.compress(GOOD)[:-8], "gzip", "ends early"),
        (b"", "gzip", "ends early"),
    ],
)
def test_a_body_packed_otherwise_or_badly_is_an_error(body, encoding, reason):
    error, _ = run(answering(response(body, headers={"Content-Encoding": encoding})))

    assert type(error) is ServiceReplyError
    assert reason in error.message


async def _silent(_request, writer):
    await writer.drain()
    await asyncio.sleep(60)


async def _half_a_head(_request, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Le")
    await _silent(_request, writer)


async def _drip(_request, writer):
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def _head_drip(_request, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("respond", [_silent, _half_a_head, _drip, _head_drip])
@pytest.mark.parametrize("method", HttpMethod)
def test_one_deadline_covers_silence_and_drips_and_nothing_is_sent_twice(respond, method):
    error, server = run(respond, method=method, timeout_seconds=0.3)

    assert type(error) is ServiceTimeoutError
    assert error.message == f"the service at {urlsplit(server.url).netloc} did not answer within 0.3 s"
    assert len(server.received) == 1


async def _reset(_request, writer):
    writer.transport.abort()


async def _reset_in_the_body(_request, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[")
    await writer.drain()
    writer.transport.abort()


async def _half_closed(_request, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[")
    writer.write_eof()


async def _closed_unanswered(_request, writer):
    writer.write_eof()


async def _not_http(_request, writer):
    writer.write(b"SSH-2.0-OpenSSH\r\n\r\n")


@pytest.mark.parametrize("respond", [_reset, _reset_in_the_body, _half_closed, _closed_unanswered, _not_http])
@pytest.mark.parametrize("method", HttpMethod)
def test_a_broken_connection_is_an_error_and_nothing_is_sent_twice(respond, method):
    error, server = run(respond, method=method)

    assert type(error) is ServiceCallError
    assert urlsplit(server.url).netloc in error.message
    assert len(server.received) == 1


def test_a_post_on_a_kept_connection_that_the_server_cuts_is_not_sent_twice():
    async def scenario():
        async def answer_once_then_cut(_request, writer):
            if len(server.received) == 1:
                writer.write(response(GOOD))
            else:
                writer.transport.abort()

        async with loopback(answer_once_then_cut) as server, build_http_client() as http:
            client = HttpServiceClient(client=http, timeout_seconds=5)
            request = request_to(endpoint_url(server.url, "order"))
            assert (await client.call(request)).content == "38.5 THB"
            with pytest.raises(ServiceCallError):
                await client.call(request)
            return server.received

    assert len(asyncio.run(scenario())) == 2


def test_nobody_listening_is_an_error_without_credentials():
    async def scenario():
        async with loopback(_silent) as server:
            free = urlsplit(server.url).port
        async with build_http_client() as http:
            await HttpServiceClient(client=http).call(request_to(f"http://user:word@127.0.0.1:{free}/a"))

    with pytest.raises(ServiceCallError) as caught:
        asyncio.run(scenario())

    assert type(caught.value) is ServiceCallError
    assert "127.0.0.1:" in caught.value.message
    assert "word" not in caught.value.message


@pytest.mark.parametrize(
    ("url", "values"),
    [
        ("http://127.0.0.1:1/a", ("\ud800",)),
        ("http://127.0.0.1:1/a", ("x" * 100_000,)),
        ("http://127.0.0.1:port/a", ("x",)),
        ("ftp://127.0.0.1/a", ("x",)),
        ("no address", ("x",)),
    ],
)
@pytest.mark.parametrize("method", HttpMethod)
def test_a_request_that_cannot_be_sent_is_an_error(url, values, method):
    async def scenario():
        async with build_http_client() as http:
            await HttpServiceClient(client=http).call(request_to(url, method=method, values=values))

    with pytest.raises(ServiceCallError) as caught:
        asyncio.run(scenario())

    assert type(caught.value) is ServiceCallError


def test_cancelling_a_call_reaches_the_server():
    async def scenario():
        gone = asyncio.Event()
        arrived = asyncio.Event()

        async def until_it_is_gone(_request, writer):
            arrived.set()
            try:
                await _head_drip(_request, writer)
            except ConnectionError:
                gone.set()

        async with loopback(until_it_is_gone) as server, build_http_client() as http:
            client = HttpServiceClient(client=http)
            task = asyncio.create_task(client.call(request_to(endpoint_url(server.url, "a"))))
            await arrived.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            async with asyncio.timeout(5):
                await gone.wait()

    asyncio.run(scenario())


def test_a_services_cookie_does_not_come_back_with_the_next_chat():
    async def scenario():
        with_cookie = response(GOOD, headers={"Set-Cookie": "session=chat-1; Path=/"})
        async with loopback(answering(with_cookie)) as server, build_http_client() as http:
            client = HttpServiceClient(client=http)
            for _ in range(2):
                await client.call(request_to(endpoint_url(server.url, "a")))
            return server.received

    first, second = asyncio.run(scenario())

    assert "cookie" not in first.headers
    assert "cookie" not in second.headers


@pytest.mark.parametrize("method", HttpMethod)
def test_values_are_neither_logged_nor_in_messages(caplog, method):
    with caplog.at_level(logging.INFO):
        error, _ = run(answering(response(SECRET.encode(), status=200)), method=method)

    assert SECRET not in caplog.text
    assert SECRET not in error.message + error.hint
