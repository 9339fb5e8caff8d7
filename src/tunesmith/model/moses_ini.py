"""moses.ini: the file that says which feature functions a Moses model has, and their weights."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tunesmith.errors import InputError, suggest
from tunesmith.files import PathLike, read_lines
from tunesmith.model.moses_kinds import ARGUMENTS, TEMPLATE_KINDS
from tunesmith.weights import Weights

__all__ = ["MosesFeature", "MosesIni", "dense_names"]

_COMMENT = re.compile(r"(^|\s)#.*")
_SECTION = re.compile(r"\[([^\[\]\s]+)\]")
_NAME = re.compile(r"\w[\w.+-]*")
_OLD = ("ttable-file", "lmodel-file", "weight-t", "weight-l")
_UNWEIGHTED = {"UnknownWordPenalty": 1.0}
"""Moses' default weights."""
_REPEATED = ("feature", "weight")
"""Sections that may be repeated."""


@dataclass(frozen=True)
class MosesFeature:
    """A line of `[feature]`: `Kind name=X num-features=N key=value ...`."""

    kind: str
    name: str
    arguments: Mapping[str, str] = field(default_factory=dict)

    def line(self) -> str:
        """Return the line of the ini."""
        words = [f"{key}={value}" for key, value in self.arguments.items()]
        return " ".join([self.kind, f"name={self.name}", *words])


@dataclass(frozen=True)
class MosesIni:
    """The features in order, their weights, and all other sections unchanged."""

    features: tuple[MosesFeature, ...]
    weights: Mapping[str, tuple[float, ...]]
    sections: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls, path: PathLike) -> MosesIni:
        """Read an ini of Moses 1.0 or later; `[feature]` and `[weight]` may be repeated.

        Features without weights, and vice versa, are errors; only features of an unknown kind, which may be
        sparse, need none.
        """
        sections = _read_sections(path)
        for old in _OLD:
            if old in sections:
                raise InputError(
                    f"has a section [{old}], as before Moses 1.0; expected [feature] and [weight]", path=path
                )
        if "feature" not in sections:
            raise InputError("has no section [feature]; is it a moses.ini?", path=path)
        features = _parse_features(path, sections.pop("feature"))
        weights = _parse_weights(path, sections.pop("weight", []), features)
        others = {name: tuple(line for _, line in lines) for name, lines in sections.items()}
        return cls(features, weights, others)

    def format(self) -> str:
        """Return the text of the ini."""
        parts = [(name, lines) for name, lines in self.sections.items()]
        parts.append(("feature", tuple(feature.line() for feature in self.features)))
        values = {name: " ".join(f"{value!r}" for value in row) for name, row in self.weights.items()}
        parts.append(("weight", tuple(f"{name}= {row}" for name, row in values.items())))
        return "\n".join(f"[{name}]\n" + "".join(f"{line}\n" for line in lines) for name, lines in parts)

    def dense_weights(self) -> Weights:
        """Return the weights under the names that Moses' n-best lists give the features."""
        return Weights(
            {
                name: value
                for label, row in self.weights.items()
                for name, value in zip(dense_names(label, len(row)), row, strict=True)
            }
        )


def dense_names(label: str, width: int) -> tuple[str, ...]:
    """Return the names of a feature function's values: `LM0`, or `TranslationModel0_0`, `..._1`, ..."""
    return (label,) if width == 1 else tuple(f"{label}_{number}" for number in range(width))


Lines = list[tuple[int, str]]


def _read_sections(path: PathLike) -> dict[str, Lines]:
    sections: dict[str, Lines] = {}
    current: Lines | None = None
    for number, line in enumerate(read_lines(path), 1):
        text = _COMMENT.sub("", line).strip()
        if not text:
            continue
        if match := _SECTION.fullmatch(text):
            if match[1] in sections and match[1] not in _REPEATED:
                raise InputError(f"repeated section [{match[1]}]", path=path, line=number)
            current = sections.setdefault(match[1], [])
        elif current is None:
            raise InputError(
                f"expected a section such as [feature], found {text[:60]!r}", path=path, line=number
            )
        else:
            current.append((number, text))
    return sections


def _parse_features(path: PathLike, lines: Lines) -> tuple[MosesFeature, ...]:
    features: list[MosesFeature] = []
    kinds: Counter[str] = Counter()
    for number, line in lines:
        kind, *words = line.split()
        arguments: dict[str, str] = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not (key and equals) or key in arguments:
                raise InputError(f"expected each key=value once, found {word!r}", path=path, line=number)
            arguments[key] = value
        name = arguments.pop("name", f"{kind}{kinds[kind]}")
        kinds[kind] += 1
        if not _NAME.fullmatch(name):  # files are named after features
            raise InputError(f"expected a name of letters and digits, found {name!r}", path=path, line=number)
        if name in {feature.name for feature in features}:
            raise InputError(f"repeated feature {name!r}", path=path, line=number)
        features.append(MosesFeature(kind, name, arguments))
    return tuple(features)


def _parse_weights(
    path: PathLike, lines: Lines, features: Iterable[MosesFeature]
) -> dict[str, tuple[float, ...]]:
    known = {feature.name: feature for feature in features}
    weights: dict[str, tuple[float, ...]] = {}
    for number, line in lines:
        label, equals, values = line.partition("=")
        name = label.strip()
        if not equals or name not in known:
            hint = suggest(name, known)
            raise InputError(f"the weight {name!r} has no [feature]{hint}", path=path, line=number)
        if name in weights:
            raise InputError(f"repeated weight {name!r}", path=path, line=number)
        try:
            weights[name] = tuple(Weights({name: float(value)})[name] for value in values.split())
        except ValueError:
            raise InputError(
                f"expected finite numbers, found {values.strip()!r}", path=path, line=number
            ) from None
        expected = known[name].arguments.get("num-features")
        if not weights[name] or (expected is not None and str(len(weights[name])) != expected):
            found = len(weights[name])
            raise InputError(
                f"{name!r} has {found} weights; expected {expected or 1}", path=path, line=number
            )
    for name, feature in known.items():
        if name not in weights:
            if feature.kind in _UNWEIGHTED:
                weights[name] = (_UNWEIGHTED[feature.kind],)
            elif feature.kind in ARGUMENTS and feature.kind not in TEMPLATE_KINDS:
                raise InputError(f"the feature {name!r} has no line in [weight]", path=path)
    return weights
