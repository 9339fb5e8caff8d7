"""Checks of weights against the features of a model, before they are used."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tunesmith import _native
from tunesmith.errors import InputError, nearest, suggest
from tunesmith.features.base import Template
from tunesmith.weights import Weights, WeightStore

__all__ = ["LARGEST_WEIGHT", "check_names", "check_sizes", "foreign_names"]

LARGEST_WEIGHT = 1e6
"""Scores are sums of 32-bit floats: larger weights would overflow or swamp all other features."""

SHOWN = 3
"""Number of foreign weights named in an error."""

_BASE = "tunesmith.features.base"
"""The module whose `owns` native code follows: `NAME` or `NAME_...`."""

MOST_FOREIGN = 1000
"""Number of foreign weights of a store among which an error looks for similar names."""


def check_sizes(given: Weights | WeightStore) -> None:
    """Refuse weights that are too large. O(features), in native code for a store."""
    if isinstance(given, WeightStore):
        name = _native.first_weight_above(given.native, LARGEST_WEIGHT)
    else:
        name = next((each for each, value in given.items() if abs(value) > LARGEST_WEIGHT), None)
    if name is not None:
        raise InputError(
            f"the weight {name!r} is {given[name]}; expected at most {LARGEST_WEIGHT:,.0f} in size",
            path=given.path,
        )


def foreign_names(
    given: Weights | WeightStore,
    native: _native.DecoderModel,
    templates: Sequence[Template],
    sparse: Collection[str],
) -> list[str]:
    """Return the names of weights that neither the model, nor templates, nor `sparse` scores have.

    Names of a store are compared by native code; Python sees only those that are no column and that no
    template's own name begins. At most the first thousand, if nothing else can claim them.
    """

    def is_known(name: str) -> bool:
        return name in sparse or any(template.owns(name) for template in templates)

    if not isinstance(given, WeightStore):
        columns = frozenset(native.names)
        return [name for name in given if name not in columns and not is_known(name)]
    own = [template.name for template in templates]
    claims = bool(sparse) or any(_has_own_rule(template) for template in templates)
    most = len(given) if claims else MOST_FOREIGN
    found = _native.foreign_weights(native, given.native, own, most)
    return [name for name in found if not is_known(name)]


def check_names(
    given: Weights | WeightStore, names: Sequence[str], foreign: Sequence[str], declarable: Sequence[str]
) -> None:
    """Refuse weights that lack a feature of the model, or have one that it does not know."""
    for name in names:
        if name in given:
            continue
        hint = nearest(name, foreign)
        if foreign and not hint:
            have = ", ".join(foreign[:SHOWN]) + (", ..." if len(foreign) > SHOWN else "")
            raise InputError(
                f"these weights are of another model: they have {have}, which this one does not have,"
                f" and none for {name!r}",
                path=given.path,
            )
        raise InputError(
            f"no weight for the feature {name!r}; every feature of the model needs one, and 0 switches it"
            f" off{hint}",
            path=given.path,
        )
    for name in foreign:
        raise InputError(
            "the weight {name!r} is of no feature of this model{hint} (if the input has it, declare: "
            + " or ".join("{}" for _ in declarable)
            + ")",
            *declarable,
            name=name,
            hint=suggest(name, names),
            path=given.path,
        )


def _has_own_rule(template: Template) -> bool:
    """Return whether a template defines itself which names it owns."""
    return type(template).owns.__module__ != _BASE
