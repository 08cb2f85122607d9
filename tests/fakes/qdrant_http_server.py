"""Qdrant's REST API over HTTP, as far as the service index uses it, answered by qdrant-client's local mode.

Requests and answers are the client's own models, so a request that the real server would not understand fails here too.
https://api.qdrant.tech/api-reference
"""

import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel, ValidationError
from qdrant_client import QdrantClient, models
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tool_classifier.local.server import serving


@dataclass(kw_only=True)
class QdrantHttpServer:
    """The server's state, which outlives one run of it. `refuse` scripts failures, `requests` is what was asked."""

    store: QdrantClient = field(default_factory=lambda: QdrantClient(":memory:"))
    requests: list[tuple[str, str]] = field(default_factory=list)
    _refusals: list[tuple[str, str, int]] = field(default_factory=list)

    def refuse(self, method: str, path_end: str, *, status: int) -> None:
        """The next request with this method whose path ends so gets this status and changes nothing; 200 lets it pass.

        Refusals of the same kind of request are used up one by one, in the order in which they were made.
        """
        self._refusals.append((method, path_end, status))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        """Serves while the block runs; yields the URL."""
        async with serving(self._app()) as url:
            yield url

    def _app(self) -> Starlette:
        one, points = "/collections/{name}", "/collections/{name}/points"
        routes: list[tuple[str, str, _Handler]] = [
            ("GET", "/aliases", self._aliases),
            ("POST", "/collections/aliases", self._change_aliases),
            ("GET", "/collections", self._collections),
            ("GET", f"{one}/exists", self._exists),
            ("PUT", one, self._create),
            ("DELETE", one, self._delete),
            ("PUT", f"{one}/index", self._create_index),
            ("PUT", points, self._upsert),
            ("POST", points, self._retrieve),
            ("POST", f"{points}/scroll", self._scroll),
            ("POST", f"{points}/delete", self._delete_points),
            ("POST", f"{points}/query/batch", self._query_batch),
        ]
        return Starlette(routes=[Route(path, self._answering(to), methods=[verb]) for verb, path, to in routes])

    def _answering(self, handler: "_Handler") -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            method, path = request.method, request.url.path
            self.requests.append((method, path))
            if (status := self._scripted(method, path)) != HTTPStatus.OK:
                return _error(status, "scripted")
            name = request.path_params.get("name", "")
            if path.startswith(f"/collections/{name}/points") and not self.store.collection_exists(name):
                return _error(HTTPStatus.NOT_FOUND, f"Not found: Collection `{name}` doesn't exist!")
            try:
                result = handler(name, await request.body())
            except (ValueError, ValidationError, AssertionError) as error:  # how local mode says what HTTP 400 says
                return _error(HTTPStatus.BAD_REQUEST, str(error))
            return JSONResponse({"result": _plain(result), "status": "ok", "time": 0.0})

        return answer

    def _scripted(self, method: str, path: str) -> int:
        for refusal in self._refusals:
            if refusal[0] == method and path.endswith(refusal[1]):
                self._refusals.remove(refusal)
                return refusal[2]
        return HTTPStatus.OK

    # ------------------------------------------------------------------------------------------- collections

    def _aliases(self, _name: str, _body: bytes) -> object:
        return self.store.get_aliases()

    def _change_aliases(self, _name: str, body: bytes) -> object:
        return self.store.update_collection_aliases(models.ChangeAliasesOperation.model_validate_json(body).actions)

    def _collections(self, _name: str, _body: bytes) -> object:
        return self.store.get_collections()

    def _exists(self, name: str, _body: bytes) -> object:
        return {"exists": self.store.collection_exists(name)}

    def _create(self, name: str, body: bytes) -> object:
        wanted = models.CreateCollection.model_validate_json(body)
        return self.store.create_collection(
            name, vectors_config=wanted.vectors, sparse_vectors_config=wanted.sparse_vectors
        )

    def _delete(self, name: str, _body: bytes) -> object:
        return self.store.delete_collection(name)

    def _create_index(self, _name: str, body: bytes) -> object:
        models.CreateFieldIndex.model_validate_json(body)  # local mode has no payload indexes, and needs none
        return {"operation_id": 0, "status": "completed"}

    # ------------------------------------------------------------------------------------------------- points

    def _upsert(self, name: str, body: bytes) -> object:
        return self.store.upsert(name, models.PointsList.model_validate_json(body).points)

    def _retrieve(self, name: str, body: bytes) -> object:
        wanted = models.PointRequest.model_validate_json(body)
        return self.store.retrieve(name, wanted.ids, with_payload=wanted.with_payload, with_vectors=False)

    def _scroll(self, name: str, body: bytes) -> object:
        wanted = models.ScrollRequest.model_validate_json(body)
        page, offset = self.store.scroll(name, wanted.filter, limit=wanted.limit, offset=wanted.offset)
        return {"points": page, "next_page_offset": offset}

    def _delete_points(self, name: str, body: bytes) -> object:
        return self.store.delete(name, models.FilterSelector.model_validate_json(body))

    def _query_batch(self, name: str, body: bytes) -> object:
        wanted = models.QueryRequestBatch.model_validate_json(body).searches
        with warnings.catch_warnings(action="ignore"):  # "search_params has no effect": local mode is always exact
            return self.store.query_batch_points(name, wanted)


_Handler = Callable[[str, bytes], object]


def _plain(result: object) -> Any:
    if isinstance(result, BaseModel):
        return result.model_dump(mode="json")
    if isinstance(result, list):
        return [_plain(item) for item in result]
    if isinstance(result, dict):
        return {key: _plain(value) for key, value in result.items()}
    return result


def _error(status: int, message: str) -> JSONResponse:
    return JSONResponse({"status": {"error": message}, "time": 0.0}, status_code=status)
