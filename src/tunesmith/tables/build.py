"""Building a phrase table from a stream of pairs grouped by source phrase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tunesmith import _native
from tunesmith.corpus import Vocabulary
from tunesmith.errors import OptionError
from tunesmith.files import PathLike, check_output
from tunesmith.tables.notes import MOSES_SCORES, note, order_of
from tunesmith.tables.phrase_table import PhraseTable

__all__ = ["PhraseTableBuilder"]


class PhraseTableBuilder:
    """Writes a table; `native` is the sink into which native code streams pairs.

    `reordering` are the types and numbers of probabilities of the reordering models, in the order in which
    they are concatenated in a pair. As a context manager it removes its files on failure.
    """

    def __init__(
        self,
        path: PathLike,
        *,
        scores: Sequence[str] = MOSES_SCORES,
        reordering: Sequence[tuple[str, int]] = (),
    ) -> None:
        if not scores:
            raise OptionError("a phrase table needs at least one score")
        check_output(path)
        self.path = path
        self.scores = tuple(scores)
        self.reordering = tuple(reordering)
        self.native = _native.PhraseTableBuilder(
            str(path),
            scores=len(self.scores),
            reordering=sum(width for _, width in self.reordering),
            order=order_of(self.scores),
        )

    def __enter__(self) -> PhraseTableBuilder:
        return self

    def __exit__(self, *failure: object) -> None:
        self.native.abandon()  # does nothing after `finish`

    def finish(self, source: Vocabulary, target: Vocabulary, **about: Any) -> PhraseTable:
        """Write the table, with only the words that occur in its phrases."""
        words = source.native.texts(), target.native.texts()
        self.native.finish(*words, note(self.scores, self.reordering, **about))
        return PhraseTable.open(self.path)
