"""Number words of Estonian, English and Russian in the forms that amounts are given in, and what they stand for."""

from decimal import Decimal
from functools import cache

MULTIPLIERS: dict[str, Decimal] = {
    **dict.fromkeys(("sada", "saja", "sadat", "hundred"), Decimal(100)),
    **dict.fromkeys(("tuhat", "tuhande", "tuhandet", "thousand"), Decimal(1000)),
    **dict.fromkeys(("тысяча", "тысячи", "тысяч", "тысячу", "тыс"), Decimal(1000)),
    **dict.fromkeys(("miljon", "miljoni", "miljonit", "mln", "million"), Decimal(1_000_000)),
    **dict.fromkeys(("миллион", "миллиона", "миллионов", "млн"), Decimal(1_000_000)),
}
"""Words that multiply what stands before them: "two hundred", "5 tuhat", "10 тыс"."""

JOINERS = frozenset({"and", "ja", "и"})
"""Words that may stand inside a number: "two hundred and fifty"."""

_ESTONIAN_UNITS = {
    1: ("üks", "ühe", "üht", "ühte", "ühega"),
    2: ("kaks", "kahe", "kaht", "kahte", "kahega"),
    3: ("kolm", "kolme"),
    4: ("neli", "nelja", "neljale"),
    5: ("viis", "viie", "viit"),
    6: ("kuus", "kuue", "kuut"),
    7: ("seitse", "seitsme", "seitset"),
    8: ("kaheksa", "kaheksat"),
    9: ("üheksa", "üheksat"),
}
_ESTONIAN_ZERO = ("null", "nulli")
_ESTONIAN_TEN = ("kümme", "kümne", "kümmet")

_ENGLISH = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_ENGLISH_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

# One entry a number: nominative, then the forms other cases share.
_RUSSIAN: dict[int, str] = {
    0: "ноль нуля",
    1: "один одна одно одного одной одну одному одном",
    2: "два две двух двум",
    3: "три трех трем",
    4: "четыре четырех четырем",
    5: "пять пяти",
    6: "шесть шести",
    7: "семь семи",
    8: "восемь восьми",
    9: "девять девяти",
    10: "десять десяти",
    11: "одиннадцать одиннадцати",
    12: "двенадцать двенадцати",
    13: "тринадцать тринадцати",
    14: "четырнадцать четырнадцати",
    15: "пятнадцать пятнадцати",
    16: "шестнадцать шестнадцати",
    17: "семнадцать семнадцати",
    18: "восемнадцать восемнадцати",
    19: "девятнадцать девятнадцати",
    20: "двадцать двадцати",
    30: "тридцать тридцати",
    40: "сорок сорока",
    50: "пятьдесят пятидесяти",
    60: "шестьдесят шестидесяти",
    70: "семьдесят семидесяти",
    80: "восемьдесят восьмидесяти",
    90: "девяносто девяноста",
    100: "сто ста",
    200: "двести двухсот",
    300: "триста трехсот",
    400: "четыреста четырехсот",
    500: "пятьсот пятисот",
    600: "шестьсот шестисот",
    700: "семьсот семисот",
    800: "восемьсот восьмисот",
    900: "девятьсот девятисот",
}
_FRACTIONS = {"pool": "0.5", "poole": "0.5", "poolteist": "1.5", "poolteise": "1.5", "полтора": "1.5", "полторы": "1.5"}


@cache
def number_words() -> dict[str, Decimal]:
    """Caseless word -> its value, multipliers left out."""
    words = {word: Decimal(value) for value, forms in _RUSSIAN.items() for word in forms.split()}
    words |= {word: Decimal(value) for value, word in enumerate(_ENGLISH)}
    words |= {word: Decimal(20 + 10 * step) for step, word in enumerate(_ENGLISH_TENS)}
    words |= {word: Decimal(value) for word, value in _FRACTIONS.items()}
    words |= dict.fromkeys(_ESTONIAN_ZERO, Decimal(0))
    words |= dict.fromkeys(_ESTONIAN_TEN, Decimal(10))
    for value, forms in _ESTONIAN_UNITS.items():
        words |= dict.fromkeys(forms, Decimal(value))
        nominative, genitive = forms[0], forms[1] if value < 8 else forms[0]  # noqa: PLR2004 (8 and 9 do not change)
        words |= {nominative + "teist": Decimal(10 + value), genitive + "teistkümne": Decimal(10 + value)}
        if value > 1:
            words |= dict.fromkeys((nominative + "kümmend", genitive + "kümne"), Decimal(10 * value))
            words |= dict.fromkeys((nominative + "sada", genitive + "saja"), Decimal(100 * value))
    return words
