"""`[mapping]` of moses.ini: the decoding graphs, and the table of each.

A step is `T TABLE`, `GRAPH T TABLE` or `GRAPH TABLE`; a table is given by its number among the tables, or by
its name. Graphs are alternatives: a phrase is translated by one of them. Several steps of one graph translate
factors of the same words, which is not supported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tunesmith.errors import InputError, suggest
from tunesmith.files import PathLike

__all__ = ["read_mapping"]

DEFAULT = ("0 T 0",)
"""Moses' mapping if there is no section."""


@dataclass(frozen=True)
class _Step:
    graph: int
    table: str


def read_mapping(
    path: PathLike, sections: Mapping[str, tuple[str, ...]], tables: Sequence[str]
) -> dict[str, int]:
    """Return the graph of each table in use, by name, in the order of the graphs."""
    graphs: dict[str, int] = {}
    for line in sections.get("mapping") or DEFAULT:
        step = _parse(path, line)
        name = _table_name(path, line, step.table, tables)
        if step.graph in graphs.values():
            raise InputError(
                f"has two mapping steps of one graph, the second is {line!r}; expected one table per graph,"
                " such as '0 T 0' and '1 T 1': models with factors cannot be imported",
                path=path,
            )
        if name in graphs:
            raise InputError(f"uses the table {name!r} twice, the second time in {line!r}", path=path)
        graphs[name] = step.graph
    return graphs


def _parse(path: PathLike, line: str) -> _Step:
    words = line.split()
    if len(words) == 2 and words[0] in ("T", "G"):
        words = ["0", *words]
    elif len(words) == 2:
        words = [words[0], "T", words[1]]
    if len(words) != 3 or words[1] != "T":
        raise InputError(
            f"has the mapping step {line!r}; expected translation steps only, such as '0 T 0', 'T 0' or"
            " '0 TranslationModel0'",
            path=path,
        )
    if not words[0].isdecimal():
        raise InputError(
            f"a mapping step's graph is {words[0]!r} in {line!r}; expected a whole number", path=path
        )
    return _Step(int(words[0]), words[2])


def _table_name(path: PathLike, line: str, given: str, tables: Sequence[str]) -> str:
    if given in tables:
        return given
    if given.isdecimal() and int(given) < len(tables):
        return tables[int(given)]
    raise InputError(
        f"has the mapping step {line!r}, but {len(tables)} phrase tables and none {given!r}"
        + suggest(given, tables),
        path=path,
    )
