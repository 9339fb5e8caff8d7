"""The parts of a model as its directory lists them: tables, reordering models, language models, rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from tunesmith.json_files import check_record, record_of

__all__ = [
    "MAPPED_WEIGHTS",
    "Chosen",
    "LanguageModelPart",
    "PhrasePart",
    "ReorderingPart",
    "RulePart",
    "RuleSource",
    "TrainedReorderingPart",
    "checked_number",
]

MAPPED_WEIGHTS = "weights.bin"
"""The weights of a trained reordering model, in its folder."""

Tokens = Literal["words", "bilingual"]
RuleSource = Literal["table", "index", "text", "input"]


@dataclass(frozen=True)
class Chosen:
    """The value of a setting that training chose or was given, and why it has it."""

    value: int
    reason: str


@dataclass(frozen=True)
class PhrasePart:
    """A phrase table: the name of its feature, its file in the directory, and options as in Moses."""

    name: str
    path: str
    width: int
    table_limit: int

    @classmethod
    def read(cls, record: dict[str, Any]) -> PhrasePart:
        """Read a part; a limit that is not one is a ValueError."""
        part = record_of(cls, record)
        checked_number(part.table_limit, f"the table limit of {part.name}")
        return part


@dataclass(frozen=True)
class ReorderingPart:
    """A reordering model; its probabilities are the `columns` [begin, end) of those in phrase tables."""

    name: str
    type: str
    columns: tuple[int, int]

    @classmethod
    def read(cls, record: dict[str, Any]) -> ReorderingPart:
        """Read a part; columns that are not a range are a ValueError."""
        part = record_of(cls, record)
        begin, end = (checked_number(column, f"a column of {part.name}") for column in part.columns)
        if not begin < end:
            raise ValueError(f"the reordering model {part.name} has the columns {begin} to {end}")
        return part


@dataclass(frozen=True)
class TrainedReorderingPart:
    """A linear reordering model, with the feature NAME_ORIENTATION per orientation (`tunesmith.xbleu`).

    `template` is the record of its features (see `features.record`). The `folder` has their weights, mapped
    in the file `weights.bin`, and the word lists `lists`. `rows` are files with scores of the pairs of each
    phrase table, in order; a table without one, or with "", is scored by the words of its pairs, with equal
    results.
    """

    name: str
    template: Mapping[str, Any]
    folder: str
    lists: tuple[str, ...]
    rows: tuple[str, ...] = ()

    @classmethod
    def read(cls, record: dict[str, Any]) -> TrainedReorderingPart:
        """Read a part; lists that are not names of files in its folder are a ValueError."""
        given = dict(record)
        template = given.pop("template")
        check_record("template", dict[str, object], template)
        part = cls(template=template, **record_of(_TrainedFiles, given).__dict__)
        for name in part.lists:
            if Path(name).name != name:
                raise ValueError(f"{part.name} has the list {name!r:.60}; expected the name of a file")
        return part

    def files(self) -> dict[str, str]:
        """Return its files by label, as the model names them."""
        named = {f"{self.name} {file}": f"{self.folder}/{file}" for file in (MAPPED_WEIGHTS, *self.lists)}
        named |= {f"{self.name} rows {number}": path for number, path in enumerate(self.rows) if path}
        return named


@dataclass(frozen=True)
class _TrainedFiles:
    """The fields of a trained reordering model that are plain."""

    name: str
    folder: str
    lists: tuple[str, ...]
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class LanguageModelPart:
    """A language model; `path` is its compiled form, `arpa` the text file that the user imported, if any.

    `tokens` are the target `words`, or `bilingual` ones (see `extract.bilingual`). `classes` names a file of
    the directory with tokens and their classes, for a model whose text was written in classes.
    """

    name: str
    order: int
    arpa: str | None
    path: str | None
    tokens: Tokens = "words"
    classes: str | None = None

    @classmethod
    def read(cls, record: dict[str, Any]) -> LanguageModelPart:
        """Read a part; in older files the tokens follow from the name."""
        bilingual = str(record["name"]).startswith("BilingualLM")
        return record_of(cls, {"tokens": "bilingual" if bilingual else "words"} | record)


@dataclass(frozen=True)
class RulePart:
    """Rules of a synchronous grammar, from a file of the directory of the type `source`.

    - "table": a mapped `RuleTable`; "index": a `SuffixIndex`, from which each sentence's rules are extracted;
      "text": a grammar in cdec's or Moses' format, with any categories, loaded into memory;
      "input": no file, rules come with each sentence.
    - `features`: the model's names of the columns, in order; if empty, the names in the rules.
    - `table_limit`: maximum number of rules per source side; `span_limit`: maximum number of source words
      that a rule covers, including gaps; 0 is unlimited.
    - `counted`: whether rules of a text count in PhrasePenalty, and their `<s>` and `</s>` in WordPenalty, as
      in Moses. Rules of tables and of an index always count.
    - `folds`: for an index, a file with the fold of each sentence pair, of which `exclude_fold` is left out
      (`tunesmith.model.jackknife`).
    """

    name: str
    path: str
    source: RuleSource
    features: tuple[str, ...] = ()
    table_limit: int = 0
    span_limit: int = 0
    counted: bool = False
    folds: str = ""
    exclude_fold: int = 0

    @property
    def record(self) -> dict[str, Any]:
        """The part as stored; without folds, their fields are omitted."""
        record = asdict(self)
        if not self.folds:
            del record["folds"], record["exclude_fold"]
        return record

    @classmethod
    def read(cls, record: dict[str, Any]) -> RulePart:
        """Read a part; older files have only `on_demand`."""
        given = dict(record)
        if "on_demand" in given:
            given["source"] = "index" if given.pop("on_demand") else "table"
        part = record_of(cls, given)
        checked_number(part.table_limit, f"the table limit of {part.name}")
        checked_number(part.span_limit, f"the span limit of {part.name}")
        checked_number(part.exclude_fold, f"the excluded fold of {part.name}")
        return part


def checked_number(value: int, what: str, least: int = 0) -> int:
    """Return a number that native code takes; any other is a ValueError."""
    if not least <= value < 1 << 31:
        raise ValueError(f"{what} is {value}; expected at least {least}")
    return value
