"""Scored services -> one of three outcomes, by one rule that can be named."""

from collections.abc import Sequence
from dataclasses import dataclass

from tool_classifier.classification.scoring import ServiceScore
from tool_classifier.models import Outcome, Rule, Thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An outcome, the rule behind it and the two numbers it was judged by, both of the best service."""

    outcome: Outcome
    rule: Rule
    score: float
    gap: float
    reasoning: str


def decide(services: Sequence[ServiceScore], thresholds: Thresholds) -> Decision:
    """Judges the best service. `services` come best first and hold at least one with a score.

    The gap is to the best *other* service; with no other one it is the whole score.
    """
    score = services[0].score or 0.0
    runner_up = services[1].score if len(services) > 1 else None
    gap = score - max(runner_up or 0.0, 0.0)
    if score < thresholds.minimum:
        outcome, rule = Outcome.NON_SERVICE, Rule.BELOW_MINIMUM
        why = f"best score {score:.3f} is below the minimum {thresholds.minimum:.3f}"
    elif score < thresholds.high:
        outcome, rule = Outcome.AMBIGUOUS, Rule.BELOW_HIGH
        why = f"best score {score:.3f} is between the minimum {thresholds.minimum:.3f} and high {thresholds.high:.3f}"
    elif gap < thresholds.gap:
        outcome, rule = Outcome.AMBIGUOUS, Rule.SMALL_GAP
        why = f"best score {score:.3f} leads the next service by {gap:.3f}, less than the gap {thresholds.gap:.3f}"
    else:
        outcome, rule = Outcome.HIGH_CONFIDENCE, Rule.CLEAR_WINNER
        why = f"best score {score:.3f} reaches high {thresholds.high:.3f} and leads by {gap:.3f}"
    return Decision(outcome=outcome, rule=rule, score=score, gap=gap, reasoning=why)
