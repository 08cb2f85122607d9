"""The part of CloudFormation's language that the template uses: what a deployment with certain parameters gets."""

from collections.abc import Iterator, Mapping
from typing import Any

NO_VALUE = {"Ref": "AWS::NoValue"}


class Deployment:
    """A translated template with values for its parameters."""

    def __init__(self, template: Mapping[str, Any], **values: object) -> None:
        unknown = set(values) - set(template["Parameters"])
        assert not unknown, f"no such parameters: {unknown}"
        self._template = template
        self._values = {name: values.get(name, spec["Default"]) for name, spec in template["Parameters"].items()}

    @property
    def resources(self) -> dict[str, Any]:
        """The resources that are made, by name, with conditions decided and parameters filled in."""
        made = self._template["Resources"].items()
        return {name: self.resolve(value) for name, value in made if self._holds(value.get("Condition"))}

    def of_type(self, kind: str) -> dict[str, Any]:
        """The properties of the resources of a type, by name."""
        return {name: value["Properties"] for name, value in self.resources.items() if value["Type"] == kind}

    @property
    def outputs(self) -> set[str]:
        """The names of the outputs."""
        return {name for name, value in self._template["Outputs"].items() if self._holds(value.get("Condition"))}

    @property
    def refusals(self) -> list[str]:
        """Why CloudFormation refuses these parameters."""
        return [
            assertion["AssertDescription"]
            for rule in self._template["Rules"].values()
            if self.resolve(rule["RuleCondition"])
            for assertion in rule["Assertions"]
            if not self.resolve(assertion["Assert"])
        ]

    def resolve(self, value: Any) -> Any:
        """The value with conditions decided and parameters filled in."""
        match value:
            case {"Fn::If": [condition, yes, no]}:
                resolved = self.resolve(yes if self._holds(condition) else no)
            case {"Fn::Equals": [one, other]}:
                resolved = str(self.resolve(one)) == str(self.resolve(other))
            case {"Fn::Not": one}:
                resolved = not all(self.resolve(one))
            case {"Fn::Or": several}:
                resolved = any(map(self.resolve, several))
            case {"Condition": str(name), **rest} if not rest:
                resolved = self._holds(name)
            case {"Ref": name, **rest} if not rest and name in self._values:
                resolved = self._values[name]
            case dict():
                parts = {key: self.resolve(one) for key, one in value.items()}
                resolved = {key: one for key, one in parts.items() if one != NO_VALUE}
            case list():
                resolved = [one for one in map(self.resolve, value) if one != NO_VALUE]
            case _:
                resolved = value
        return resolved

    def _holds(self, condition: str | None) -> bool:
        return condition is None or bool(self.resolve(self._template["Conditions"][condition]))


def statements(resource: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every permission that a role, policy or queue policy of the template grants."""
    properties = resource["Properties"]
    documents = [properties["PolicyDocument"]] if "PolicyDocument" in properties else []
    documents += [policy["PolicyDocument"] for policy in properties.get("Policies", []) if isinstance(policy, dict)]
    for document in documents:
        granted = document["Statement"]
        yield from granted if isinstance(granted, list) else [granted]


def listed(value: Any) -> list[Any]:
    """One or several, as a list."""
    return value if isinstance(value, list) else [value]


def references(value: Any) -> set[str]:
    """Every name that a value refers to."""
    match value:
        case {"Ref": name, **rest} if not rest:
            return {name}
        case dict():
            return set().union(*map(references, value.values()))
        case list():
            return set().union(*map(references, value))
    return set()
