"""Models without the phrase pairs or rules of low count, for decoding the text that the counts are from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.extract.grammar import RuleTable
from tunesmith.folders import make_folder
from tunesmith.model.model import Model
from tunesmith.tables import PhraseTable
from tunesmith.tables.filter import Pruning, prune_table

__all__ = ["frequent_model", "frequent_tables"]


def frequent_model(model: Model, folder: Path, least_count: float, name: str) -> Model:
    """Return a model whose tables have no pairs or rules of lower count; others keep their probabilities.

    The tables are written to a folder as NAME.N.bin, unless they are there. Oracles of a text would else
    translate by pairs that were seen nowhere but in the sentence itself (Dakwale and Monz 2016, equation 4).
    Scores that a trained reordering model has for the pairs of the whole table are computed by words instead.
    """
    if least_count <= 0:
        return model
    anchored = model.anchored()
    parts = []
    for number, part in enumerate(anchored.phrase_tables):
        path = folder / _of_pairs(name, number)
        if not path.is_file():
            make_folder(folder)
            _prune(model.phrase_table(number), path, least_count)
        parts.append(replace(part, path=str(path.absolute())))
    rules = list(anchored.rules)
    for number, each in enumerate(anchored.rules):
        if each.source == "table":
            path = folder / _of_rules(name, number)
            if not path.is_file():
                make_folder(folder)
                _prune_rules(RuleTable.open(each.path), path, least_count)
            rules[number] = replace(each, path=str(path.absolute()))
    by_words = tuple(replace(part, rows=()) for part in anchored.trained_reordering)
    return replace(anchored, phrase_tables=tuple(parts), rules=tuple(rules), trained_reordering=by_words)


def frequent_tables(model: Model, folder: Path, name: str) -> list[Path]:
    """Return the files that `frequent_model` writes."""
    names = [_of_pairs(name, number) for number in range(len(model.phrase_tables))]
    names += [_of_rules(name, number) for number, each in enumerate(model.rules) if each.source == "table"]
    return [folder / each for each in names]


def _of_pairs(name: str, number: int) -> str:
    return f"{name}.{number}.bin"


def _of_rules(name: str, number: int) -> str:
    return f"{name}.rules.{number}.bin"


def _prune(table: PhraseTable, path: Path, least_count: float) -> None:
    draft = path.with_name(f".{path.name}")
    pruned = prune_table(table, draft, Pruning(min_count=least_count))
    _keep(draft, path, len(pruned), f"phrase pair with a count of {least_count:g} or more", table.path)


def _prune_rules(table: RuleTable, path: Path, least_count: float) -> None:
    if not len(table.arrays["counts"]):
        raise InputError(
            "has no counts of its rules, so that rare ones cannot be removed; give 0 for {}",
            "least_count",
            path=table.path,
        )
    draft = path.with_name(f".{path.name}")
    left = _native.write_frequent_rules(str(table.path), least_count, str(draft), "{}")
    _keep(draft, path, left, f"rule with a count of {least_count:g} or more", table.path)


def _keep(draft: Path, path: Path, left: int, what: str, table: Path) -> None:
    """Name a table that is not empty; an empty one is an InputError."""
    if not left:
        draft.unlink()
        raise InputError(
            f"has no {what}, so that nothing could be translated; give a lower {{}}, or 0 for a table without"
            " counts",
            "least_count",
            path=table,
        )
    draft.replace(path)
