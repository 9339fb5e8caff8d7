"""Interpolated modified Kneser-Ney language models, estimated from tokenized text."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tunesmith import _native
from tunesmith.corpus import Sentences
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, parse_chunks, read_chunks
from tunesmith.folders import temporary_place
from tunesmith.lm.sorted_ngrams import SortedNgrams
from tunesmith.memory import parse_bytes
from tunesmith.options import build, check_options, option
from tunesmith.threads import thread_count

__all__ = ["FALLBACK_DISCOUNTS", "MAX_ORDER", "EstimateOptions", "EstimatedModel", "Progress", "estimate"]

MAX_ORDER = 6
FALLBACK_DISCOUNTS = (0.5, 1.0, 1.5)
"""Fallback discounts of adjusted counts 1, 2 and 3+, if they cannot be estimated; those of lmplz."""

Progress: TypeAlias = Callable[[str], None]

_REPORT_BYTES = 256 << 20


@dataclass(frozen=True, eq=False)
class EstimatedModel(SortedNgrams[_native.KneserNey]):
    """An estimated model, and what it was estimated from."""

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of n-grams per order after pruning; `<unk>`, `<s>` and `</s>` are words."""
        return tuple(self.native.ngrams)

    @property
    def discounts(self) -> tuple[tuple[float, float, float], ...]:
        """The discounts of adjusted counts 1, 2 and 3+, per order."""
        return tuple((one, two, more) for one, two, more in self.native.discounts)

    @property
    def sentences(self) -> int:
        """The number of sentences that were read."""
        return self.native.sentences

    @property
    def tokens(self) -> int:
        """The number of words that were read, without sentence markers."""
        return self.native.tokens


@dataclass(frozen=True)
class EstimateOptions:
    """Options of language model estimation."""

    order: int = option(5, help="Length of the longest n-grams, {least} to {most}.", least=1, most=MAX_ORDER)
    prune: tuple[int, ...] = option(
        (),
        help="Prune n-grams that occur at most this often: nondecreasing thresholds, one per order,"
        ' the first 0, such as "0 0 1"; the last one applies to all higher orders.',
        least=0,
        joined=True,
    )
    discount_fallback: bool | Sequence[float] = False
    """Allow fixed discounts (0.5, 1, 1.5, or those given) where the text is too small or too odd to estimate
    them; without it that is an InputError."""
    vocabulary_limit: int | None = option(
        None, help="Keep this many of the most frequent words; map the others to `<unk>`.", least=1
    )
    interpolate_unigrams: bool = option(
        True,
        help="Interpolate unigrams with the uniform distribution; else `<unk>` gets the remaining mass.",
    )
    skip_marks: bool = option(
        False,
        help="Skip `<s>`, `</s>`, `<unk>` in the text of language models; otherwise they are errors.",
        flag="--skip-marks",
    )
    memory: int | str = option("1G", help="Memory for n-grams; beyond it, temporary files.", matters=False)
    temporary: PathLike | None = None
    """Folder of temporary files [default: the system's]."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "prune", tuple(self.prune))
        check_options(self, "estimate")
        _ = parse_bytes(self.memory), _fallback(self.discount_fallback), _folder(self.temporary)
        prune = list(self.prune)
        if len(prune) > self.order:
            raise OptionError(
                "estimate: {} has {found} thresholds for {} {order}; expected at most one per order",
                "prune",
                "order",
                found=len(prune),
                order=self.order,
            )
        if prune != sorted(prune):
            raise OptionError("estimate: {} must not decrease, as {prune} does", "prune", prune=prune)
        if prune and prune[0] != 0:
            raise OptionError("estimate: {} of single words must be 0; limit the vocabulary instead", "prune")


def estimate(
    corpus: PathLike | Sequence[PathLike] | Sentences,
    *,
    vocabulary: Iterable[str] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> EstimatedModel:
    """Estimate a back-off model from text with one sentence per line; options are those of `EstimateOptions`.

    With adjusted counts a(.) (Kneser and Ney 1995), discounts D of Chen and Goodman (1998, equation 26), and
    c' the context c without its oldest word,

        p(w | c) = (a(c w) - D(a(c w))) / sum_v a(c v) + weight(c) p(w | c')

    down to the uniform distribution over all words, `<unk>` among them. Back-offs are the weights. Values are
    those of KenLM's lmplz. Time is O(n log n) in the n-grams of the text; n-grams take up to `memory`, and
    the vocabulary and the buffers of files come on top.

    `corpus` is a file, several files, or sentences. `vocabulary` lists the words to keep; n-grams with other
    words are dropped, and other words are mapped to `<unk>`.
    """
    chosen = build(EstimateOptions, "estimate", options)
    allowed = None if vocabulary is None else list(vocabulary)
    if allowed is not None and not allowed:
        raise OptionError("the list of words to keep is empty")
    if allowed is not None and chosen.vocabulary_limit is not None:
        raise OptionError(
            "limit the vocabulary by its size, {}, or by a list of words, not by both", "vocabulary_limit"
        )
    model = _native.KneserNey(
        chosen.order,
        list(chosen.prune),
        _fallback(chosen.discount_fallback),
        chosen.interpolate_unigrams,
        chosen.skip_marks,
        chosen.vocabulary_limit or 0,
        parse_bytes(chosen.memory),
        _folder(chosen.temporary),
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


def _fallback(given: bool | Sequence[float]) -> tuple[float, ...] | None:
    if isinstance(given, bool):
        return FALLBACK_DISCOUNTS if given else None
    amounts = tuple(float(amount) for amount in given)
    if len(amounts) != 3 or not all(0 <= amount <= j for j, amount in enumerate(amounts, 1)):
        raise OptionError(
            "{} must be three numbers, up to 1, 2 and 3, not {given}", "fallback_discounts", given=list(given)
        )
    return amounts


def _folder(temporary: PathLike | None) -> str:
    folder = temporary_place() if temporary is None else os.fspath(temporary)
    if not Path(folder).is_dir():
        raise InputError("no such folder for temporary files", path=folder)
    return folder
