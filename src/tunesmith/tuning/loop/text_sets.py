"""The sentences and references of a tuning loop: of the tuning set, and of the select set."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from tunesmith.corpus.sets import check_same_segments
from tunesmith.decode.preparation import model_side
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.metrics import Metric
from tunesmith.texts import Texts
from tunesmith.tuning.loop.judge import DevSet, Judge, read_references
from tunesmith.tuning.translators.base import Translator
from tunesmith.tuning.translators.model import ModelTranslator

__all__ = ["digest_of", "files_of", "judge_of", "select_set", "target_side", "translator_for"]


def translator_for(
    model: Translator | PathLike,
    source: PathLike | None,
    start: Mapping[str, float] | None,
    opening: Mapping[str, Any],
) -> Translator:
    """Return the decoder of a model over a source; a `Translator` is returned as it is."""
    if isinstance(model, Translator):
        if source is not None:
            raise OptionError("a translator has its own sentences; expected no source")
        return model
    if source is None:
        raise OptionError("expected a source: the sentences to translate")
    return ModelTranslator(model, source, weights=start, **opening)


def files_of(source: PathLike | None, references: PathLike | Sequence[PathLike]) -> list[PathLike]:
    """Return all files of a set of sentences."""
    one = isinstance(references, str) or not isinstance(references, Sequence)
    given: list[PathLike] = [cast(PathLike, references)] if one else [*cast(Sequence[PathLike], references)]
    return given if source is None else [source, *given]


def select_set(
    source: Translator | PathLike | None,
    references: PathLike | Sequence[PathLike],
    model: Translator | PathLike,
    given: Mapping[str, float] | None,
    opening: Mapping[str, Any],
    *,
    measure: Metric,
    cores: int,
    target: Callable[[Texts], Texts] | None,
) -> DevSet:
    """Return the select set: decoder and references of sentences that are not tuned on."""
    if source is None or not references:
        raise OptionError("a select set needs both {} and {}", "select_source", "select_references")
    if isinstance(source, Translator):
        translator, file = source, None
    else:
        translator = translator_for(_directory(model), source, given, {**opening, "announce": None})
        file = source
        check_same_segments(files_of(source, references))
    found = DevSet(translator, judge_of(measure, references, cores, target))
    found.judge.check_translator(translator, file)
    return found


def _directory(model: Translator | PathLike) -> PathLike:
    if isinstance(model, Translator):
        raise OptionError(
            "a translator has its own sentences; expected another translator as {}", "select_source"
        )
    return model


def target_side(model: Translator | PathLike, prepare: bool, threads: int) -> Callable[[Texts], Texts] | None:
    """Return what makes references of the form of the model's output, if that is requested."""
    if not prepare:
        return None
    if isinstance(model, Translator):
        raise OptionError("a translator has its own sentences: {} is for models", "prepare")
    return partial(model_side(model, "target").prepare, threads=threads)


def judge_of(
    metric: Metric,
    references: PathLike | Sequence[PathLike],
    threads: int,
    prepare: Callable[[Texts], Texts] | None,
) -> Judge:
    """Return the metric with the references, prepared if that is requested."""
    texts = read_references(references)
    if prepare is not None:
        texts = tuple(prepare(text) for text in texts)
    first = (
        references if isinstance(references, str) or not isinstance(references, Sequence) else references[0]
    )
    return Judge(metric, texts, threads, str(first))


def digest_of(references: Sequence[Texts]) -> str:
    """Return a digest of references; an InputError if they have no lines."""
    if not len(references[0]):
        raise InputError("the references have no lines")
    digest = hashlib.blake2b(digest_size=16)
    for reference in references:
        digest.update(reference.offsets.tobytes() + reference.blob.tobytes())
    return digest.hexdigest()
