"""Weights as a model's templates name their features: Moses' names are translated, others reported."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from tunesmith.errors import InputError, UnusedWeightWarning
from tunesmith.features.base import Template
from tunesmith.features.whitelist import unfit_names
from tunesmith.model.moses_names import name_from_moses
from tunesmith.weights import Weights, WeightStore
from tunesmith.weights.unused import SHOWN, unused_message

__all__ = ["FittedNames"]


class FittedNames:
    """The names that features of templates can have, as weights meet them one after another.

    `others` are the names of sparse features that are not of templates. Each name is looked at and reported
    once.
    """

    def __init__(self, templates: Sequence[Template], others: Collection[str]) -> None:
        self._templates = templates
        self._others = others
        self._warn_of_whitelists()
        self._fitting: set[str] = set()
        self._reported: set[str] = set()

    def fit(self, given: Weights | WeightStore, known: Collection[str]) -> Weights | WeightStore:
        """Return weights with names of the model; the same if all are. `known` are names of its own weights.

        Names of Moses become those of the templates that can have them. A warning says which names belong to
        a template, but to none of its features. A store that records its templates was learned from their
        features, and is returned as it is.
        """
        if not self._templates or (isinstance(given, WeightStore) and given.about.get("templates")):
            return given
        return self.fit_all(given, known)

    def fit_all(self, given: Weights | WeightStore, known: Collection[str]) -> Weights | WeightStore:
        """The same, also of a store that records its templates."""
        renamed, unused = self._misfits(given, known)
        if new := [name for name in unused if name not in self._reported]:
            self._reported.update(new)
            place = "" if given.path is None else f"{given.path}: "
            reason = "because no feature of the model's templates can have such a name"
            warnings.warn(place + unused_message(new, reason), UnusedWeightWarning, stacklevel=4)
        return _renamed(given, renamed) if renamed else given

    def _warn_of_whitelists(self) -> None:
        for template in self._templates:
            if names := unfit_names(template):
                shown = ", ".join(map(repr, names[:SHOWN])) + (", ..." if len(names) > SHOWN else "")
                warnings.warn(
                    f"the whitelist of the template {template.name!r} has {len(names):,} names that no"
                    f" feature of it can have: {shown}",
                    UnusedWeightWarning,
                    stacklevel=4,
                )

    def _misfits(self, names: Iterable[str], known: Collection[str]) -> tuple[dict[str, str], list[str]]:
        """Return our names for those of Moses, and the names that templates own but do not admit."""
        renamed: dict[str, str] = {}
        unused: list[str] = []
        tests = [each.admits for each in self._templates]
        for name in names:
            if name in self._fitting or name in self._others:
                continue
            if any(admits(name) for admits in tests):
                self._fitting.add(name)
                continue
            owners = [each for each in self._templates if each.owns(name)]
            if name in known and not owners:
                continue
            found = {name_from_moses(each, name) for each in owners or self._templates} - {None}
            if len(found) == 1:
                renamed[name] = str(found.pop())
            elif owners:
                unused.append(name)
        return renamed, unused


def _renamed(given: Weights | WeightStore, names: dict[str, str]) -> Weights | WeightStore:
    """Return a copy with other names of some weights."""
    ours: dict[str, str] = {}
    for name, new in names.items():
        if new in given or new in ours:
            raise InputError(
                f"has two weights of one feature: {ours.get(new, new)!r} and {name!r}; remove one",
                path=given.path,
            )
        ours[new] = name
    values = {names.get(name, name): value for name, value in given.items()}
    if not isinstance(given, WeightStore):
        return Weights(values, path=given.path, about=given.about)
    made = WeightStore(about=given.about, path=given.path)
    made.set(list(values), np.fromiter(values.values(), dtype=np.float64, count=len(values)))
    return made
