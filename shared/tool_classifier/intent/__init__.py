"""Which candidate is meant, and with which entity values. Detectors: `local_detector` (no LLM)."""

from collections.abc import Sequence
from typing import Protocol

from tool_classifier.models import Candidate, IntentResult, Query, Trace


class IntentDetector(Protocol):
    """Decides between candidates and extracts the chosen service's entities."""

    @property
    def name(self) -> str:
        """What the trace calls this detector."""
        ...

    async def detect(self, query: Query, candidates: Sequence[Candidate], trace: Trace) -> IntentResult:
        """Returns one of the candidates or no match. LLM usage goes to `trace.usage`, also when this raises."""
        ...
