"""When a training ends, by the objective on held-out lists after each epoch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ["Ending", "StoppingRule"]

Ending = Literal["patience", "tolerance", "epochs"]
"""What ended a training."""


@dataclass(frozen=True)
class StoppingRule:
    """At most `epochs`, fewer if `patience` epochs together gain less than the share `tolerance`.

    The objective goes up and down from one epoch to the next, by more than the trend rises: two successive
    values may be close by chance. So the best of the last `patience` epochs is compared with the best before.
    Without patience, training ends as soon as two successive epochs differ by less than the factor, up or
    down, which is how Auli, Galley and Gao (2014) put it. A tolerance of 0 never ends a training.
    """

    epochs: int
    patience: int
    tolerance: float

    def ending(self, values: Sequence[float]) -> Ending | None:
        """Return what ends the training after these epochs, None if it goes on."""
        if self.tolerance > 0 and self._is_level(values):
            return "patience" if self.patience else "tolerance"
        return "epochs" if len(values) >= self.epochs else None

    def said(self, ending: Ending) -> str:
        """Return the ending as the rest of a sentence about the training."""
        percent = f"{100 * self.tolerance:.3g}%"
        if ending == "patience":
            last = "epoch" if self.patience == 1 else f"{self.patience} epochs together"
            return f"as the last {last} raised the held-out objective by less than {percent}"
        if ending == "tolerance":
            return f"as the held-out objective changed by less than {percent} in an epoch"
        return "the most that it may have"

    def _is_level(self, values: Sequence[float]) -> bool:
        least = self.patience or 1
        if len(values) <= least:
            return False
        before, last = max(values[:-least]), max(values[-least:])
        if self.patience:
            return last - before < self.tolerance * abs(before)
        return abs(values[-1] - values[-2]) < self.tolerance * abs(values[-2])
