"""Names of sparse features as Moses writes them, `TB_the:house`, and as templates do, `TB_the_house`.

Moses puts words into names as they are; ours are parts (`tunesmith.features.word_parts`). Where the words of
Moses' name have its separator in them, the first place counts that leaves a word on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tunesmith.errors import InputError
from tunesmith.features.base import Template
from tunesmith.features.lengths import Lengths
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.features.target_bigrams import TargetBigrams
from tunesmith.features.word_deletion import WordDeletion
from tunesmith.features.word_insertion import WordInsertion
from tunesmith.features.word_parts import END, OTHER, START, word_of, word_part
from tunesmith.features.word_translations import WordTranslations
from tunesmith.tables.reordering import ReorderingSpec

__all__ = ["from_moses", "name_from_moses", "to_moses"]

_ORIENTED = re.compile(
    r"(?P<place>(?:phr|stk)-(?:src|tgt)-(?:first|last)|btn-src-first)"
    r"-(?:(?P<count>\d+)-cluster_(?P<cluster>.+)|[^-]+-(?P<word>.+))-(?P<orientation>\d)"
)
_PLACES = {"phr": "phrase", "stk": "stack", "btn": "between", "src": "source", "tgt": "target"}


def from_moses(template: Template, rest: str) -> str | None:
    """Return the end of the template's name for that of Moses; None if Moses has no such names."""
    for kind, rule in _FROM.items():
        if isinstance(template, kind):
            return rule(rest)
    return _oriented(template, rest) if isinstance(template, SparseReordering) else None


def name_from_moses(template: Template, name: str) -> str | None:
    """Return the name that a template has for a name of Moses; None if it cannot have the feature.

    Moses' name begins with that of the template, or, of features whose form shows their kind (`a:b`, `f~e`,
    `4,2`), it may lack it.
    """
    rest = template.rest_of(name)
    if rest is None:
        shows_kind = any(isinstance(template, kind) and mark in name for kind, mark in _MARKS.items())
        rest = name if shows_kind else None
    found = None if rest is None else from_moses(template, rest)
    whole = f"{template.name}_{found}"
    return whole if found is not None and template.admits(whole) else None


def to_moses(template: Template, rest: str) -> str:
    """Return the end of Moses' name for that of a template."""
    if isinstance(template, TargetBigrams):
        return _joined(rest, ":")
    if isinstance(template, WordTranslations):
        return _joined(rest, "~")
    if isinstance(template, Lengths):
        return rest.replace("x", ",")
    if rest == word_part(OTHER):
        raise InputError(
            f"cannot write the weight of the word {OTHER!r} for Moses: there it is of all others"
        )
    return word_of(rest)


def _pair(rest: str, separator: str) -> list[str] | None:
    at = rest.find(separator, 1)
    return None if at < 0 or at + 1 == len(rest) else [rest[:at], rest[at + 1 :]]


def _bigram(rest: str) -> str | None:
    found = _pair(rest, ":")
    if found is None:
        return None
    return "_".join(
        word if word == border else word_part(word) for word, border in zip(found, (START, END), strict=True)
    )


def _translation(rest: str) -> str | None:
    found = _pair(rest, "~")
    return None if found is None else "_".join(map(word_part, found))


def _listed(rest: str) -> str:
    return rest if rest == OTHER else word_part(rest)


_FROM: dict[type[Template], Callable[[str], str | None]] = {
    TargetBigrams: _bigram,
    WordTranslations: _translation,
    Lengths: lambda rest: rest.replace(",", "x"),
    WordDeletion: _listed,
    WordInsertion: _listed,
}
_MARKS: dict[type[Template], str] = {TargetBigrams: ":", WordTranslations: "~", Lengths: ","}


def _oriented(template: SparseReordering, rest: str) -> str | None:
    """Return `phrase_source_first_w_das_swap` of `phr-src-first-top-das-1`, whatever the list is called."""
    found = _ORIENTED.fullmatch(rest)
    labels = ReorderingSpec(template.model, template.orientations).labels
    if found is None or int(found["orientation"]) >= len(labels):
        return None
    places = [_PLACES.get(each, each) for each in found["place"].split("-")]
    label = f"w_{word_part(found['word'])}" if found["word"] else f"C{found['count']}_c{found['cluster']}"
    begin = places[:1] if places[0] == "between" else places
    return "_".join((*begin, label, labels[int(found["orientation"])]))


def _joined(rest: str, separator: str) -> str:
    """Return `a:b` of `a_b`; another pair of words that Moses would write so is an InputError."""
    words = [part if part in (START, END) else word_of(part) for part in rest.split("_")]
    if len(words) != 2:
        raise InputError(
            f"cannot write the weight of {rest!r} for Moses: expected two words, joined by an underscore;"
            " remove it"
        )
    text = separator.join(words)
    if _pair(text, separator) != words:
        raise InputError(
            f"cannot write the weight of {rest!r} for Moses: with {separator!r} in its words, it would be"
            " that of another pair; remove it"
        )
    return text
