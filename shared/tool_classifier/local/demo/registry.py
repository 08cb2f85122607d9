"""Estonian registry codes of organisations and personal identification codes: checksums and what the digits say."""

import csv
from collections.abc import Sequence
from datetime import date
from functools import cache
from importlib.resources import files

from tool_classifier.local.demo.estonian import day, missing, odd
from tool_classifier.local.demo.exchange import Inputs, Reply

_REGISTRY_CODE_DIGITS = 8
_PERSONAL_CODE_DIGITS = 11
# Two rounds of weights each: the second is used when the first leaves 10 (EVS 585 for personal codes).
_REGISTRY_WEIGHTS = ((1, 2, 3, 4, 5, 6, 7), (3, 4, 5, 6, 7, 8, 9))
_PERSONAL_WEIGHTS = ((1, 2, 3, 4, 5, 6, 7, 8, 9, 1), (3, 4, 5, 6, 7, 8, 9, 1, 2, 3))
_CENTURY_DIGITS = "12345678"  # two for each century from the 1800s on
_KINDS = {
    "1": "äriregistri ettevõte",
    "7": "riigi- või omavalitsusasutus või avalik-õiguslik isik",
    "8": "mittetulundusühing või sihtasutus",
    "9": "mittetulundusühing või sihtasutus",
}


@cache
def load_organisations() -> dict[str, str]:
    """The bundled names of well-known organisations by registry code, read once."""
    with (files(__package__) / "data" / "organisations.csv").open(encoding="utf-8") as lines:
        return {row["registry_code"]: row["name"] for row in csv.DictReader(lines)}


def is_registry_code(code: str) -> bool:
    """Whether a text is eight digits whose last is the check digit of the others."""
    return _has_digits(code, _REGISTRY_CODE_DIGITS) and _check_digit(code, _REGISTRY_WEIGHTS) == int(code[-1])


def birth_date(personal_code: str) -> date | None:
    """The date of birth in a personal code, or None when a digit of the code is wrong.

    The first digit gives century and sex, the next six the day, the last is the check digit.
    """
    if not _has_digits(personal_code, _PERSONAL_CODE_DIGITS) or personal_code[0] not in _CENTURY_DIGITS:
        return None
    if _check_digit(personal_code, _PERSONAL_WEIGHTS) != int(personal_code[-1]):
        return None
    century = 1800 + (int(personal_code[0]) - 1) // 2 * 100
    try:
        return date(century + int(personal_code[1:3]), int(personal_code[3:5]), int(personal_code[5:7]))
    except ValueError:
        return None


def answer_company(inputs: Inputs) -> Reply:
    """Inputs: registry code."""
    code = "".join(inputs.text(0).split())
    if not code:
        return missing("kaheksakohaline registrikood")
    if not is_registry_code(code):
        return odd("Registrikood", code, "Õiges koodis on kaheksa numbrit ja viimane neist on kontrollnumber.")
    name = load_organisations().get(code)
    kind = _KINDS.get(code[0], "tundmatu liik")
    if name is None:
        return Reply(content=f"Registrikood {code} on õige ({kind}), kuid näidisandmetes seda organisatsiooni ei ole.")
    return Reply(content=f"Registrikood {code}: {name} ({kind}).")


def answer_personal_code(inputs: Inputs) -> Reply:
    """Inputs: personal code. The answer does not repeat it."""
    code = "".join(inputs.text(0).split())
    if not code:
        return missing("üheteistkohaline isikukood")
    born = birth_date(code)
    if born is None:
        return Reply(content="See isikukood ei ole õige: vale on numbrite arv, sünnikuupäev või kontrollnumber.")
    sex = "mees" if int(code[0]) % 2 else "naine"
    return Reply(content=f"Isikukood on õige: sünnikuupäev {day(born)}, {sex}.")


def _has_digits(code: str, count: int) -> bool:
    return len(code) == count and code.isascii() and code.isdigit()


def _check_digit(code: str, rounds: Sequence[Sequence[int]]) -> int:
    for weights in rounds:
        rest = sum(int(digit) * weight for digit, weight in zip(code, weights, strict=False)) % 11
        if rest < 10:  # noqa: PLR2004  a remainder of 10 is no digit
            return rest
    return 0
