"""Currencies in a query: codes, signs and names, and which one is given (source) or wanted (target)."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tool_classifier.intent.extractors.currency_names import currency_names, tender_codes
from tool_classifier.intent.extractors.extraction import Extraction, Side
from tool_classifier.intent.extractors.lexicon import word_after, word_before

# Codes that are words of no language in use here, and may therefore be written small.
_SAFE = "eur usd gbp sek nok dkk jpy chf pln rub czk thb cny inr huf uah byn kzt aud nzd hkd sgd krw mxn zar brl ils"
_SAFE_SMALL = frozenset(_SAFE.split())
_SIGNS = {
    "US$": "USD",
    "CA$": "CAD",
    "C$": "CAD",
    "AU$": "AUD",
    "A$": "AUD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "R$": "BRL",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₽": "RUB",
    "zł": "PLN",
    "₴": "UAH",
    "₹": "INR",
    "₩": "KRW",
    "₺": "TRY",
    "₸": "KZT",
    "₾": "GEL",
    "฿": "THB",
    "₪": "ILS",
}
_LETTER = r"[^\W\d_]"
_CASE = "(?:sse|ks|le|lt|st|ni|ga|ta|s|l)"
# The ending glued or hyphenated to a code: EURi, USDst, THBdes, EUR-ides, "USD'des".
_CODE = re.compile(
    rf"(?<!{_LETTER})(?P<code>[A-Za-z]{{3}})(?:[-'’]?(?P<stem>i|[aeiou]?(?:de|te)|[aeiou]?(?:t|d|sid|eid))?(?P<case>{_CASE})?)(?!{_LETTER})"
)
_PAIR = re.compile(rf"(?<!{_LETTER})([A-Z]{{3}})([A-Z]{{3}})(?!{_LETTER})")
_LONG_WORD = re.compile(_LETTER + "{4}")
_SIGN = re.compile("|".join(re.escape(sign) + (r"(?!\w)" if sign.isalpha() else "") for sign in _SIGNS))

_ENDING_SIDES = {
    **dict.fromkeys(("s", "sse", "ks", "le", "ni"), Side.TARGET),
    **dict.fromkeys(("st", "lt", "ga"), Side.SOURCE),
}
_AFTER = {"eest": Side.SOURCE, "kohta": Side.SOURCE, "vastu": Side.TARGET, "suhtes": Side.TARGET}
_BEFORE_SOURCE = frozenset(["from", "per", "with", "for", "из", "с", "со", "за"])
_BEFORE_TARGET = frozenset(["to", "into", "in", "against", "versus", "vs", "в", "во", "на", "к"])
_EXCHANGED_FOR = frozenset(["for", "за"])  # "exchange pounds for euros": here what follows is wanted
_EXCHANGE = re.compile(r"\b(?:exchange|swap|trade|change|sell|(?:об|по)?мен|прода)", re.IGNORECASE)
_HOW_MANY = re.compile(r"\b(?:mitu|mitme|palju|how (?:many|much)|сколько)\s+$", re.IGNORECASE)
_FILLERS = re.compile(r"(?:\b(?:the|a|an|my|one's|oma|see|selle|этот|этого|каждый)\s+)+$", re.IGNORECASE)

_ASKED, _MARKED, _AMOUNT, _UNMARKED = 3, 2, 1, 0
_NEARBY = 60
_PAIRED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mention:
    code: str
    start: int
    end: int
    ending: str = ""
    amount: Extraction | None = None
    side: Side | None = None
    strength: int = _UNMARKED


def find_currencies(text: str, numbers: Sequence[Extraction]) -> tuple[Extraction, ...]:
    """Currencies in the order of the text, each once, as ISO 4217 codes.

    `numbers` are the text's numbers: "50" in "50 pounds" marks the pounds as what is given. Two currencies get
    opposite sides as soon as one of them is marked.
    """
    best: dict[str, _Mention] = {}
    for mention in _with_amounts(text, _mentions(text), numbers):
        sided = _sided(text, mention, first=not best)
        if mention.code not in best or sided.strength > best[mention.code].strength:
            best[mention.code] = sided
    return tuple(
        Extraction(
            value=mention.code,
            start=mention.start,
            end=mention.end,
            text=text[mention.start : mention.end],
            side=mention.side,
            rank=1 if mention.code == "EUR" else 0,  # rates are asked for against the euro
        )
        for mention in _opposed(sorted(best.values(), key=lambda mention: mention.start))
    )


def _mentions(text: str) -> list[_Mention]:
    """Codes, signs and names in the order of the text, without overlaps."""
    found = _codes(text)
    found += (
        _Mention(code=_SIGNS[match.group()], start=match.start(), end=match.end()) for match in _SIGN.finditer(text)
    )
    for match in currency_names().find(text):
        code, ending = match.value
        found.append(_Mention(code=code, start=match.start, end=match.end, ending=ending))
    kept: list[_Mention] = []
    for mention in sorted(found, key=lambda mention: (mention.start, -mention.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def _codes(text: str) -> list[_Mention]:
    found: list[_Mention] = []
    shouting = text.isupper() and _LONG_WORD.search(text) is not None  # then a capital letter says nothing
    for match in _CODE.finditer(text.lower() if shouting else text):
        written = match["code"]
        suffixed = match.end() > match.end("code")
        # Small letters: only codes that are no words, and no word that begins like one ("seks", "sekte").
        plural_case = (match["stem"] or "").endswith(("de", "te")) and match["case"]
        safe = written.lower() in _SAFE_SMALL
        if not written.isupper() and (not safe or (suffixed and not plural_case)):
            continue
        if not safe and text[match.end() : match.end() + 1].isdigit():
            continue  # a model or a licence (LBP2900), not an amount
        if written.upper() in tender_codes():
            mention = _Mention(code=written.upper(), start=match.start(), end=match.end(), ending=match["case"] or "")
            found.append(mention)
    for match in _PAIR.finditer(text):
        if {match[1], match[2]} <= tender_codes():
            found += (_Mention(code=match[i], start=match.start(i), end=match.end(i)) for i in (1, 2))
    return found


def _with_amounts(text: str, mentions: list[_Mention], numbers: Sequence[Extraction]) -> list[_Mention]:
    """Gives each number to the currency right after it, else to the one right before it ("USD 100", "$50")."""
    starts = [mention.start for mention in mentions]
    owned = list(mentions)
    for number in numbers:
        after = bisect_left(starts, number.end)
        if after < len(mentions) and not text[number.end : starts[after]].strip():
            owner = after
        elif after and not text[mentions[after - 1].end : number.start].strip():
            owner = after - 1
        else:
            continue
        if owned[owner].amount is None:
            owned[owner] = replace(owned[owner], amount=number)
    return owned


def _sided(text: str, mention: _Mention, *, first: bool) -> _Mention:
    """Marks a mention by the words around it, its case ending or its amount."""
    amount = mention.amount
    start = min(mention.start, amount.start) if amount else mention.start
    lead = _FILLERS.sub("", text[max(0, start - _NEARBY) : start])
    before = word_before(lead, len(lead))
    if not amount and _HOW_MANY.search(lead):
        return replace(mention, side=Side.TARGET, strength=_ASKED)
    side = _AFTER.get(word_after(text, mention.end)) or _ENDING_SIDES.get(mention.ending)
    if side is None and not amount and not first and before in _EXCHANGED_FOR and _EXCHANGE.search(text):
        side = Side.TARGET
    if side is None and before in _BEFORE_SOURCE:
        side = Side.SOURCE
    if side is None and not amount and before in _BEFORE_TARGET:
        side = Side.TARGET
    if side is not None:
        return replace(mention, side=side, strength=_MARKED)
    return replace(mention, side=Side.SOURCE, strength=_AMOUNT) if amount else mention


def _opposed(mentions: list[_Mention]) -> list[_Mention]:
    """Of two currencies, the better marked one keeps its side and the other gets the opposite."""
    if len(mentions) != _PAIRED:
        return mentions
    left, right = mentions
    if right.side is not None and right.strength > left.strength:
        return [replace(left, side=right.side.other), right]
    return [left, replace(right, side=left.side.other if left.side else None)]
