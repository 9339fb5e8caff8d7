"""The reducer: mixes the weights of all shards in their order, and keeps what the next epoch needs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tunesmith.build import Build, require_same
from tunesmith.container import is_container
from tunesmith.errors import DegenerateError, InputError
from tunesmith.files import PathLike
from tunesmith.folders import temporary_folder
from tunesmith.tuning.online.frozen import Frozen
from tunesmith.tuning.online.mixing import MixingOptions, mix
from tunesmith.tuning.online.tune import digest_of
from tunesmith.tuning.streaming.counters import Counters
from tunesmith.tuning.streaming.reading import STANDARD_INPUT
from tunesmith.tuning.streaming.records import ArrivedShard, ShardRecord, read_records
from tunesmith.weights import WeightStore

__all__ = ["reduce_lines"]

_DIFFERING = {"iteration": "the epoch", "about": "what they were learned with", "dense": "dense features"}


def reduce_lines(
    lines: Iterable[str],
    weights: PathLike,
    options: MixingOptions,
    counters: Counters | None = None,
    threads: int | None = None,
) -> WeightStore:
    """Return the mixed weights of the sorted output of all mappers of an epoch.

    `weights` are those that the mappers began with. The record of the result has the epoch and the
    documents of the shards, with which mappers go on. Shards are on disk, in the folder for temporary files.
    Results do not depend on `threads` [default: all cores].
    """
    opened = WeightStore.open(weights)
    digest, noted = digest_of(opened), counters or Counters(None)
    start = weights if is_container(weights) else opened  # a mapped file need not stay in memory
    del opened
    with temporary_folder() as scratch:
        found: list[ArrivedShard] = []
        for arrived in read_records(lines, Path(scratch)):
            record = arrived.record
            _check_belongs(arrived, found[0].record if found else record)
            if record.start != digest:
                raise InputError(
                    f"shard {record.shard} began with other weights than those of {weights}; give the file"
                    " that the mappers were given",
                    path=STANDARD_INPUT,
                    line=arrived.line,
                )
            found.append(arrived)
            noted.status(f"{len(found)} of {record.shards} shards")
        records = [each.record for each in found]
        sentences = sum(record.size for record in records)
        if sum(record.skipped + record.failed for record in records) == sentences:
            raise InputError("no sentence of the tuning set has a translation")
        mixed = mix(
            start,
            ((each.weights, each.record.size, each.record.sentences) for each in found),
            sentences,
            records[0].dense,
            options,
            threads,
            _frozen(records[0], start),
        )
    if not mixed.last.native.weights().any():
        raise DegenerateError("all weights are 0 after this epoch; nothing can be learned so")
    mixed.last.about = {
        **records[0].about,
        "dense": records[0].dense,
        "shards": records[0].shards,
        "iteration": records[0].iteration,
        "documents": [record.document for record in records],
        "build": Build.running().record(),
    }
    noted.add(shards=len(records), features=len(mixed.last))
    noted.add(dropped_by_top_k=mixed.dropped_by_top_k, dropped_by_shards=mixed.dropped_by_shards)
    return mixed.last


def _frozen(record: ShardRecord, start: WeightStore | PathLike) -> dict[str, float]:
    """Return the features of the first weights that the mappers did not change, with these weights."""
    learner: Any = record.about.get("learner", {})
    frozen = Frozen(learner.get("frozen", ()), record.dense if learner.get("freeze_dense") else ())
    if not frozen:
        return {}
    return frozen.weights_of(start if isinstance(start, WeightStore) else WeightStore.open(start))


def _check_belongs(arrived: ArrivedShard, first: ShardRecord) -> None:
    """Raise an InputError unless a shard was learned by this Tunesmith, and as the first one was."""
    record = arrived.record
    try:
        require_same(
            record.build,
            Build.running(),
            "this reducer",
            f"the mapper of shard {record.shard}",
            "install the same build on all machines, and map again",
        )
        for what in ("iteration", "about", "dense"):
            if getattr(record, what) != getattr(first, what):
                raise InputError(
                    f"shards {first.shard} and {record.shard} differ in {_DIFFERING[what]}; give all"
                    " mappers of an epoch the same options"
                )
        if len(record.document) != len(first.document):
            raise InputError(f"the documents of shards {first.shard} and {record.shard} differ in size")
    except InputError as error:
        raise InputError(error.message, path=STANDARD_INPUT, line=arrived.line) from None
