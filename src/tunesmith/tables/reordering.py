"""Reordering models by their names, such as `hier-mslr-bidirectional-fe`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tunesmith import _native
from tunesmith.errors import OptionError, suggest

__all__ = ["ReorderingSpec"]

_MODELS = {
    "wbe": _native.OrientationModel.WORD,
    "phrase": _native.OrientationModel.PHRASE,
    "hier": _native.OrientationModel.HIERARCHICAL,
}
_CLASSES = {
    "monotonicity": _native.OrientationClasses.MONOTONICITY,
    "msd": _native.OrientationClasses.MSD,
    "mslr": _native.OrientationClasses.MSLR,
    "leftright": _native.OrientationClasses.LEFT_RIGHT,
    "mslrg": _native.OrientationClasses.FIVE,
}
_LABELS = {
    "monotonicity": ("monotone", "other"),
    "msd": ("monotone", "swap", "discontinuous"),
    "mslr": ("monotone", "swap", "left", "right"),
    "leftright": ("right", "left"),
    "mslrg": ("monotone", "swap", "left", "right", "global"),
}
_DIRECTIONS = {"backward": (True, False), "forward": (False, True), "bidirectional": (True, True)}
_CONDITIONS = ("fe", "f")


@dataclass(frozen=True)
class ReorderingSpec:
    """A model of p(orientation | phrase pair) or p(orientation | source phrase).

    - `model`: the neighbor that determines the orientation: `wbe` the adjacent word, `phrase` an adjacent
      phrase pair, `hier` an adjacent block of any size (Galley and Manning 2008).
    - `classes`: `msd` (monotone, swap, discontinuous), `mslr` (discontinuous to the left or right),
      `leftright`, `monotonicity`, or `mslrg`: mslr and "monotone global", if everything before the phrase
      (forward: after it) is one adjacent block (hier only).
    - `direction`: `backward` compares with the previous neighbor, `forward` with the next.
    - `condition`: `fe` both phrases, `f` the source phrase.
    """

    model: str = "hier"
    classes: str = "mslr"
    direction: str = "bidirectional"
    condition: str = "fe"

    def __post_init__(self) -> None:
        for value, choices in (
            (self.model, _MODELS),
            (self.classes, _CLASSES),
            (self.direction, _DIRECTIONS),
            (self.condition, _CONDITIONS),
        ):
            if value not in choices:
                raise OptionError(f"a reordering model cannot have {value!r}{suggest(value, choices)}")
        if self.classes == "mslrg" and self.model != "hier":
            raise OptionError(f"mslrg needs blocks of any size: use a hier model, not {self.model}")

    @classmethod
    def parse(cls, name: str) -> ReorderingSpec:
        """Read a name as Moses writes it: `hier-mslr-bidirectional-fe`, or `msd-bidirectional-fe` for wbe."""
        parts = name.split("-")
        if len(parts) == 3:
            parts.insert(0, "wbe")
        if len(parts) != 4:
            raise OptionError(
                f"unknown reordering model {name!r}; expected a name such as 'hier-mslr-bidirectional-fe'"
            )
        return cls(*parts)

    @classmethod
    def listed(cls, models: str | ReorderingSpec | Iterable[str | ReorderingSpec]) -> list[ReorderingSpec]:
        """Return the models of a list, or of one name or model alone."""
        every = [models] if isinstance(models, str | ReorderingSpec) else models
        return [cls.parse(model) if isinstance(model, str) else model for model in every]

    @property
    def name(self) -> str:
        """The name that `parse` reads."""
        return f"{self.model}-{self.classes}-{self.direction}-{self.condition}"

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the classes, in order."""
        return _LABELS[self.classes]

    @property
    def columns(self) -> tuple[str, ...]:
        """The meaning of each column of probabilities, such as `backward monotone`."""
        used = [
            way for way, on in zip(("backward", "forward"), _DIRECTIONS[self.direction], strict=True) if on
        ]
        return tuple(f"{way} {label}" for way in used for label in self.labels)

    @property
    def native(self) -> _native.ReorderingModel:
        """The model as native code takes it."""
        backward, forward = _DIRECTIONS[self.direction]
        return _native.ReorderingModel(
            _MODELS[self.model], _CLASSES[self.classes], backward, forward, self.condition == "fe"
        )
