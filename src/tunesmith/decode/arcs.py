"""Features of lattice arcs: checks of declared names, and of lattices against them."""

from __future__ import annotations

import re
from collections.abc import Collection

from tunesmith.decode.lattice import Lattice
from tunesmith.errors import InputError, OptionError, nearest

__all__ = ["INPUT_FEATURE", "check_arc_features", "check_arcs", "check_feature_names"]

INPUT_FEATURE = "InputFeature0"
"""The feature of arc values; a model has it if it is listed, or has a weight."""

_UNFIT = re.compile(r"^$|[\s\x00-\x1f\x7f\ud800-\udfff]")


def check_arc_features(names: tuple[str, ...]) -> None:
    """Raise OptionError unless these are distinct names that arcs can have."""
    check_feature_names(names, "arc_features")
    if INPUT_FEATURE in names:
        raise OptionError(
            "search: {}: {feature!r} is the feature of the values of arcs; it needs a weight, and need not be"
            " declared",
            "arc_features",
            feature=INPUT_FEATURE,
        )


def check_feature_names(names: tuple[str, ...], option: str) -> None:
    """Raise OptionError unless these are distinct names of features."""
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
    """Refuse a lattice whose arcs have values or features without a weight.

    `input_feature` is the decoder's name of the feature of arc values, None if it has none; `arc_features`
    are the declared features.
    """
    names = lattice.feature_names
    if input_feature is None and (lattice.has_scores or INPUT_FEATURE in names):
        raise InputError(
            "the arcs of the lattice have values, but there is no weight for them; add a weight"
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
