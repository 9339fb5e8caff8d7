"""The roles of columns in tables with one row per candidate, by their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tunesmith.errors import InputError, suggest

__all__ = ["REFERENCES", "RESERVED", "SCORE", "SPARSE", "SPARSE_PREFIX", "Roles", "roles_of"]

SCORE = "score:"
"""Prefix of columns of metric scores computed elsewhere."""
SPARSE_PREFIX = "sparse:"
"""Prefix of columns of features that most candidates lack: there an empty cell is an absent feature."""
REFERENCES = "references:"
"""Prefix of columns with one reference each, where cells cannot be lists."""
SPARSE = "sparse_features"
"""The column of sparse features: maps from names to values."""
RESERVED = ("id", "text", "total", "source", "references", SPARSE)


@dataclass(frozen=True)
class Roles:
    """Which column is what; None or empty if there is none."""

    id: str
    text: str | None
    source: str | None
    total: str | None
    sparse: str | None
    references: tuple[str, ...]
    scores: Mapping[str, str]
    """The column of each score by name."""
    features: tuple[str, ...]


def roles_of(
    names: Collection[str],
    where: str,
    *,
    id: str = "id",  # noqa: A002 - the column's name
    text: str | None = None,
    features: Sequence[str] | None = None,
    scores: Sequence[str] = (),
    references: str | Sequence[str] | None = None,
) -> Roles:
    """Return the roles of columns; a given name that is not among `names` is an InputError.

    Without `references`, they are the column `references` and those that begin with `references:`, if any;
    `source`, `total`, `sparse_features` and `score:...` have their roles unless `features` names them. Every
    other column is a feature unless `features` is given.
    """
    chosen = set(features or ())

    def found(name: str) -> str | None:
        return name if name in names and name not in chosen else None

    if references is None:
        own = [name for name in names if name == "references" or str(name).startswith(REFERENCES)]
        references = [name for name in own if name not in chosen]
    elif isinstance(references, str):
        references = [references]
    scored = {name: name for name in scores}
    scored |= {
        name.removeprefix(SCORE): name for name in names if str(name).startswith(SCORE) and found(name)
    }
    source, total, sparse = found("source"), found("total"), found(SPARSE)
    taken = {id, text, source, total, sparse, *references, *scored.values()}
    if features is None:
        features = [name for name in names if name not in taken]
    for name in [id, *([] if text is None else [text]), *scores, *references, *features]:
        if name not in names:
            raise InputError(f"no column {name!r} in {where}{suggest(name, map(str, names))}")
    return Roles(id, text, source, total, sparse, tuple(references), scored, tuple(features))
