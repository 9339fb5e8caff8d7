"""Figures of the peers and of Tunesmith, measured in turn on one machine: no speed of machines enters.

10 interleaved rounds on 2026-11-16, medians: the peers with binary language models and tables filtered to the
text, Tunesmith at commit 4992e1f. Seconds are of whole processes on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass

COMMIT = "4992e1f"


@dataclass(frozen=True)
class SideBySide:
    """What was measured, in which unit, for the peer and for Tunesmith; ranges are over rounds."""

    what: str
    unit: str
    peer: tuple[float, float]
    ours: tuple[float, float]
    more_is_better: bool = False

    def __str__(self) -> str:
        peer, ours = (sum(each) / 2 for each in (self.peer, self.ours))
        ratio = ours / peer if self.more_is_better else peer / ours
        shown = [_range(each) for each in (self.peer, self.ours)]
        return f"{self.what}: {shown[0]} {self.unit}, `tunesmith` {shown[1]} {self.unit}: {ratio:.1f}x"


SIDE_BY_SIDE = {
    "mert": SideBySide("Moses' mert", "s", (28, 32), (5.2, 6.6)),
    "mira": SideBySide("Moses' extractor and kbmira", "s", (1.55, 1.55), (1.71, 1.71)),
    "align": SideBySide("fast_align both ways and atools, two threads", "s", (8.6, 8.6), (1.67, 1.67)),
    "phrases": SideBySide(
        "moses2, pop limit 200", "words/s", (4677, 4677), (7588, 7588), more_is_better=True
    ),
    "rules": SideBySide(
        "moses_chart, pop limit 200",
        "words/s",
        (338, 470),
        (1015, 1015),
        more_is_better=True,
    ),
}


def show_side_by_side(*names: str) -> None:
    """Print the named comparisons."""
    where = f"one machine, seconds of whole processes, ours at {COMMIT}; above 1x ours is better"
    print(f"\nSide by side ({where}):\n")
    for name in names:
        print(f"- {SIDE_BY_SIDE[name]}")


def _range(values: tuple[float, float]) -> str:
    low, high = (f"{value:,g}" for value in values)
    return low if low == high else f"{low} to {high}"
