import pytest

from tool_classifier.models import ComponentUsage, Trace, Usage, WorkflowName


def test_usage_adds_up_by_component():
    usage = Usage()
    usage.add("intent_detection", ComponentUsage(calls=1, input_tokens=100, output_tokens=10, cost_usd=0.002))
    usage.add("intent_detection", ComponentUsage(calls=1, input_tokens=50, output_tokens=5, cost_usd=0.001))
    usage.add("enrichment", ComponentUsage(calls=1, cost_usd=0.01))
    spent = usage.components["intent_detection"]
    assert (spent.calls, spent.input_tokens, spent.output_tokens) == (2, 150, 15)
    assert usage.llm_calls == 3
    assert usage.cost_usd == pytest.approx(0.013)


def test_an_unknown_price_makes_the_cost_unknown_never_zero():
    usage = Usage()
    usage.add("intent_detection", ComponentUsage(calls=1, cost_usd=None))
    usage.add("intent_detection", ComponentUsage(calls=1, cost_usd=0.5))
    assert usage.components["intent_detection"].cost_usd is None
    assert usage.cost_usd is None


def test_no_llm_costs_nothing():
    assert (Usage().llm_calls, Usage().cost_usd) == (0, 0)


def test_a_stage_is_timed_even_when_it_fails():
    trace = Trace()
    with pytest.raises(ZeroDivisionError), trace.stage("search"):
        _ = 1 / 0
    assert [stage.name for stage in trace.stages] == ["search"]
    assert trace.stages[0].seconds >= 0


def test_hops_keep_their_order_and_reasons():
    trace = Trace()
    trace.hop(WorkflowName.SERVICE, answered=False, reason="below the minimum")
    trace.hop(WorkflowName.OOD, answered=True, reason="nothing else")
    assert [(hop.workflow, hop.answered) for hop in trace.hops] == [("SERVICE", False), ("OOD", True)]
