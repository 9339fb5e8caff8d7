"""The lines of Mr. MIRA's protocol between a learner and a decoder.

The learner sends `<seg id="N" delta="B64"> source </seg>[\\tgrammar]`, where the delta is added to the
decoder's weights. The decoder answers with a count, then this many lines
`N ||| words of the source ||| translation ||| B64 ||| score`; for features in base64 see `feature_bytes`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from tunesmith.decode.segmentation import ESCAPED, SEPARATOR
from tunesmith.errors import InputError
from tunesmith.systems.external.feature_bytes import (
    encode_features,
    other_last_values,
    restore_features,
)

__all__ = ["MiraCandidate", "MiraSentence"]

_SEG = re.compile(r"\s*<seg(\s[^>]*)?>(.*?)</seg>(.*)", re.DOTALL)
_ID = re.compile(r"""\sid\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_DELTA = re.compile(r"\sdelta\s*=")
_RULE = re.compile(r"\s*\[[^\s\[\]]+\]\s*\|\|\|")
_NO_FEATURES = "AAAA"
"""An empty name in base64: the original learner reads words, and would decode the next separator."""
_SCORE_DIGITS = 1e-5
"""Relative difference of a score from features times weights that printing six digits of it may make."""
_WHOLE = re.compile("[0-9]{1,18}")


@dataclass(frozen=True)
class MiraSentence:
    """A sentence as a learner sends it: id, other attributes of its tag, text, and grammar."""

    id: str
    attributes: str
    text: str
    grammar: str = ""

    @classmethod
    def parse(cls, line: str, number: int) -> Self:
        """Read a line of the learner's input: a plain sentence, whose id is its number, or a `<seg>`.

        References follow the tag after a tab or `|||`, and are ignored; rules follow after another tab.
        """
        if not re.match(r"\s*<seg[\s>]", line):
            if "</seg>" in line:
                raise InputError("a sentence contains </seg>; expected text without tags")
            return cls(str(number), "", " ".join(line.split("\t")).strip())
        found = _SEG.fullmatch(line)
        if found is None:
            raise InputError(f"""expected <seg id="{number}">text</seg>, found {line.strip()[:60]!r}""")
        tag, text, rest = found[1] or "", found[2], found[3]
        if _DELTA.search(tag):
            raise InputError("the <seg> has a delta already; expected the learner's input, without weights")
        name = _ID.search(tag)
        attributes = tag if name is None else tag[: name.start()] + tag[name.end() :]
        identity = str(number) if name is None else (name[1] or name[2] or "").strip()
        if not _WHOLE.fullmatch(identity):
            raise InputError(f"the id of the <seg> is {identity!r}; expected a whole number")
        return cls(identity, attributes.strip(), text.strip(), _grammar(rest))

    def line(self, delta: Mapping[str, float]) -> str:
        """Return the line for the decoder."""
        tag = f'seg id="{self.id}" delta="{encode_features(delta)}"'
        more = f" {self.attributes}" if self.attributes else ""
        grammar = f"\t{self.grammar}" if self.grammar else ""
        return f"<{tag}{more}> {self.text} </seg>{grammar}"


def _grammar(rest: str) -> str:
    """Return the rules after a tag: all after the field of references, which may be missing."""
    _, *fields = rest.split("\t")
    return "\t".join(fields if fields and _RULE.match(fields[0]) else fields[1:])


@dataclass(frozen=True)
class MiraCandidate:
    """A line of a decoder's answer."""

    id: str
    source_words: int
    text: str
    features: Mapping[str, float]
    score: float

    @classmethod
    def parse(cls, line: str, weights: Mapping[str, float] | None = None) -> Self:
        """Read a line; the translation may contain `|||`, since the fields around it cannot.

        What cdec cuts off the last feature is restored, see `restore_features`; with the decoder's `weights`
        such that features times weights are the score, if that tells.
        """
        fields = line.split(SEPARATOR)
        if len(fields) < 5:
            raise InputError(
                f"expected 'id ||| words ||| translation ||| features ||| score', found {line[:60]!r}"
            )
        identity, words, features, score = (fields[index].strip() for index in (0, 1, -2, -1))
        if not _WHOLE.fullmatch(words):
            raise InputError(f"expected the number of source words, found {words[:60]!r}")
        try:
            value = float(score)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError(f"the score is {score[:60]!r}; expected a finite number")
        text = SEPARATOR.join(fields[2:-2]).strip()
        found = restore_features(features)
        if weights is not None and (others := other_last_values(features)):
            found = _explaining(value, found, others, weights)
        return cls(identity, int(words), text, found, value)

    def line(self) -> str:
        """Return the line of an answer; `|||` within the text is escaped, as in n-best lists."""
        text = self.text.replace(SEPARATOR, ESCAPED)
        features = encode_features(self.features) or _NO_FEATURES
        fields = (self.id, self.source_words, text, features, repr(self.score))
        return f" {SEPARATOR} ".join(map(str, fields))


def _explaining(
    score: float, features: dict[str, float], others: list[float], weights: Mapping[str, float]
) -> dict[str, float]:
    """Return the features with the last value that explains the score: as it is, if it does or nothing does,
    or else the first of `others`."""
    *known, name = features
    products = [weights.get(each, 0.0) * features[each] for each in known]
    rest, size, weight = score - sum(products), abs(score) + sum(map(abs, products)), weights.get(name, 0.0)

    def explains(value: float) -> bool:
        return abs(rest - weight * value) <= _SCORE_DIGITS * (size + abs(weight * value))

    fitting = (value for value in (features[name], *others) if explains(value))
    return features | {name: next(fitting, features[name])}
