"""What a file of weights records so that decoders can use it: templates and options of the search.

In the record (`about`) of the file:

- `templates`: a list of `template_record`;
- `search`: options of the search by name;
- `fixed`: the names of those that are part of the model: another value on the command line is an error, as
  another template is. Other options of the search are defaults that a flag overrides.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.errors import InputError, Message, OptionError
from tunesmith.features.base import Template
from tunesmith.features.record import check_lists, template_of, template_record
from tunesmith.files import PathLike
from tunesmith.json_files import check_record
from tunesmith.model.model import Model
from tunesmith.options import as_recorded, determinants

__all__ = ["FIXED", "Recorded", "decoding_record"]

FIXED = ("table_breadth", "distortion_limit", "table_limit", "span_limit")
"""Options of the search that decide which derivations exist: weights are for these derivations."""


def decoding_record(decoder: AnyDecoder, *, only_given: bool = False) -> dict[str, Any]:
    """Return the record of a decoder's templates and options of the search; empty parts are omitted.

    With `only_given`, of the options only fixed ones that differ from their defaults.
    """
    options = _changed(decoder.options)
    fixed = {name: options[name] for name in FIXED if name in options}
    if not only_given:
        fixed = {**_of_model(decoder.model), **fixed}
    search = fixed if only_given else {**options, **fixed}
    record = {
        "templates": [template_record(template) for template in decoder.templates],
        "search": {name: as_recorded(value) for name, value in search.items()},
        "fixed": list(fixed),
    }
    return {name: part for name, part in record.items() if part}


@dataclass(frozen=True)
class Recorded:
    """The templates and options of a record."""

    templates: tuple[Mapping[str, Any], ...] = ()
    search: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    fixed: tuple[str, ...] = ()
    path: PathLike | None = None

    @classmethod
    def of(cls, weights: Mapping[str, float]) -> Recorded:
        """Return what weights record; nothing if they are a plain mapping. A damaged one is an InputError."""
        about: Mapping[str, Any] = getattr(weights, "about", {})
        path: PathLike | None = getattr(weights, "path", None)
        templates, search, fixed = about.get("templates", []), about.get("search", {}), about.get("fixed", [])
        try:
            check_record("templates", list[object], templates)
            check_record("search", dict[str, object], search)
            check_record("fixed", list[str], fixed)
            noted = tuple(map(_checked, templates))
        except ValueError as error:
            raise InputError(f"its record of how to decode is damaged: {error}", path=path) from None
        return cls(noted, search, tuple(fixed), path)

    def with_templates(self, given: Sequence[Template]) -> tuple[Template, ...]:
        """Return the recorded templates; given ones that are not the same are an OptionError.

        Without a record of templates, the given ones are returned.
        """
        if not self.templates:
            return tuple(given)
        if given and sorted(map(_shown, map(template_record, given))) != sorted(map(_shown, self.templates)):
            raise OptionError(
                "{path} was made with the templates {recorded}, but {} says {given}; leave out {}: the"
                " recorded ones are applied automatically",
                "templates",
                "templates",
                path=self._place,
                recorded=_listed(self.templates),
                given=_listed(map(template_record, given)),
            )
        try:
            return tuple(given) or tuple(map(template_of, self.templates))
        except OptionError as error:
            raise InputError(f"records templates that cannot be used: {error}", path=self.path) from None

    def with_search(
        self,
        given: SearchOptions | ChartOptions | Mapping[str, Any] | None,
        model: Model,
    ) -> dict[str, Any]:
        """Return the given options with recorded ones where none are given.

        Options of a dataclass count as given if they differ from their defaults. A given one that contradicts
        a fixed one is an OptionError.
        """
        named, own = _named(given), _of_model(model)
        for name in self.fixed:
            if name not in named:
                continue
            wanted, said = self.search.get(name), named[name]
            if (own.get(name) if said is None else said) != wanted:
                raise OptionError(
                    "{path} was made with {} {wanted}, but {} {said} is given; leave it out: the recorded"
                    " value is applied automatically",
                    name,
                    name,
                    path=self._place,
                    wanted=wanted,
                    said=said,
                )
        recorded = {
            name: tuple(value) if isinstance(value, list) else value for name, value in self.search.items()
        }
        return {**recorded, **named}

    def check_lists(self, templates: Sequence[Template]) -> None:
        """Raise InputError unless the word lists of opened templates are the recorded ones."""
        records = {_shown(record): record for record in self.templates}
        for template in templates:
            record = records.get(_shown(template_record(template)))
            if record is not None:
                self._check_lists(template, record)

    def announcement(
        self,
        templates: Sequence[Template],
        options: SearchOptions | ChartOptions | Mapping[str, Any] | None,
    ) -> Message | None:
        """Return a line that says what is used beyond what was given; None if nothing is."""
        named = _named(options)
        added = {name: value for name, value in self.search.items() if name not in named}
        parts = []
        if self.templates and not templates:
            parts.append("templates {templates}")
        if added:
            parts.append("search " + ", ".join(f"{{}} {{value{number}}}" for number in range(len(added))))
        if not parts:
            return None
        values = {f"value{number}": value for number, value in enumerate(added.values())}
        text = "{path} records how to decode: " + "; ".join(parts)
        return Message(text, *added, path=self._place, templates=_listed(self.templates), **values)

    def _check_lists(self, template: Template, record: Mapping[str, Any]) -> None:
        try:
            check_lists(template, record)
        except OptionError as error:
            raise InputError(str(error), path=self.path) from None

    @property
    def _place(self) -> str:
        return "the file of weights" if self.path is None else str(self.path)


def _checked(record: Any) -> dict[str, Any]:
    """Return the record of a template; a ValueError if it is not one."""
    check_record("templates", dict[str, object], record)
    whole = {"options": {}, "lists": {}, **record}
    check_record("the name of a template", str, whole.get("name"))
    check_record("the options of a template", dict[str, object], whole["options"])
    check_record("the lists of a template", dict[str, str], whole["lists"])
    return whole


def _of_model(model: Model) -> dict[str, Any]:
    """Return the fixed options that a model itself decides unless others are given."""
    return {"distortion_limit": model.distortion_limit} if model.decoder_kind == "phrase" else {}


def _named(options: SearchOptions | ChartOptions | Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the options that are given: of a dataclass, those that differ from their defaults."""
    if options is None or isinstance(options, Mapping):
        return dict(options or {})
    values = {
        field.name: (getattr(options, field.name), field.default) for field in dataclasses.fields(options)
    }
    return {name: value for name, (value, default) in values.items() if value != default}


def _changed(options: SearchOptions | ChartOptions) -> dict[str, Any]:
    """Return the options that results depend on and that differ from their defaults."""
    defaults = determinants(type(options)())
    return {name: value for name, value in determinants(options).items() if value != defaults[name]}


def _shown(template: Mapping[str, Any]) -> str:
    options = ", ".join(f"{name}={value!r}" for name, value in sorted(template["options"].items()))
    return f"{template['name']} ({options})" if options else str(template["name"])


def _listed(templates: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(map(_shown, templates)) or "none"
