"""What every extractor returns: a value, where it stands in the query, and which side it is on."""

from dataclasses import dataclass
from enum import Enum


class Side(Enum):
    """Which of two values of one type is meant: what is left (from, since) or what is reached (to, until)."""

    SOURCE = "source"
    TARGET = "target"

    @property
    def other(self) -> "Side":
        """The opposite side."""
        return Side.TARGET if self is Side.SOURCE else Side.SOURCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """A value found in a query.

    `value` is normalised (ISO 4217 code, plain decimal, ISO date, Estonian name), `text` is `query[start:end]`.
    `side` is None when nothing in the query marks it. `rank` is lower for what is preferred when only one of several
    values is wanted.
    """

    value: str
    start: int
    end: int
    text: str
    side: Side | None = None
    rank: int = 0
