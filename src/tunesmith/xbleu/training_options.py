"""The options of training a reordering model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tunesmith.errors import OptionError
from tunesmith.features import (
    SparseHRM,
    SparseHRMBiPhrases,
    SparseHRMLocal,
    SparseHRMUncommon,
    SparseReordering,
)
from tunesmith.metrics import Bleu
from tunesmith.options import check_options, check_seed, option, require_positive

__all__ = ["FEATURE_SETS", "ReorderingOptions"]

FEATURE_SETS: dict[str, type[SparseReordering]] = {
    "local": SparseHRMLocal,
    "hrm": SparseHRM,
    "uncommon": SparseHRMUncommon,
    "biphrases": SparseHRMBiPhrases,
}
"""The templates by their short names."""

_SMALLEST, _LARGEST = 1e-12, 1e12
"""Of gamma: beyond them floats lose the scores."""


@dataclass(frozen=True, kw_only=True)
class ReorderingOptions:
    """What is trained, towards what, and by which steps."""

    features: Literal["local", "hrm", "uncommon", "biphrases"] = option(
        help="Feature set: `local`, words and classes at the borders of phrases; `hrm`, also of the block on"
        " top of the stack and between the two; `uncommon`, of all words; `biphrases`, also whole phrases."
    )
    objective: Literal["xbleu", "cll"] = option(
        "xbleu",
        help="What is maximized: `xbleu`, expected sentence BLEU, or `cll`, the log-likelihood of the"
        " candidate with the highest.",
    )
    gamma: float | None = option(
        None,
        help="Scale of scores in the probabilities of candidates, p(e) ~ exp(gamma x score) [default: chosen"
        " on held-out lists].",
        metavar="<scale>",
    )
    orientations: Literal["mslrg", "mslr", "msd"] = option(
        "mslrg", help="Classes of orientations: {choices}."
    )
    smoothing: Literal["gao-he", "add-one", "grounded"] = option(
        "gao-he",
        help="Sentence BLEU: `gao-he` (He and Deng 2012), `add-one` (BLEU+1) or `grounded` (Nakov et al."
        " 2012).",
    )
    rate: float = option(
        0.1, help="Learning rate of weights times gamma: it does not depend on the scale of the scores."
    )
    epochs: int = option(100, help="Maximum number of passes over the lists.", least=1)
    tolerance: float = option(
        0.0003,
        help="Stop when the objective on held-out lists changes by less than this factor in an epoch.",
        least=0,
    )
    held_out: int = option(
        5000, help="Number of lists that are not trained on; at most a tenth of all.", least=1
    )
    batch: int = option(1, help="Lists per step.", least=1)
    l2: float = option(0.0, help="L2 penalty, per list: weights decay by rate x this in each step.", least=0)
    adagrad: bool = option(False, help="Divide steps by the root of the sum of squared gradients.")
    average: bool = option(False, help="Take the mean of the weights over the steps of an epoch.")
    seed: int = option(1, help="Random seed; the same seed gives the same result.")
    restart: bool = option(
        False, help="Delete the training in the folder and start anew.", flag="--restart", matters=False
    )

    def __post_init__(self) -> None:
        check_options(self, "xbleu")
        check_seed(self.seed)
        require_positive("xbleu", gamma=self.gamma, rate=self.rate)
        if self.gamma is not None and not _SMALLEST <= self.gamma <= _LARGEST:
            raise OptionError(
                f"{{owner}}: {{}} is {self.gamma:g}; expected {_SMALLEST:g} to {_LARGEST:g}",
                "gamma",
                owner="xbleu",
            )
        if self.rate * self.l2 >= 1:
            raise OptionError(
                f"{{owner}}: {{}} times {{}} is {self.rate * self.l2:g}, by which weights decay in a step;"
                " expected less than 1",
                "rate",
                "l2",
                owner="xbleu",
            )

    @property
    def metric(self) -> Bleu:
        """The metric whose sentence scores are the gains of candidates."""
        return Bleu(sentence=self.smoothing)

    def template(self) -> SparseReordering:
        """Return the template of the feature set, without word lists."""
        return FEATURE_SETS[self.features](orientations=self.orientations)
