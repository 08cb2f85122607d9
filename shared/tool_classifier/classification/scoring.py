"""Points found -> services scored. Points are grouped here, not in the store: many examples neither hide the
runner-up nor add up."""

from collections.abc import Iterable
from dataclasses import dataclass

from tool_classifier.index import Hit, Manifest
from tool_classifier.text.normalise import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceScore:
    """A service's score: that of its best point. `fused` is its hybrid score (None: not among the hybrid hits)."""

    service_id: str
    score: float | None
    fused: float | None
    best_example: str | None


def points_to_fetch(manifest: Manifest, *, services: int) -> int:
    """How many points a search must return so that at least `services` different services are among them.

    One fewer services can take up `largest_service` points each; the next point belongs to another one.
    """
    return min(manifest.points, (services - 1) * manifest.largest_service + 1)


def score_services(query_text: str, dense: Iterable[Hit], hybrid: Iterable[Hit]) -> list[ServiceScore]:
    """Scores every service found, best dense score first; equal scores are ordered by hybrid score, then id.

    A query that is exactly a service's name scores 1.0 for it, as if the name were one of its examples.
    """
    scores: dict[str, float] = {}
    fused: dict[str, float] = {}
    examples: dict[str, str] = {}
    wanted = fold(query_text)
    for hit in dense:
        if hit.score > scores.get(hit.service_id, -2.0):
            scores[hit.service_id] = hit.score
            examples[hit.service_id] = hit.text
    for hit in hybrid:
        fused[hit.service_id] = max(hit.score, fused.get(hit.service_id, 0.0))
        if fold(hit.name) == wanted:
            scores[hit.service_id] = 1.0
            examples[hit.service_id] = hit.name
    services = [
        ServiceScore(
            service_id=id_, score=scores.get(id_), fused=fused.get(id_), best_example=examples.get(id_) or None
        )
        for id_ in scores | fused
    ]
    return sorted(services, key=lambda s: (-_low(s.score), -_low(s.fused), s.service_id))


def _low(score: float | None) -> float:
    return -2.0 if score is None else score
