"""Warnings about results that can be used but should be looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith.errors import Message
from tunesmith.metrics.base import Metric
from tunesmith.optimizers.line_search import MOST_AXES
from tunesmith.optimizers.space import Space
from tunesmith.tuning.method import Method
from tunesmith.tuning.standardize import UNLIKE

__all__ = [
    "FIRST",
    "HARDLY_COUNT",
    "KEPT_START",
    "Before",
    "dense_alone",
    "last_is_worse",
    "last_still_improving",
    "many_features",
    "none_scores_better",
    "nothing_better",
    "other_method",
    "result_warnings",
    "still_improving",
]

KEPT_START = "the start weights"
"""What a run ends with that found nothing better."""
FIRST = "the first candidates"
FOREST = "forest-"
"""What the name of a method over forests begins with if there is one over lists, too."""
SUSPICIOUS = 0.02
"""A score below this (of 1) suggests that references and candidates do not belong together."""


HARDLY_COUNT = (
    "the frozen weights became as small beside the others as they may: by this metric, the frozen features"
    " should count nothing, or with the opposite sign; freeze others, or none"
)
"""The warning about frozen weights that end at their least size."""


def still_improving(method: str, limit: str) -> Message:
    """Return the warning that an option ended a run which still improved."""
    return Message("{owner} still improved its own objective when it ended; raise {}", limit, owner=method)


def last_still_improving(method: str, limit: str) -> Message:
    """Return the warning that an option ended the last round of a loop, which still improved."""
    text = "{owner} still improved its own objective when the last round ended; raise the method's {}"
    return Message(text, limit, owner=method)


def dense_alone(count: int, rounds: int) -> Message:
    """Return the warning that a loop took no mean of both ways to standardize in `count` of its rounds."""
    return Message(
        "in {count} of {rounds} iterations {} was dense instead of mean: dense features were of unlike scale,"
        " one varied more than {unlike:g} times as much within lists as another; {} dense learns so in all",
        "standardize",
        "standardize",
        count=count,
        rounds=rounds,
        unlike=UNLIKE,
    )


def nothing_better(method: str) -> str:
    """Return the warning that a method found nothing better than the start weights."""
    return (
        f"{method} found nothing better than {KEPT_START}, so these are the result; if they were not tuned"
        " before, try another method or metric, other options, or longer lists"
    )


def none_scores_better(name: str, step: str = "iteration") -> str:
    """Return the warning that no step scores better than the start weights; `name` is of the set."""
    return f"no {step} scores better on the {name} set than {KEPT_START}, so these are the result"


def last_is_worse(metric: Metric, baseline: float, score: float) -> str:
    """Return the warning that the last epoch is the result, and scores worse than the start weights."""
    return (
        f"{metric.label} of the tuning set got worse ({metric.show(baseline)} to {metric.show(score)}), and"
        " the last epoch is the result; give a select set, by whose score an epoch is chosen"
    )


def many_features(method: Method, space: Space) -> str | None:
    """Return what to tell before line searches over more features than they are made for."""
    free = int(space.free.sum())
    if method.most_features is None or free <= MOST_AXES:
        return None
    return (
        f"{method.name} is made for up to {method.most_features} features, and there are {free}: it searches"
        f" {MOST_AXES} of their axes per round, may take long, and overfits; mira, corpus-risk and pl learn"
        " many weights, or freeze the sparse ones"
    )


def other_method(method: str, examples: Sequence[str] = ()) -> str:
    """Return the advice to try another method than the one in use, such as one of the examples.

    Not the same over forests instead of lists, or the reverse: `mira` is no advice for `forest-mira`.
    """
    others = {name.removeprefix(FOREST): name for name in reversed(examples)}
    others.pop(method.removeprefix(FOREST), None)
    return f"another method, such as {' or '.join(reversed(others.values()))}" if others else "another method"


@dataclass(frozen=True)
class Before:
    """The score that a result is compared with, and of what it is."""

    score: float
    what: str = KEPT_START


def result_warnings(
    method: Method,
    metric: Metric,
    space: Space,
    before: Before,
    score: float,
    remedy: str,
    *,
    objective_improved: bool,
) -> Iterator[str]:
    """Yield one sentence per warning; `remedy` is the advice if the score got worse."""
    baseline = before.score
    if metric.sign * score < metric.sign * baseline:
        drop = f"{metric.show(baseline)} with {before.what}, {metric.show(score)} now"
        though = " though the method's objective improved" if objective_improved else ""
        yield f"{metric.label} on the tuning data got worse ({drop}){though}; {remedy}"
    if metric.unit == 100 and metric.higher_is_better and max(baseline, score) < SUSPICIOUS:
        yield f"{metric.label} is {metric.show(score)}: do these references belong to these candidates?"
    free = int(space.free.sum())
    if method.most_features is not None and free > method.most_features:
        yield (
            f"{method.name} is made for up to {method.most_features} features and will overfit {free}; try "
            "mira, pl or corpus-risk, or freeze the sparse ones"
        )
    if (unused := method.without_effect(space)) is not None:
        yield unused
    frozen = int(np.sum(~space.free & (space.start == 0)))
    if frozen:
        yield f"{frozen} frozen feature(s) have no start weight and stay at 0"
