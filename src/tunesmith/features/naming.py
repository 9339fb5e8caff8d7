"""Templates as text: `target-bigrams`, `word-deletion(top=80)`, `sparse-reordering(classes=20+50)`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from tunesmith.errors import OptionError, suggest
from tunesmith.features.base import TEMPLATES, Template
from tunesmith.options import option_types, parse_option

__all__ = ["named_whitelists", "parse_template", "parse_templates"]

_FORM = re.compile(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_SIMPLE = (bool, int, float, str)


def parse_template(text: str) -> Template:
    """Return the template of a text: its name, and maybe options in parentheses, `name(key=value, ...)`."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise OptionError(f"expected a template such as 'word-deletion(top=80)', found {text!r}")
    kind = TEMPLATES[match[1]]
    options = {}
    for part in filter(None, (each.strip() for each in (match[2] or "").split(","))):
        key, equals, value = (each.strip() for each in part.partition("="))
        types = _settable(kind)
        if not equals:
            raise OptionError(f"{match[1]}: expected options such as 'key=value', found {part!r}")
        if key not in types:
            raise OptionError(f"no such option: {key} of {match[1]}{suggest(key, types)}")
        options[key] = _parse(f"{match[1]}: {key}", types[key], value)
    return kind(**options)


def parse_templates(texts: Iterable[str]) -> list[Template]:
    """Return the templates of texts, each of which may name several, separated by commas."""
    return [parse_template(part) for text in texts for part in _split(text)]


def named_whitelists(text: str) -> list[Path]:
    """Return the files of the only features that templates of a text name: `name(only=FILE)`."""
    matches = filter(None, map(_FORM.fullmatch, _split(text)))
    options = [part.partition("=") for match in matches for part in (match[2] or "").split(",")]
    return [Path(value.strip()) for key, _, value in options if key.strip() == "only" and value.strip()]


def _parse(flag: str, kind: Any, text: str) -> object:
    """Parse a value; those of a tuple are joined by `+`."""
    if get_origin(kind) is not tuple:
        return parse_option(flag, kind, text)
    return tuple(parse_option(flag, get_args(kind)[0], each) for each in filter(None, text.split("+")))


def _settable(kind: type[Template]) -> dict[str, Any]:
    """Return the types of the options that texts have."""
    if not is_dataclass(kind):
        return {}
    return {
        name: each
        for name, each in option_types(kind).items()
        if each in _SIMPLE or get_origin(each) is Literal or _is_simple_tuple(each)
    }


def _is_simple_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple and get_args(kind)[0] in _SIMPLE


def _split(text: str) -> list[str]:
    """Split at commas outside of parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip()]
