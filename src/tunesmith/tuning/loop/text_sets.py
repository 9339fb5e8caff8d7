"""The sentences and references of a tuning loop: of the tuning set, and of the select set."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tunesmith.corpus.sets import check_same_segments
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.metrics import Metric
from tunesmith.systems.base import System
from tunesmith.systems.model import ModelSystem
from tunesmith.systems.sentences import files_in, preparation, read_references
from tunesmith.texts import Texts
from tunesmith.tuning.loop.judge import DevSet, Judge

__all__ = ["digest_of", "files_of", "judge_of", "select_set", "system_for", "target_side"]


def system_for(
    model: System | PathLike,
    source: PathLike | None,
    start: Mapping[str, float] | None,
    opening: Mapping[str, Any],
) -> System:
    """Return the decoder of a model over a source; a `System` is returned as it is."""
    if isinstance(model, System):
        if source is not None:
            raise OptionError("a system has its own sentences; expected no source")
        return model
    if source is None:
        raise OptionError("expected a source: the sentences to translate")
    return ModelSystem.open(model, source, weights=start, **opening)


def files_of(source: PathLike | None, references: PathLike | Sequence[PathLike]) -> list[PathLike]:
    """Return all files of a set of sentences."""
    given = files_in(references)
    return given if source is None else [source, *given]


def select_set(
    source: System | PathLike | None,
    references: PathLike | Sequence[PathLike],
    model: System | PathLike,
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
    if isinstance(source, System):
        system, file = source, None
    else:
        system = system_for(_directory(model), source, given, {**opening, "announce": None})
        file = source
        check_same_segments(files_of(source, references))
    found = DevSet(system, judge_of(measure, references, cores, target))
    found.judge.check(len(system), file)
    return found


def _directory(model: System | PathLike) -> PathLike:
    if isinstance(model, System):
        raise OptionError("a system has its own sentences; expected another system as {}", "select_source")
    return model


def target_side(model: System | PathLike, prepare: bool, threads: int) -> Callable[[Texts], Texts] | None:
    """Return what makes references of the form of the model's output, if that is requested."""
    if not prepare:
        return None
    if isinstance(model, System):
        raise OptionError("a system has its own sentences: {} is for models", "prepare")
    return preparation(model, "target", threads)


def judge_of(
    metric: Metric,
    references: PathLike | Sequence[PathLike],
    threads: int,
    prepare: Callable[[Texts], Texts] | None,
) -> Judge:
    """Return the metric with the references, prepared if that is requested."""
    return Judge(metric, read_references(references, prepare), threads, str(files_in(references)[0]))


def digest_of(references: Sequence[Texts]) -> str:
    """Return a digest of references; an InputError if they have no lines."""
    if not len(references[0]):
        raise InputError("the references have no lines")
    digest = hashlib.blake2b(digest_size=16)
    for reference in references:
        digest.update(reference.offsets.tobytes() + reference.blob.tobytes())
    return digest.hexdigest()
