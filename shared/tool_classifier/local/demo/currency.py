"""Currency conversion with bundled reference rates of the European Central Bank."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files

import yaml

from tool_classifier.local.demo.estonian import missing, money, odd
from tool_classifier.local.demo.exchange import Inputs, Reply
from tool_classifier.local.demo.reading import read_number

_EURO = "EUR"
_SYMBOLS = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The rates of one day: how much of each currency one euro buys, and the currencies' Estonian names."""

    day: date
    per_euro: dict[str, Decimal]
    names: dict[str, str]


@cache
def load_rates() -> Rates:
    """The bundled rates, read once."""
    data = yaml.safe_load((files(__package__) / "data" / "rates.yaml").read_text(encoding="utf-8"))
    return Rates(
        day=data["date"],
        per_euro={code: Decimal(entry["rate"]) for code, entry in data["per_euro"].items()},
        names={code: entry["name"] for code, entry in data["per_euro"].items()},
    )


def convert(amount: Decimal, source: str, target: str, rates: Rates) -> Decimal:
    """An amount of one currency in another; both are codes that the rates have."""
    return amount / rates.per_euro[source] * rates.per_euro[target]


def find_currency(text: str, rates: Rates) -> str | None:
    """The code that a code, symbol or Estonian name stands for, or None."""
    code = _SYMBOLS.get(text, text.upper())
    if code in rates.per_euro:
        return code
    return next((code for code, name in rates.names.items() if name.casefold() == text.casefold()), None)


def answer(inputs: Inputs) -> Reply:
    """Inputs: amount (default 1), source currency, target currency (one of them defaults to the euro)."""
    rates = load_rates()
    amount_text, source_text, target_text = (inputs.text(position) for position in range(3))
    if not source_text and not target_text:
        return missing("lähtevaluuta", "sihtvaluuta")
    amount = read_number(amount_text) if amount_text else Decimal(1)
    if amount is None:
        return odd("Summa", amount_text, "Palun kirjutage see numbritega, näiteks 100.")
    codes = []
    for text in (source_text or _EURO, target_text or _EURO):
        code = find_currency(text, rates)
        if code is None:
            return odd("Valuuta", text, f"Euroopa Keskpanga kursid on valuutadele {', '.join(sorted(rates.per_euro))}.")
        codes.append(code)
    source, target = codes
    if source == target and not (source_text and target_text):
        return missing("teine valuuta")
    result = convert(amount, source, target, rates)
    return Reply(content=f"{money(amount)} {source} = {money(result)} {target} (EKP kurss {rates.day})")
