"""Net salary and car tax by the rules of Estonia for 2026."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from tool_classifier.local.demo.estonian import money, number
from tool_classifier.local.demo.exchange import Inputs, Reply
from tool_classifier.local.demo.reading import Measure, read_measures

# Income Tax Act § 4 and § 23; Unemployment Insurance Act § 41; Funded Pensions Act § 9. Rates of 2026.
_INCOME_TAX = Decimal("0.22")
_BASIC_EXEMPTION = Decimal(700)  # euros a month, the same for every income since 2026
_UNEMPLOYMENT_INSURANCE = Decimal("0.016")
_PENSION = Decimal("0.02")

# Motor Vehicle Tax Act (mootorsõidukimaksu seadus), annual tax of a passenger car with a WLTP figure.
_CAR_BASE = Decimal(50)
_CO2_RATES = ((200, Decimal(4)), (150, Decimal("3.5")), (117, Decimal(3)))  # euros for each g/km above
_MASS_ABOVE = 2000  # kg
_MASS_RATE = Decimal("0.4")  # euros for each kg above
_MASS_MOST = Decimal(400)

_GROSS_SALARY = Measure(name="brutopalk", least=1, most=1_000_000)
_CO2 = Measure(name="CO2 eriheide", least=0, most=500)
_MASS = Measure(name="täismass", least=400, most=3500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Salary:
    """A month's salary in euros and what is withheld from it."""

    net: Decimal
    income_tax: Decimal
    unemployment_insurance: Decimal
    pension: Decimal


def net_salary(gross: Decimal) -> Salary:
    """Splits a gross monthly salary: exemption used in full, funded pension at the basic rate."""
    insurance, pension = _cents(gross * _UNEMPLOYMENT_INSURANCE), _cents(gross * _PENSION)
    tax = _cents(max(gross - insurance - pension - _BASIC_EXEMPTION, Decimal(0)) * _INCOME_TAX)
    return Salary(
        net=gross - insurance - pension - tax, income_tax=tax, unemployment_insurance=insurance, pension=pension
    )


def car_tax(co2: Decimal, mass: Decimal) -> Decimal:
    """Euros a year for a car under five years old that is neither electric nor a plug-in hybrid.

    `co2` in g/km (WLTP), `mass` is the gross mass in kg.
    """
    tax, rest = _CAR_BASE, co2
    for above, rate in _CO2_RATES:
        tax += max(rest - above, Decimal(0)) * rate
        rest = min(rest, Decimal(above))
    return tax + min(max(mass - _MASS_ABOVE, Decimal(0)) * _MASS_RATE, _MASS_MOST)


def answer_net_salary(inputs: Inputs) -> Reply:
    """Inputs: gross monthly salary."""
    values = read_measures(inputs, (_GROSS_SALARY,))
    if isinstance(values, Reply):
        return values
    (gross,) = values
    salary = net_salary(gross)
    return Reply(
        content=f"Brutopalgast {money(gross)} € jääb kätte {money(salary.net)} €. Maha läheb tulumaks "
        f"{money(salary.income_tax)} €, töötuskindlustusmakse {money(salary.unemployment_insurance)} € ja "
        f"kogumispension {money(salary.pension)} € (2026. aasta määrad, maksuvaba tulu "
        f"{money(_BASIC_EXEMPTION)} €, kogumispension 2%)."
    )


def answer_car_tax(inputs: Inputs) -> Reply:
    """Inputs: CO2 in g/km, gross mass in kg."""
    values = read_measures(inputs, (_CO2, _MASS))
    if isinstance(values, Reply):
        return values
    co2, mass = values
    return Reply(
        content=f"Automaks on {money(car_tax(co2, mass))} € aastas (CO2 {number(co2, places=1)} g/km, täismass "
        f"{number(mass, places=0)} kg). Nii on kuni viie aasta vanusel autol, mis ei ole elektriauto ega "
        "pistikhübriid; vanemal autol on maks väiksem."
    )


def _cents(value: Decimal) -> Decimal:
    return value.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
