"""Forms of Estonian and Russian names, made by rule from the nominative. English needs plurals only.

Rules produce a few forms that nobody writes; what matters is that every form people write is among them.
"""

from collections.abc import Iterator

ESTONIAN_ENDINGS = ("s", "sse", "st", "l", "le", "lt", "ks", "ni", "ta", "ga")
"""Case endings that follow a genitive stem: in, into, out of, on, onto, off, becoming, until, without, with."""

_VOWELS = "aeiouõäöüy"
_SIBILANT_ENDS = ("us", "os", "as", "is")
# The short "into" case of compound place names: Haapsallu, Rakverre, Kuressaarde, Kõrvekülla.
_SHORT_ILLATIVES = {"salu": "sallu", "vere": "verre", "saare": "saarde", "küla": "külla", "õli": "õlli"}

_HUSHING = "жшчщ"
_TAKES_I = "гкх" + _HUSHING  # after these Russian spells и, never ы
_ADJECTIVE_ENDS = ("ый", "ий", "ой", "ая", "ое", "ые", "ие")
_AFTER_HUSHING = {"ом": "ем", "ой": "ей", "ов": "ей"}
_CASES = 12  # six singular, six plural; a noun may have further forms after them
_MASCULINE = ",а,у,,ом,е,ы,ов,ам,ы,ами,ах"
_DECLENSIONS = (  # nominative ending, all case endings
    ("ия", "ия,ии,ии,ию,ией,ии,ии,ий,иям,ии,иями,иях"),
    ("а", "а,ы,е,у,ой,е,ы,,ам,ы,ами,ах"),
    ("я", "я,и,е,ю,ей,е,и,ь,ям,и,ями,ях"),
    ("й", "й,я,ю,й,ем,е,и,ев,ям,и,ями,ях"),
    ("ь", "ь,я,ю,ь,ем,е,и,ей,ям,и,ями,ях,ью"),
    ("ы", "ы,ов,ам,ы,ами,ах,ы,,ам,ы,ами,ах"),
)
_RUSSIAN_VOWELS = "аоуыэюияеё"
_INDECLINABLE = "оуэюиеё"


def estonian(
    nominative: str,
    genitive: str | None = None,
    partitive: str | None = None,
    plural: str | None = None,
    plural_partitive: str | None = None,
) -> Iterator[tuple[str, str]]:
    """Yields (form, case ending); the ending is "" for nominative, genitive and partitive.

    `plural` is the plural genitive; without it only singular forms are made. A genitive that is not given is made by
    rule: a name that ends in a vowel keeps its form, others take -i, or -e after -us, -os, -as, -is.
    """
    genitive = genitive or _genitive(nominative)
    yield nominative, ""
    yield genitive, ""
    yield partitive or genitive + "t", ""
    for ending in ESTONIAN_ENDINGS:
        yield genitive + ending, ending
    for tail, short in _SHORT_ILLATIVES.items():
        if genitive.endswith(tail):
            yield genitive.removesuffix(tail) + short, "sse"
    if plural:
        yield genitive + "d", ""
        yield plural, ""
        yield plural_partitive or genitive + "sid", ""
        for stem in (plural, genitive + "de"):  # the regular plural is also used where another one is correct
            for ending in ESTONIAN_ENDINGS:
                yield stem + ending, ending


def _genitive(nominative: str) -> str:
    last = nominative.casefold()
    if last[-1] in _VOWELS:
        return nominative
    return nominative + ("e" if last.endswith(_SIBILANT_ENDS) else "i")


def russian(phrase: str) -> tuple[str, ...]:
    """All case forms, singular and plural, of a noun with the adjectives before it; what follows it stays as it is.

    "шведская крона" -> "шведской кроны", "шведских кронах"...; "фунт стерлингов" -> "фунтов стерлингов"...
    """
    words = phrase.split(" ")
    head = 0
    while head < len(words) - 1 and words[head].endswith(_ADJECTIVE_ENDS):
        head += 1
    nouns = _noun(words[head])
    feminine = words[head].endswith(("а", "я"))
    plural_only = words[head].endswith(("ы", "ова"))
    adjectives = [_adjective(word, feminine=feminine, plural_only=plural_only) for word in words[:head]]
    rest = words[head + 1 :]
    forms = [" ".join((*(a[i] for a in adjectives), noun, *rest)) for i, noun in enumerate(nouns[:_CASES])]
    if not adjectives:
        forms += [" ".join((noun, *rest)) for noun in nouns[_CASES:]]
    return tuple(dict.fromkeys(forms))


def _adjective(word: str, *, feminine: bool, plural_only: bool) -> tuple[str, ...]:
    stem = word[:-2]
    i = "и" if stem[-1:] in _TAKES_I or word.endswith(("ий", "ие")) else "ы"
    plural = tuple(stem + end for end in (i + "е", i + "х", i + "м", i + "е", i + "ми", i + "х"))
    if plural_only:
        return plural + plural
    if feminine:
        return (*(stem + end for end in ("ая", "ой", "ой", "ую", "ой", "ой")), *plural)
    return (word, *(stem + end for end in ("ого", "ому")), word, stem + i + "м", stem + "ом", *plural)


def _noun(word: str) -> tuple[str, ...]:
    if word.endswith("ый"):  # an adjective in a noun's place: злотый
        return _adjective(word, feminine=False, plural_only=False)
    if word.isupper() or word[-1] in _INDECLINABLE or (word[-1] == "а" and word[-2] in _RUSSIAN_VOWELS):
        return (word,) * _CASES  # США, евро, Тарту, Самоа
    for ending, cases in _DECLENSIONS:
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            return tuple(stem + _spelled(stem, case) for case in cases.split(","))
    return tuple(word + _spelled(word, case) for case in _MASCULINE.split(","))


def _spelled(stem: str, ending: str) -> str:
    last = stem[-1:].casefold()
    if ending[:1] == "ы" and last in _TAKES_I:
        return "и" + ending[1:]
    return _AFTER_HUSHING.get(ending, ending) if last in _HUSHING else ending


def english(name: str) -> tuple[str, ...]:
    """Singular and plural."""
    return name, (name[:-1] + "ies" if name.endswith("y") else name + "s")
