"""The re-index use case, top to bottom: read the catalogue, compare with the index, embed what changed, publish."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b

import numpy as np

from tool_classifier.embedding import Embedder, Vectors
from tool_classifier.embedding.centring import Centring, background_id, fit_centring
from tool_classifier.errors import CatalogueError
from tool_classifier.index import Manifest, Point, ServiceIndex
from tool_classifier.index.catalogue import Catalogue
from tool_classifier.index.points import build_points, content_hash, space_of, summary_text, texts_of
from tool_classifier.models import Service
from tool_classifier.text.analyzer import ANALYZER_ID
from tool_classifier.text.normalise import has_words

Progress = Callable[[int, int], None]
"""Called with (texts embedded so far, texts to embed) after each batch."""

_BATCH = 64  # texts embedded in one call


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A service that cannot be indexed, and why."""

    service_id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What a run did, or with `dry_run` would do. Services are named by id; `seconds` is wall-clock time.

    `texts_embedded` counts the background phrases too when their means had to be computed, `points` is the index's
    total, `version` what is published at the end ("" for nothing). A service in `failed` is not in the index; it is
    in `removed` as well when it was there before.
    """

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]
    failed: tuple[Failure, ...]
    texts_embedded: int
    points: int
    seconds: float
    version: str
    source: str
    dry_run: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """How the index differs from the catalogue: `content` is what it shall hold, `phrases` counts the background
    phrases to embed (0 when the published means still hold)."""

    published: Manifest | None
    services: Mapping[str, Service]
    content: Mapping[str, str]
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]
    phrases: int

    @property
    def fresh(self) -> tuple[str, ...]:
        """The services whose points are made."""
        return (*self.added, *self.changed)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The services whose published points go."""
        return (*self.changed, *self.removed)

    @property
    def is_empty(self) -> bool:
        return not (self.fresh or self.removed)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts to embed, each once."""
        return tuple(dict.fromkeys(text for name in self.fresh for text in texts_of(self.services[name])))

    @property
    def to_embed(self) -> int:
        """How many texts that are, with the background phrases."""
        return 0 if self.is_empty else self.phrases + len(self.texts)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Points of each service."""
        return tuple(len(texts_of(service)) for service in self.services.values())


class Indexer:
    """Brings the index up to date with a catalogue."""

    def __init__(
        self, *, embedder: Embedder, index: ServiceIndex, background: Mapping[str, Sequence[str]] | None
    ) -> None:
        """`background` holds everyday phrases by language, whose means are subtracted; None keeps vectors raw."""
        self._embedder = embedder
        self._index = index
        self._background = background
        self._means_id = "" if background is None else background_id(background)

    async def run(
        self, catalogue: Catalogue, *, dry_run: bool = False, progress: Progress | None = None
    ) -> IndexReport:
        """Publishes the catalogue's active services; embeds only those whose content changed.

        With another embedder, background or analyzer than the published one, everything is embedded anew: this is
        the migration. Nothing to do publishes nothing. Raises CatalogueError, EmbeddingError or ServiceIndexError; the
        published index then stays as it was.
        """
        start = time.perf_counter()
        services, failed = _usable(await catalogue.services(), catalogue.source)
        plan = self._plan(services, await self._index.manifest())
        embedded = 0
        while not (plan.is_empty or dry_run):
            manifest, points = await self._build(plan, catalogue.source, progress)
            embedded += plan.to_embed
            latest = await self._index.manifest()
            if latest == plan.published:
                await self._index.publish(manifest, points, replaced=plan.replaced)
                version = manifest.version
                break
            plan = self._plan(services, latest)  # another run has published meanwhile: is anything left to do?
        else:
            version = "" if plan.published is None else plan.published.version
        return IndexReport(
            added=plan.added,
            changed=plan.changed,
            removed=plan.removed,
            unchanged=plan.unchanged,
            failed=failed,
            texts_embedded=plan.to_embed if dry_run else embedded,
            points=sum(plan.sizes),
            seconds=time.perf_counter() - start,
            version=version,
            source=catalogue.source,
            dry_run=dry_run,
        )

    async def remove(self, service_id: str) -> bool:
        """Takes one service out of the published index; False when it is not in it. Raises ServiceIndexError."""
        published = await self._index.manifest()
        if published is None or service_id not in published.content:
            return False
        [service] = await self._index.services([service_id])
        content = {name: digest for name, digest in published.content.items() if name != service_id}
        manifest = replace(
            published,
            version=_new_version(content),
            content=content,
            points=published.points - len(texts_of(service)),
        )
        await self._index.publish(manifest, (), replaced=(service_id,))
        return True

    def _plan(self, services: Mapping[str, Service], published: Manifest | None) -> _Plan:
        ids = {"embedder_id": self._embedder.id, "means_id": self._means_id, "analyzer_id": ANALYZER_ID}
        content = {name: content_hash(service, **ids) for name, service in services.items()}
        known = {} if published is None else published.content
        space = (self._embedder.id, self._embedder.dimension, self._means_id, ANALYZER_ID)
        comparable = published is not None and space_of(published) == space
        unchanged = tuple(name for name in content if comparable and known.get(name) == content[name])
        phrases = sum(map(len, (self._background or {}).values()))
        return _Plan(
            published=published,
            services=services,
            content=content,
            added=tuple(name for name in content if name not in known),
            changed=tuple(name for name in content if name in known and name not in unchanged),
            removed=tuple(sorted(known.keys() - content.keys())),
            unchanged=unchanged,
            phrases=0 if self._means_hold(published) else phrases,
        )

    def _means_hold(self, published: Manifest | None) -> bool:
        ours = (self._embedder.id, self._embedder.dimension, self._means_id)
        return published is not None and (published.embedder_id, published.dimension, published.means_id) == ours

    async def _build(self, plan: _Plan, source: str, progress: Progress | None) -> tuple[Manifest, list[Point]]:
        centring = await self._centring(plan.published)
        vectors = await self._embed(plan.texts, centring, done=plan.phrases, progress=progress)
        version = _new_version(plan.content)
        points: list[Point] = []
        for name in plan.fresh:
            service = plan.services[name]
            points += build_points(
                service,
                np.stack([vectors[text] for text in texts_of(service)]),
                embedder_id=self._embedder.id,
                content_hash=plan.content[name],
                index_version=version,
            )
        manifest = Manifest(
            version=version,
            embedder_id=self._embedder.id,
            dimension=self._embedder.dimension,
            analyzer_id=ANALYZER_ID,
            source=source,
            content=plan.content,
            largest_service=max(plan.sizes),
            points=sum(plan.sizes),
            means_id=self._means_id,
            means=tuple(tuple(row) for row in centring.means.tolist()),
        )
        return manifest, points

    async def _centring(self, published: Manifest | None) -> Centring:
        if published is not None and self._means_hold(published):
            return Centring(id=self._means_id, means=np.array(published.means, dtype=np.float32))
        return await fit_centring(self._embedder, self._background)

    async def _embed(
        self, texts: Sequence[str], centring: Centring, *, done: int, progress: Progress | None
    ) -> dict[str, Vectors]:
        vectors: dict[str, Vectors] = {}
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            vectors |= zip(batch, centring.apply(await self._embedder.embed(batch)), strict=True)
            if progress is not None:
                progress(done + len(vectors), done + len(texts))
        return vectors


def _usable(services: Sequence[Service], source: str) -> tuple[dict[str, Service], tuple[Failure, ...]]:
    """The active services by id, in the order of ids, without those that no query could ever find."""
    active = sorted((service for service in services if service.active), key=lambda service: service.id)
    usable = {service.id: service for service in active if has_words(summary_text(service))}
    failed = tuple(
        Failure(service_id=service.id, reason="none of its texts holds a letter or a digit")
        for service in active
        if service.id not in usable
    )
    if not usable:
        raise CatalogueError(
            f"{source} lists no active service that can be indexed",
            problems=tuple(f"{failure.service_id}: {failure.reason}" for failure in failed),
            hint="Activate or mend a service. What is published stays as it is: an index is never emptied.",
        )
    return usable, failed


def _new_version(content: Mapping[str, str]) -> str:
    """Sorts by time; the second half tells two catalogues apart."""
    digest = blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=4).hexdigest()
    return f"{datetime.now(tz=UTC):%Y%m%dT%H%M%S.%fZ}-{digest}"
