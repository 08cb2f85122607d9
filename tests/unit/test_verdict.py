"""A detector's answer is checked in code."""

import pytest

from tool_classifier.intent.verdict import accepted
from tool_classifier.models import Candidate, IntentResult, Service

RATES = Candidate(service=Service(id="rates", name="Rates"))
WEATHER = Candidate(service=Service(id="weather", name="Weather"))


def verdict(service_id, confidence=0.9, candidates=(RATES, WEATHER)):
    result = IntentResult(matched_service_id=service_id, confidence=confidence)
    return accepted(result, candidates, minimum_confidence=0.7)


def test_a_candidates_id_with_enough_confidence_is_accepted():
    assert verdict("weather").candidate is WEATHER
    assert verdict("weather").reason == "'weather' accepted with confidence 0.90"


@pytest.mark.parametrize("confidence", [0.7, 1, 1.0])
def test_the_minimum_and_one_are_enough(confidence):
    assert verdict("rates", confidence).candidate is RATES


@pytest.mark.parametrize("written", ["RATES", "Rates", " rates\n"])
def test_another_letter_case_is_matched(written):
    assert verdict(written).candidate is RATES


def test_letter_case_decides_between_candidates_that_differ_in_nothing_else():
    upper = Candidate(service=Service(id="RATES", name="Rates"))

    assert verdict("RATES", candidates=(RATES, upper)).candidate is upper
    assert verdict("Rates", candidates=(RATES, upper)).candidate is None


@pytest.mark.parametrize("unknown", ["cancel", "0", "1", "", "rates, weather", "['rates', 'weather']", "rate"])
def test_an_id_that_is_no_candidates_is_no_match(unknown):
    assert verdict(unknown).candidate is None
    assert verdict(unknown).reason == f"{unknown!r} is not among the 2 candidates"


def test_a_very_long_id_is_cut_in_the_reason():
    assert verdict("x" * 5000).reason == f"{'x' * 80!r} is not among the 2 candidates"


def test_without_candidates_nothing_matches():
    assert verdict("rates", candidates=()).candidate is None


def test_no_match_is_honoured():
    assert verdict(None).candidate is None
    assert verdict(None).reason == "the detector matched no service"


@pytest.mark.parametrize("confidence", [1.7, -0.1, float("nan"), float("inf"), float("-inf")])
def test_a_confidence_outside_0_to_1_is_no_match(confidence):
    assert verdict("rates", confidence).candidate is None
    assert verdict("rates", confidence).reason == f"confidence {confidence} is not a number from 0 to 1"


def test_a_confidence_below_the_minimum_is_no_match():
    assert verdict("rates", 0.69).candidate is None
    assert verdict("rates", 0.69).reason == "confidence 0.69 for 'rates' is below 0.70"
