"""The features of the arcs of lattices: those that a decoder is told of, and those that a lattice has."""

from __future__ import annotations

import re
from collections.abc import Collection

from tunesmith.decode.lattice import Lattice
from tunesmith.errors import InputError, OptionError, nearest

__all__ = ["INPUT_FEATURE", "check_arc_features", "check_arcs", "check_feature_names"]

INPUT_FEATURE = "InputFeature0"
"""The feature of the values of arcs; a model has it if it lists it, or if it has a weight."""

_UNFIT = re.compile(r"^$|[\s\x00-\x1f\x7f\ud800-\udfff]")


def check_arc_features(names: tuple[str, ...]) -> None:
    """Raise OptionError unless these are names that arcs can have, each once."""
    check_feature_names(names, "arc_features")
    if INPUT_FEATURE in names:
        raise OptionError(
            "search: {}: {feature!r} is the feature of the values of arcs; it needs a weight, and need not be"
            " declared",
            "arc_features",
            feature=INPUT_FEATURE,
        )


def check_feature_names(names: tuple[str, ...], option: str) -> None:
    """Raise OptionError unless these are names of features that are declared to a decoder, each once."""
    if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
        raise OptionError("search: {} must be a tuple of names, not {names!r:.60}", option, names=names)
    for number, name in enumerate(names):
        if _UNFIT.search(name):
            raise OptionError("search: {} needs names without blanks, not {feature!r}", option, feature=name)
        if name in names[:number]:
            raise OptionError("search: {} declares {feature!r} twice", option, feature=name)


def check_arcs(
    lattice: Lattice, input_feature: str | None, arc_features: Collection[str], line: int | None = None
) -> None:
    """Refuse a lattice whose arcs say what would count nothing.

    `input_feature` is what the decoder calls the feature of their values, None if it has none;
    `arc_features` are the features by name that it was told of.
    """
    names = lattice.feature_names
    if input_feature is None and (lattice.has_scores or INPUT_FEATURE in names):
        raise InputError(
            "the arcs of the lattice have values, but no weight tells what they count; add a weight"
            f" {INPUT_FEATURE!r} (1.0 takes their logs as they are), or make all values 1",
            line=line,
        )
    unknown = tuple(name for name in names if name != input_feature and name not in arc_features)
    if unknown:
        features, them = ("feature", "it") if len(unknown) == 1 else ("features", "them")
        raise InputError(
            "the arcs of the lattice have the {features} {names}, which the decoder does not know; declare"
            " {them} by {} and give {them} weights{hints}",
            "arc_features",
            features=features,
            names=", ".join(map(repr, unknown)),
            them=them,
            hints="".join(nearest(name, arc_features) for name in unknown),
            line=line,
        )
