"""A catalogue kept in a file: YAML or JSON, a list of services or a mapping with `services`."""

import asyncio
import json
import math
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml

from tool_classifier.errors import CatalogueError
from tool_classifier.index.catalogue.schema import InferType, bounded, faulty, shown, validate_services, whole_number
from tool_classifier.models import Service

Parsed = tuple[object, list[str]]
"""What a file says, and the faults of its syntax (keys written twice) that parsers would pass over in silence."""

_MOST_REPEATED = 1_000_000
_PATH_CHARACTERS = 300
"""A path is remembered for every node: a long key around many nodes must not fill the memory."""


class FileCatalogue:
    """Catalogue of one file, read anew at every call."""

    def __init__(self, *, path: Path, infer_type: InferType) -> None:
        self._path = path
        self._infer_type = infer_type

    @property
    def source(self) -> str:
        """The file's path."""
        return str(self._path)

    async def services(self) -> tuple[Service, ...]:
        """Every service of the file, in its order. Raises CatalogueError with all faults of the file."""
        return await asyncio.to_thread(read_services, self._path, infer_type=self._infer_type)


def read_services(path: Path, *, infer_type: InferType) -> tuple[Service, ...]:
    """Reads and checks a catalogue file. Raises CatalogueError with all faults of the file."""
    source = str(path)
    parse = _PARSERS.get(path.suffix.lower())
    if parse is None:
        raise faulty(source, [f"{source}: a catalogue file ends in {', '.join(_PARSERS)}; rename or convert it"])
    content, problems = parse(_text(path), source)
    entries = _entries(content, source, problems)
    return validate_services(entries, source=source, infer_type=infer_type, problems=problems)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8"
        raise CatalogueError(f"{path} cannot be read", problems=(problem,)) from error
    except OSError as error:
        problem = f"{path}: {error.strerror}; check that the file is there and may be read"
        raise CatalogueError(f"{path} cannot be read", problems=(problem,)) from error


def _entries(content: object, source: str, problems: list[str]) -> list[object]:
    """The list of services; what is wrong around it is added to `problems`."""
    entries = content
    if isinstance(content, dict):
        problems += [
            f"{source}: {key if isinstance(key, str) else shown(key)}: is not a known field; "
            "the top level has only 'services'"
            for key in content
            if key != "services"
        ]
        if "services" not in content:
            problems.append(f"{source}: services: is missing; list the services under 'services:'")
            return []
        entries = content["services"]
    if entries is None or entries == []:
        problems.append(f"{source}: services: there are none; describe at least one")
        return []
    if not isinstance(entries, list):
        problems.append(f"{source}: services: is not a list; start each service with '- '")
        return []
    return entries


def _parse_yaml(text: str, source: str) -> Parsed:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)  # the C parser is absent from some builds
    try:
        root = loader.get_single_node()
        if root is None:
            return None, []
        if _repeated(root) > _MOST_REPEATED:
            raise _syntax_error(
                source,
                f"its aliases (*name) repeat more than {_MOST_REPEATED} characters or a part of itself; "
                "use fewer, and write the text out instead",
            )
        problems = _duplicate_keys(root, source)
        return _constructed(loader, root, source), problems
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise _syntax_error(source, f"{place}{error.problem}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _syntax_error(source, " ".join(str(error).split())) from error
    finally:
        loader.dispose()


def _constructed(loader: yaml.SafeLoader, root: yaml.Node, source: str) -> object:
    try:
        return loader.construct_document(root)
    # What PyYAML's readers of dates, numbers and booleans raise for text that is none, say 2026-13-45 or `!!int ""`.
    except (ValueError, LookupError, ArithmeticError, AttributeError) as error:
        node = next(reversed(loader.recursive_objects))  # the one being read
        place = f"line {node.start_mark.line + 1}, column {node.start_mark.column + 1}"
        cause = f"{shown(node.value)} cannot be read as {node.tag.rpartition(':')[2]}"
        raise _syntax_error(source, f"{place}: {cause}; correct it, or quote it") from error


def _repeated(root: yaml.Node) -> float:
    """How much aliases repeat, in characters (a node counts as one more); infinite when a node is inside itself.

    A few lines of aliases to lists of aliases unfold to more than any memory holds.
    """
    unfolded = dict[int, float]()
    written = 0
    waiting = [(root, False)]
    while waiting:
        node, parts_are_known = waiting.pop()
        own, parts = _own_size_and_parts(node)
        if parts_are_known:
            unfolded[id(node)] = own + sum(unfolded[id(part)] for part in parts)
        elif id(node) not in unfolded:
            written += own
            unfolded[id(node)] = math.inf  # until its parts are known: one of them may be the node itself
            waiting.append((node, True))
            waiting += [(part, False) for part in parts]
    return unfolded[id(root)] - written


def _own_size_and_parts(node: yaml.Node) -> tuple[int, list[yaml.Node]]:
    match node:
        case yaml.SequenceNode():
            return 1, node.value
        case yaml.MappingNode():
            return 1, [part for pair in node.value for part in pair]
        case _:
            return 1 + len(node.value), []


def _duplicate_keys(root: yaml.Node, source: str) -> list[str]:
    problems = []
    waiting, visited = deque([("", root)]), set[int]()
    while waiting:
        path, node = waiting.popleft()
        if id(node) in visited:  # an alias leads back to a node
            continue
        visited.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += [(f"{path}[{index}]"[:_PATH_CHARACTERS], item) for index, item in enumerate(node.value)]
        elif isinstance(node, yaml.MappingNode):
            seen = set[str]()
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    continue  # no field name; construct_document refuses it
                field = f"{path}.{key.value}".lstrip(".")[:_PATH_CHARACTERS]
                waiting.append((field, value))
                if key.value in seen:
                    problems.append(f"{source}: line {key.start_mark.line + 1}: {field}: is written twice; remove one")
                seen.add(key.value)
    return problems


def _parse_json(text: str, source: str) -> Parsed:
    doubled: dict[int, list[str]] = {}

    def build(pairs: list[tuple[str, object]]) -> dict[str, object]:
        built = dict(pairs)
        if len(built) < len(pairs):
            doubled[id(built)] = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
        return built

    try:
        content = json.loads(text, object_pairs_hook=build, parse_int=whole_number)
        problems = [
            f"{source}: {path}{key}: is written twice; remove one"
            for path, part in _objects(content)
            for key in doubled.get(id(part), ())
        ]
    except json.JSONDecodeError as error:
        raise _syntax_error(source, f"line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise _syntax_error(source, "is nested too deeply") from error
    return content, problems


def _objects(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Every object of a JSON text with the path that leads to its fields, such as `services[0].`."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _objects(item, f"{path.removesuffix('.')[:_PATH_CHARACTERS]}[{index}].")
    elif isinstance(value, dict):
        yield path, value
        for key, item in value.items():
            yield from _objects(item, f"{path}{key}"[:_PATH_CHARACTERS] + ".")


def _syntax_error(source: str, problem: str) -> CatalogueError:
    return CatalogueError(
        f"{source} cannot be parsed",
        problems=bounded(source, (f"{source}: {problem}",)),
        hint="Correct the syntax at this place; an editor with YAML and JSON support shows it.",
    )


_PARSERS: dict[str, Callable[[str, str], Parsed]] = {".yaml": _parse_yaml, ".yml": _parse_yaml, ".json": _parse_json}
