"""JSON that may have been damaged or written by anyone: what is not as expected is an InputError."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, TypeVar, get_args, get_origin

from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, read_lines
from tunesmith.options import check_option, option_types

__all__ = ["check_format", "check_record", "parse_json", "read_json", "record_of", "shown"]

Record = TypeVar("Record")

DEEPEST = 50
"""Levels of lists and objects; ours have fewer than 10, and a thousand are too many to copy or to print."""
LARGEST_INTEGER = 1 << 63
"""Whole numbers go to native code, where they have 64 bits."""


def read_json(path: PathLike, what: str) -> Any:
    """Return the content of a JSON file; one that is not JSON is an InputError that says it is not `what`."""
    return parse_json("\n".join(read_lines(path)), what, path=path)


def parse_json(
    text: str | bytes,
    what: str,
    *,
    path: PathLike | None = None,
    line: int | None = None,
    unique: bool = False,
) -> Any:
    """Parse JSON; an InputError also for lists nested too deeply and numbers of thousands of digits.

    With `unique` a key that an object repeats is an error, too; the last value would count otherwise.
    """
    try:
        found = json.loads(text, object_pairs_hook=_unique if unique else None)
        if _is_deep(found):
            raise RecursionError
    except RecursionError:
        why = "it has lists within lists, too deep to read"
    except UnicodeDecodeError:
        why = "it is not UTF-8"
    except json.JSONDecodeError as error:
        where = "" if error.lineno == 1 else f" at line {error.lineno}"
        why = f"it is not JSON ({error.msg.lower()}{where})"
    except _RepeatedKeyError as error:
        raise InputError(f"repeated key {error.args[0]!r}", path=path, line=line) from None
    except ValueError as error:  # a number of thousands of digits
        why = str(error).partition(";")[0].lower()
    else:
        return found
    raise InputError(f"is not {what}: {why}", path=path, line=line)


def check_format(record: Any, name: str, version: int, remedy: str, *, path: PathLike) -> None:
    """Raise InputError unless a record has this format and version; a KeyError says that it has none."""
    if record["format"] != name or record["version"] != version:
        raise InputError(
            f"found {record['format']!r:.60} version {record['version']!r:.60};"
            f" expected {name!r} version {version}: {remedy}",
            path=path,
        )


def record_of(kind: type[Record], found: object) -> Record:
    """Return the dataclass of a JSON object; a ValueError says which field is missing, unknown or ill-typed.

    Lists become tuples where the field is one.
    """
    if not isinstance(found, dict):
        raise ValueError(f"expected an object, found {shown(found)}")
    types = option_types(kind)
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for name in found:
        if name not in fields:
            raise ValueError(f"found the unknown field {name!r:.60}")
    for name, field in fields.items():
        if name not in found and field.default is field.default_factory is dataclasses.MISSING:
            raise ValueError(f"the field {name!r} is missing")
    given = {name: _converted(name, types[name], value) for name, value in found.items()}
    return kind(**given)


def check_record(name: str, kind: Any, value: object) -> None:
    """Raise ValueError unless a value is of a type: `int`, `dict[str, float]`, `tuple[str, ...]`, ..."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (dict, Mapping):
        if not isinstance(value, dict):
            raise ValueError(f"{name} must be an object, not {shown(value)}")
        for key, each in value.items():
            check_record(f"{name} {key!r:.60}", inner[1], each)
    elif origin in (list, tuple):
        if not isinstance(value, list | tuple):
            raise ValueError(f"{name} must be a list, not {shown(value)}")
        if origin is tuple and inner[-1] is not ... and len(value) != len(inner):
            raise ValueError(f"{name} must have {len(inner)} values, not {len(value)}")
        for each in value:
            check_record(name, inner[0], each)
    elif isinstance(value, int) and not -LARGEST_INTEGER <= value < LARGEST_INTEGER:
        raise ValueError(f"{name} is a whole number of more than 64 bits")
    elif isinstance(value, dict | list) and kind is not object:
        raise ValueError(f"{name} cannot be {shown(value)}")
    else:
        try:
            check_option("JSON", name, kind, value)
        except OptionError as error:
            raise ValueError(str(error).removeprefix("JSON: ")) from None


def shown(value: object) -> str:
    """Return a value of JSON for a message: short, and without a look into lists, which may be deep."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return f"{value!r:.60}"


class _RepeatedKeyError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return record


def _is_deep(found: object) -> bool:
    level = [found]
    for _ in range(DEEPEST):
        inner = [each for each in level if isinstance(each, dict | list)]
        level = [value for each in inner for value in (each.values() if isinstance(each, dict) else each)]
    return any(isinstance(each, dict | list) for each in level)


def _converted(name: str, kind: Any, value: object) -> object:
    check_record(name, kind, value)
    return tuple(value) if get_origin(kind) is tuple and isinstance(value, list) else value
