"""What goes into a demo service and what comes out of it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from tool_classifier.models import Button


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The entity values of one call, in the order of the service's entities, and the day on which it is made."""

    values: tuple[str, ...]
    today: date

    def text(self, position: int) -> str:
        """The value at this position; empty when the caller sent fewer."""
        return self.values[position] if position < len(self.values) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer in Estonian. Ruuter sends buttons as a list, or as a JSON string when a service's DSL built them."""

    content: str
    buttons: tuple[Button, ...] = ()
    buttons_as_string: bool = False


Answer = Callable[[Inputs], Reply]
"""Answers a call whatever its inputs are: what is missing or odd is named in the answer."""
