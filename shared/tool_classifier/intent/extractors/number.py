"""Numbers in a query: digits with the language's separators, and number words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tool_classifier.intent.extractors.currency_names import currency_names, tender_codes
from tool_classifier.intent.extractors.extraction import Extraction
from tool_classifier.intent.extractors.lexicon import caseless, word_after, word_before
from tool_classifier.intent.extractors.number_words import JOINERS, MULTIPLIERS, number_words

_SPACES = " \u00a0\u202f"
_DIGITS = re.compile(rf"(?<![\w#+])(?:\d{{1,3}}(?:[{_SPACES}']\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)")
_WORDS = re.compile(r"[^\W\d_]+")
_GROUP = 3
_TWENTY, _HUNDRED, _THOUSAND_UNIT = 20, 100, 1000
_NEARBY = 20
_MOST_DIGITS = 25  # more than any amount has, less than decimal arithmetic rounds

_INSIDE_CODE = re.compile(r"[^\W_][-\u2013/:.,]$")  # 2-21-1234, 16:30
_PHONE = re.compile(r"\+\d[\d -]*$")
_MINUS = re.compile(r"(?:^|\s)[-\u2212]$")
_THOUSAND = re.compile(r"\s?[kK]\b")
# What follows digits that are no amount: ranges and times, ordinals (3rd, "3. klass"), letters of a code (3a, 5x4).
_NO_AMOUNT = re.compile(r"[-\u2013/:]\d|(?:st|nd|rd|th)\b|\.\s+[a-zõäöüа-яё]|_|(?![kmgl])[a-zõäöü]\b|[A-Za-z]\d")
_CAPITALS = re.compile(r"([A-ZÕÄÖÜ]{1,3})\b")  # 123ABC is a number plate, 100USD an amount
_CLOCK = frozenset({"kell", "kella"})

_NOT_ONE_AFTER = frozenset(["which", "this", "that", "no", "every", "any", "each", "the", "some"])
# "kuus" is six and "a month", "viis" five and "a manner", "pool" half and "side": numbers only before what is counted.
_TWO_MEANINGS = frozenset({"kuus", "viis", "pool", "poole"})
_COUNTED = re.compile(r"\w{3,}[tiuad]")
_JOINED = re.compile(r"[\s-]{1,2}")


# Hundredths of a currency: "50 senti", "20 cents".
_HUNDREDTHS = re.compile(
    r"\s?(?:sen(?:t|ti|di|te)|sent(?:ides|ideks|ides?t)|sendi(?:st|ga|le|ks)|cents?|pence|penni\w*|цент\w*|копе\w+|¢)(?!\w)",
    re.IGNORECASE,
)
_MAIN_UNIT = re.compile(r"\s?([^\W\d_]+|[€$£])\s?(?:(?:ja|and|и)\s)?")
# Digits that a person may mean as a number, readable or not: 1e3, 10-20, 30 digits, 1/2.
_UNREAD = re.compile(r"(?<![\w.,:/#+-])\d[\d.,'\u2013/-]*(?:[eExX]\+?\d+)?(?!\w)")


def find_unread(
    text: str, numbers: Sequence[Extraction], currencies: Sequence[Extraction], *, taken: Sequence[Extraction]
) -> tuple[Extraction, ...]:
    """Digits beside a currency that make no plain number (1e3, 10-20, more digits than any amount has), as written.

    `taken`, like `numbers`, is what has been read already. A service can then ask back instead of assuming an amount.
    """
    found = []
    for match in _UNREAD.finditer(text):
        start, end = match.span()
        read = any(start < other.end and other.start < end for other in (*numbers, *taken))
        beside = any(
            not text[end : currency.start].strip() if currency.start >= end else not text[currency.end : start].strip()
            for currency in currencies
        )
        if beside and not read:
            found.append(Extraction(value=match.group(), start=start, end=end, text=match.group()))
    return tuple(found)


def find_numbers(text: str, language: str, *, taken: Sequence[Extraction] = ()) -> tuple[Extraction, ...]:
    """Numbers in the order of the text, as plain decimals ("1000.5"); what overlaps with `taken` is left out.

    A comma is decimal in Estonian and Russian, a point in English; three digits after the other sign are thousands.
    Codes, times, ordinals and ranges are no numbers. Cents are hundredths: "2 eurot 50 senti" is 2.5.
    """
    terms = sorted((*_digits(text, language), *_words(text)), key=lambda term: term.start)
    found = (
        Extraction(value=_plain(value), start=start, end=end, text=text[start:end])
        for value, start, end in _amounts(
            text, [(_value(run), run[0].start, run[-1].end) for run in _runs(text, terms)]
        )
    )
    return tuple(
        number for number in found if not any(number.start < other.end and other.start < number.end for other in taken)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Term:
    """One word or one group of digits."""

    value: Decimal
    start: int
    end: int
    multiplies: bool = False
    digits: bool = False


def _digits(text: str, language: str) -> Iterator[_Term]:
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        before = text[max(0, start - _NEARBY) : start]
        if _INSIDE_CODE.search(before) or _PHONE.search(before) or _NO_AMOUNT.match(text, end):
            continue
        if word_before(text, start) in _CLOCK:
            continue
        capitals = _CAPITALS.match(text, end)
        if capitals and capitals[1] not in tender_codes() and capitals[1] != "K":
            continue
        value = _decimal(match.group(), language)
        if value is None:
            continue
        thousand = _THOUSAND.match(text, end)
        if thousand:
            value, end = value * 1000, thousand.end()
        if _MINUS.search(before):
            value, start = -value, start - 1
        yield _Term(value=value, start=start, end=end, digits=True)


def _decimal(written: str, language: str) -> Decimal | None:
    """The value of digits with separators; None when the separators make no number (24.12.2026)."""
    ungrouped = re.sub(rf"[{_SPACES}']", "", written)
    signs = re.findall(r"[.,]", ungrouped)
    if len(ungrouped) > _MOST_DIGITS:
        return None
    if not signs:
        return Decimal(ungrouped)
    *groups, last = re.split(r"[.,]", ungrouped)
    thousands_sign = "," if language == "en" else "."
    alone = len(signs) == 1
    whole = alone and ungrouped == written and len(last) == _GROUP and len(groups[0]) <= _GROUP and groups[0] != "0"
    if (whole and signs[0] == thousands_sign) or (len(signs) > 1 and len(set(signs)) == 1):
        groups, last = [*groups, last], ""
    if any(len(group) != _GROUP for group in groups[1:]) or len(set(signs[: len(groups) - 1])) > 1:
        return None
    return Decimal(f"{''.join(groups)}.{last}" if last else "".join(groups))


def _words(text: str) -> Iterator[_Term]:
    known = number_words()
    for match in _WORDS.finditer(text):
        word = caseless(match.group())
        if word in MULTIPLIERS:
            yield _Term(value=MULTIPLIERS[word], start=match.start(), end=match.end(), multiplies=True)
        elif word in known and _is_number(text, word, match):
            yield _Term(value=known[word], start=match.start(), end=match.end())


def _is_number(text: str, word: str, match: re.Match[str]) -> bool:
    if word != "one" and word not in _TWO_MEANINGS:
        return True
    before = word_before(text, match.start())
    if word == "one":
        return before not in _NOT_ONE_AFTER
    return before in number_words() or before in MULTIPLIERS or bool(_COUNTED.fullmatch(word_after(text, match.end())))


def _runs(text: str, terms: Sequence[_Term]) -> Iterator[list[_Term]]:
    """Terms that make one number together: "kakskümmend viis", "two hundred and fifty", "5 tuhat"."""
    run: list[_Term] = []
    for term in terms:
        if run and not _continues(text, run, term):
            yield run
            run = []
        run.append(term)
    if run:
        yield run


def _continues(text: str, run: list[_Term], term: _Term) -> bool:
    last = run[-1]
    if term.digits:
        return False
    gap = text[last.end : term.start]
    if not _JOINED.fullmatch(gap) and not (gap.strip().casefold() in JOINERS and last.value >= _HUNDRED):
        return False
    if term.multiplies:
        return last.value < term.value
    # What the last zeros leave room for: "twenty five", "two hundred fifty", but not "ten five" or "twenty seventeen".
    room = Decimal(10) ** last.value.adjusted()
    return not last.digits and last.value >= _TWENTY and term.value < room


def _value(run: Sequence[_Term]) -> Decimal:
    total = current = Decimal(0)
    for term in run:
        if not term.multiplies:
            current += term.value
            continue
        current = (current or Decimal(1)) * term.value
        if term.value >= _THOUSAND_UNIT:  # closes a group; a hundred does not
            total, current = total + current, Decimal(0)
    return total + current


def _amounts(text: str, spans: Sequence[tuple[Decimal, int, int]]) -> Iterator[tuple[Decimal, int, int]]:
    """Values and spans with cents turned into parts of the amount before them, or of none."""
    amounts: list[tuple[Decimal, int, int]] = []
    for value, start, end in spans:
        if not _HUNDREDTHS.match(text, end):
            amounts.append((value, start, end))
            continue
        part = value / _HUNDRED
        unit = _MAIN_UNIT.fullmatch(text, amounts[-1][2], start) if amounts else None
        if unit and (unit[1] in "€$£" or unit[1].upper() in tender_codes() or currency_names().find(unit[1])):
            whole, begin, stop = amounts.pop()
            amounts.append((whole + part, begin, stop))
        else:
            amounts.append((part, start, end))
    return iter(amounts)


def _plain(value: Decimal) -> str:
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
