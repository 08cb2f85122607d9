"""The registry's discovery endpoint: `GET {base}/services/get-services`."""

import asyncio
import json
from collections.abc import Mapping

import httpx

from tool_classifier.errors import CatalogueError, CatalogueUnavailableError
from tool_classifier.index.catalogue.schema import InferType, faulty, shown, validate_services, whole_number
from tool_classifier.models import EntityType, Service

_MAX_BYTES = 5_000_000
_ACTIVE = "active"
_FIELD_NAMES = {"id": "serviceId", "method": "ruuterType", "is_common": "isCommon"}
_ENTITY_TYPES = frozenset(EntityType)


class RuuterCatalogue:
    """Catalogue of a registry. One request a call, bounded in time and size; read whole or not at all."""

    def __init__(
        self, *, base_url: str, timeout_seconds: float = 10, infer_type: InferType, client: httpx.AsyncClient
    ) -> None:
        self._url = f"{base_url.rstrip('/')}/services/get-services"
        self._timeout_seconds = timeout_seconds
        self._infer_type = infer_type
        self._client = client

    @property
    def source(self) -> str:
        """The endpoint's address, without the credentials that it may hold."""
        scheme, separator, rest = self._url.partition("://")
        authority, slash, path = rest.partition("/")
        return f"{scheme}{separator}{authority.rpartition('@')[2]}{slash}{path}"

    async def services(self) -> tuple[Service, ...]:
        """Every registered service in the registry's order; an empty registry has none.

        Raises CatalogueUnavailableError when the registry cannot be reached, is too slow or answers with an HTTP
        error, and CatalogueError with all faults when its answer cannot be used.
        """
        entries = self._entries(self._decoded(await self._fetch()))
        translated = [_translated(entry) for entry in entries]
        return validate_services(translated, source=self.source, infer_type=self._infer_type, field_names=_FIELD_NAMES)

    async def _fetch(self) -> bytes:
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await self._read()
        except (TimeoutError, httpx.TimeoutException) as error:
            raise CatalogueUnavailableError(
                f"{self.source} did not answer within {self._timeout_seconds:g} s",
                hint="Check that the registry runs, or raise SERVICE_DISCOVERY_TIMEOUT.",
            ) from error
        except (httpx.RequestError, httpx.InvalidURL) as error:
            raise CatalogueUnavailableError(
                f"{self.source} cannot be reached: {type(error).__name__}",
                hint="Check RAG_SEARCH_RUUTER_PUBLIC, and that the registry runs.",
            ) from error

    async def _read(self) -> bytes:
        if "?" in self._url or "#" in self._url:  # the path would become part of what follows
            raise CatalogueError(
                "the registry's address has a query or a fragment",
                hint="Set RAG_SEARCH_RUUTER_PUBLIC to an address without '?' and '#'.",
            )
        request = self._client.stream(
            "GET",
            self._url,
            headers={"Accept": "application/json", "Accept-Encoding": "identity"},
            follow_redirects=False,
            timeout=self._timeout_seconds,
        )
        async with request as response:
            if response.status_code != httpx.codes.OK:
                raise CatalogueUnavailableError(
                    f"{self.source} answered with HTTP status {response.status_code}",
                    hint="Check RAG_SEARCH_RUUTER_PUBLIC; redirects are not followed."
                    if response.is_redirect
                    else "Check RAG_SEARCH_RUUTER_PUBLIC and the registry's own log.",
                )
            # Bodies packed nevertheless are refused: httpx unpacks a whole chunk before anyone can count its bytes.
            encoding = response.headers.get("content-encoding", "").lower()
            if encoding not in ("", "identity"):
                raise CatalogueError(
                    f"{self.source} answered with the content encoding {shown(encoding)}, which was not asked for",
                    hint="Let the registry, or the proxy before it, honour `Accept-Encoding: identity`.",
                )
            body = bytearray()
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > _MAX_BYTES:
                    raise CatalogueError(
                        f"{self.source} answered with more than {_MAX_BYTES} bytes",
                        hint="Check RAG_SEARCH_RUUTER_PUBLIC: a list of services is far smaller.",
                    )
            return bytes(body)

    def _decoded(self, body: bytes) -> object:
        try:
            return json.loads(body, parse_int=whole_number)
        except (ValueError, RecursionError) as error:
            raise CatalogueError(
                f"{self.source} answered with something that is not JSON",
                hint="Check RAG_SEARCH_RUUTER_PUBLIC: it may lead to a web page.",
            ) from error

    def _entries(self, answer: object) -> list[object]:
        response = answer.get("response") if isinstance(answer, Mapping) else None
        entries = response.get("services") if isinstance(response, Mapping) else None
        if not isinstance(entries, list):
            raise faulty(self.source, [f"{self.source}: response.services: is missing or not a list"])
        return entries


def _translated(entry: object) -> object:
    """An entry of the registry in the shape of ServiceDefinition; what the registry says beyond that is left out."""
    if not isinstance(entry, Mapping):
        return entry
    state = entry.get("state")
    return {
        "id": entry.get("serviceId"),
        "name": entry.get("name"),
        "description": entry.get("description"),
        "method": entry.get("ruuterType"),
        "entities": _translated_entities(_list(entry.get("entities"))),
        "examples": _list(entry.get("examples")),
        "is_common": entry.get("isCommon"),
        "active": state is None or (isinstance(state, str) and state.casefold() == _ACTIVE),
    }


def _list(value: object) -> object:
    """The registry stores some lists as JSON strings; a string that is none stays and is reported."""
    try:
        return json.loads(value or "null") if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value


def _translated_entities(entities: object) -> object:
    if not isinstance(entities, list):
        return entities
    return [_translated_entity(entity) if isinstance(entity, Mapping) else entity for entity in entities]


def _translated_entity(entity: Mapping[str, object]) -> object:
    """Types of the registry that are not ours are inferred from the name instead; what is no type's name is a fault."""
    kind = entity.get("type")
    return {
        "name": entity.get("name"),
        "type": None if isinstance(kind, str) and kind not in _ENTITY_TYPES else kind,
        "description": entity.get("description"),
    }
