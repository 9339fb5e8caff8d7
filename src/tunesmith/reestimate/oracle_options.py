"""Options of searching for oracles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tunesmith.errors import OptionError
from tunesmith.model.jackknife.options import JackknifeOptions
from tunesmith.options import check_options, option, same_option

__all__ = ["OracleOptions"]

MOST_ORACLES = 1000
LARGEST = (1 << 31) - 1
"""Native code takes these numbers as int32."""
LEAST_COUNT = 2.0


@dataclass(frozen=True)
class OracleOptions:
    """Which translations of the training text are its oracles."""

    panels: ClassVar[Mapping[str, str | None]] = {"*": "With --method oracle", "nbest": None, "restart": None}

    nbest: int = option(
        1, help="Oracle translations per sentence, different strings.", least=1, most=MOST_ORACLES
    )
    mu: float = option(
        0.5,
        help="Share of the model score in the objective of oracles, (1 - mu) x BLEU + mu x scaled model"
        " score; 0: BLEU alone.",
        least=0,
        most=1,
    )
    model_scale: float | None = option(
        None,
        help="Scale of the model score in the objective of oracles [default: such that it varies as much as"
        " BLEU in the n-best lists of the tuning text]; 1: the sum as printed in the paper.",
    )
    beam: int = option(
        32,
        help="Partial translations kept per node of the forest while the oracle is searched for.",
        least=1,
        most=LARGEST,
    )
    least_count: float | None = option(
        None,
        help="Decode without phrase pairs or rules of a lower count; the probabilities of the others stay as"
        f" they are. 0 keeps all [default: {LEAST_COUNT:g}; 0 if folds are left out, as then no pair comes"
        " from the sentence itself]. Rules of an index are extracted without the sentence itself instead,"
        " or with 0 from all sentences.",
        least=0,
    )
    jackknife: bool = same_option(JackknifeOptions, "jackknife")
    keep_forests: bool = option(
        False, help="Keep the forests of the searches, with the model score as their only feature."
    )
    compare: int = option(
        5,
        help="Sentences per piece of 500 whose oracle is also searched for without a beam, to report what the"
        " beam loses.",
        least=0,
        most=LARGEST,
        matters=False,
    )
    restart: bool = option(
        False, help="Delete the derivations in the folder and start anew.", flag="--restart", matters=False
    )

    def __post_init__(self) -> None:
        check_options(self, "oracles")
        if self.model_scale is not None and not self.model_scale > 0:
            raise OptionError("oracles: {} must be above 0; for BLEU alone give {} 0", "model_scale", "mu")
        if self.model_scale is not None and self.mu == 0:
            raise OptionError("oracles: with {} 0 no model score counts: omit {}", "mu", "model_scale")
        if self.least_count is None:
            object.__setattr__(self, "least_count", 0.0 if self.jackknife else LEAST_COUNT)
