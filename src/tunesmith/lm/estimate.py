"""Interpolated modified Kneser-Ney language models, estimated from tokenized text."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tunesmith import _native
from tunesmith.corpus import Sentences
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, check_output, open_write, parse_chunks, read_chunks
from tunesmith.memory import parse_bytes
from tunesmith.threads import thread_count

__all__ = ["FALLBACK_DISCOUNTS", "MAX_ORDER", "EstimatedModel", "Progress", "estimate"]

MAX_ORDER = 6
FALLBACK_DISCOUNTS = (0.5, 1.0, 1.5)
"""For adjusted counts of 1, 2, and 3 or more, where counts do not allow an estimate; those of lmplz."""

Progress: TypeAlias = Callable[[str], None]

_REPORT_BYTES = 256 << 20


@dataclass(frozen=True, eq=False)
class EstimatedModel:
    """A model as sorted n-grams, in memory or temporary files, to be written any number of times."""

    native: _native.KneserNey

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.native.order

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of n-grams of each order, pruned ones left out; `<unk>`, `<s>` and `</s>` are words."""
        return tuple(self.native.ngrams)

    @property
    def discounts(self) -> tuple[tuple[float, float, float], ...]:
        """What was subtracted from adjusted counts of 1, 2, and 3 or more, by order."""
        return tuple((one, two, more) for one, two, more in self.native.discounts)

    @property
    def sentences(self) -> int:
        """The number of sentences that were read."""
        return self.native.sentences

    @property
    def tokens(self) -> int:
        """The number of words that were read, sentence marks not counted."""
        return self.native.tokens

    def write_arpa(self, path: PathLike) -> None:
        """Write the model as ARPA text; the suffix tells the compression, `-` is standard output."""
        with open_write(path) as stream:
            self.native.write_arpa(stream.write)

    def write_binary(self, path: PathLike) -> None:
        """Write the model as `LanguageModel` opens it, without text in between."""
        check_output(path)
        self.send(_native.NgramLmBuilder(os.fspath(path)))

    def send(self, sink: _native.NgramSink) -> None:
        """Push the n-grams into a native sink, order by order, without text in between."""
        self.native.send(sink)


def estimate(
    corpus: PathLike | Sequence[PathLike] | Sentences,
    *,
    order: int = 5,
    prune: Sequence[int] = (),
    discount_fallback: bool | Sequence[float] = False,
    vocabulary_limit: int | None = None,
    vocabulary: Iterable[str] | None = None,
    interpolate_unigrams: bool = True,
    skip_marks: bool = False,
    memory: int | str = "1G",
    temporary: PathLike | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> EstimatedModel:
    """Estimate a back-off model of the given order, 1 to 6, from a sentence a line.

    With adjusted counts a(.) (Kneser and Ney 1995), discounts D of Chen and Goodman (1998, equation 26), and
    c' the context c without its oldest word,

        p(w | c) = (a(c w) - D(a(c w))) / sum_v a(c v) + weight(c) p(w | c')

    down to the uniform distribution over all words, `<unk>` among them. Back-offs are the weights. Values are
    those of KenLM's lmplz. Time is O(n log n) in the n-grams of the text; n-grams take up to `memory`, and
    the vocabulary and the buffers of files come on top; `temporary` is the folder of what does not fit (the
    system's by default).

    `corpus` is a file, several files, or sentences. `prune` leaves out n-grams that occur at most
    `prune[n - 1]` times; thresholds start with 0, do not fall, and the last one holds for the orders that
    follow. `vocabulary_limit` keeps so many of the most frequent words, `vocabulary` keeps the words it
    lists; n-grams with other words are left out, and `<unk>` stands for them. `discount_fallback` allows
    fixed discounts (0.5, 1, 1.5, or those given) where the text is too small or too odd to estimate them; by
    default that is an InputError. Without `interpolate_unigrams` `<unk>` gets all that unigrams leave.
    `<unk>`, `<s>` and `</s>` in the text are an InputError, or left out with `skip_marks`.
    """
    allowed = None if vocabulary is None else list(vocabulary)
    _check(order, prune, vocabulary_limit, allowed)
    model = _native.KneserNey(
        order,
        list(prune),
        _fallback(discount_fallback),
        interpolate_unigrams,
        skip_marks,
        vocabulary_limit or 0,
        parse_bytes(memory),
        _folder(temporary),
        thread_count(threads),
    )
    for word in allowed or ():
        model.allow_word(word)
    report = progress or (lambda line: None)
    _read(corpus, model, report)
    report(f"read {model.tokens} tokens in {model.sentences} sentences")
    model.finish()
    for n, (count, discounts) in enumerate(zip(model.ngrams, model.discounts, strict=True), 1):
        shown = " ".join(f"{amount:.4f}" for amount in discounts)
        report(f"order {n}: {count} n-grams, discounts {shown}")
    return EstimatedModel(model)


def _read(
    corpus: PathLike | Sequence[PathLike] | Sentences, model: _native.KneserNey, report: Progress
) -> None:
    if isinstance(corpus, Sentences):
        model.add_sentences(*corpus.arrays, corpus.vocabulary.native)
        return
    for path in [corpus] if isinstance(corpus, str | os.PathLike) else corpus:
        parse_chunks(_native.KneserNeyParser(model), _watched(read_chunks(path), path, report), path)


def _watched(chunks: Iterator[bytes], path: PathLike, report: Progress) -> Iterator[bytes]:
    done = 0
    for chunk in chunks:
        yield chunk
        if (done + len(chunk)) // _REPORT_BYTES > done // _REPORT_BYTES:
            report(f"{path}: {(done + len(chunk)) >> 20} MB read")
        done += len(chunk)


def _check(
    order: int, prune: Sequence[int], vocabulary_limit: int | None, vocabulary: list[str] | None
) -> None:
    if not 1 <= order <= MAX_ORDER:
        raise OptionError(f"the order of a language model is 1 to {MAX_ORDER}, not {order}")
    if len(prune) > order:
        raise OptionError(f"{len(prune)} pruning thresholds for order {order}; expected at most one an order")
    if any(threshold < 0 for threshold in prune) or list(prune) != sorted(prune):
        raise OptionError(f"pruning thresholds must not be negative or fall, as {list(prune)} do")
    if prune and prune[0] != 0:
        raise OptionError("the pruning threshold of single words must be 0; limit the vocabulary instead")
    if vocabulary_limit is not None and vocabulary_limit < 1:
        raise OptionError(f"a vocabulary must be limited to 1 word or more, not {vocabulary_limit}")
    if vocabulary is not None and not vocabulary:
        raise OptionError("the list of words that are to be kept is empty")
    if vocabulary_limit is not None and vocabulary is not None:
        raise OptionError("limit the vocabulary by its size or by a list of words, not by both")


def _fallback(given: bool | Sequence[float]) -> tuple[float, ...] | None:
    if isinstance(given, bool):
        return FALLBACK_DISCOUNTS if given else None
    amounts = tuple(float(amount) for amount in given)
    if len(amounts) != 3 or not all(0 <= amount <= j for j, amount in enumerate(amounts, 1)):
        raise OptionError(f"fallback discounts are three numbers, up to 1, 2 and 3, not {list(given)}")
    return amounts


def _folder(temporary: PathLike | None) -> str:
    folder = tempfile.gettempdir() if temporary is None else os.fspath(temporary)
    if not Path(folder).is_dir():
        raise InputError("no such folder for temporary files", path=folder)
    return folder
