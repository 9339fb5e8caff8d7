"""Weights that a reducer wrote, with which mappers go on: only with the same lines and options."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tunesmith.build import Build, require_same
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.json_files import check_record
from tunesmith.metrics.base import Metric
from tunesmith.options import as_recorded, determinants
from tunesmith.tuning.online.learner import LearnerOptions
from tunesmith.tuning.online.updates.base import OnlineUpdate

__all__ = ["check_continued", "continues", "learning_record"]

_OF_LEARNER = ("document", "document_decay", "document_start", "keep_document", "shuffle")
_COMPARED = ("method", "metric", "seed", *_OF_LEARNER)
"""What the documents of shards, or their order of sentences, depend on: the same in all epochs."""
_HELD: Mapping[str, object] = {"frozen": [], "freeze_dense": False}
"""Options of `learner` that say which weights are those of the start after all epochs, with what records
of earlier versions lack. Others, such as rates, may change from one epoch to the next."""


def learning_record(
    method: str, metric: Metric, seed: int, update: OnlineUpdate, learner: LearnerOptions
) -> dict[str, Any]:
    """Return what a shard was learned with, for the record of its weights."""
    return {
        "method": method,
        "metric": metric.signature,
        "seed": seed,
        **{name: getattr(learner, name) for name in _OF_LEARNER},
        "learner": determinants(learner),
        "update": determinants(update),
    }


def continues(about: Mapping[str, Any]) -> bool:
    """Return whether weights with this record are of a reducer: they have the documents of shards."""
    return bool(about.get("documents"))


def check_continued(
    about: Mapping[str, Any],
    learning: Mapping[str, Any],
    shards: int,
    update: OnlineUpdate,
    *,
    width: int,
    path: PathLike,
    start: PathLike | None,
) -> None:
    """Raise unless mappers can go on with the weights of `path`, whose record is `about`.

    `learning` is the record of what they learn with now, `shards` the number of shards of their lines, and
    `width` that of the metric's statistics.
    """
    _check_reduced(about, width, path)
    found = about.get("shards", len(about["documents"]))
    if found != shards or len(about["documents"]) != shards:
        raise InputError(
            f"was made with {found} shards, but the lines with {shards}; use the lines of the first epoch",
            path=path,
        )
    compared = [(name, about.get(name, learning[name]), learning[name]) for name in _COMPARED]
    before, now = about.get("learner", {}), learning["learner"]
    compared += [
        (name, as_recorded(before.get(name, usual)), as_recorded(now[name])) for name, usual in _HELD.items()
    ]
    for name, found, given in compared:
        if found != given:
            raise InputError(
                "was learned with the {} {found!r:.80}, not {given!r:.80}; give all epochs the same options",
                name,
                found=found,
                given=given,
                path=path,
            )
    if start is None and type(update).finish is not OnlineUpdate.finish:
        raise OptionError("{} is needed from the second epoch on", "start")


def _check_reduced(about: Mapping[str, Any], width: int, path: PathLike) -> None:
    """Raise unless a reducer of this build has written a record, with documents of this width."""
    try:
        check_record("iteration", int, about["iteration"])
        check_record("documents", list[list[float]], about["documents"])
        check_record("dense", list[str], about["dense"])
        check_record("learner", dict[str, object], about.get("learner", {}))
        for document in about["documents"]:
            if len(document) != width + 1 or not all(map(math.isfinite, document)):
                raise ValueError  # the words of the source come first
        if about["iteration"] < 1:
            raise ValueError
    except (KeyError, ValueError):
        raise InputError("the record of the epoch is damaged; reduce it again", path=path) from None
    try:
        require_same(
            about.get("build"),
            Build.running(),
            "this mapper",
            "the reducer that wrote the weights",
            "install the same build on all machines, or begin again with the first weights",
        )
    except InputError as error:
        raise InputError(error.message, path=path) from None
