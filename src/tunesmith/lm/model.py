"""Language models to query: mapped binaries (after Heafield 2011), or ARPA files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.container import is_container
from tunesmith.corpus import Sentences, Vocabulary
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.folders import temporary_folder
from tunesmith.lm.arpa import UNKNOWN_LOG10, compile_lm
from tunesmith.lm.class_map import read_class_map
from tunesmith.lm.score import Perplexity, TextScores, WordScore
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import Int32Array

__all__ = ["LanguageModel"]


class LanguageModel:
    """A back-off n-gram model. Scores are natural logs; tokens are separated by ASCII spaces.

    A model opened from a file is pickled as its path; the file must still exist when unpickled.
    """

    def __init__(self, native: _native.NgramLm) -> None:
        self.native = native
        self._opened: dict[str, Any] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        if self._opened is None:
            raise InputError("a language model that was not opened from a file cannot be pickled")
        return (_reopen, (self._opened,))

    @classmethod
    def open(
        cls,
        path: PathLike,
        *,
        class_file: PathLike | None = None,
        unknown: float = UNKNOWN_LOG10,
        in_memory: bool = False,
        verify: bool = False,
    ) -> LanguageModel:
        """Map a binary model, or compile an ARPA file for this process; the format is detected from content.

        `class_file` has words and their classes, for a class-based model: words are looked up by class.
        `unknown` is the log10 probability of `<unk>` if an ARPA file has none. `in_memory` copies the tables
        into huge pages. `verify` compares the checksums of a binary even if it is unchanged.
        """
        if str(path) != "-" and is_container(path):
            model = _native.NgramLm(str(path), in_memory)
            if verify:
                model.verify()
        else:
            with temporary_folder() as folder:
                compiled = Path(folder) / "lm.bin"
                compile_lm(path, compiled, unknown=unknown)
                model = _native.NgramLm(str(compiled), in_memory)  # stays mapped after the file is deleted
        if class_file is not None:
            model.use_classes(read_class_map(class_file))
        opened = cls(model)
        if "-" not in (str(path), str(class_file)):
            opened._opened = {
                "path": Path(path).absolute(),
                "class_file": None if class_file is None else Path(class_file).absolute(),
                "unknown": unknown,
                "in_memory": in_memory,
            }
        return opened

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.native.order

    @property
    def counts(self) -> list[int]:
        """The number of n-grams per order."""
        return self.native.counts

    @property
    def vocabulary(self) -> Texts:
        """The words of the model (classes, if it is class-based) in the order of their numbers."""
        return Texts(*self.native.texts())

    def __contains__(self, word: str) -> bool:
        return word == "<unk>" or self.native.find(word) != self.native.unknown

    def numbers(self, vocabulary: Vocabulary) -> Int32Array:
        """Return this model's number for each word of a vocabulary; `<unk>`'s for unknown words."""
        words = vocabulary.words()
        return self.native.find_all(words.blob, words.offsets)

    def score_text(
        self,
        text: Sentences | Iterable[str],
        *,
        begin: bool = True,
        end: bool = True,
        threads: int | None = None,
    ) -> TextScores:
        """Score sentences word by word; `begin` and `end` add `<s>` before and `</s>` after each."""
        sentences = text if isinstance(text, Sentences) else Sentences.of(_lines(text))
        numbers = self.numbers(sentences.vocabulary)
        scores, orders, unknown, offsets = self.native.score_sentences(
            *sentences.arrays, numbers, begin, end, thread_count(threads)
        )
        return TextScores(scores, orders.astype(np.int64), unknown.astype(np.bool_), offsets)

    def score(self, sentence: str, *, begin: bool = True, end: bool = True) -> float:
        """Return the natural log of a sentence's probability."""
        return float(self.score_text([sentence], begin=begin, end=end, threads=1).sentence_scores()[0])

    def full_scores(self, sentence: str, *, begin: bool = True, end: bool = True) -> list[WordScore]:
        """Return for each word, and for `</s>`: score, order of the matched n-gram, whether it is unknown."""
        return self.score_text([sentence], begin=begin, end=end, threads=1).words(0)

    def perplexity(self, text: Sentences | Iterable[str], *, threads: int | None = None) -> Perplexity:
        """Return the perplexity of sentences, each between `<s>` and `</s>`."""
        return self.score_text(text, threads=threads).perplexity()

    def write_arpa(self, path: PathLike) -> None:
        """Write the model as ARPA text; the suffix chooses the compression, `-` is standard output.

        The words of n-grams are recovered from their hashes. N-grams that compiling a pruned model added are
        written, too; no score changes. Class-based models are refused: ARPA has no classes of words. O(n)
        time and memory in the n-grams.
        """
        if self.native.has_classes:
            raise InputError(
                "a class-based language model cannot be written as ARPA text, which has no classes of words:"
                " take the ARPA file of the classes that it was compiled from"
            )
        with open_write(path) as stream:
            _native.write_arpa(self.native, stream.write)

    def phrase_score(self, phrase: str) -> float:
        """Return the score of words without left context, as in Moses' future cost."""
        words = [self.native.find(word) for word in phrase.split(" ") if word]
        return self.native.phrase_score(np.array(words, dtype=np.int32))


def _lines(text: Iterable[str]) -> Iterable[str]:
    return [text] if isinstance(text, str) else text


def _reopen(options: dict[str, Any]) -> LanguageModel:
    return LanguageModel.open(**options)
