"""Intent detection without an LLM: the score that classification measured, and typed values found in the query."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Protocol

from tool_classifier.intent.extractors import extract
from tool_classifier.models import Candidate, IntentResult, Query, Service, Thresholds, Trace

_EVIDENCE_OF_A_VALUE = 0.03
"""What each value that the service takes, found in the query, adds to its score, up to three values."""

_EVIDENCE_OF_NONE = -0.05
"""What it costs a service that takes values when the query holds none of them."""

_MOST_VALUES = 3

_CONFIDENCE_AT_MINIMUM = 0.7
_CONFIDENCE_AT_HIGH = 0.9


class Scorer(Protocol):
    """Scores services that no search has scored, such as those that discovery just found."""

    async def scores(self, text: str, services: Sequence[Service]) -> Sequence[float]:
        """Returns for each service, in the order given, the similarity of its closest text to the query (-1..1)."""
        ...


class LocalDetector:
    """IntentDetector that decides by calibrated score and typed extraction: no LLM, no network of its own, no cost."""

    def __init__(self, *, scorer: Scorer, thresholds: Callable[[], Thresholds], today: Callable[[], date]) -> None:
        self._scorer = scorer
        self._thresholds = thresholds
        self._today = today

    @property
    def name(self) -> str:
        """What the trace calls this detector."""
        return "local"

    async def detect(self, query: Query, candidates: Sequence[Candidate], trace: Trace) -> IntentResult:  # noqa: ARG002 (protocol; nothing is spent here)
        """Returns the candidate with the best evidence and its entity values.

        Evidence is the score, plus 0.03 for each value found that the service takes (at most three count), less 0.05
        when it takes values and none is found; ties go to the higher score, then to the id. Confidence follows from the
        evidence: 0.7 at the minimum threshold, 0.9 at the high one, linear between. Raises what the scorer raises.
        """
        scored = await self._scored(query, candidates)
        if not scored:
            return IntentResult(
                matched_service_id=None, confidence=0.0, reasoning="There is no candidate.", detector=self.name
            )
        today = self._today()
        weighed = []
        for service, score in scored:
            values = extract(query.text, query.language, service.entities, today=today)
            weighed.append((score + _evidence(service, values), score, service, values))
        evidence, score, service, values = min(weighed, key=lambda each: (-each[0], -each[1], each[2].id))
        thresholds = self._thresholds()
        return IntentResult(
            matched_service_id=service.id,
            confidence=confidence(evidence, thresholds),
            entities=values,
            reasoning=(
                f"{service.id} has the best evidence of {len(weighed)} ({evidence:.3f}): score {score:.3f} against "
                f"minimum {thresholds.minimum:.3f} and high {thresholds.high:.3f}, "
                f"{len(values)} of {len(service.entities)} entities found."
            ),
            detector=self.name,
        )

    async def _scored(self, query: Query, candidates: Sequence[Candidate]) -> list[tuple[Service, float]]:
        scored = [(each.service, each.score) for each in candidates if each.score is not None]
        if scored:
            # A candidate without a score beside scored ones was found by its words alone: it scores below them all.
            return scored
        services = [candidate.service for candidate in candidates]
        scores = await self._scorer.scores(query.text, services) if services else ()
        return list(zip(services, scores, strict=True))


def confidence(score: float, thresholds: Thresholds) -> float:
    """Maps a score to 0..1, linear between (0, 0), (minimum, 0.7), (high, 0.9) and (1, 1)."""
    steps = (
        (0.0, 0.0),
        (thresholds.minimum, _CONFIDENCE_AT_MINIMUM),
        (thresholds.high, _CONFIDENCE_AT_HIGH),
        (1.0, 1.0),
    )
    for (low, at_low), (high, at_high) in pairwise(steps):
        if score < high:
            share = max(0.0, score - low) / (high - low) if high > low else 0.0
            return at_low + (at_high - at_low) * share
    return 1.0 if score >= 1 else 0.0  # not a number says nothing


def _evidence(service: Service, values: Mapping[str, str]) -> float:
    if service.entities and not values:
        return _EVIDENCE_OF_NONE
    return _EVIDENCE_OF_A_VALUE * min(len(values), _MOST_VALUES)
