"""The registry catalogue over real HTTP: what it reads from discovery, and every way in which discovery can fail."""

import asyncio
import gzip
import json
from contextlib import asynccontextmanager, suppress

import httpx
import pytest

from tool_classifier.errors import CatalogueError, CatalogueUnavailableError
from tool_classifier.index.catalogue.file import FileCatalogue
from tool_classifier.index.catalogue.ruuter import RuuterCatalogue
from tool_classifier.local.demo import bundled_catalogue_path
from tool_classifier.local.demo.app import demo_app
from tool_classifier.local.server import serving
from tool_classifier.models import Entity, EntityType, HttpMethod, Service


def infer_type(name):
    return EntityType.DATE if name == "when" else EntityType.TEXT


class Registry:
    """A socket that answers every request with the same bytes, piece by piece, and keeps what it was sent."""

    def __init__(self, pieces, *, pause_seconds=0.0):
        self._pieces = pieces
        self._pause_seconds = pause_seconds
        self._stopping = asyncio.Event()
        self._open = {}
        self.requests = []
        self.sent = 0

    async def handle(self, reader, writer):
        self._open[asyncio.current_task()] = writer.transport
        self.requests.append((await reader.readuntil(b"\r\n\r\n")).decode())
        with suppress(ConnectionError):  # the catalogue may hang up first
            for piece in self._pieces:
                writer.write(piece)
                await writer.drain()
                self.sent += len(piece)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), self._pause_seconds)
                    break
        writer.close()

    async def stop(self):
        self._stopping.set()
        for transport in self._open.values():
            transport.abort()
        await asyncio.gather(*self._open)


@asynccontextmanager
async def listening(registry):
    server = await asyncio.start_server(registry.handle, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await registry.stop()
        await server.wait_closed()


def answer(body, *, status="200 OK", headers=""):
    payload = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(payload)}\r\nConnection: close\r\n{headers}\r\n"
    return head.encode() + payload


def listed(*entries):
    return answer({"response": {"services": list(entries)}})


def read(registry, *, timeout_seconds=5.0, base=""):
    """Reads a registry, returns the services or the error, and the registry's address."""

    async def run():
        async with listening(registry) as url, httpx.AsyncClient() as client:
            catalogue = RuuterCatalogue(
                base_url=url + base, timeout_seconds=timeout_seconds, infer_type=infer_type, client=client
            )
            try:
                return await catalogue.services(), catalogue.source
            except CatalogueError as error:
                return error, catalogue.source

    return asyncio.run(run())


def failure(registry, **options):
    error, source = read(registry, **options)
    assert isinstance(error, CatalogueError)
    assert source in str(error)
    assert error.hint
    return error


def entry(**fields):
    return {"serviceId": "a", "name": "A", "examples": ["Mis on a?"], **fields}


# ------------------------------------------------------------------------------------------------ what is read


def test_discovery_of_the_demo_services_equals_the_bundled_file():
    async def run():
        async with serving(demo_app()) as url, httpx.AsyncClient() as client:
            registry = RuuterCatalogue(base_url=url, infer_type=infer_type, client=client)
            file = FileCatalogue(path=bundled_catalogue_path(), infer_type=infer_type)
            return await registry.services(), await file.services()

    discovered, written = asyncio.run(run())
    assert len(discovered) == 17
    assert discovered == written


def test_a_full_entry_is_read_and_what_the_registry_adds_is_left_out():
    full = entry(
        description="Kirjeldus",
        ruuterType="get",
        ruuterUrl="http://elsewhere/x",
        entities=["when", {"name": "place", "type": "string", "description": "Linn", "order": 3}],
        isCommon=True,
        state="active",
        structure={"a": 1},
    )
    services, _ = read(Registry([listed(full)]))
    assert services == (
        Service(
            id="a",
            name="A",
            description="Kirjeldus",
            method=HttpMethod.GET,
            entities=(Entity(name="when", type=EntityType.DATE), Entity(name="place", description="Linn")),
            examples=("Mis on a?",),
            is_common=True,
        ),
    )


def test_lists_may_be_null_or_json_strings():
    entries = (
        entry(entities=None, examples='["Mis?", "Kus?"]', isCommon=None),
        entry(serviceId="b", name="B", entities='["when", {"name": "place", "type": "place"}]', description=None),
        entry(serviceId="c", name="C", entities="", examples="null", description="Kirjeldus"),
    )
    services, _ = read(Registry([listed(*entries)]))
    assert [service.examples for service in services] == [("Mis?", "Kus?"), ("Mis on a?",), ()]
    assert [[(e.name, e.type) for e in service.entities] for service in services] == [
        [],
        [("when", EntityType.DATE), ("place", EntityType.PLACE)],
        [],
    ]


@pytest.mark.parametrize(
    ("state", "active"),
    [("active", True), ("ACTIVE", True), (None, True), ("inactive", False), ("draft", False), ("ready", False)],
)
def test_only_active_and_absent_states_are_active(state, active):
    services, _ = read(Registry([listed(entry(state=state))]))
    assert services[0].active is active


@pytest.mark.parametrize("state", [5, ["active"], {}])
def test_a_state_that_is_not_text_is_not_active(state):
    services, _ = read(Registry([listed(entry(state=state))]))
    assert services[0].active is False


def test_an_empty_registry_has_no_services():
    assert read(Registry([listed()]))[0] == ()


def test_a_trailing_slash_of_the_base_url_is_no_second_slash():
    registry = Registry([listed(entry())])
    read(registry, base="/ruuter/")
    assert registry.requests[0].startswith("GET /ruuter/services/get-services HTTP/1.1\r\n")


def test_credentials_in_the_base_url_stay_out_of_the_source_and_of_errors():
    async def run():
        async with httpx.AsyncClient() as client:
            catalogue = RuuterCatalogue(
                base_url="http://user:secret@127.0.0.1:1/x", infer_type=infer_type, client=client
            )
            with pytest.raises(CatalogueUnavailableError) as caught:
                await catalogue.services()
            return catalogue.source, caught.value

    source, error = asyncio.run(run())
    assert source == "http://127.0.0.1:1/x/services/get-services"
    assert str(error) == f"{source} cannot be reached: ConnectError"


# ------------------------------------------------------------------------------------------ a registry that fails


@pytest.mark.parametrize(
    ("base_url", "reason"),
    [("http://127.0.0.1:port", "InvalidURL"), ("ftp://127.0.0.1", "UnsupportedProtocol"), ("", "UnsupportedProtocol")],
)
def test_an_address_that_cannot_be_called_is_reported(base_url, reason):
    async def run():
        async with httpx.AsyncClient() as client:
            with pytest.raises(CatalogueUnavailableError) as caught:
                await RuuterCatalogue(base_url=base_url, infer_type=infer_type, client=client).services()
            return str(caught.value)

    assert asyncio.run(run()) == f"{base_url}/services/get-services cannot be reached: {reason}"


@pytest.mark.parametrize("base", ["?", "#", "/#", "?a=b", "/x#y"])
def test_an_address_in_which_the_path_would_be_lost_is_refused_and_nothing_is_asked(base):
    registry = Registry([listed(entry())])
    error, _ = read(registry, base=base)
    assert error.message == "the registry's address has a query or a fragment"
    assert "RAG_SEARCH_RUUTER_PUBLIC" in error.hint
    assert registry.requests == []


@pytest.mark.parametrize("status", ["404 Not Found", "500 Internal Server Error", "204 No Content"])
def test_an_http_error_is_unavailable_and_names_the_status(status):
    error = failure(Registry([answer(b"", status=status)]))
    assert isinstance(error, CatalogueUnavailableError)
    assert f"answered with HTTP status {status[:3]}" in error.message


def test_a_redirect_is_not_followed():
    registry = Registry([answer(b"", status="302 Found", headers="Location: /services/get-services\r\n")])
    error = failure(registry)
    assert isinstance(error, CatalogueUnavailableError)
    assert "answered with HTTP status 302" in error.message
    assert error.hint == "Check RAG_SEARCH_RUUTER_PUBLIC; redirects are not followed."
    assert len(registry.requests) == 1


def test_a_registry_that_says_nothing_is_given_up_on():
    error = failure(Registry([b""], pause_seconds=30), timeout_seconds=0.2)
    assert isinstance(error, CatalogueUnavailableError)
    assert error.message.endswith("did not answer within 0.2 s")


def test_a_registry_that_drips_is_given_up_on_although_each_piece_is_in_time():
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
    error = failure(Registry([head, *[b" "] * 1000], pause_seconds=0.05), timeout_seconds=0.3)
    assert isinstance(error, CatalogueUnavailableError)
    assert error.message.endswith("did not answer within 0.3 s")


def test_a_connection_that_breaks_off_is_unavailable():
    error = failure(Registry([b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"]))
    assert isinstance(error, CatalogueUnavailableError)
    assert error.message.endswith("cannot be reached: RemoteProtocolError")


def test_a_body_above_the_limit_is_not_read_to_its_end():
    megabyte = b" " * 1_000_000
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"
    registry = Registry([head, *[megabyte] * 100])
    error = failure(registry)
    assert not isinstance(error, CatalogueUnavailableError)
    assert error.message.endswith("answered with more than 5000000 bytes")
    assert registry.sent < 50_000_000


@pytest.mark.parametrize("encoding", ["gzip", "GZip", "br", "gzip, gzip"])
def test_a_packed_body_is_refused_because_it_was_not_asked_for(encoding):
    bomb = gzip.compress(b" " * 20_000_000)
    registry = Registry([answer(bomb, headers=f"Content-Encoding: {encoding}\r\n")])
    error = failure(registry)
    assert error.message.endswith(f"answered with the content encoding '{encoding.lower()}', which was not asked for")
    assert "accept-encoding: identity\r\n" in registry.requests[0].lower()


def test_a_body_that_says_it_is_not_packed_is_read():
    body = json.dumps({"response": {"services": [entry()]}}).encode()
    services, _ = read(Registry([answer(body, headers="Content-Encoding: Identity\r\n")]))
    assert [service.id for service in services] == ["a"]


@pytest.mark.parametrize("body", [b"<html>", b"", b"\xff", b"[" * 200_000])
def test_a_body_that_is_not_json_is_reported(body):
    error = failure(Registry([answer(body)]))
    assert error.message.endswith("answered with something that is not JSON")


@pytest.mark.parametrize(
    "body", [[], {}, "x", {"response": None}, {"response": []}, {"response": {}}, {"response": {"services": {}}}]
)
def test_a_body_of_another_shape_is_reported(body):
    error = failure(Registry([answer(body)]))
    assert [problem.rpartition("get-services: ")[2] for problem in error.problems] == [
        "response.services: is missing or not a list"
    ]


@pytest.mark.parametrize(("kind", "shown"), [(["x"], "a list"), ({}, "a mapping"), (5, "5")])
def test_an_entity_type_that_is_not_text_is_reported(kind, shown):
    error = failure(Registry([listed(entry(entities=[{"name": "nimi", "type": kind}]))]))
    assert [problem.rpartition("get-services: ")[2] for problem in error.problems] == [
        f"services[0] 'a': entities[0].type: is {shown}; write 'text', 'number', 'currency', 'date' or 'place'"
    ]


def test_a_number_of_any_length_is_reported_with_its_field():
    body = b'{"response": {"services": [{"serviceId": %s, "name": "A", "examples": ["x"]}]}}' % (b"9" * 5000)
    error = failure(Registry([answer(body)]))
    assert [problem.rpartition("get-services: ")[2] for problem in error.problems] == [
        "services[0] 'A': serviceId: was read as a number too large to show; quote it"
    ]


def test_of_very_many_bad_services_the_first_are_listed():
    error = failure(Registry([listed(*[{"name": f"N{number}"} for number in range(20_000)])]))
    assert error.message.splitlines()[0].endswith("cannot be used: 40000 problems")
    assert len(error.message) < 20_000
    assert error.problems[-1].endswith("get-services: ... and 39950 more")


def test_one_bad_service_fails_the_whole_read_with_every_fault_in_the_registrys_words():
    entries = (
        entry(),
        entry(serviceId="b", name="B", ruuterType="DELETE", isCommon="yes"),
        entry(serviceId=None, name="C", examples="Mis?", entities=[{"type": "text"}, 5]),
        entry(name="D"),
        "x",
    )
    error = failure(Registry([listed(*entries)]))
    assert [problem.rpartition("get-services: ")[2] for problem in error.problems] == [
        "services[1] 'b': ruuterType: is 'DELETE'; write 'GET' or 'POST'",
        "services[1] 'b': isCommon: is 'yes'; write true or false, without quotes",
        "services[2] 'C': serviceId: is missing; add it",
        "services[2] 'C': entities[0].name: is missing; add it",
        "services[2] 'C': entities[1]: is 5; write its fields as a mapping",
        "services[2] 'C': examples: is a text; write a list",
        "services[4]: is a text; write its fields as a mapping",
        "services[0] and services[3]: serviceId: both are 'a'; give one of them another id",
    ]
