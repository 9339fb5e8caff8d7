"""Lenient JSON lines: keys that candidate lists do not have are dropped, or kept as features."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from tunesmith.candidates.names import first_names, repeated_names
from tunesmith.errors import IgnoredInputWarning, InputError

__all__ = ["without_extra_keys"]

SENTENCE = frozenset(["id", "hypotheses", "references", "source", "feature_names"])
HYPOTHESIS = frozenset(["text", "features", "scores", "total"])


def without_extra_keys(chunks: Iterator[bytes], *, keep: bool) -> Iterator[bytes]:
    """Yield the lines without unknown keys; warn at the end of what was dropped, and how often.

    With `keep`, an unknown key of a hypothesis whose value is a number becomes a feature. Other unknown keys
    are dropped: a pool has no place for them. Lines that are no JSON objects are left to the reader, which
    reports them.
    """
    dropped: Counter[str] = Counter()
    for number, line in enumerate(_lines(chunks), 1):
        try:
            sentence = json.loads(line, object_pairs_hook=partial(_object, line=number))
        except InputError:
            raise
        except (ValueError, RecursionError):
            sentence = None
        if not isinstance(sentence, dict):
            yield line
            continue
        for key in [key for key in sentence if key not in SENTENCE]:
            dropped[key] += 1
            del sentence[key]
        hypotheses = sentence.get("hypotheses")
        for hypothesis in hypotheses if isinstance(hypotheses, list) else []:
            if isinstance(hypothesis, dict):
                dropped.update(_clean(hypothesis, keep, number))
        yield json.dumps(sentence).encode() + b"\n"
    if dropped:
        shown = first_names([f"{key!r} ({count} times)" for key, count in dropped.most_common()])
        hint = "" if keep else "; to read numbers as features, keep them"
        warnings.warn(
            f"dropped keys that candidate lists do not have: {shown}{hint}", IgnoredInputWarning, stacklevel=2
        )


def _clean(hypothesis: dict[str, Any], keep: bool, line: int) -> list[str]:
    """Remove unknown keys in place; return those that were dropped."""
    dropped = []
    for key in [key for key in hypothesis if key not in HYPOTHESIS]:
        value = hypothesis.pop(key)
        features = hypothesis.setdefault("features", {}) if keep else {}
        if not keep or isinstance(value, bool) or not isinstance(value, int | float):
            dropped.append(key)
        elif not isinstance(features, dict):
            continue  # the reader reports these features
        elif key in features:
            raise InputError(f"{key!r} is a key of a hypothesis and one of its features", line=line)
        else:
            features[key] = value
    return dropped


def _object(pairs: list[tuple[str, Any]], *, line: int) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = repeated_names([name for name, _ in pairs])
        raise InputError(f"the key {twice} is repeated", line=line)
    return found


def _lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield lines with their ends; a byte order mark stays out."""
    rest: list[bytes] = []
    first = True
    for chunk in chunks:
        head, *more = chunk.split(b"\n")
        rest.append(head)
        for part in more:
            line, rest = b"".join(rest), [part]
            yield (line.removeprefix(b"\xef\xbb\xbf") if first else line) + b"\n"
            first = False
    if last := b"".join(rest):
        yield last.removeprefix(b"\xef\xbb\xbf") if first else last
