"""Templates as records of JSON: the name in the registry, the options, and digests of word lists."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from tunesmith.errors import OptionError
from tunesmith.features.base import TEMPLATES, Template
from tunesmith.options import as_recorded, build

__all__ = ["check_lists", "template_name", "template_of", "template_record"]


def template_name(template: Template) -> str:
    """Return the name of a template in the registry; of one that is not there, the name of its class."""
    kind = type(template)
    names = (name for name, entry in TEMPLATES.items() if entry is kind)
    return next(names, f"{kind.__module__}.{kind.__qualname__}")


def template_record(template: Template) -> dict[str, Any]:
    """Return `{"name": ..., "options": {...}, "lists": {...}}`, ready for JSON.

    Options are the fields of the dataclass that are texts, numbers or tuples of them and differ from their
    defaults. Lists are those fields that have a `digest`: word lists that the template took from a model.
    """
    options: dict[str, Any] = {}
    lists: dict[str, str] = {}
    fields: tuple[dataclasses.Field[Any], ...] = (
        dataclasses.fields(template) if dataclasses.is_dataclass(template) else ()
    )
    for field in fields:
        value = getattr(template, field.name)
        if hasattr(value, "digest"):
            lists[field.name] = value.digest
        elif value != field.default and isinstance(value, str | int | float | tuple):
            options[field.name] = as_recorded(value)
    return {"name": template_name(template), "options": options, "lists": lists}


def template_of(record: Mapping[str, Any]) -> Template:
    """Return the template of a record; an unknown name or option is an OptionError."""
    if "." in record["name"]:
        raise OptionError(
            f"the template {record['name']} is not registered: pass it as an object, or register its class"
            " with TEMPLATES.register"
        )
    kind = TEMPLATES[record["name"]]
    options = {
        name: tuple(value) if isinstance(value, list) else value for name, value in record["options"].items()
    }
    return build(kind, record["name"], options)


def check_lists(template: Template, record: Mapping[str, Any]) -> None:
    """Raise OptionError unless the word lists of a template are those of its record."""
    found = template_record(template)["lists"]
    for name, digest in record["lists"].items():
        if found.get(name) != digest:
            raise OptionError(
                f"the template {record['name']} has other {name.replace('_', ' ')} in this model (digest"
                f" {found.get(name, 'none')[:12]}) than the weights were made with ({digest[:12]});"
                " use the model that they were tuned for"
            )
