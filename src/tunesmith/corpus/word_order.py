"""How far apart aligned words stand: the jumps and spans that decoders need to reproduce a bitext."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from tunesmith import _native
from tunesmith.corpus.alignments import Alignments
from tunesmith.corpus.bitext import Bitext
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.json_files import check_format, read_json, record_of
from tunesmith.threads import thread_count

__all__ = ["WordOrder"]

FORMAT, VERSION = "tunesmith-word-order", 1


@dataclass(frozen=True)
class WordOrder:
    """Counts of a word-aligned text; entry i of a histogram counts the value i.

    Each pair is cut into the finest phrase pairs that cover all links and overlap on neither side; unaligned
    source words belong to the phrase before them.

    - `jumps`: between phrases that are neighbors in the target, |begin - end of the one before|: Moses'
      distortion (begin - last word - 1). `longest_jumps`: the longest per pair.
    - `spans`: source words of the shortest segments that are translated without a gap and in order; 0 if such
      a segment is one phrase. Between segments a hierarchical decoder may use glue; within one, a rule must
      cover all its words. `widest_spans`: the widest per pair.
    """

    jumps: tuple[int, ...]
    longest_jumps: tuple[int, ...]
    spans: tuple[int, ...]
    widest_spans: tuple[int, ...]
    pairs: int
    source_words: int
    target_words: int
    unaligned_source: int
    unaligned_target: int

    @classmethod
    def measure(cls, bitext: Bitext, alignments: Alignments, *, threads: int | None = None) -> WordOrder:
        """Measure a text; O(links log links) per pair."""
        found = _native.measure_word_order(
            alignments.arrays, bitext.source.arrays, bitext.target.arrays, thread_count(threads)
        )
        values: dict[str, Any] = {field.name: getattr(found, field.name) for field in fields(cls)}
        return cls(**{name: _frozen(value) for name, value in values.items()})

    def share_of_jumps(self, limit: int) -> float:
        """Return the share of the jumps that a distortion limit allows; 1 if there are none."""
        return _share(self.jumps, limit)

    def share_of_words(self, limit: int) -> float:
        """Return the share of the source words that are not in reordered segments wider than a limit."""
        wider = sum(width * count for width, count in enumerate(self.spans) if width > limit)
        return 1 - wider / self.source_words if self.source_words else 1.0

    def share_of_pairs_by_jump(self, limit: int) -> float:
        """Return the share of the pairs with links whose jumps are all within a distortion limit."""
        return _share(self.longest_jumps, limit)

    def share_of_pairs_by_span(self, limit: int) -> float:
        """Return the share of the pairs with links that have no reordered segment wider than a limit."""
        return _share(self.widest_spans, limit)

    @property
    def unaligned(self) -> float:
        """The share of words without a link, of the side that has more of them."""
        sides = (self.unaligned_source, self.source_words), (self.unaligned_target, self.target_words)
        return max(count / words if words else 0.0 for count, words in sides)

    def write(self, path: PathLike) -> None:
        """Write the counts as JSON."""
        record = {"format": FORMAT, "version": VERSION, **asdict(self)}
        with open_write(path) as stream:
            stream.write((json.dumps(record) + "\n").encode())

    @classmethod
    def read(cls, path: PathLike) -> WordOrder:
        """Read the counts; anything else is an InputError."""
        record: dict[str, Any] = read_json(path, "counts of word order")
        try:
            check_format(record, FORMAT, VERSION, "train the model again", path=path)
            return record_of(cls, {name: record[name] for name in (field.name for field in fields(cls))})
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"is not counts of word order ({error!r:.200})", path=path) from None


def _share(histogram: tuple[int, ...], limit: int) -> float:
    """Return the share of the entries up to a limit; 1 if there are none."""
    total = sum(histogram)
    return sum(histogram[: limit + 1]) / total if total else 1.0


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
