"""Entity values against a service's declaration, and the array of strings that the service is sent."""

import json
import math
from collections.abc import Mapping
from decimal import Decimal

from tool_classifier.models import Service, Validation


def validate(service: Service, values: Mapping[str, object]) -> Validation:
    """Checks detected values against the service's entities. Lenient: gaps are listed, never raised.

    A missing or null value becomes "" and is listed in `missing_entities`; an undeclared one is dropped and listed in
    `extra_entities`; a blank one stays and is warned of. `values` has every declared entity in the service's order.
    """
    checked: dict[str, str] = {}
    missing: list[str] = []
    warnings: list[str] = []
    for entity in service.entities:
        text = _as_text(values.get(entity.name))
        checked[entity.name] = text or ""
        if text is None:
            missing.append(entity.name)
        elif not text.strip():
            warnings.append(f"entity {entity.name!r} is empty")
    return Validation(
        values=checked,
        missing_entities=tuple(missing),
        extra_entities=tuple(name for name in values if name not in checked),
        warnings=tuple(warnings),
    )


def to_input(service: Service, validation: Validation) -> tuple[str, ...]:
    """The values in the service's order, as many as it declares entities; "" where one is missing."""
    return tuple(validation.values.get(entity.name, "") for entity in service.entities)


def _as_text(value: object) -> str | None:
    """A value as the string that is sent; None for one that says nothing."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        # Through Decimal: no ".0", and no exponent in what a service may parse as a plain number.
        return str(int(value)) if value.is_integer() else format(Decimal(repr(value)), "f")
    return json.dumps(value, ensure_ascii=False, default=str)
