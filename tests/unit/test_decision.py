import pytest

from tool_classifier.classification.decision import decide
from tool_classifier.classification.scoring import ServiceScore
from tool_classifier.models import Outcome, Rule, Thresholds

LINES = Thresholds(profile="test", minimum=0.35, high=0.50, gap=0.08)


def scored(*scores: float | None) -> list[ServiceScore]:
    return [
        ServiceScore(service_id=f"s{n}", score=score, fused=None, best_example=None) for n, score in enumerate(scores)
    ]


@pytest.mark.parametrize(
    ("scores", "outcome", "rule", "gap"),
    [
        ((0.34, 0.1), Outcome.NON_SERVICE, Rule.BELOW_MINIMUM, 0.24),
        ((0.35, 0.1), Outcome.AMBIGUOUS, Rule.BELOW_HIGH, 0.25),
        ((0.49, 0.1), Outcome.AMBIGUOUS, Rule.BELOW_HIGH, 0.39),
        ((0.70, 0.65), Outcome.AMBIGUOUS, Rule.SMALL_GAP, 0.05),
        ((0.70, 0.61), Outcome.HIGH_CONFIDENCE, Rule.CLEAR_WINNER, 0.09),
        ((0.70, -0.2), Outcome.HIGH_CONFIDENCE, Rule.CLEAR_WINNER, 0.70),
        ((0.70, None), Outcome.HIGH_CONFIDENCE, Rule.CLEAR_WINNER, 0.70),
    ],
)
def test_outcome_rule_and_gap_follow_the_best_service(scores, outcome, rule, gap):
    decision = decide(scored(*scores), LINES)
    assert (decision.outcome, decision.rule) == (outcome, rule)
    assert decision.score == scores[0]
    assert decision.gap == pytest.approx(gap)


@pytest.mark.parametrize(("score", "outcome"), [(0.2, Outcome.NON_SERVICE), (0.45, Outcome.AMBIGUOUS)])
def test_a_lone_service_is_not_always_high_confidence(score, outcome):
    assert decide(scored(score), LINES).outcome is outcome


def test_only_a_hybrid_hit_without_any_dense_score_is_no_service():
    assert decide(scored(None), LINES).outcome is Outcome.NON_SERVICE
