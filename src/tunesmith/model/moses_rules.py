"""Rule tables of hierarchical Moses models: what labels they have, and those of many in cdec's form.

Moses writes `[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.718 ||| 0-0 1-1`: each side ends with its label, a
gap has those of both sides, and links tell which gaps belong together. The labels of the target side are the
categories.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write, read_chunks

__all__ = ["RuleLabels", "convert_rules"]

_PEEK = 1 << 16
_LEAST_LOG = -100.0
"""What stands for the log of 0, as in rule tables."""
_SEPARATOR = re.compile(r"(?:^|(?<=\s))\|\|\|(?=\s|$)")
_LABEL = re.compile(r"\[([^\[\]\s,]+)\]")
_GAP = re.compile(r"\[([^\[\]\s,]+)\]\[([^\[\]\s,]+)\]")
_LINK = re.compile(r"(\d+)-(\d+)")
_SOURCE_LABEL = "X"
"""The label of every span of an input that is no tree."""


@dataclass(frozen=True)
class RuleLabels:
    """The labels of the first rules of a table: of their left sides, and of their gaps."""

    tops: frozenset[str]
    gaps: frozenset[str]

    @property
    def hierarchical(self) -> bool:
        """Whether X is the only label, so that a mapped table can hold the rules."""
        return self.tops | self.gaps <= {"X"}

    @classmethod
    def peek(cls, path: Path) -> RuleLabels:
        """Read the labels of the first 64 kB of text; a file without rules is an InputError."""
        tops: set[str] = set()
        gaps: set[str] = set()
        for number, line in _lines(path, _PEEK):
            rule = _MosesRule.parse(path, number, line)
            tops.add(rule.top)
            gaps.update(label for label in rule.categories if label is not None)
        if not tops:
            raise InputError("has no rules", path=path)
        return cls(frozenset(tops), frozenset(gaps))


def convert_rules(path: PathLike, output: PathLike, names: Sequence[str]) -> int:
    """Write a table of any labels as a text grammar in cdec's form; return how many rules it has.

    `names` are those of the scores, which become natural logs, not less than -100. Links of words are kept.
    """
    count = 0
    with open_write(output) as stream:
        for number, line in _lines(path):
            rule = _MosesRule.parse(path, number, line)
            if len(rule.scores) != len(names):
                raise InputError(
                    f"has {len(rule.scores)} scores; expected {len(names)}", path=path, line=number
                )
            stream.write(rule.format(names).encode())
            count += 1
    return count


@dataclass(frozen=True)
class _MosesRule:
    """A rule; `categories` has the label of each gap of the source side, None for a word, and `partners` the
    position of the source gap for each gap of the target side."""

    top: str
    source: list[str]
    target: list[str]
    categories: list[str | None]
    partners: dict[int, int]
    scores: list[float]
    links: list[tuple[int, int]]

    @classmethod
    def parse(cls, path: PathLike, number: int, line: str) -> _MosesRule:
        """Read a line; InputError with file and line where it is no rule."""
        try:
            return cls._parse(line)
        except ValueError as error:
            raise InputError(str(error), path=path, line=number) from None

    @classmethod
    def _parse(cls, line: str) -> _MosesRule:
        fields = [field.strip() for field in _SEPARATOR.split(line)]
        if len(fields) < 4:
            raise ValueError(
                f"found {len(fields)} fields; expected source ||| target ||| scores ||| links, as in Moses'"
                " rule tables"
            )
        (source, source_top), (target, top) = (_side(field) for field in fields[:2])
        gaps, target_gaps = (
            [match[2] if (match := _gap(token)) else None for token in side] for side in (source, target)
        )
        links, partners = _links(fields[3], gaps, target_gaps)
        labels = [source_top, *(match[1] for token in source if (match := _gap(token)))]
        if any(label != _SOURCE_LABEL for label in labels):
            raise ValueError(
                f"has the source labels {', '.join(sorted(set(labels)))}; expected [X] only: models of parsed"
                " input cannot be imported"
            )
        return cls(top, source, target, gaps, partners, _scores(fields[2]), links)

    def format(self, names: Sequence[str]) -> str:
        """Return the line of cdec's grammar."""
        places = [place for place, label in enumerate(self.categories) if label is not None]
        numbers = {place: number for number, place in enumerate(places, 1)}
        source = [
            word if label is None else f"[{label},{numbers[place]}]"
            for place, (word, label) in enumerate(zip(self.source, self.categories, strict=True))
        ]
        target = [
            f"[{numbers[self.partners[place]]}]" if place in self.partners else word
            for place, word in enumerate(self.target)
        ]
        values = [f"{name}={_log(score):.9g}" for name, score in zip(names, self.scores, strict=True)]
        fields = [f"[{self.top}]", " ".join(source), " ".join(target), " ".join(values)]
        if self.links:
            fields.append(" ".join(f"{i}-{j}" for i, j in self.links))
        return " ||| ".join(fields) + "\n"


def _lines(path: PathLike, most: int | None = None) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers: all, or those of the first bytes of text."""
    rest, seen, number = b"", 0, 0
    for chunk in read_chunks(path):
        block = chunk if most is None else chunk[: most - seen]
        seen += len(block)
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            number += 1
            if text := _decoded(path, number, line):
                yield number, text
        if seen == most:
            return
    if text := _decoded(path, number + 1, rest):
        yield number + 1, text


def _decoded(path: PathLike, number: int, line: bytes) -> str:
    try:
        return line.decode().strip()
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", path=path, line=number) from None


def _side(field: str) -> tuple[list[str], str]:
    """Split a side into its symbols and its label."""
    *symbols, last = field.split() or [""]
    label = _LABEL.fullmatch(last)
    if label is None or not symbols:
        raise ValueError(
            f"found {field[:60]!r}; expected words and gaps, and then a label such as [X], as in the tables"
            " of moses_chart"
        )
    return symbols, label[1]


def _gap(token: str) -> re.Match[str] | None:
    """Return the labels of a gap, nothing of a word."""
    if not (token.startswith("[") and token.endswith("]") and len(token) > 1):
        return None
    match = _GAP.fullmatch(token)
    if match is None:
        raise ValueError(f"found {token!r}; expected a gap such as [X][X], or a word without brackets")
    return match


def _links(
    field: str, gaps: list[str | None], target_gaps: list[str | None]
) -> tuple[list[tuple[int, int]], dict[int, int]]:
    """Return the links of words, and of each target gap the source gap it is linked to."""
    links: list[tuple[int, int]] = []
    partners: dict[int, int] = {}
    for token in field.split():
        match = _LINK.fullmatch(token)
        if match is None:
            raise ValueError(f"found the link {token!r}; expected one such as 0-0")
        i, j = int(match[1]), int(match[2])
        if i >= len(gaps) or j >= len(target_gaps) or (gaps[i] is None) != (target_gaps[j] is None):
            raise ValueError(f"found the link {token}; expected words of the rule, or two gaps")
        if gaps[i] is None:
            links.append((i, j))
        elif j in partners or i in partners.values() or gaps[i] != target_gaps[j]:
            raise ValueError(f"found the link {token}; expected gaps of one label, each linked once")
        else:
            partners[j] = i
    if any(sum(label is not None for label in side) != len(partners) for side in (gaps, target_gaps)):
        raise ValueError("has gaps without links; expected each gap linked to one of the other side")
    return links, partners


def _scores(field: str) -> list[float]:
    scores = []
    for token in field.split():
        try:
            value = float(token)
        except ValueError:
            value = math.nan
        if not (0 <= value < math.inf):
            raise ValueError(f"found the score {token!r}; expected a number not below 0")
        scores.append(value)
    return scores


def _log(score: float) -> float:
    return max(math.log(score), _LEAST_LOG) if score > 0 else _LEAST_LOG
