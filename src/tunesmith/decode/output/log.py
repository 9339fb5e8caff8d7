"""Log of each sentence, as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, BinaryIO

from tunesmith.decode.output.base import Decoded, Output
from tunesmith.decode.translation import UNKNOWN_WORD

__all__ = ["JsonLog", "record", "unknown_words"]


class JsonLog(Output):
    """One object per sentence; only `seconds` differs from run to run.

    `memory` includes what a thread keeps from the sentences before, so that it depends on threads and shards.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, batch: Sequence[Decoded]) -> None:
        lines = (json.dumps(record(found), ensure_ascii=False) for found in batch)
        self._stream.write("".join(f"{line}\n" for line in lines).encode("utf-8"))


def record(found: Decoded) -> dict[str, Any]:
    """Return the log record of a sentence."""
    request, translation = found
    return {
        "id": found.id,
        "found": translation.found,
        "source_words": request.columns,
        "unknown_words": unknown_words(found),
        "output_words": len(translation.text.split(" ")) if translation.text else 0,
        "score": translation.score if translation.found else None,
        "nodes": translation.native.nodes,
        "edges": translation.native.edges,
        "memory": translation.memory,
        "seconds": round(translation.native.seconds, 6),
    }


def unknown_words(found: Decoded) -> list[str]:
    """Return the unknown words that the best translation passed through or dropped.

    For a lattice only those that were passed through are known.
    """
    request, translation = found
    if not translation.unknown_words:
        return []
    unknown = [phrase for phrase in translation.phrases if phrase.rule == UNKNOWN_WORD]
    if request.lattice is None:
        source = request.words
        return [word for phrase in unknown for word in source[slice(*phrase.source)]]
    target = translation.text.split(" ")
    return [word for phrase in unknown for word in target[slice(*phrase.target)]]
