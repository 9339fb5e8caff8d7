"""A decoder that is a command: it translates a shard once per iteration, and learning uses its lists."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tunesmith import _native
from tunesmith.decode.input.base import detect
from tunesmith.errors import InputError, OptionError
from tunesmith.folders import temporary_folder
from tunesmith.metrics.base import Metric, Segments
from tunesmith.texts import Texts
from tunesmith.tuning.online.candidates import Candidates, OnlineDecoder
from tunesmith.tuning.online.fixed_lists import FixedLists
from tunesmith.tuning.translators.command import CommandTranslator
from tunesmith.types import Stats
from tunesmith.weights import Weights, WeightStore

__all__ = ["CommandLists"]


class CommandLists(OnlineDecoder):
    """Runs the command over the sentences of a shard with the weights that the iteration begins with.

    Within the iteration only the scores of its candidates follow the weights.
    """

    def __init__(
        self,
        command: str,
        lines: Sequence[str],
        references: Sequence[Texts],
        dense: Sequence[str],
        metric: Metric,
        nbest: int,
        format: str | None = None,  # noqa: A002 - the word users know
    ) -> None:
        self._command = command
        self._lines = lines
        self._references = references
        self._dense = tuple(dense)
        self._metric = metric
        self._nbest = nbest
        self._format = format
        self._folder = temporary_folder("tunesmith-online-")
        self._store = WeightStore()
        self._sentences: list[int] = []
        self._lists: FixedLists | None = None
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def dense(self) -> Sequence[str]:
        return self._dense

    @property
    def references(self) -> Sequence[Texts]:
        return self._references

    def use(self, store: WeightStore, sentences: Sequence[int]) -> None:
        self._store, self._sentences, self._lists = store, sorted(sentences), None

    def changed(self, features: _native.FeatureVector) -> None:
        if self._lists is not None:
            self._lists.changed(features)

    def candidates(self, sentence: int) -> Candidates | None:
        if self._lists is None:
            self._translate()
        assert self._lists is not None
        place = self._places.get(sentence)
        return None if place is None else self._lists.candidates(place)

    def best(self, sentences: Sequence[int]) -> tuple[Stats, int]:
        texts = self._translator(sentences).translate(self._weights())
        references = [reference.take(sentences) for reference in self._references]
        stats = self._metric.measure(Segments(texts, np.arange(len(texts) + 1), references))
        return stats.sum(axis=0), sum(not text for text in texts)

    def source_words(self, sentence: int) -> int:
        """Return the number of words, or of columns of a lattice, within a `<seg>` if there is one."""
        line = self._lines[sentence]
        try:
            return detect(line).parse(line).columns
        except (InputError, OptionError):  # text for another decoder, which may look like ours
            return len(line.split())

    def close(self) -> None:
        """Remove the files."""
        self._folder.cleanup()

    def _translate(self) -> None:
        pool = self._translator(self._sentences).nbest(self._weights(), self._nbest)
        own = [self._sentences[int(name)] for name in pool.ids]
        references = tuple(reference.take(own) for reference in self._references)
        self._lists = FixedLists(dataclasses.replace(pool, references=references), self._metric)
        self._lists.use(self._store, range(len(own)))
        self._places = {sentence: place for place, sentence in enumerate(own)}

    def _weights(self) -> Weights:
        return Weights(dict(self._store.items()))

    def _translator(self, sentences: Sequence[int]) -> CommandTranslator:
        source = Path(self._folder.name) / "source"
        source.write_text("".join(f"{self._lines[sentence]}\n" for sentence in sentences), encoding="utf-8")
        start = Weights({name: self._store.get(name, 0.0) for name in self._dense})
        scratch = Path(self._folder.name) / "scratch"
        return CommandTranslator(self._command, source, start=start, scratch=scratch, format=self._format)
