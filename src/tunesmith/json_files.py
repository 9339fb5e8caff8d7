"""JSON that may have been damaged or written by anyone: what is not as expected is an InputError."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar, get_args, get_origin

from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, read_lines
from tunesmith.options import check_option, option_types

__all__ = ["check_fields", "check_format", "check_record", "parse_json", "read_json", "record_of", "shown"]

Record = TypeVar("Record")

DEEPEST = 50
"""Levels of lists and objects; ours have fewer than 10, and a thousand are too many to copy or to print."""
_TOO_DEEP = "it has lists within lists, too deep to read"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
LARGEST_INTEGER = 1 << 63
"""Whole numbers go to native code, where they have 64 bits."""


def read_json(path: PathLike, what: str) -> Any:
    """Return the content of a JSON file; one that is not JSON is an InputError that says it is not `what`.

    Such files are in folders of ours, where a pipe or a device is not waited for, but an InputError.
    """
    return parse_json("\n".join(read_lines(path, regular=True)), what, path=path)


def parse_json(text: str | bytes, what: str, *, path: PathLike | None = None, line: int | None = None) -> Any:
    """Parse JSON, in time linear in the text.

    An InputError are also a key that an object repeats, of which the last value would count, lists nested too
    deeply, numbers of thousands of digits, and lone surrogates, which UTF-8 cannot encode.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode(json.detect_encoding(text))  # `json.loads` takes bytes that are not UTF-8
        found = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_unique)
        why = _unfit(found, may_have_surrogates=_SURROGATE.search(text) is not None)
        if not why:
            return found
    except RecursionError:
        why = _TOO_DEEP
    except UnicodeDecodeError:
        why = "it is not UTF-8"
    except json.JSONDecodeError as error:
        where = "" if error.lineno == 1 else f" at line {error.lineno}"
        why = f"it is not JSON ({error.msg.lower()}{where})"
    except _RepeatedKeyError as error:
        raise InputError(f"repeated key {error.args[0]!r:.200}", path=path, line=line) from None
    except ValueError as error:  # a number of thousands of digits
        why = str(error).partition(";")[0].lower()
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
    elif isinstance(value, dict | list) and kind not in (object, Any):
        raise ValueError(f"{name} cannot be {shown(value)}")
    else:
        try:
            check_option("JSON", name, kind, value)
        except OptionError as error:
            raise ValueError(str(error).removeprefix("JSON: ")) from None


def check_fields(
    record: object, needed: Mapping[str, Any], optional: Mapping[str, Any] | None = None
) -> None:
    """Raise ValueError unless an object has fields of these types; fields that are not named may be there."""
    if not isinstance(record, dict):
        raise ValueError(f"expected an object, found {shown(record)}")
    for name, kind in needed.items():
        if name not in record:
            raise ValueError(f"the field {name!r} is missing")
        check_record(name, kind, record[name])
    for name, kind in (optional or {}).items():
        if name in record:
            check_record(name, kind, record[name])


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
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _RepeatedKeyError(key)
            seen.add(key)
    return record


def _unfit(found: object, *, may_have_surrogates: bool) -> str:
    """Return why a value cannot be used: it is nested too deeply, or a text is not one; "" if it can."""
    level = [found]
    for _ in range(DEEPEST + 1):
        if may_have_surrogates and (text := next(filter(_has_surrogate, _texts(level)), None)) is not None:
            return f"the text {text!r:.60} contains a lone surrogate, which UTF-8 cannot encode"
        inner = [each for each in level if isinstance(each, dict | list)]
        if not inner:
            return ""
        level = [value for each in inner for value in (each.values() if isinstance(each, dict) else each)]
    return _TOO_DEEP


def _texts(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from value


def _has_surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _converted(name: str, kind: Any, value: object) -> object:
    check_record(name, kind, value)
    return tuple(value) if get_origin(kind) is tuple and isinstance(value, list) else value
