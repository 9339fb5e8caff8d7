"""Forests as cdec's JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tunesmith.candidates.readers import Source
from tunesmith.errors import InputError
from tunesmith.forest.build import build_forest
from tunesmith.forest.forest import Edge, Forest
from tunesmith.forest.readers.base import READERS, Reader, sentence_of
from tunesmith.forest.readers.cdec_rules import CdecRule, parse_rule

__all__ = ["CdecJson"]

_NO_SPAN = (-1, -1)
_LARGEST = float(np.finfo(np.float32).max)


@READERS.register("cdec-json")
@dataclass(frozen=True)
class CdecJson(Reader):
    """`{"rules":[1,"[X] ||| a ||| b"],"features":["f"],"edges":[{...}],"node":{"in_edges":[0]},"edges":...}`

    The keys `edges` and `node` repeat; the last node is the root. A node without edges is where derivations
    begin. A file may contain one forest, as cdec writes it, or several, one after another.
    """

    name: ClassVar[str] = "cdec-json"
    summary: ClassVar[str] = "JSON forests of cdec"

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        keys = (b'"rules"', b'"features"', b'"edges"', b'"is_sorted"', b'"node"')
        return text.startswith(b"{") and text[1:].lstrip().startswith((*keys, b"}"))

    def read(self, source: Source) -> Iterator[tuple[str, Forest]]:
        try:
            text = b"".join(source.chunks()).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"not UTF-8: byte 0x{error.object[error.start]:02x}") from None
        objects = list(_objects(text))
        if len(objects) == 1:
            yield sentence_of(source.path), _forest(objects[0])
        else:
            yield from ((str(number), _forest(pairs)) for number, pairs in enumerate(objects))


def _objects(text: str) -> Iterator[list[tuple[str, Any]]]:
    """Yield objects one after another as lists of pairs, since their keys repeat."""
    decoder = json.JSONDecoder(object_pairs_hook=list)
    found, at, end = 0, 0, len(text.rstrip())
    while at < end:
        while text[at].isspace():
            at += 1
        if found and text[at] != "{":
            raise _trailing(text, at, found)
        try:
            pairs, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            message = f"not JSON, or truncated: {error.msg} at column {error.colno}"
            raise InputError(message, line=error.lineno) from None
        except RecursionError:
            raise InputError("not a forest: its JSON is nested too deep") from None
        if not isinstance(pairs, list):
            raise InputError(f"expected an object, found {str(pairs)[:60]!r}")
        found += 1
        yield pairs


def _trailing(text: str, at: int, found: int) -> InputError:
    """Return the error for text after an object that is no other object."""
    rest = text[at:].rstrip()
    shown = rest.splitlines()[0][:40]
    more = "" if shown == rest else " ..."
    column = at - text.rfind("\n", 0, at)
    return InputError(
        f"expected another forest or the end of the file after the end of forest {found}, found {shown!r}"
        f"{more} at column {column}; remove what is not JSON",
        line=text.count("\n", 0, at) + 1,
    )


def _forest(pairs: list[Any]) -> Forest:
    try:
        return _Draft().forest(pairs)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"not a forest as cdec writes it: {type(error).__name__} {error}") from None


def _whole(number: Any, what: str) -> int:
    if type(number) is not int:
        raise InputError(f"{what} has the number {number!r}; expected an integer")
    return number


def _value(name: str, value: Any) -> float:
    number = float(value)
    if not abs(number) <= _LARGEST:
        raise InputError(f"feature {name!r} has the value {value!r}; expected a finite 32-bit float")
    return number


class _Draft:
    """The partially read forest."""

    def __init__(self) -> None:
        self.rules: dict[int, CdecRule] = {}
        self.features: list[str] = []
        self.edges: list[Edge | None] = []  # None once a node has it
        self.nodes: list[list[Edge]] = []

    def forest(self, pairs: list[Any]) -> Forest:
        for key, value in pairs:
            if key == "rules":
                self.rules |= {
                    _whole(number, "a rule"): parse_rule(text)
                    for number, text in zip(value[::2] or (), value[1::2], strict=True)
                }
            elif key == "features":
                self.features = list(value or ())
            elif key == "edges":
                self.edges += [self.edge(dict(edge)) for edge in value]
            elif key == "node":
                self.nodes.append(
                    [self.take(_whole(number, "an edge")) for number in dict(value)["in_edges"] or ()]
                )
                if not self.nodes[-1]:
                    self.nodes[-1].append(Edge((), (), {}))
            elif key != "is_sorted":
                raise InputError(f"unknown key {key!r}; expected rules, features, edges or node")
        return build_forest(self.nodes, self.features)

    def edge(self, edge: dict[str, Any]) -> Edge:
        tails = tuple(_whole(tail, "a tail") for tail in edge.get("tail") or ())
        rule = self.rule(edge.get("rule"), len(tails))
        names = edge.get("feats") or []
        features: dict[str, float] = {}
        for key, value in zip(names[::2], names[1::2], strict=True):
            name = key if isinstance(key, str) else self.feature(_whole(key, "a feature"))
            if name in features:
                raise InputError(f"feature {name!r} has two values for one edge")
            features[name] = _value(name, value)
        spans = edge.get("spans") or _NO_SPAN
        span = _whole(spans[0], "a span"), _whole(spans[1], "a span")
        return Edge(tails, rule.target, features, span, rule.source, rule.links)

    def rule(self, rule: int | str | None, arity: int) -> CdecRule:
        """A rule is a number or a text; without rules, an edge yields its tails."""
        if isinstance(rule, str):
            return parse_rule(rule)
        if not rule:
            return CdecRule((), tuple(-1 - i for i in range(arity)))
        if _whole(rule, "a rule") not in self.rules:
            raise InputError(f"an edge has rule {rule}, which is not among the rules")
        return self.rules[rule]

    def feature(self, number: int) -> str:
        if not 0 <= number < len(self.features):
            raise InputError(f"an edge has feature {number}, of {len(self.features)}")
        return self.features[number]

    def take(self, number: int) -> Edge:
        edge = self.edges[number] if 0 <= number < len(self.edges) else None
        if edge is None:
            raise InputError(f"a node has the edge {number}, which does not exist or has another head")
        self.edges[number] = None
        return edge
