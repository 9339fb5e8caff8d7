"""Many sentences at a time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tunesmith.decode import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.errors import InputError
from tunesmith.features import Sentence, StatefulTemplate, Step, Values


@dataclass(frozen=True)
class Begun(StatefulTemplate[int]):
    """Notes each search that begins."""

    name: str = "Begun"
    columns: list[int] = field(default_factory=list)

    def start(self, sentence: Sentence) -> int:
        self.columns.append(sentence.columns)
        return 0

    def apply(self, tails: tuple[int, ...], step: Step) -> tuple[int, Values]:
        return 0, {}


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_failure_is_told_and_ends_the_batch(small_model: Path, threads: int):
    begun = Begun()
    decoder = PhraseDecoder.open(small_model, templates=[begun])
    good, bad = Request("a"), Request("a b c", phrases=((0, 2, "x"), (1, 3, "y")))
    requests = [replace(good, line=1), *(replace(bad, line=line) for line in (2, 3, 4)), *[good] * 200]
    with pytest.raises(InputError, match="overlap") as caught:
        list(decoder.translate_all(requests, threads=threads))
    assert caught.value.line == 2
    assert 1 <= len(begun.columns) < 100
