"""The monthly payment of an annuity loan."""

from decimal import Decimal

from tool_classifier.local.demo.estonian import money, number
from tool_classifier.local.demo.exchange import Inputs, Reply
from tool_classifier.local.demo.reading import Measure, read_measures

_MEASURES = (
    Measure(name="laenusumma", least=1, most=1_000_000_000),
    Measure(name="intress", least=0, most=100),
    Measure(name="tähtaeg", least=1, most=50),
)


def monthly_payment(amount: Decimal, interest_percent: Decimal, years: Decimal) -> Decimal:
    """What is paid at the end of each month, interest compounded monthly."""
    months = int(years * 12)
    rate = interest_percent / 1200
    if rate == 0:
        return amount / months
    return amount * rate / (1 - (1 + rate) ** -months)


def answer(inputs: Inputs) -> Reply:
    """Inputs: amount in euros, interest in percent a year, years."""
    values = read_measures(inputs, _MEASURES)
    if isinstance(values, Reply):
        return values
    amount, interest, years = values
    payment = monthly_payment(amount, interest, years)
    total = payment * int(years * 12)
    return Reply(
        content=f"Laen {money(amount)} €, intress {number(interest, places=2)}%, tähtaeg {number(years, places=1)} a: "
        f"kuumakse on {money(payment)} €, kokku makstakse tagasi {money(total)} €, "
        f"sellest intressi {money(total - amount)} €."
    )
