"""Rule tables of hierarchical Moses models: labels and scores of the first rules, and copies as text.

Moses writes `[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.718 ||| 0-0 1-1`: each side ends with its label, a
gap has the labels of both sides, and links pair the gaps. The labels of the target side are the categories.
Native code parses such lines, here and in decoders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write, parse_chunks, read_chunks

__all__ = ["FirstRules", "copy_rules"]

_PEEK = 1 << 16
_LABEL = re.compile(r"\[([^\[\]]+)\](?:\[[^\[\]]+\])?")
"""The source label of a gap, or of the whole side."""
_SOURCE_LABEL = "X"
"""The label of every span of unparsed input."""


@dataclass(frozen=True)
class FirstRules:
    """The first rules of a table: labels of their heads, of heads and gaps, and scores per rule."""

    tops: frozenset[str]
    categories: frozenset[str]
    scores: int

    @property
    def hierarchical(self) -> bool:
        """Whether X is the only label, so that a mapped table can represent the rules."""
        return self.categories <= {"X"}

    @classmethod
    def peek(cls, path: Path) -> FirstRules:
        """Read the lines of the first 64 kB of text.

        A file without rules is an InputError, and so are source labels that need parsed input.
        """
        text = _first_lines(path)
        lines = [(number, line.split(b"|||")) for number, line in enumerate(text.split(b"\n"), 1)]
        rules = [(number, fields) for number, fields in lines if fields != [b""]]
        scores = len(rules[0][1][2].split()) if rules and len(rules[0][1]) > 2 else 0
        grammar = parse_chunks(_native.GrammarParser(list(map(str, range(scores)))), [text], path)
        if not grammar.rule_count:
            raise InputError("has no rules", path=path)
        tops = set()
        for number, (source, target, *_) in rules:
            _check_source(source.decode().split(), path, number)
            tops.add(target.decode().split()[-1][1:-1])
        return cls(frozenset(tops), frozenset(grammar.categories), scores)


def copy_rules(path: PathLike, output: PathLike, names: Sequence[str]) -> int:
    """Check and copy a table of any labels, uncompressed; return its number of rules.

    `names` are the names of the scores.
    """
    with open_write(output) as stream:
        chunks = _copied(read_chunks(path), stream)
        return parse_chunks(_native.GrammarParser(list(names)), chunks, path).rule_count


def _first_lines(path: Path) -> bytes:
    """Return the complete lines of the first bytes."""
    text = b""
    for chunk in read_chunks(path):
        text += chunk
        if len(text) > _PEEK:
            return text[: text.rfind(b"\n", 0, _PEEK) + 1]
    return text


def _check_source(side: list[str], path: Path, line: int) -> None:
    if len(side) < 2:
        raise InputError(
            f"found {' '.join(side)!r}; expected words and gaps, and then a label such as [X], as in the"
            " tables of moses_chart",
            path=path,
            line=line,
        )
    labels = {match[1] for token in side if (match := _LABEL.fullmatch(token))}
    if labels != {_SOURCE_LABEL}:
        raise InputError(
            f"has the source labels {', '.join(sorted(labels))}; expected [X] only: models of parsed input"
            " cannot be imported",
            path=path,
            line=line,
        )


def _copied(chunks: Iterable[bytes], stream: BinaryIO) -> Iterator[bytes]:
    for chunk in chunks:
        stream.write(chunk)
        yield chunk
