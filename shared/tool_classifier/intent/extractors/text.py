"""Text values: what stands in quotation marks, and codes whose shape follows from the entity's name."""

import re

from tool_classifier.intent.entity_types import name_words
from tool_classifier.intent.extractors.extraction import Extraction

_QUOTED = re.compile(r"\"([^\"]+)\"|[„“]([^„“”\"]+)[“”\"]|«([^«»]+)»|‘([^‘’]+)’")

# Entity name -> shape. The first name that fits counts.
_SHAPES: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(name), re.compile(shape, re.IGNORECASE))
    for name, shape in (
        (r"isikukood|personal_?code|id_?code", r"(?<!\w)[1-8]\d{10}(?!\w)"),
        (r"regist(?:ri|ry|ration)_?(?:kood|code)|reg_?(?:kood|code)", r"(?<!\w)[1-9]\d{7}(?!\w)"),
        (
            r"numb(?:er|ri)_?(?:märk|mark|plate)|(?:reg|car)_?(?:number|plate)|reg_?märk|(?:^|_)plate",
            r"(?<!\w)\d{2,3} ?[A-ZÕÄÖÜ]{3}(?!\w)",
        ),
        (r"tracking|jälgimis|saadeti|parcel_?(?:number|code)", r"(?<!\w)[A-Z]{2}\d{9}[A-Z]{2}(?!\w)"),
        (r"doc(?:ument)?_?number|dokumendi_?n", r"(?<!\w)[A-Z]{2}\d{7}(?!\w)"),
        (
            r"(?:^|_)(?:year|aasta)$",
            r"(?<![\w.,])(?:(?:19|20)\d{2}(?!\w|[.,]\d)|\d{4}(?=\.?\s+(?:aasta|год)))",
        ),
        (r"e_?-?mail|e_?-?post", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    )
)


def find_quoted(text: str) -> tuple[Extraction, ...]:
    """Quoted passages in the order of the text, without their quotation marks."""
    found = []
    for match in _QUOTED.finditer(text):
        start, end = match.span(match.lastindex or 0)
        found.append(Extraction(value=text[start:end].strip(), start=start, end=end, text=text[start:end]))
    return tuple(found)


def is_year(name: str) -> bool:
    """Whether an entity of this name takes a year."""
    return name_words(name)[-1:] in (["year"], ["aasta"])


def find_shaped(text: str, name: str) -> Extraction | None:
    """The code that an entity of this name takes (registry code, number plate, year...), upper case, without spaces."""
    shape = next((shape for known, shape in _SHAPES if known.search("_".join(name_words(name)))), None)
    match = shape.search(text) if shape else None
    if match is None:
        return None
    value = match.group() if "@" in match.group() else match.group().upper().replace(" ", "")
    return Extraction(value=value, start=match.start(), end=match.end(), text=match.group())
