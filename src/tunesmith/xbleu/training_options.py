"""The options of training a reordering model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tunesmith.errors import OptionError
from tunesmith.features import (
    SparseHRM,
    SparseHRMBiPhrases,
    SparseHRMLocal,
    SparseHRMUncommon,
    SparseReordering,
)
from tunesmith.metrics import Bleu
from tunesmith.options import check_options, check_seed, determinants, option, require_positive
from tunesmith.threads import MOST_THREADS
from tunesmith.xbleu.stopping import StoppingRule

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

DENSE_RATE = 0.03
"""Of the decoder's weights: chosen among 0.0003 to 1 on first candidates of held-out lists, as expected BLEU
also rises when weights only grow. BLEU and mean sentence BLEU of them, means of three seeds:

| rate | 0 | 0.01 | 0.03 | 0.1 | 0.3 |
|---|---|---|---|---|---|
| 5,000 lists of Multi30k German-English | 38.8, 37.2 | 38.7, 37.3 | 38.8, 37.5 | 38.4, 37.1 | 38.7, 37.4 |
| 3,426 of Europarl French-English | 33.9, 32.0 | 34.0, 32.1 | 34.1, 32.2 | 34.0, 32.2 | 34.0, 32.5 |
"""

PATIENCE = 10

_ALONE = {"l2": 0.0, "batch": 1, "adagrad": False, "average_steps": False}
"""Options with which several learners cannot share the weights, and their defaults: l2 decays all weights in
every step, and the others keep sums over the gradients or the weights of all steps."""


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
        " candidate with the highest sentence BLEU.",
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
        help="Stop when the objective on held-out lists has not risen by this factor for `--patience` epochs;"
        " 0: only after all epochs.",
        least=0,
    )
    patience: int = option(
        PATIENCE,
        help="Number of epochs without a rise after which training stops; 0: as soon as the objective changes"
        " by less than the tolerance in an epoch, up or down.",
        least=0,
    )
    held_out_lists: int = option(
        5000, help="Number of lists that are not trained on; at most a tenth of all.", least=1
    )
    batch: int = option(1, help="Lists per step.", least=1)
    l2: float = option(
        0.0,
        help="L2 penalty, per list: weights decay by rate x this in each step; the decoder's weights"
        " (--joint) decay towards their start values.",
        least=0,
    )
    adagrad: bool = option(False, help="Divide steps by the root of the sum of squared gradients.")
    average_steps: bool = option(False, help="Take the mean of the weights over the steps of an epoch.")
    joint: bool = option(
        False,
        help="Train the decoder's own weights, too, from those that the lists were made with; the lists must"
        " have the values of its features (`xbleu lists --dense`).",
        flag="--joint",
        matters=False,
    )
    dense_rate: float | None = option(
        None,
        help=f"Learning rate of the decoder's weights, of features divided by their standard deviation"
        f" [default with --joint: {DENSE_RATE}].",
        least=0,
        matters=False,
    )
    learners: int = option(
        1,
        help="Number of learners that change the same weights at once, without locks (Hogwild), each in a"
        " thread. Part of the algorithm: with more than 1 the result depends on timing.",
        least=1,
        most=MOST_THREADS,
        matters=False,
    )
    shards: int = option(
        1,
        help="Number of shards trained separately, from the same weights, which are averaged after each epoch"
        " (iterative parameter mixing). The result depends on it.",
        least=1,
        matters=False,
    )
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
        for name, rate in (("rate", self.rate), ("dense_rate", self.theta_rate)):
            if rate * self.l2 >= 1:
                raise OptionError(
                    f"{{owner}}: {{}} times {{}} is {rate * self.l2:g}, by which weights decay in a step;"
                    " expected less than 1",
                    name,
                    "l2",
                    owner="xbleu",
                )
        if self.dense_rate is not None and not self.joint:
            raise OptionError(
                "{owner}: {} is the rate of the decoder's weights, which are trained with {} only",
                "dense_rate",
                "joint",
                owner="xbleu",
            )
        if self.learners > 1 and self.shards > 1:
            raise OptionError(
                "{owner}: {} and {} are two ways of training on several cores; give one of them",
                "learners",
                "shards",
                owner="xbleu",
            )
        for name, default in _ALONE.items():
            if self.learners > 1 and getattr(self, name) != default:
                raise OptionError(
                    "{owner}: {} works with {} 1 only: several learners share the weights without locks",
                    name,
                    "learners",
                    owner="xbleu",
                )

    def settings(self) -> dict[str, Any]:
        """Return the options that the result depends on; options that are not used are left out.

        Of learners it depends only on whether there are several: then it depends on timing, and a training
        may be continued with another number of them.
        """
        used: dict[str, Any] = {"learners": "several"} if self.learners > 1 else {}
        if self.shards > 1:
            used["shards"] = self.shards
        if self.joint:
            used |= {"joint": True, "dense_rate": self.theta_rate}
        found = determinants(self) | used
        if self.tolerance == 0:
            del found["patience"]
        return found

    @property
    def stopping(self) -> StoppingRule:
        """When training ends."""
        return StoppingRule(self.epochs, self.patience, self.tolerance)

    @property
    def theta_rate(self) -> float:
        """The learning rate of the decoder's weights; 0 if they are not trained."""
        return 0.0 if not self.joint else DENSE_RATE if self.dense_rate is None else self.dense_rate

    @property
    def metric(self) -> Bleu:
        """The metric whose sentence scores are the gains of candidates."""
        return Bleu(sentence=self.smoothing)

    def template(self) -> SparseReordering:
        """Return the template of the feature set, without word lists."""
        return FEATURE_SETS[self.features](orientations=self.orientations)
