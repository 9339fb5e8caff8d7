"""Moses' weight file: weights of sparse features, one `name value` per line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.weights import Weights

__all__ = ["check_weight_file", "sparse_weights"]

SHOWN = 3
"""Number of weights without a feature that a message names."""


def check_weight_file(path: PathLike, lines: tuple[str, ...]) -> str | None:
    """Return the name of the weight file in `[weight-file]`; Moses allows one."""
    if len(lines) > 1:
        raise InputError(f"names {len(lines)} weight files; expected one", path=path)
    return lines[0] if lines else None


def sparse_weights(
    path: Path, known: Collection[str], renamed: Callable[[Mapping[str, float]], Mapping[str, float]]
) -> tuple[Weights, list[str]]:
    """Read the weights of known features, and those that `renamed` gives the names of templates.

    Messages name the others, which have no effect in Moses either.
    """
    given = Weights.read(path)
    others = {name: value for name, value in given.items() if name not in known}
    of_templates = renamed(others)
    foreign = [name for name in others if not renamed({name: 0.0})]
    own = {name: value for name, value in given.items() if name in known}
    return Weights({**own, **of_templates}, path=path), list(_notes(path, foreign))


def _notes(path: Path, foreign: list[str]) -> Iterator[str]:
    if foreign:
        shown = ", ".join(foreign[:SHOWN]) + (", ..." if len(foreign) > SHOWN else "")
        yield f"{path}: {len(foreign)} weights are of no feature of the model and have no effect: {shown}"
