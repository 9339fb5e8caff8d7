"""Translating sentences of the training text, each with the model without its fold."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.kept_grammars import naming_grammars, rows_to_extract
from tunesmith.decode.request import Request
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.files import PathLike
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.jackknife.grammars import write_fold_grammars
from tunesmith.model.jackknife.sentence_folds import (
    SentenceFolds,
    fold_rows,
    read_sentence_folds,
    sentence_folds,
)
from tunesmith.model.model import Model
from tunesmith.model.steps import Progress

__all__ = ["FoldDecoders", "found_folds", "input_folds", "with_fold_grammars"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def input_folds(
    models: FoldModels,
    options: JackknifeOptions,
    sources: Sequence[str],
    targets: Sequence[str] | None = None,
    *,
    in_order: bool = False,
) -> SentenceFolds:
    """Return the folds of an input, read from `options.fold_file` or looked up; warn of what is not left out.

    `in_order`: the sentences of a fold must follow each other, because results are too large to be kept
    until their turn comes.
    """
    folds = found_folds(models, options, sources, targets)
    if in_order and not folds.is_sorted:
        raise OptionError(
            "{}: the sentences of each fold must follow each other here; sort the input by folds, as"
            " `tunesmith corpus draw` does",
            "jackknife",
        )
    for message in models.messages:
        warnings.warn(message, TunesmithWarning, stacklevel=2)
    return folds


def found_folds(
    models: FoldModels, options: JackknifeOptions, sources: Sequence[str], targets: Sequence[str] | None
) -> SentenceFolds:
    """Return the folds of sentences, read from `options.fold_file` or looked up; warn of those without."""
    given = None if options.fold_file is None else read_sentence_folds(options.fold_file, models)
    try:
        folds = sentence_folds(models, sources, targets, given)
    except InputError as error:
        if error.path is not None or options.fold_file is None:
            raise
        raise InputError(error.message, path=options.fold_file, line=error.line) from None
    for message in folds.messages:
        warnings.warn(message, TunesmithWarning, stacklevel=3)
    return folds


def with_fold_grammars(
    models: FoldModels,
    requests: Sequence[Request],
    folds: SentenceFolds,
    path: PathLike,
    *,
    span_limit: int | None = None,
    progress: Progress = lambda line: None,
) -> list[Request]:
    """Extract the rules of all requests without their folds, once, into a mapped file that they then name.

    Decoding them any number of times, in any process, extracts nothing. What is left as it is: see
    `with_kept_grammars`.
    """
    rows, texts = rows_to_extract(Model.open(models.model), requests, span_limit)
    if not rows:
        return list(requests)
    own = SentenceFolds(folds.fold_of[rows])
    numbers = write_fold_grammars(models, texts, own, path, progress=progress)
    return naming_grammars(requests, zip(rows, numbers.tolist(), strict=True), path)


@dataclass(frozen=True, eq=False)
class FoldDecoders:
    """The decoders of fold models, one open at a time, with the weights and options of that of the model.

    Without models, the decoder of the whole model stands for each.
    """

    models: FoldModels | None
    whole: AnyDecoder
    progress: Progress = lambda line: None

    @contextmanager
    def open(self, fold: int) -> Iterator[AnyDecoder]:
        """Yield the decoder without a fold; `OTHER` is that of the whole model."""
        if self.models is None:
            yield self.whole
            return
        with self.models.open(fold, self.progress) as directory:
            if directory == self.models.model:
                yield self.whole
                return
            whole = self.whole
            yield type(whole)(Model.open(directory), whole.weights, whole.options, whole.templates)

    def run(
        self,
        items: Sequence[Item],
        folds: SentenceFolds,
        work: Callable[[AnyDecoder, list[Item]], Iterable[Sequence[Result]]],
    ) -> Iterator[list[Result]]:
        """Yield the results of all items, in their order, in batches.

        `work` is called once per fold with its decoder and its items, and returns batches of their results.
        Results that are not due yet are kept; none are, if folds are sorted.
        """
        kept: dict[int, Result] = {}
        due = 0
        for fold, rows in fold_rows(folds.fold_of):
            with self.open(fold) as decoder:
                numbers = iter(rows.tolist())
                for batch in work(decoder, [items[row] for row in rows.tolist()]):
                    kept |= {row: result for result, row in zip(batch, numbers, strict=False)}
                    ready = []
                    while due in kept:
                        ready.append(kept.pop(due))
                        due += 1
                    if ready:
                        yield ready
