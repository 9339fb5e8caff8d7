"""Grammars of sentences, each without the sentence's fold, in one mapped file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from tunesmith.extract.sentence_grammar import SentenceGrammar
from tunesmith.extract.suffix_array import GrammarExtractor, GrammarOptions
from tunesmith.files import PathLike
from tunesmith.model.jackknife.fold_models import FoldModels
from tunesmith.model.jackknife.sentence_folds import OTHER, SentenceFolds, fold_rows
from tunesmith.model.kept_grammars import grammars_key, keep_grammars
from tunesmith.model.model import Model
from tunesmith.model.steps import Progress
from tunesmith.types import IntArray

__all__ = ["write_fold_grammars"]


def write_fold_grammars(
    models: FoldModels,
    sentences: Sequence[str],
    folds: SentenceFolds,
    path: PathLike,
    options: GrammarOptions | None = None,
    *,
    progress: Progress = lambda line: None,
) -> IntArray:
    """Extract the rules of each tokenized sentence from the model's index without the sentence's fold.

    Returns the number of each sentence's grammar in the file, where they are by fold. A file that has the
    same grammars already is kept. Rules and lexical weights are those of the remaining pairs; each fold's
    pairs are masked once, for all its sentences. Features have the model's names.
    """
    model = Model.open(models.model)
    index, usual = model.rule_index()
    chosen = options or usual
    number_of = np.zeros(len(sentences), dtype=np.int64)
    groups = list(fold_rows(folds.fold_of))
    number_of[np.concatenate([rows for _, rows in groups])] = np.arange(len(sentences))

    def extract() -> tuple[GrammarExtractor, Iterator[SentenceGrammar]]:
        return index.extractor(chosen), chain.from_iterable(map(of_fold, groups))

    def of_fold(group: tuple[int, IntArray]) -> Iterator[SentenceGrammar]:
        fold, rows = group
        excluded = models.fold_of_pairs == fold if fold != OTHER else ()
        texts = [sentences[row] for row in rows.tolist()]
        return index.grammars(texts, chosen, exclude=excluded, threads=models.threads)

    key = grammars_key(model, chosen, sentences, folds.fold_of.tolist())
    keep_grammars(path, model, extract, key=key, total=len(sentences), progress=progress)
    return number_of
