"""What every catalogue is checked against, whatever it was read from: all faults are found before any is reported."""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from tool_classifier.errors import CatalogueError
from tool_classifier.models import Entity, EntityType, HttpMethod, Service
from tool_classifier.text.normalise import normalise

InferType = Callable[[str], EntityType]
"""Guesses an entity's type from its name; used where the catalogue does not declare one."""

_HINT = "Correct these places and read the catalogue again. Nothing of it has been used."

# A message is for a person: a catalogue may be broken ten thousand times over, and its values are of any size.
_LISTED_PROBLEMS = 50
_PROBLEM_CHARACTERS = 500
_SHOWN_CHARACTERS = 80
_SHOWN_BITS = 256


def _required(text: str) -> str:
    if not (text := normalise(text)):
        raise PydanticCustomError("blank", "is empty (only spaces or invisible characters); write a text")
    return text


def _address(name: str) -> str:
    """A name becomes one segment of a URL, where dots alone would mean a folder."""
    if not (name := _required(name)).strip("."):
        raise PydanticCustomError("dots", "is only dots, which cannot be an address; write a name with letters")
    return name


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


_Text = Annotated[str, AfterValidator(normalise)]
_RequiredText = Annotated[str, AfterValidator(_required)]
_Method = Annotated[HttpMethod, Field(strict=False), BeforeValidator(_upper)]  # an enum is written as its text


class _Definition(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, data: Any) -> Any:
        return {key: value for key, value in data.items() if value is not None} if isinstance(data, dict) else data


class EntityDefinition(_Definition):
    """An entity as a catalogue declares it; a name alone is enough."""

    name: _RequiredText
    type: Annotated[EntityType, Field(strict=False)] | None = None
    description: _Text = ""

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, data: Any) -> Any:
        return {"name": data} if isinstance(data, str) else data


def _distinct(entities: list[EntityDefinition]) -> list[EntityDefinition]:
    first: dict[str, int] = {}
    for position, entity in enumerate(entities):
        if first.setdefault(entity.name, position) != position:
            raise PydanticCustomError(
                "listed_twice",
                "has {name} twice, at {first} and {second}; remove one",
                {"name": shown(entity.name), "first": first[entity.name], "second": position},
            )
    return entities


class ServiceDefinition(_Definition):
    """A service as a catalogue declares it."""

    id: _RequiredText
    name: Annotated[str, AfterValidator(_address)]
    description: _Text = ""
    method: _Method = HttpMethod.POST
    entities: Annotated[list[EntityDefinition], AfterValidator(_distinct)] = []
    examples: list[_RequiredText] = []
    is_common: bool = False
    active: bool = True
    context: _Text = ""


def validate_services(
    entries: Sequence[object],
    *,
    source: str,
    infer_type: InferType,
    field_names: Mapping[str, str] | None = None,
    problems: Sequence[str] = (),
) -> tuple[Service, ...]:
    """Turns entries in the shape of ServiceDefinition into services, in the order given.

    `field_names` maps our field names to the source's own, for the messages; `problems` are faults found earlier.
    Raises CatalogueError that lists every fault with source, service and field.
    """
    names = field_names or {}
    found = list(problems)
    definitions: list[ServiceDefinition] = []
    for index, entry in enumerate(entries):
        label = f"{source}: {_label(index, entry)}"
        try:
            definitions.append(ServiceDefinition.model_validate(entry))
        except ValidationError as error:
            found += [f"{label}: {_explain(fault, names)}" for fault in error.errors(include_url=False)]
        if isinstance(entry, dict) and _blank(entry.get("examples")) and _blank(entry.get("description")):
            found.append(f"{label}: examples: there is none, nor a description; write at least one example question")
    found += [f"{source}: {problem}" for problem in _clashes(entries, names)]
    if found:
        raise faulty(source, found)
    return tuple(_service(definition, infer_type) for definition in definitions)


def faulty(source: str, problems: Sequence[str]) -> CatalogueError:
    """The one error that reports all problems of a source."""
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    return CatalogueError(f"{source} cannot be used: {count}", problems=bounded(source, problems), hint=_HINT)


def bounded(source: str, problems: Sequence[str]) -> tuple[str, ...]:
    """The first problems, each cut to a readable length, and how many more there are."""
    longest = len(source) + _PROBLEM_CHARACTERS
    listed = [
        problem if len(problem) <= longest else f"{problem[:longest]}..." for problem in problems[:_LISTED_PROBLEMS]
    ]
    if more := len(problems) - len(listed):
        listed.append(f"{source}: ... and {more} more")
    return tuple(listed)


def whole_number(digits: str) -> int | float:
    """A JSON integer; infinity for one too long for Python to read, so that the checks report it with its field."""
    try:
        return int(digits)
    except ValueError:
        return math.inf


def shown(value: object) -> str:
    """A value for a message, a line at most: written out it could be huge, and Python refuses to write long integers.

    Collections are named, not written: thanks to YAML's aliases a short file can hold one of any size.
    """
    match value:
        case str() | bytes():
            return repr(value) if len(value) <= _SHOWN_CHARACTERS else f"{value[:_SHOWN_CHARACTERS]!r}..."
        case int() | float():
            return "a number too large to show" if _is_huge(value) else repr(value)
        case date():
            return repr(value)
        case _:
            return _KINDS.get(type(value), f"of the type {type(value).__name__}")


def _is_huge(number: float) -> bool:
    return number.bit_length() > _SHOWN_BITS if isinstance(number, int) else math.isinf(number)


def _label(index: int, entry: object) -> str:
    """`services[2]` and, when there is one, the id or else the name: a person searches for these."""
    known = (entry.get("id"), entry.get("name")) if isinstance(entry, dict) else ()
    named = next((value for value in known if isinstance(value, str) and value.strip()), None)
    return f"services[{index}]" if named is None else f"services[{index}] {shown(named)}"


def _blank(value: object) -> bool:
    return not (normalise(value) if isinstance(value, str) else value)


def _raw_text(entry: Mapping[str, object], field: str) -> str:
    value = entry.get(field)
    return normalise(value) if isinstance(value, str) else ""


def _clashes(entries: Sequence[object], names: Mapping[str, str]) -> list[str]:
    """Ids and addresses that two services share; read from the raw entries, so that other faults hide none."""
    problems = []
    ids: dict[str, int] = {}
    addresses: dict[str, int] = {}
    for index, entry in enumerate(entries):
        if not isinstance(entry, dict):
            continue
        service_id, name = _raw_text(entry, "id"), _raw_text(entry, "name")
        if service_id and (first := ids.setdefault(service_id, index)) != index:
            problems.append(
                f"services[{first}] and services[{index}]: {names.get('id', 'id')}: both are {shown(service_id)}; "
                "give one of them another id"
            )
        if not name or entry.get("active") is False:
            continue  # only active services have an address
        # Spaces become underscores in the address. Common services are no exception: they have a base URL of their own
        # only where one is configured, and a catalogue must not depend on where it is used.
        address = name.replace(" ", "_")
        if (first := addresses.setdefault(address, index)) != index:
            problems.append(
                f"services[{first}] and services[{index}]: name: both are called at {shown(address)}; "
                "rename one of them or make it inactive"
            )
    return problems


def _service(definition: ServiceDefinition, infer_type: InferType) -> Service:
    entities = (
        Entity(name=entity.name, type=entity.type or infer_type(entity.name), description=entity.description)
        for entity in definition.entities
    )
    return Service(
        id=definition.id,
        name=definition.name,
        description=definition.description,
        method=definition.method,
        entities=tuple(entities),
        examples=tuple(definition.examples),
        is_common=definition.is_common,
        active=definition.active,
        context=definition.context,
    )


def _explain(fault: ErrorDetails, names: Mapping[str, str]) -> str:
    """`field: cause; cure` for one of pydantic's findings."""
    explain = _EXPLANATIONS.get(fault["type"])
    cause_and_cure = explain(fault) if explain else fault["msg"]
    loc = fault["loc"][:-1] if fault["type"] == "invalid_key" else fault["loc"]
    if not loc:
        return cause_and_cure
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc[1:])
    return f"{names.get(str(loc[0]), loc[0])}{place}: {cause_and_cure}"


def _unknown_field(fault: ErrorDetails) -> str:
    *parents, field = fault["loc"]
    known = list((EntityDefinition if parents else ServiceDefinition).model_fields)
    close = get_close_matches(str(field), known, n=1)
    return f"is not a known field; did you mean {close[0]!r}?" if close else f"is not one of {', '.join(known)}"


def _not_text(value: object) -> str:
    match value:
        case bool():
            return f"was read as the boolean {str(value).lower()}; unquoted yes, no, on and off are booleans: quote it"
        case int() | float() if _is_huge(value):
            return "was read as a number too large to show; quote it"
        case int() | float():
            return f'was read as the number {value}; quote it: "{value}"'
        case date():
            return f'was read as the date {value}; quote it: "{value}"'
        case dict():
            return "was read as a mapping; quote a text that has a colon and a space in it"
        case _:
            return f"is {_kind(value)}; write a text"


def _kind(value: object) -> str:
    return "a text" if isinstance(value, str) else "a boolean" if isinstance(value, bool) else shown(value)


_KINDS = {type(None): "empty", dict: "a mapping", list: "a list"}
_EXPLANATIONS: Mapping[str, Callable[[ErrorDetails], str]] = {
    "missing": lambda _: "is missing; add it",
    "extra_forbidden": _unknown_field,
    "invalid_key": lambda fault: (
        f"has the field name {shown(fault['input'])}, which is not text; remove it, or quote it"
    ),
    "string_type": lambda fault: _not_text(fault["input"]),
    "bool_type": lambda fault: f"is {shown(fault['input'])}; write true or false, without quotes",
    "list_type": lambda fault: f"is {_kind(fault['input'])}; write a list",
    "enum": lambda fault: f"is {shown(fault['input'])}; write {fault['ctx']['expected']}",
    "model_type": lambda fault: f"is {_kind(fault['input'])}; write its fields as a mapping",
}
