"""The best translations, one line per sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import BinaryIO

from tunesmith.corpus.side import Side
from tunesmith.decode.output.base import Decoded, Output
from tunesmith.decode.output.readable import forms_of_unknown
from tunesmith.decode.translation import Translation
from tunesmith.texts import Texts

__all__ = ["BestText", "segmented"]


class BestText(Output):
    """Lines of words, or with `segments` of phrases and pieces of rules: `the house |0-1| is |2-2|`.

    The `readable` side makes readable text of words.
    """

    def __init__(self, stream: BinaryIO, *, segments: bool = False, readable: Side | None = None) -> None:
        self._stream = stream
        self._segments = segments
        self._readable = readable

    def write(self, batch: Sequence[Decoded]) -> None:
        texts: Iterable[str] = (
            segmented(found.translation) if self._segments else found.translation.text for found in batch
        )
        if self._readable is not None:
            forms = [
                forms_of_unknown(request, found.phrases if request.written else (), found.text)
                for request, found in batch
            ]
            texts = self._readable.restore(Texts.of(texts), forms)
        self._stream.write("".join(f"{text}\n" for text in texts).encode("utf-8"))


def segmented(translation: Translation) -> str:
    """Return the translation with the source span (first-last) after each segment, as Moses' -t does."""
    words = translation.text.split(" ")
    pieces: list[str] = []
    for phrase in translation.segments:
        first, end = phrase.source
        pieces += [*words[slice(*phrase.target)], f"|{first}-{end - 1}|"]
    return " ".join(pieces)
