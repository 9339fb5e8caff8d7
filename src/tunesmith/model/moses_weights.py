"""Moses' weight file: weights of sparse features, one `name value` per line."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from tunesmith.errors import InputError, TunesmithWarning
from tunesmith.files import PathLike, read_lines
from tunesmith.weights import Weights

__all__ = ["check_weight_file", "read_weight_file", "sparse_weights"]

SHOWN = 3
"""Number of weights without a feature that a message names."""


def check_weight_file(path: PathLike, lines: tuple[str, ...]) -> str | None:
    """Return the name of the weight file in `[weight-file]`; Moses allows one."""
    if len(lines) > 1:
        raise InputError(f"names {len(lines)} weight files; expected one", path=path)
    return lines[0] if lines else None


def read_weight_file(path: Path, *, silent: bool = False) -> Weights:
    """Return the weights of a file, the last one of each name as in Moses.

    Names that are repeated are a TunesmithWarning unless it is to be `silent`.
    """
    rows = [line.split() for line in read_lines(path) if not line.startswith("#")]
    counts = Counter(row[0] for row in rows if len(row) == 2)
    repeated = tuple(name for name, count in counts.items() if count > 1)
    if not repeated:
        return Weights.read(path)
    if not silent:
        warnings.warn(
            f"{path}: the weights of {len(repeated)} names are repeated, and the last one of each is used, as"
            f" in Moses: {_shown(repeated)}",
            TunesmithWarning,
            stacklevel=2,
        )
    last: dict[str, float] = {}
    for number, line in enumerate(read_lines(path), 1):
        name, *values = line.split() or [""]
        if not name or line.startswith("#"):
            continue
        try:
            (value,) = values
            last[name] = float(value)
        except ValueError:
            raise InputError(f"expected 'name value', found {line[:60]!r}", path=path, line=number) from None
    return Weights(last, path=path)


def sparse_weights(
    path: Path, known: Collection[str], renamed: Callable[[Mapping[str, float]], Mapping[str, float]]
) -> tuple[Weights, list[str]]:
    """Read the weights of known features, and those that `renamed` gives the names of templates.

    Messages name the others, which have no effect in Moses either.
    """
    given = read_weight_file(path)
    others = {name: value for name, value in given.items() if name not in known}
    of_templates = renamed(others)
    foreign = [name for name in others if not renamed({name: 0.0})]
    own = {name: value for name, value in given.items() if name in known}
    return Weights({**own, **of_templates}, path=path), list(_notes(path, foreign))


def _notes(path: Path, foreign: Sequence[str]) -> Iterator[str]:
    if foreign:
        shown = _shown(foreign)
        yield f"{path}: {len(foreign)} weights are of no feature of the model and have no effect: {shown}"


def _shown(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")
