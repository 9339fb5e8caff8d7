"""Counts of blocks of derivations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from tunesmith.metrics import Bleu

__all__ = ["BlockCounts"]

_NOTHING = (0.0,) * 9


@dataclass(frozen=True)
class BlockCounts:
    """What a block has, what it lacks, how good it is and how long it took.

    `best` and `oracle` are statistics of BLEU of the sentences with derivations. `exact` of the `compared`
    sentences were also searched without a beam; `beam_sums` and `exact_sums` are the statistics of these.
    """

    sentences: int = 0
    missing: int = 0
    """Sentences without a translation or, in forced decoding, that were not reached."""
    too_large: int = 0
    """Sentences of more than 65,535 words or phrases."""
    derivations: int = 0
    source_words: int = 0
    decode_seconds: float = 0.0
    """CPU time of decoding."""
    oracle_seconds: float = 0.0
    """CPU time of searching for oracles in the forests."""
    best: tuple[float, ...] = _NOTHING
    oracle: tuple[float, ...] = _NOTHING
    compared: int = 0
    exact: int = 0
    value_loss: float = 0.0
    """Sum of what the beam lost of (1 - mu) B + mu a h.w, of the best oracles."""
    value_loss_of_all: float = 0.0
    """The same of the means over all oracles of a sentence."""
    beam_sums: tuple[float, ...] = _NOTHING
    exact_sums: tuple[float, ...] = _NOTHING
    stages: tuple[int, ...] = ()
    """Forced decoding: sentences reached by each stage of relaxed limits."""

    def __post_init__(self) -> None:
        """Check the widths of statistics."""
        for name in ("best", "oracle", "beam_sums", "exact_sums"):
            if len(getattr(self, name)) != len(_NOTHING):
                raise ValueError(
                    f"{name} has {len(getattr(self, name))} statistics; expected {len(_NOTHING)}"
                )

    @classmethod
    def of(cls, counts: object) -> BlockCounts:
        """Return the counts of a native object."""
        values = {field.name: getattr(counts, field.name, field.default) for field in fields(cls)}
        return cls(**{name: _tupled(value) for name, value in values.items()})

    @classmethod
    def total(cls, blocks: Iterable[BlockCounts]) -> BlockCounts:
        """Return the sums."""
        listed = list(blocks)
        if not listed:
            return cls()
        return cls(
            **{field.name: _sum([getattr(each, field.name) for each in listed]) for field in fields(cls)}
        )

    @property
    def all_sentences(self) -> int:
        """Sentences, with derivations or without."""
        return self.sentences + self.missing + self.too_large

    @property
    def share(self) -> float:
        """The fraction of sentences that have derivations."""
        return self.sentences / max(self.all_sentences, 1)

    def bleu(self, name: str) -> float:
        """Return the BLEU of `best`, `oracle`, `beam_sums` or `exact_sums`."""
        return float(Bleu().score(np.array(getattr(self, name), dtype=np.float64)))

    def loss(self) -> str:
        """Return what the beam loses against the exact oracle, as a line of text."""
        if not self.compared:
            return "the beam was not compared with the exact oracle"
        share = 100 * self.exact / self.compared
        if not self.exact:
            return f"the exact oracle was feasible for none of {self.compared} sentences"
        return (
            f"the exact oracle was feasible for {share:.0f}% of {self.compared} sentences; there the beam"
            f" loses {self.value_loss / self.exact:.4f} of the objective per sentence"
            f" ({self.value_loss_of_all / self.exact:.4f} in the mean over all oracles of each), and BLEU of"
            f" the best is {100 * self.bleu('beam_sums'):.2f} instead of {100 * self.bleu('exact_sums'):.2f}"
        )


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _sum(values: list[Any]) -> Any:
    if not isinstance(values[0], tuple):
        return sum(values)
    width = max(map(len, values))
    padded = [value + (0,) * (width - len(value)) for value in values]
    return tuple(sum(column) for column in zip(*padded, strict=True))
