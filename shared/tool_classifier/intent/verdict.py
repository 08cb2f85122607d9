"""What a detector answers is checked in code: only a candidate, only with enough confidence."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tool_classifier.models import Candidate, IntentResult

_SHOWN_CHARACTERS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The candidate that may be called, or None; `reason` says why, in one English phrase for the trace."""

    candidate: Candidate | None
    reason: str


def accepted(result: IntentResult, candidates: Sequence[Candidate], *, minimum_confidence: float) -> Verdict:
    """Accepts a detector's result when its id is a candidate's and its confidence a number from the minimum to 1.

    An id that differs from exactly one candidate's in letter case or outer spaces only is taken as that candidate's.
    """
    if result.matched_service_id is None:
        return Verdict(candidate=None, reason="the detector matched no service")
    candidate = _candidate(result.matched_service_id, candidates)
    if candidate is None:
        shown = result.matched_service_id[:_SHOWN_CHARACTERS]
        return Verdict(candidate=None, reason=f"{shown!r} is not among the {len(candidates)} candidates")
    confidence = result.confidence
    if not math.isfinite(confidence) or not 0 <= confidence <= 1:
        return Verdict(candidate=None, reason=f"confidence {confidence} is not a number from 0 to 1")
    if confidence < minimum_confidence:
        return Verdict(
            candidate=None,
            reason=f"confidence {confidence:.2f} for {candidate.service.id!r} is below {minimum_confidence:.2f}",
        )
    return Verdict(candidate=candidate, reason=f"{candidate.service.id!r} accepted with confidence {confidence:.2f}")


def _candidate(service_id: str, candidates: Sequence[Candidate]) -> Candidate | None:
    exact = [candidate for candidate in candidates if candidate.service.id == service_id]
    if exact:
        return exact[0]
    wanted = service_id.strip().casefold()
    alike = [candidate for candidate in candidates if candidate.service.id.casefold() == wanted]
    return alike[0] if len(alike) == 1 else None
