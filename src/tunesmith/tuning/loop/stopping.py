"""Stopping rules of a tuning loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tunesmith.options import check_options, require_at_least
from tunesmith.tuning.history import Record
from tunesmith.tuning.method import Method

__all__ = ["MANY_NEW", "StopRules", "goes_on", "improved", "judged", "movement", "updated"]

MANY_NEW = 0.1
"""A share of new candidates in the union of lists. After rounds that add more, held-out scores rise; after
others they fluctuate (experiments/multi30k/RESULTS.md)."""


@dataclass(frozen=True)
class StopRules:
    """Stop after `iterations`, or when no weight changes by more than `tolerance` (weights L1-normalized).

    `least_improvement`: stop when a round improves the method's own objective by no more than this share.
    `patience`: stop after this many iterations without a better score; None: never. A round without new
    candidates always ends a loop, and so does a method that does not improve its own objective, unless
    `goes_on` says otherwise.
    """

    iterations: int
    tolerance: float
    patience: int | None
    least_improvement: float

    def __post_init__(self) -> None:
        check_options(self, "loop")
        require_at_least(1, "loop", iterations=self.iterations)
        require_at_least(0, "loop", tolerance=self.tolerance, least_improvement=self.least_improvement)
        if self.patience is not None:
            require_at_least(1, "loop", patience=self.patience)

    def before_learning(self, records: Sequence[Record], sign: float) -> str | None:
        """Return why to stop with the weights of the newest decoding; None to continue.

        `sign` is -1.0 if a lower score is better.
        """
        newest = records[-1]
        if newest["iteration"] > 1 and newest.get("new") == 0:
            return "no new candidates came up"
        if self.patience is not None:
            scores = [sign * judged(record) for record in records]
            if len(scores) - 1 - scores.index(max(scores)) >= self.patience:
                return f"no better score for {self.patience} iterations"
        return None

    def after_learning(self, record: Record) -> str | None:
        """Return why to stop with the newly learned weights; None to continue."""
        if not updated(record):
            return "the method did not improve its own objective"
        least = 0.0 if record.get("went_on") else self.least_improvement
        if least and record["start_loss"] - record["loss"] <= least * abs(record["loss"]):
            return f"the method improved its own objective by no more than {least:g} of it"
        if record["moved"] <= self.tolerance:
            return f"no weight moved by more than {self.tolerance:g}"
        if record["iteration"] >= self.iterations:
            return "all iterations are done"
        return None


def goes_on(method: Method, record: Record) -> bool:
    """Return whether a loop goes on though the round did not improve the method's own objective.

    It does if the steps of the method do not follow this objective and more than `MANY_NEW` of the candidates
    so far are new. MIRA's steps follow margins: that no pass over grown lists is better than weights which
    were the best on fewer lists does not mean that there is nothing to learn from the new ones. The next
    round decodes with the best pass, as kbmira always does.
    """
    return not method.follows_loss and record.get("new", 0) > MANY_NEW * record.get("candidates", 0)


def improved(record: Record) -> bool:
    """Return whether the round improved the method's own objective."""
    return "loss" in record and bool(record["loss"] < record["start_loss"]) and not record.get("went_on")


def updated(record: Record) -> bool:
    """Return whether the weights changed in a round: the objective improved, or the loop goes on anyway."""
    return bool("loss" not in record or record["loss"] < record["start_loss"] or record.get("went_on"))


def judged(record: Record) -> float:
    """Return the score that iterations are compared by: of the select set, else of the tuning set."""
    return float(record["dev_score"] if "dev_score" in record else record["score"])


def movement(old: Mapping[str, float], new: Mapping[str, float]) -> float:
    """Return the largest change of a weight, both sets L1-normalized, as Moses does.

    Weights that are all zero stay so.
    """
    before, after = (sum(map(abs, weights.values())) or 1.0 for weights in (old, new))
    names = {**old, **new}
    return max(abs(old.get(name, 0.0) / before - new.get(name, 0.0) / after) for name in names)
