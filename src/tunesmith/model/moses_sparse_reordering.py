"""Sparse features of Moses' LexicalReordering as a template: its arguments, its lists, the names of weights.

`sparse-words-source-ID=FILE` is a list of words, `sparse-clusters-source-ID=FILE` are classes, both also with
`target`; `sparse-phrase=1`, `sparse-stack=1` and `sparse-between=1` are the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.features.lexical import SOURCE_CLASSES, TARGET_CLASSES
from tunesmith.features.sparse_reordering import FREQUENT_SOURCE, FREQUENT_TARGET, SparseReordering
from tunesmith.features.word_parts import word_of, word_part
from tunesmith.files import PathLike, read_lines
from tunesmith.model.moses_ini import MosesFeature
from tunesmith.model.moses_kinds import REORDERING
from tunesmith.tables.reordering import ReorderingSpec

__all__ = ["ALL_WORDS", "SIDES", "SparseArguments", "read_classes"]

ALL_WORDS = 1 << 20
"""Every word of a list of Moses counts."""

PREFIX = "sparse-"
SIDES, PLACES = ("source", "target"), ("first", "last")
_SHORT = {"source": "src", "target": "tgt"}
_PARTS = {"phrase": "phr", "stack": "stk", "between": "btn"}
_FREQUENT = dict(zip(SIDES, (FREQUENT_SOURCE, FREQUENT_TARGET), strict=True))
_CLASSES = dict(zip(SIDES, (SOURCE_CLASSES, TARGET_CLASSES), strict=True))
_ORIENTATIONS = ("msd", "mslr")
Find = Callable[[str], Path | None]


@dataclass(frozen=True)
class SparseArguments:
    """The arguments `sparse-...` of a reordering model of Moses."""

    feature: MosesFeature

    @classmethod
    def of(cls, feature: MosesFeature) -> SparseArguments | None:
        """Return those of a feature; None if it has none."""
        is_sparse = feature.kind == REORDERING and any(key.startswith(PREFIX) for key in feature.arguments)
        return cls(feature) if is_sparse else None

    def refusals(self) -> Iterator[tuple[str, str]]:
        """Yield the arguments that cannot be imported, and why."""
        for key, value in self.feature.arguments.items():
            what, _, rest = key.removeprefix(PREFIX).partition("-")
            side, _, label = rest.partition("-")
            if not key.startswith(PREFIX):
                continue
            if self._spec.classes not in _ORIENTATIONS:
                yield key, f"sparse features need orientations {' or '.join(_ORIENTATIONS)}"
            elif what in _PARTS and not rest:
                if value != "1":
                    yield key, f"expected 1, found {value}"
            elif what == "words" and side in SIDES and label:
                if next(iter(self._lists("words", side))) != label:
                    yield key, f"expected one list of {side} words"
            elif what == "clusters" and side in SIDES and label:
                continue
            elif what == "weights":
                yield key, "sums of sparse features per orientation are not supported"
            else:
                yield key, "an unknown sparse feature of reordering"

    def template(self) -> SparseReordering:
        """Return the template."""
        spec, parts = self._spec, self.parts
        return SparseReordering(
            name=self.feature.name,
            top=ALL_WORDS,
            classes=self._counts,
            model="hier" if spec.model == "hier" else "phrase",
            orientations="msd" if spec.classes == "msd" else "mslr",
            phrase="phrase" in parts,
            stack="previous" if "stack" in parts else "none",
            between="between" in parts,
        )

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that have features: those asked for whose orientations the model has."""
        needs = {"phrase": "backward", "stack": "forward", "between": "backward"}
        has = self._spec.direction
        return tuple(
            part
            for part, direction in needs.items()
            if f"{PREFIX}{part}" in self.feature.arguments and has in (direction, "bidirectional")
        )

    def files(self, find: Find, ini: PathLike) -> dict[str, Path | None]:
        """Return the lists by their names in the model; None for one that Moses' model does not have."""
        found: dict[str, Path | None] = {}
        for side in SIDES:
            lists = {_FREQUENT[side]: next(iter(self._lists("words", side).values()), "")}
            classes = self._lists("clusters", side)
            of = {self._numbers[label]: named for label, named in classes.items()}
            lists |= {_CLASSES[side].format(count): of.get(count, "") for count in self._counts}
            for name, named in lists.items():
                found[name] = find(named) if named else None
                if named and found[name] is None:
                    raise InputError(
                        f"the list {named!r} of {self.feature.name!r} is neither beside the ini nor in the"
                        " current folder",
                        path=ini,
                    )
        return found

    def renamed(self, rest: str) -> str | None:
        """Return the end of the template's name for that of Moses; None if it is of no list.

        `phr-src-first-top-das-1` is `phrase_source_first_w_das_swap`.
        """
        begin, _, orientation = rest.rpartition("-")
        ours = self._orientations.get(orientation)
        for start, label in self._starts.items():
            if ours and begin.startswith(start):
                word = begin.removeprefix(start)
                return f"{label}{word_part(word) if label.endswith('w_') else word}_{ours}"
        return None

    def original(self, rest: str) -> str:
        """Return the end of Moses' name for that of the template: the inverse of `renamed`."""
        begin, _, orientation = rest.rpartition("_")
        numbers = [number for number, label in self._orientations.items() if label == orientation]
        for theirs, ours in self._starts.items():
            if numbers and begin.startswith(ours):
                return f"{theirs}{word_of(begin.removeprefix(ours))}-{numbers[0]}"
        raise InputError(f"the model has no orientation or list of the weight '{self.feature.name}_{rest}'")

    @cached_property
    def _starts(self) -> dict[str, str]:
        """The beginnings of Moses' names before a word or class, and ours."""
        starts: dict[str, str] = {}
        places = [(part, side, place) for part in ("phrase", "stack") for side in SIDES for place in PLACES]
        for part, side, place in (*places, ("between", "source", "first")):
            theirs = f"{_PARTS[part]}-{_SHORT[side]}-{place}-"
            ours = "between_" if part == "between" else f"{part}_{side}_{place}_"
            # Classes first: a list of words may have the id of the classes, which go on with `cluster_`.
            classes = self._lists("clusters", side)
            starts |= {f"{theirs}{label}-cluster_": f"{ours}C{self._numbers[label]}_c" for label in classes}
            starts |= {f"{theirs}{label}-": f"{ours}w_" for label in self._lists("words", side)}
        return starts

    def _lists(self, kind: str, side: str) -> Mapping[str, str]:
        """The files of a kind of lists by their ids."""
        start = f"{PREFIX}{kind}-{side}-"
        arguments = self.feature.arguments.items()
        return {key.removeprefix(start): value for key, value in arguments if key.startswith(start)}

    @property
    def _counts(self) -> tuple[int, ...]:
        """The numbers of the lists of classes, of either side."""
        return tuple(sorted(set(self._numbers.values())))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The numbers of the lists of classes by id: the id itself if it is one, else the next free one."""
        labels = list(dict.fromkeys(label for side in SIDES for label in self._lists("clusters", side)))
        numbers = {label: int(label) for label in labels if _is_number(label)}
        taken = set(numbers.values())
        free = (number for number in count(1) if number not in taken)
        return {label: numbers[label] if label in numbers else next(free) for label in labels}

    @cached_property
    def _spec(self) -> ReorderingSpec:
        name = self.feature.arguments.get("type", self.feature.name).removesuffix("-allff")
        return ReorderingSpec.parse(name)

    @cached_property
    def _orientations(self) -> dict[str, str]:
        """Our names of orientations by Moses' numbers."""
        return {str(number): label for number, label in enumerate(self._spec.labels)}


def _is_number(label: str) -> bool:
    return label.isascii() and label.isdecimal() and not label.startswith("0")


def read_classes(path: Path) -> bytes:
    """Return the classes of Moses, lines of a word and its class, a number or a name, as a model has them."""
    lines: list[str] = []
    seen: set[str] = set()
    for number, line in enumerate(read_lines(path), 1):
        words = line.split()
        if len(words) != 2:
            raise InputError(f"expected a word and its class, found {line[:60]!r}", path=path, line=number)
        if words[0] in seen:
            raise InputError(
                f"{words[0]!r} has a class already; expected one line each", path=path, line=number
            )
        seen.add(words[0])
        lines.append(f"{words[0]}\t{words[1]}\n")
    return "".join(lines).encode()
