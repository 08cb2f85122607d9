"""Named thresholds. They belong to an embedder: a cosine of 0.4 means nothing until the model is known."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tool_classifier.errors import SettingsError
from tool_classifier.models import Thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Thresholds, and whether they hold for vectors from which the background means were subtracted."""

    thresholds: Thresholds
    centred: bool


REFERENCE = Profile(
    thresholds=Thresholds(profile="reference", minimum=0.38, high=0.40, gap=0.05),
    centred=False,
)
"""Bürokratt's values: text-embedding-3-large, raw cosines, tuned there on 42 Estonian questions."""

MULTILINGUAL_E5_SMALL = Profile(
    thresholds=Thresholds(profile="multilingual-e5-small", minimum=0.35, high=0.50, gap=0.08),
    centred=True,
)
"""The bundled model. Set by hand from score distributions on public intent sets, a first sensible choice: the lines are
not fitted to a catalogue yet, and near misses of a service's topic may pass the minimum."""


def profile_for(embedder_id: str, *, overrides: Mapping[str, float]) -> Profile:
    """The profile of this embedder, `reference` for one that has none, with single values overridden.

    `overrides` has keys out of `minimum`, `high` and `gap`; with any of them the profile's name ends in `+settings`.
    Raises SettingsError when the minimum would lie above high.
    """
    profile = MULTILINGUAL_E5_SMALL if embedder_id.endswith("multilingual-e5-small-q4") else REFERENCE
    if not overrides:
        return profile
    thresholds = replace(profile.thresholds, profile=f"{profile.thresholds.profile}+settings", **overrides)
    if thresholds.minimum > thresholds.high:
        raise SettingsError(
            f"the minimum {thresholds.minimum} is above high {thresholds.high} (profile {thresholds.profile})",
            hint="Correct DENSE_MIN_THRESHOLD and DENSE_HIGH_CONFIDENCE_THRESHOLD, or unset them.",
        )
    return replace(profile, thresholds=thresholds)
