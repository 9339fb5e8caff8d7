"""Adapter between templates and the native decoder: numbers states, and checks returned values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.features.base import (
    Pair,
    PairTemplate,
    PlacedTemplate,
    Sentence,
    Span,
    StatefulTemplate,
    Step,
    Template,
    Twin,
)

__all__ = [
    "PairBridge",
    "PlacedBridge",
    "StatefulBridge",
    "TemplateSession",
    "add_templates",
    "check_templates",
]

Row = list[tuple[str, float]]

_LARGEST = 1e9
"""Native scores are 32-bit floats: values times weights must not come near their range."""


def add_templates(model: _native.DecoderModel, templates: Sequence[Template]) -> list[object]:
    """Add templates to a model that has all its dense features, as native twins if available.

    Returns objects that must outlive the model: native code refers to them, but does not own them.
    """
    taken = frozenset(model.names)
    kept: list[object] = []
    for template in templates:
        kept += _add(model, template, taken)
    return kept


def check_templates(templates: Sequence[object]) -> None:
    """Raise OptionError unless all are templates, whose names tell their features apart."""
    names: set[str] = set()
    for template in templates:
        if not isinstance(template, PairTemplate | PlacedTemplate | StatefulTemplate):
            raise OptionError(
                f"{template!r} is not a feature template; expected a PairTemplate, a PlacedTemplate or a"
                " StatefulTemplate"
            )
        if not isinstance(getattr(template, "name", None), str) or not template.name:
            raise OptionError(f"the feature template {template!r} has no name")
        if template.name in names:
            raise OptionError(f"two feature templates have the name {template.name!r}")
        names.add(template.name)
    for template in templates:
        assert isinstance(template, Template)
        for name in names:
            if name != template.name and template.owns(f"{name}_"):
                raise OptionError(
                    f"features of the template {name!r} could have the names of those of {template.name!r};"
                    " name one of them otherwise"
                )


def _add(model: _native.DecoderModel, template: Template, taken: frozenset[str]) -> list[object]:
    """Add a template as its twins, or by a bridge."""
    twin = template.twin()
    if twin is not None:
        twins = twin if isinstance(twin, tuple) else (twin,)
        for each in twins:
            _add_twin(model, each)
        return list(twins)
    bridge: PairBridge | PlacedBridge | StatefulBridge
    if isinstance(template, PairTemplate):
        bridge = PairBridge(template, taken)
        _native.add_python_pair_feature(model, bridge)
    elif isinstance(template, PlacedTemplate):
        bridge = PlacedBridge(template, taken)
        _native.add_python_placed_feature(model, bridge)
    else:
        assert isinstance(template, StatefulTemplate)
        bridge = StatefulBridge(template, taken)
        _native.add_python_feature(model, bridge)
    return [bridge]


def _add_twin(model: _native.DecoderModel, twin: Twin) -> None:
    if isinstance(twin, _native.ScoreFeature):
        model.add_score_feature(twin)
    elif isinstance(twin, _native.PlacedFeature):
        model.add_placed_feature(twin)
    elif isinstance(twin, _native.PairFeature):
        model.add_pair_feature(twin)
    else:
        model.add_feature(twin)


class PairBridge:
    """A template of pairs as native code calls it."""

    pair = Pair

    def __init__(self, template: PairTemplate, taken: frozenset[str] = frozenset()) -> None:
        self.name = template.name
        self.sees_unknown = template.sees_unknown
        self._template = template
        self._taken = taken
        self._asking = _Asking(template.name)

    def values(self, pair: Pair) -> Row:
        """Return the features of a pair."""
        with self._asking:
            return _row(self._template.values(pair), self.name, self._taken)


class PlacedBridge:
    """A placed template as native code calls it; each sentence gets a session."""

    def __init__(self, template: PlacedTemplate, taken: frozenset[str] = frozenset()) -> None:
        self.name = template.name
        self.sees_unknown = template.sees_unknown
        self._template = template
        self._taken = taken

    def session(self, words: tuple[str, ...], columns: int) -> PlacedAsking:
        """Return the template at work on a sentence."""
        return PlacedAsking(self._template, self._taken, Sentence(words, columns))


class PlacedAsking:
    """A placed template at work on one sentence."""

    pair = Pair

    def __init__(self, template: PlacedTemplate, taken: frozenset[str], sentence: Sentence) -> None:
        self._template = template
        self._taken = taken
        self._sentence = sentence
        self._asking = _Asking(template.name)

    def values(self, pair: Pair, span: tuple[int, int], gaps: tuple[tuple[int, int], ...]) -> Row:
        """Return the features of a pair at a place."""
        with self._asking:
            found = self._template.values(pair, Span(*span, gaps), self._sentence)
            return _row(found, self._template.name, self._taken)


class StatefulBridge:
    """A stateful template as native code calls it; each thread gets a session."""

    pair = Pair

    def __init__(self, template: StatefulTemplate[Any], taken: frozenset[str] = frozenset()) -> None:
        self.name = template.name
        self.estimates = type(template).estimate is not StatefulTemplate.estimate
        self._template = template
        self._taken = taken
        self._asking = _Asking(template.name)

    def estimate(self, pair: Pair) -> Row:
        """Return the context-free estimate of a pair's features."""
        with self._asking:
            return _row(self._template.estimate(pair) or {}, self.name, self._taken)

    def session(self) -> TemplateSession:
        """Return a session for one thread of a phrase decoder: words follow the one tail."""
        return TemplateSession(self._template, self._taken, before=(-1,))

    def chart_session(self) -> TemplateSession:
        """Return a session for one thread of a chart decoder: rules contain the positions of tails."""
        return TemplateSession(self._template, self._taken, before=())


class TemplateSession:
    """A stateful template on one thread, one sentence at a time, with numbered states.

    `before` is prepended to the target side of a pair to form the yield of a step.
    """

    pair = Pair

    def __init__(
        self,
        template: StatefulTemplate[Any],
        taken: frozenset[str] = frozenset(),
        before: tuple[int, ...] = (-1,),
    ) -> None:
        self.name = template.name
        self._template = template
        self._taken = taken
        self._before = before
        self._asking = _Asking(template.name)
        self._sentence = Sentence((), 0)
        self._states: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def begin(self, words: tuple[str, ...], columns: int) -> None:
        """Begin a sentence, and drop the states of the previous one."""
        self._sentence = Sentence(words, columns)
        self._states.clear()
        self._numbers.clear()

    def start(self) -> int:
        """Return the number of the state before the first step."""
        with self._asking:
            return self._intern(self._template.start(self._sentence))

    def apply(
        self, tails: tuple[int, ...], pair: Pair, span: tuple[int, int], first_gap: int = 0, bits: bytes = b""
    ) -> tuple[int, Row] | None:
        """Return the state after a phrase or rule and its features; None forbids it.

        All columns before `first_gap` are covered, and from there on those whose bit in `bits` is set.
        """
        covered = int.from_bytes(bits, "little") << first_gap | ((1 << first_gap) - 1)
        with self._asking:
            step = Step(pair, span, (*self._before, *pair.target), covered)
            answer = self._template.apply(tuple(self._states[tail] for tail in tails), step)
            if answer is None:
                return None
            state, values = answer
            return self._intern(state), _row(values, self.name, self._taken)

    def finish(self, state: int) -> Row | None:
        """Return the features of the end after a state; None forbids it."""
        with self._asking:
            values = self._template.finish(self._states[state])
            return None if values is None else _row(values, self.name, self._taken)

    def _intern(self, state: Any) -> int:
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
        return number


class _Asking:
    """Adds the name of a template to its exceptions."""

    def __init__(self, name: str) -> None:
        self._note = f"raised by the feature template {name!r}"

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            error.add_note(self._note)


def _row(values: Mapping[str, float], template: str, taken: frozenset[str]) -> Row:
    """Check the features of a template."""
    row = []
    for name, value in values.items():
        number = float(value)
        if not isinstance(name, str) or not name:
            raise InputError(f"the feature template {template!r} names a feature {name!r}; expected a text")
        name.encode("utf-8")  # native names are UTF-8: no lone surrogates
        if name in taken:
            raise InputError(
                f"the feature template {template!r} gives {name!r}, which is a feature of the model"
            )
        if math.isnan(number) or abs(number) > _LARGEST:
            raise InputError(
                f"the feature template {template!r} gives {name!r} the value {value!r};"
                f" expected at most {_LARGEST:.0e} in size"
            )
        row.append((name, number))
    return row
