"""The service index in a Qdrant server (qdrant-client over REST). Needs Qdrant 1.17 or newer, for weighted fusion.

`<collection>` is an alias; the points are in `<collection>_<hash of the embedding space>`, so that vectors of two
embedders never meet. Building for another space fills a new collection and then moves the alias, in one step.

Within a space a publish changes the collection in place: upsert the new points, delete those that go, write the
manifest (a point without vectors, which no vector search returns). A reader may so see the old and the new examples of
a changed service side by side for a moment. A publish that breaks off leaves the old manifest: the next one makes
the same changes again and clears what the broken one left. Two publishers at once are not kept apart here.
"""

import json
import math
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from tool_classifier.embedding import Vectors
from tool_classifier.errors import IndexMissingError, IndexUnavailableError, ServiceIndexError, SettingsError
from tool_classifier.index import Hit, Manifest, Point, PointType, SearchResult
from tool_classifier.index.points import (
    DENSE,
    HIT_FIELDS,
    RRF_K,
    RRF_WEIGHTS,
    SPARSE,
    check_dimension,
    hits_from,
    manifest_from_payload,
    manifest_id,
    manifest_payload,
    service_from_payload,
    space_of,
    summary_id,
)
from tool_classifier.models import Service
from tool_classifier.text.analyzer import SparseVector

_BATCH = 100  # points in one request: 3 072 dimensions as JSON stay well below the server's limit of 32 MB
_EXACT = models.SearchParams(exact=True)  # a catalogue is small: no approximation, the same answer every time
_BAD_REQUEST = 400
_NOT_FOUND = 404
_TRANSIENT = (408, 429)
_SERVER_ERROR = 500


class ServerServiceIndex:
    """ServiceIndex in a Qdrant server. Opens no connection before it is first used."""

    def __init__(
        self,
        *,
        url: str,
        collection: str = "intent_collections",
        api_key: str | None = None,
        timeout_seconds: float = 10.0,
    ) -> None:
        self._collection = collection
        self._place = _without_credentials(url)
        try:
            self._client = AsyncQdrantClient(
                url=url, api_key=api_key, timeout=math.ceil(timeout_seconds), check_compatibility=False
            )
        except ValueError as error:
            raise SettingsError(
                f"{self._place} is not the address of a Qdrant server: {error}",
                hint="Set QDRANT_URL to something like http://localhost:6333.",
            ) from error
        self._latest: Manifest | None = None

    async def manifest(self) -> Manifest | None:
        """The published manifest, or None when nothing has been published. Fetched whole only when it has changed."""
        with self._translated():
            if (stored := await self._stored_manifest(with_payload=["version"])) is None:
                return None
            if self._latest is None or self._latest.version != stored["version"]:
                self._latest = manifest_from_payload(await self._stored_manifest(with_payload=True) or {})
            return self._latest

    async def search(
        self, dense: Vectors, sparse: SparseVector | None, *, dense_limit: int, hybrid_limit: int
    ) -> SearchResult:
        """See ServiceIndex. Raises IndexMismatchError when the query's dimension is not the index's."""
        nearest = dense.tolist()
        sides = [models.Prefetch(query=nearest, using=DENSE, limit=hybrid_limit, params=_EXACT)]
        if sparse is not None:
            vector = models.SparseVector(indices=list(sparse.indices), values=list(sparse.values))
            sides.append(models.Prefetch(query=vector, using=SPARSE, limit=hybrid_limit))
        fusion = models.RrfQuery(rrf=models.Rrf(k=RRF_K, weights=list(RRF_WEIGHTS[: len(sides)])))
        fields = list(HIT_FIELDS)
        both = [
            models.QueryRequest(query=nearest, using=DENSE, limit=dense_limit, params=_EXACT, with_payload=fields),
            models.QueryRequest(prefetch=sides, query=fusion, limit=hybrid_limit, with_payload=fields),
        ]
        with self._translated():
            try:
                found = await self._client.query_batch_points(self._collection, requests=both)
            except UnexpectedResponse as error:
                if error.status_code in (_BAD_REQUEST, _NOT_FOUND):
                    await self._explain_refusal(len(nearest))
                raise
            return SearchResult(dense=_hits(found[0].points), hybrid=_hits(found[1].points))

    async def services(self, service_ids: Collection[str]) -> tuple[Service, ...]:
        """The definitions of these services, in the order given; unknown ids are left out."""
        ids = [summary_id(service_id) for service_id in service_ids]
        with self._translated():
            found = {str(record.id): record.payload or {} for record in await self._retrieve(ids, with_payload=True)}
            return tuple(service_from_payload(found[identifier]) for identifier in ids if identifier in found)

    async def all_services(self) -> tuple[Service, ...]:
        """Every indexed service, ordered by id."""
        with self._translated():
            services = [service_from_payload(record.payload or {}) for record in await self._summaries()]
        return tuple(sorted(services, key=lambda service: service.id))

    async def publish(self, manifest: Manifest, points: Sequence[Point], *, replaced: Collection[str]) -> None:
        """See ServiceIndex. Raises ServiceIndexError when the collection's name is taken by somebody else's."""
        physical = f"{self._collection}_{_digest(manifest)}"
        for point in points:
            check_dimension(manifest, len(point.dense))
        with self._translated():
            target = await self._target()
            if target is None and await self._client.collection_exists(self._collection):
                raise self._taken(f"a collection named {self._collection}")
            if target is not None and not self._is_ours(target):
                raise self._taken(f"an alias {self._collection} of the collection {target}")
            if target != physical:
                await self._create(physical, manifest.dimension)
            await self._fill(physical, manifest, points, replaced)
            if target != physical:
                await self._move_alias(target, physical)

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    # ------------------------------------------------------------------------------------------------- reading

    async def _retrieve(self, ids: Sequence[str], *, with_payload: bool | list[str]) -> list[models.Record]:
        """The points with these ids; none when nothing has been published."""
        try:
            return await self._client.retrieve(self._collection, ids=ids, with_payload=with_payload)
        except UnexpectedResponse as error:
            if error.status_code == _NOT_FOUND:
                return []
            raise

    async def _stored_manifest(self, *, with_payload: bool | list[str]) -> dict[str, Any] | None:
        records = await self._retrieve([manifest_id()], with_payload=with_payload)
        return records[0].payload if records else None

    async def _summaries(self) -> list[models.Record]:
        """All summary points; none when nothing has been published."""
        summaries = models.Filter(must=[_having("point_type", [PointType.SUMMARY.value])])
        records: list[models.Record] = []
        offset: models.ExtendedPointId | None = None
        while True:
            try:
                page, offset = await self._client.scroll(self._collection, summaries, limit=_BATCH, offset=offset)
            except UnexpectedResponse as error:
                if error.status_code == _NOT_FOUND:
                    return []
                raise
            records += page
            if offset is None:
                return records

    async def _explain_refusal(self, dimension: int) -> None:
        """Why a search was refused: nothing published, or a vector of another embedder."""
        manifest = await self.manifest()
        if manifest is None:
            raise IndexMissingError(
                f"the index {self._collection} in {self._place} is empty",
                hint="Run `tool-classifier index` to build it.",
            )
        check_dimension(manifest, dimension)

    # ---------------------------------------------------------------------------------------------- publishing

    async def _target(self) -> str | None:
        """The collection that the alias names."""
        aliases = (await self._client.get_aliases()).aliases
        return next((alias.collection_name for alias in aliases if alias.alias_name == self._collection), None)

    def _is_ours(self, collection: str) -> bool:
        return re.fullmatch(rf"{re.escape(self._collection)}_[0-9a-f]{{8}}", collection) is not None

    async def _create(self, physical: str, dimension: int) -> None:
        await self._client.delete_collection(physical)  # what is left of a run that broke off
        await self._client.create_collection(
            physical,
            vectors_config={DENSE: models.VectorParams(size=dimension, distance=models.Distance.COSINE)},
            sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        )
        for field in ("service_id", "point_type"):  # a server in strict mode filters by nothing else
            await self._client.create_payload_index(
                physical, field_name=field, field_schema=models.PayloadSchemaType.KEYWORD
            )

    async def _fill(
        self, physical: str, manifest: Manifest, points: Sequence[Point], replaced: Collection[str]
    ) -> None:
        for start in range(0, len(points), _BATCH):
            batch = [_structure(point) for point in points[start : start + _BATCH]]
            await self._client.upsert(physical, points=batch, wait=True)
        renewed = sorted({*replaced, *(point.service_id for point in points)})
        unknown = models.Filter(must_not=[_having("service_id", sorted(manifest.content))])
        stays = models.HasIdCondition(has_id=[manifest_id(), *(point.id for point in points)])
        gone = models.Filter(should=[_having("service_id", renewed), unknown], must_not=[stays])
        await self._client.delete(physical, points_selector=models.FilterSelector(filter=gone), wait=True)
        record = models.PointStruct(
            id=manifest_id(), vector={}, payload=manifest_payload(manifest) | {"point_type": "manifest"}
        )
        await self._client.upsert(physical, points=[record], wait=True)

    async def _move_alias(self, target: str | None, physical: str) -> None:
        actions: list[models.AliasOperations] = []
        if target is not None:
            deletion = models.DeleteAlias(alias_name=self._collection)
            actions.append(models.DeleteAliasOperation(delete_alias=deletion))
        creation = models.CreateAlias(collection_name=physical, alias_name=self._collection)
        actions.append(models.CreateAliasOperation(create_alias=creation))
        await self._client.update_collection_aliases(change_aliases_operations=actions)
        for collection in (await self._client.get_collections()).collections:
            # The one before stays for readers that are about to ask it; it goes with the next move.
            if self._is_ours(collection.name) and collection.name not in (physical, target):
                await self._client.delete_collection(collection.name)

    # -------------------------------------------------------------------------------------------------- errors

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except ResponseHandlingException as error:
            raise self._unavailable(f"{type(error.source).__name__}: {error.source}") from error
        except ResourceExhaustedResponse as error:
            raise self._unavailable(f"too many requests: {error}") from error
        except UnexpectedResponse as error:
            if error.status_code is None or error.status_code in _TRANSIENT or error.status_code >= _SERVER_ERROR:
                raise self._unavailable(f"HTTP {error.status_code}") from error
            raise ServiceIndexError(
                f"Qdrant at {self._place} refused a request on {self._collection}: {error}",
                hint="Check QDRANT_API_KEY and QDRANT_COLLECTION, and that the server is version 1.17 or newer.",
            ) from error
        except (KeyError, TypeError, ValueError) as error:
            raise ServiceIndexError(
                f"{self._collection} in Qdrant at {self._place} holds what this version cannot read: {error!r}",
                hint="Delete this collection or set QDRANT_COLLECTION to another name; run `tool-classifier index`.",
            ) from error

    def _unavailable(self, cause: str) -> IndexUnavailableError:
        return IndexUnavailableError(
            f"Qdrant at {self._place} does not answer ({cause})",
            hint="Check QDRANT_URL, and that the server is running and reachable from here.",
        )

    def _taken(self, what: str) -> ServiceIndexError:
        return ServiceIndexError(
            f"Qdrant at {self._place} already has {what}, which this program did not make",
            hint="Set QDRANT_COLLECTION to a name that is free.",
        )


def _without_credentials(url: str) -> str:
    return re.sub(r"^(\w+://)?[^/]*@", r"\1", url)


def _digest(manifest: Manifest) -> str:
    return blake2b(json.dumps(space_of(manifest)).encode(), digest_size=4).hexdigest()


def _having(field: str, values: list[str]) -> models.FieldCondition:
    return models.FieldCondition(key=field, match=models.MatchAny(any=values))


def _structure(point: Point) -> models.PointStruct:
    vectors: dict[str, models.Vector] = {DENSE: list(point.dense)}
    if point.sparse is not None:
        vectors[SPARSE] = models.SparseVector(indices=list(point.sparse.indices), values=list(point.sparse.values))
    return models.PointStruct(id=point.id, vector=vectors, payload=dict(point.payload))


def _hits(found: Sequence[models.ScoredPoint]) -> tuple[Hit, ...]:
    return hits_from((str(point.id), point.score, point.payload or {}) for point in found)
