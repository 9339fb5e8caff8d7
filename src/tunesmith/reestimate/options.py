"""Options of re-estimation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tunesmith.errors import OptionError
from tunesmith.options import check_options, option
from tunesmith.reestimate.counting import NbestWeight

__all__ = ["ReestimateOptions"]

_WORDS = ("em", "none")


@dataclass(frozen=True)
class ReestimateOptions:
    """From which derivations a model is re-estimated, which parts of it, and what becomes of them."""

    table_weight: str = option(
        "0.5",
        help="Weight of the re-estimated table in a mixture with the model's; em: the most likely one"
        " for the phrase pairs of the tuning text; none: the re-estimated table alone.",
        metavar="WEIGHT|em|none",
    )
    bilingual_lm: bool = option(
        False, help="Re-train the bilingual language model of the model.", flag="--bilingual-lm"
    )
    oracle_lm: str = option(
        "none",
        help="Weight of a language model of the translations in a mixture with the model's; em: the most"
        " likely one for the tuning references; none: the model's alone.",
        metavar="WEIGHT|em|none",
    )
    relex: bool = option(
        False,
        help="Estimate lexical weights from the links of the derivations, instead of keeping them.",
        flag="--relex",
    )
    orientations: Literal["extraction", "derivation", "keep"] = option(
        "extraction",
        help="What orientations are counted in: all phrase pairs that can be extracted from the translations"
        " (extraction), or the pairs of the derivations (derivation); keep: the model's reordering"
        " models stay as they are.",
    )
    nbest_weight: NbestWeight = option(
        "count",
        help="Weight of each of n derivations of a sentence: 1 (count), 1/n (even), or its posterior.",
    )
    keep_derivations: bool = option(
        False,
        help="Keep the files of derivations, in the folder `derivations` of the new model if no other is"
        " named.",
        flag="--keep-derivations",
        matters=False,
    )

    def __post_init__(self) -> None:
        check_options(self, "re-estimation")
        for name, weight in (("table_weight", self.weight), ("oracle_lm", self.oracle_lm_weight)):
            if getattr(self, name) not in _WORDS and weight is None:
                raise OptionError(
                    "re-estimation: {} must be a number between 0 and 1, em or none, not {found!r}",
                    name,
                    found=getattr(self, name)[:40],
                )

    @property
    def weight(self) -> float | None:
        """The given weight of the re-estimated table; None if it is fitted, or there is no mixture."""
        return _share(self.table_weight)

    @property
    def oracle_lm_weight(self) -> float | None:
        """The given weight of the language model of the translations; None if it is fitted, or unused."""
        return _share(self.oracle_lm)


def _share(text: str) -> float | None:
    """Return a number between 0 and 1; None for anything else."""
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if 0 < weight < 1 else None
