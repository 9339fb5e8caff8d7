"""Options of writing forests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tunesmith.options import check_options, check_seed, option, same_option
from tunesmith.xbleu.list_options import ListOptions

__all__ = ["ForestOptions"]

MOST_EDGES = 10_000


@dataclass(frozen=True, kw_only=True)
class ForestOptions:
    """Which sentences are translated, by which systems, and how large their forests are."""

    features: Literal["local", "hrm", "uncommon", "biphrases"] = option(
        help="Feature set that the forests are for. Forests for `local` know the orientations of phrases, and"
        " are smaller; those for the others know the block on top of the stack, and serve every set."
    )
    density: float = option(
        80.0,
        help="Edges kept per source word when forests are pruned: those whose best derivations have the"
        " highest scores.",
        least=1,
        most=MOST_EDGES,
    )
    pairs: int | None = same_option(ListOptions, "pairs")
    max_length: int | None = same_option(ListOptions, "max_length")
    jackknife: bool = same_option(ListOptions, "jackknife")
    seed: int = same_option(ListOptions, "seed")
    restart: bool = option(
        False, help="Delete the forests in the folder and start anew.", flag="--restart", matters=False
    )

    def __post_init__(self) -> None:
        check_options(self, "forests")
        check_seed(self.seed)

    @property
    def blocks(self) -> bool:
        """Whether forests know the block on top of the stack."""
        return self.features != "local"

    @property
    def shape(self) -> dict[str, Any]:
        """What the record says about the forests."""
        return {"features": self.features, "blocks": self.blocks, "density": self.density}
