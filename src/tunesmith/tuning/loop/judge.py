"""Scores of decoded text."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass, field

from tunesmith.corpus.sets import read_reference_texts
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.metrics import bootstrap_interval
from tunesmith.metrics.base import Metric, Segments
from tunesmith.metrics.form import warn_of_form
from tunesmith.texts import Texts
from tunesmith.tuning.history import Record
from tunesmith.tuning.translators.base import Translator
from tunesmith.weights import Weights

__all__ = ["DevSet", "Judge", "read_references"]


@dataclass(frozen=True)
class Judge:
    """A metric and the references of a set of sentences."""

    metric: Metric
    references: tuple[Texts, ...]
    threads: int
    place: str = "the references"
    """The file of the references, for messages."""
    _warned: list[bool] = field(default_factory=list, repr=False, compare=False)

    def __call__(self, texts: Texts) -> Record:
        """Return the score of translations, one per sentence, and its confidence interval."""
        self.check(len(texts))
        if not self._warned:
            self._warned.append(True)
            warn_of_form(texts, self.references)
        stats = self.metric.measure(Segments.of(texts, self.references), self.threads)
        total = stats.sum(axis=0)
        around = bootstrap_interval(self.metric, stats)
        return {
            "score": float(self.metric.score(total)),
            "interval": [around.low, around.high],
            "components": self.metric.components(total),
        }

    def check_translator(self, translator: Translator, source: object = None) -> None:
        """Refuse a decoder with another number of sentences, if it has a length, before any work."""
        if isinstance(translator, Sized):
            self.check(len(translator), source)

    def check(self, sentences: int, source: object = None) -> None:
        """Refuse a number of sentences that differs from the references; `source` names their file."""
        lines = len(self.references[0])
        place = "the decoder's source" if source is None else source
        if sentences != lines:
            raise InputError(
                f"{place} has {sentences} sentences, but {self.place} {lines} lines;"
                " expected one line per sentence"
            )


@dataclass(frozen=True)
class DevSet:
    """Held-out sentences, to select weights by."""

    translator: Translator
    judge: Judge

    def score(self, weights: Weights) -> Record:
        """Return the score of their translations under the weights."""
        return {f"dev_{key}": value for key, value in self.judge(self.translator.translate(weights)).items()}


def read_references(files: PathLike | Sequence[PathLike]) -> tuple[Texts, ...]:
    """Read references, one sentence per line or in sets; all must have the same number of lines."""
    paths = [files] if isinstance(files, str) or not isinstance(files, Sequence) else list(files)
    if not paths:
        raise InputError("expected a file of references, found none")
    named = read_reference_texts(paths)
    references = tuple(texts for _, texts in named)
    for path, reference in named:
        if len(reference) != len(references[0]):
            raise InputError(
                f"{paths[0]} has {len(references[0])} lines, but {path} has {len(reference)};"
                " expected one line per sentence in each reference"
            )
    return references
