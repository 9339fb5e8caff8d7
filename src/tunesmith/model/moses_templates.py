"""Sparse feature functions of Moses as feature templates: lists of words, and names of weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError
from tunesmith.features.base import Template
from tunesmith.features.lengths import Lengths
from tunesmith.features.record import template_record
from tunesmith.features.target_bigrams import TargetBigrams
from tunesmith.features.word_deletion import UNALIGNED_SOURCE, WordDeletion
from tunesmith.features.word_insertion import UNALIGNED_TARGET, WordInsertion
from tunesmith.features.word_translations import WordTranslations
from tunesmith.files import PathLike, open_write, read_chunks
from tunesmith.model.moses_ini import MosesFeature
from tunesmith.model.moses_kinds import TEMPLATE_KINDS, WORD_LIST_KINDS
from tunesmith.model.moses_names import from_moses
from tunesmith.model.moses_sparse_reordering import ALL_WORDS, SparseArguments, read_classes

__all__ = ["MosesTemplates"]

_LISTS = dict(zip(WORD_LIST_KINDS, (UNALIGNED_SOURCE, UNALIGNED_TARGET), strict=True))
"""The kinds with a file of words, and its name in the model."""


@dataclass(frozen=True)
class MosesTemplates:
    """The templates of a model's sparse feature functions, and their names for the names of Moses."""

    functions: tuple[MosesFeature, ...]
    reordering: tuple[SparseArguments, ...] = ()

    @classmethod
    def of(cls, features: Iterable[MosesFeature]) -> MosesTemplates:
        """Return those of all features of an ini."""
        every = tuple(features)
        return cls(
            tuple(each for each in every if each.kind in TEMPLATE_KINDS),
            tuple(each for each in map(SparseArguments.of, every) if each is not None and each.parts),
        )

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self.functions or self.reordering)

    def records(self) -> tuple[dict[str, Any], ...]:
        """Return the records of the templates."""
        made = [_MADE[each.kind](each) for each in self.functions]
        return tuple(map(template_record, (*made, *(each.template() for each in self.reordering))))

    def renamed(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Return the weights of the templates' features, under the names that they have here."""
        rules: list[tuple[str, Callable[[str], str | None]]]
        rules = [(each.name, partial(from_moses, _MADE[each.kind](each))) for each in self.functions]
        rules += [(each.feature.name, each.renamed) for each in self.reordering]
        renamed = {}
        for owner, rule in rules:
            start = f"{owner}_"
            for name, value in weights.items():
                if name.startswith(start) and (rest := rule(name.removeprefix(start))) is not None:
                    renamed[start + rest] = value
        return renamed

    def files(self, find: Callable[[str], Path | None], ini: PathLike) -> dict[str, Path | None]:
        """Return the word lists and classes of the features by their names in the model; None is empty."""
        found: dict[str, Path | None] = {}
        for each in self.functions:
            if each.kind not in WORD_LIST_KINDS:
                continue
            named = each.arguments.get("path", "")
            if not named:
                raise InputError(
                    f"{each.name!r} has no path=; expected a list of words: all words cannot be imported",
                    path=ini,
                )
            if (path := find(named)) is None:
                raise InputError(
                    f"the word list {named!r} of {each.name!r} is neither beside the ini nor in the current"
                    " folder",
                    path=ini,
                )
            if _LISTS[each.kind] in found:
                raise InputError(f"has two features of the kind {each.kind}; expected one", path=ini)
            found[_LISTS[each.kind]] = path
        if len(self.reordering) > 1:
            raise InputError("has sparse features of two reordering models; expected one", path=ini)
        for arguments in self.reordering:
            found |= arguments.files(find, ini)
        return found

    def write_files(self, find: Callable[[str], Path | None], ini: PathLike, folder: Path) -> None:
        """Write the word lists and classes of a model."""
        for name, path in self.files(find, ini).items():
            content = b""
            if path is not None:
                content = read_classes(path) if name.startswith("classes.") else b"".join(read_chunks(path))
            with open_write(folder / name) as stream:
                stream.write(content)


_MADE: dict[str, Callable[[MosesFeature], Template]] = {
    "TargetBigramFeature": lambda each: TargetBigrams(name=each.name),
    "WordTranslationFeature": lambda each: WordTranslations(name=each.name, unknown=True),
    "PhraseLengthFeature": lambda each: Lengths(name=each.name),
    "SourceWordDeletionFeature": lambda each: WordDeletion(name=each.name, top=ALL_WORDS),
    "TargetWordInsertionFeature": lambda each: WordInsertion(name=each.name, top=ALL_WORDS),
}
