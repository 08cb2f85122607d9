"""Currency names -> ISO 4217 codes, in every form that Estonian, English and Russian give them.

Full names ("Rootsi kroon", "шведская крона") come from the CLDR through babel, for currencies that are legal tender
today. What people leave out or call otherwise is listed here.
"""

from collections.abc import Iterator
from functools import cache

from tool_classifier.intent.extractors.inflection import english, estonian, russian
from tool_classifier.intent.extractors.lexicon import Lexicon

LANGUAGES = ("et", "en", "ru")

# nominative: genitive, partitive, plural genitive, plural partitive
_ESTONIAN_UNITS: dict[str, tuple[str, str, str, str]] = {
    "euro": ("euro", "eurot", "eurode", "eurosid"),
    "dollar": ("dollari", "dollarit", "dollarite", "dollareid"),
    "taala": ("taala", "taalat", "taalade", "taalasid"),
    "kroon": ("krooni", "krooni", "kroonide", "kroone"),
    "nael": ("naela", "naela", "naelte", "naelu"),
    "naelsterling": ("naelsterlingi", "naelsterlingit", "naelsterlingite", "naelsterlingeid"),
    "rubla": ("rubla", "rubla", "rublade", "rublasid"),
    "jeen": ("jeeni", "jeeni", "jeenide", "jeene"),
    "frank": ("frangi", "franki", "frankide", "franke"),
    "jüaan": ("jüaani", "jüaani", "jüaanide", "jüaane"),
    "ruupia": ("ruupia", "ruupiat", "ruupiate", "ruupiaid"),
    "zlott": ("zloti", "zlotti", "zlottide", "zlotte"),
    "baat": ("baadi", "baati", "baatide", "baate"),
    "baht": ("bahti", "bahti", "bahtide", "bahte"),
    "forint": ("forinti", "forintit", "forintite", "forinte"),
    "grivna": ("grivna", "grivnat", "grivnade", "grivnasid"),
    "liir": ("liiri", "liiri", "liiride", "liire"),
    "leu": ("leu", "leud", "leude", "leusid"),
    "leev": ("leevi", "leevi", "leevide", "leeve"),
    "lari": ("lari", "larit", "laride", "larisid"),
    "tenge": ("tenge", "tenget", "tengede", "tengesid"),
    "peeso": ("peeso", "peesot", "peesode", "peesosid"),
    "reaal": ("reaali", "reaali", "reaalide", "reaale"),
    "rand": ("randi", "randi", "randide", "rande"),
    "vonn": ("vonni", "vonni", "vonnide", "vonne"),
    "seekel": ("seekli", "seeklit", "seeklite", "seekleid"),
    "dirhem": ("dirhemi", "dirhemit", "dirhemite", "dirhemeid"),
    "dinaar": ("dinaari", "dinaari", "dinaaride", "dinaare"),
    "riaal": ("riaali", "riaali", "riaalide", "riaale"),
    "manat": ("manati", "manatit", "manatite", "manateid"),
    "mark": ("marga", "marka", "markade", "marku"),
    "latt": ("lati", "latti", "lattide", "latte"),
    "litt": ("liti", "litti", "littide", "litte"),
}

_RATES = ("kurss", "kursi", "kurssi", "kursid")  # "dollarikurss"

# What a unit means when its country is not named. A bare krona is Sweden's: the largest of the four by far, and the one
# Estonians exchange. Units that are everyday words (won, rand, real, mark, лев, вон) need their country.
_BARE: dict[str, tuple[str, ...]] = {
    "EUR": ("euro", "евро"),
    "USD": ("dollar", "taala", "buck", "greenback", "доллар", "бакс"),
    "SEK": ("kroon", "krona", "kronor", "крона"),
    "NOK": ("krone", "kroner"),
    "CZK": ("koruna", "koruny"),
    "GBP": ("nael", "naelsterling", "pound", "quid", "sterling", "фунт", "фунт стерлингов"),
    "RUB": ("rubla", "ruble", "rouble", "рубль", "руб"),
    "JPY": ("jeen", "yen", "иена", "йена"),
    "CHF": ("frank", "franc", "франк"),
    "CNY": ("jüaan", "yuan", "renminbi", "юань"),
    "INR": ("ruupia", "rupee", "рупия"),
    "PLN": ("zlott", "zloty", "złoty", "zlotys", "злотый"),
    "THB": ("baat", "baht", "бат"),
    "HUF": ("forint", "форинт"),
    "UAH": ("grivna", "hryvnia", "гривна", "гривен"),
    "TRY": ("liir", "lira", "лира"),
    "RON": ("leu",),
    "BGN": ("leev",),
    "GEL": ("lari", "лари"),
    "KZT": ("tenge", "тенге"),
    "KRW": ("vonn",),
    "ILS": ("seekel", "shekel", "шекель"),
    "AED": ("dirhem", "dirham", "дирхам"),
    "MXN": ("peeso", "peso", "песо"),
}

_ALIASES: dict[str, tuple[str, ...]] = {
    "USD": ("Ameerika dollar", "American dollar", "U.S. dollar", "американский доллар"),
    "GBP": (
        *("Inglise nael", "Briti nael", "Suurbritannia nael", "Inglise naelsterling", "Briti naelsterling"),
        *("British pound sterling", "pound sterling", "английский фунт", "британский фунт"),
    ),
    "SEK": ("Swedish crown", "Swedish kroon"),
    "NOK": ("Norwegian crown", "Norwegian krona"),
    "DKK": ("Danish crown", "Danish krona"),
    "CZK": ("Czech crown", "Czech krona"),
    "ISK": ("Icelandic krona", "Icelandic crown"),
    "THB": ("Tai baht", "тайский бат"),
    "RUB": ("Vene rubla", "русский рубль", "Russian rouble"),
    "BYN": ("Belarusian rouble",),
    "CNY": ("Chinese renminbi",),
    "KRW": ("Korea vonn", "Korean won", "корейская вона"),
    "KZT": ("казахстанский тенге",),
    "ILS": ("Iisraeli seekel", "Israeli shekel", "израильский шекель"),
    "AED": ("AÜE dirhem", "UAE dirham"),
    "BGN": ("Bulgaaria leev", "Bulgarian lev", "болгарский лев"),
    # No longer tender, still asked about.
    "EEK": ("Eesti kroon", "Estonian kroon", "эстонская крона"),
    "LVL": ("Läti latt", "Latvian lat", "Latvian lats", "латвийский лат"),
    "LTL": ("Leedu litt", "Lithuanian litas", "литовский лит"),
    "DEM": ("Saksa mark", "Deutsche mark", "German mark", "немецкая марка"),
    "FIM": ("Soome mark", "Finnish mark", "финская марка"),
}


@cache
def currency_names() -> Lexicon[tuple[str, str]]:
    """Every form of every name -> (ISO 4217 code, Estonian case ending or "")."""
    lexicon: Lexicon[tuple[str, str]] = Lexicon()
    for table in (_BARE, _ALIASES):
        for code, names in table.items():
            for name in names:
                _add(lexicon, code, name)
    for code, name in _cldr_names():
        _add(lexicon, code, name)
    return lexicon


@cache
def tender_codes() -> frozenset[str]:
    """ISO 4217 codes that are legal tender somewhere today, and the former ones listed here."""
    from babel.core import get_global  # noqa: PLC0415 (babel's tables are read on the first question about money only)

    uses = (use for territory in get_global("territory_currencies").values() for use in territory)
    return frozenset(code for code, _, until, tender in uses if tender and until is None) | frozenset(_ALIASES)


def _cldr_names() -> Iterator[tuple[str, str]]:
    from babel import Locale  # noqa: PLC0415 (see tender_codes)
    from babel.numbers import get_currency_name  # noqa: PLC0415 (see tender_codes)

    for language in LANGUAGES:
        names = Locale(language).currencies
        for code in tender_codes() & names.keys():
            if " " in names[code]:  # one word is either listed above or means something else as well
                yield code, names[code]
                yield code, get_currency_name(code, count=2, locale=language)


def _add(lexicon: Lexicon[tuple[str, str]], code: str, name: str) -> None:
    if not name.isascii() and any("а" <= letter <= "я" for letter in name.casefold()):
        lexicon.add(russian(name), (code, ""))
        return
    lexicon.add(english(name), (code, ""))
    country, _, unit = name.rpartition(" ")
    if unit in _ESTONIAN_UNITS:  # the country is a genitive attribute and stays as it is
        for form, ending in estonian(unit, *_ESTONIAN_UNITS[unit]):
            lexicon.add((f"{country} {form}",), (code, ending))
        genitive = _ESTONIAN_UNITS[unit][0]
        lexicon.add((f"{country} {genitive}{rate}" for rate in _RATES), (code, ""))
