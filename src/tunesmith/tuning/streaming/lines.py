"""The input of a mapper: a line per sentence, with all that is known about it, so that no other data moves.

A line is the number of its shard, from 0, with leading zeros, a tab, and JSON: `source` as `decode` reads it
(rules of the sentence in it), `references`, `sentence` (its number in the tuning set, from 0), `fold` (-1: of
no fold), `size` (sentences of the shard) and `shards` (number of all).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from tunesmith.decode.input.base import INPUT_FORMATS, detect
from tunesmith.decode.input.read import read_requests
from tunesmith.errors import InputError
from tunesmith.files import PathLike, read_lines
from tunesmith.json_files import check_record
from tunesmith.tuning.loop.judge import read_references
from tunesmith.tuning.online.shards import make_shards
from tunesmith.tuning.streaming.reading import STANDARD_INPUT
from tunesmith.types import IntArray

__all__ = ["StreamLine", "read_shards", "shard_key", "write_lines"]

_DIGITS = 5
_KINDS = {
    "shards": int,
    "size": int,
    "sentence": int,
    "fold": int,
    "source": str,
    "references": list[str],
}


def shard_key(shard: int) -> str:
    """Return the key of a shard, from 0: `sort` keeps the order of keys."""
    return f"{shard:0{_DIGITS}d}"


@dataclass(frozen=True, order=True)
class StreamLine:
    """A sentence of a shard; in the order of shards and sentences."""

    shard: int
    sentence: int
    shards: int
    size: int
    fold: int
    source: str
    references: tuple[str, ...]

    @classmethod
    def parse(cls, line: str, number: int) -> StreamLine:
        """Read a line of standard input; `number` is for errors, from 1."""
        key, _, text = line.partition("\t")
        try:
            record: dict[str, Any] = json.loads(text)
            for name, kind in _KINDS.items():
                check_record(name, kind, record[name])
            found = cls(int(key), references=tuple(record.pop("references")), **record)
            if not (0 <= found.shard < found.shards and found.size > 0 and found.references):
                raise ValueError
            if any("\n" in text for text in (found.source, *found.references)):
                raise ValueError
        except (ValueError, TypeError, KeyError, AttributeError):
            raise InputError(
                f"expected the number of a shard, a tab and JSON of texts without line ends, as `tunesmith"
                f" stream lines` writes them, found {line[:60]!r}",
                path=STANDARD_INPUT,
                line=number,
            ) from None
        return found

    def text(self) -> str:
        """Return the line, without a line end."""
        record = {name: getattr(self, name) for name in _KINDS}
        return f"{shard_key(self.shard)}\t{json.dumps(record, ensure_ascii=False)}"


def read_shards(lines: Iterable[str]) -> Iterator[list[StreamLine]]:
    """Yield the sentences of each shard in order; a shard that is not whole is an InputError."""
    parsed = sorted(StreamLine.parse(line, number) for number, line in enumerate(lines, 1) if line.strip())
    counts = sorted({line.shards for line in parsed})
    if len(counts) > 1:
        raise InputError(
            f"some lines are of {counts[0]} shards, others of {counts[1]}; give those of one `stream lines`",
            path=STANDARD_INPUT,
        )
    for shard, group in groupby(parsed, key=lambda line: line.shard):
        found = list(group)
        numbers = {line.sentence for line in found}
        sizes = {(line.size, line.fold, len(line.references)) for line in found}
        if len(sizes) > 1:
            raise InputError(f"the lines of shard {shard} differ in size, fold or references")
        if len(found) != found[0].size or len(numbers) != len(found):
            raise InputError(
                f"shard {shard} has {len(numbers)} sentences in {len(found)} lines, not {found[0].size}; all"
                " lines of a shard must come to one mapper, once: give it whole files, such as one per shard"
            )
        yield found


def write_lines(
    source: PathLike,
    references: Sequence[PathLike],
    *,
    shards: int,
    seed: int,
    folds: IntArray | None = None,
    input_format: str | None = None,
    shuffle: bool = True,
) -> Iterator[StreamLine]:
    """Yield the lines of a tuning set, shard by shard; shards are those of `tune_online`.

    Files of rules that lines name are put into the lines.
    """
    texts, of_all = read_lines(source), read_references(list(references))
    if len(texts) != len(of_all[0]):
        raise InputError(
            f"{source} has {len(texts)} lines, but {references[0]} {len(of_all[0])}; expected one line per"
            " sentence"
        )
    requests = [request for batch in read_requests(source, input_format) for request in batch]
    if len(requests) != len(texts):
        raise InputError(f"has {len(requests)} sentences in {len(texts)} lines; expected lines", path=source)
    made = make_shards(len(texts), shards, seed, folds, shuffle=shuffle)
    for shard in range(len(made)):
        own = made[shard].tolist()
        for sentence in own:
            request = requests[sentence]
            text = texts[sentence]
            if request.grammar is not None:
                text = _with_rules(text, request.grammar, request.grammar_number, input_format)
            given = tuple(reference[sentence] for reference in of_all)
            yield StreamLine(shard, sentence, len(made), len(own), int(made.folds[shard]), text, given)


def _with_rules(line: str, grammar: PathLike, number: int | None, input_format: str | None) -> str:
    """Return a `<seg>` line with the rules of a file in it, in place of the file's name."""
    if number is not None:
        raise InputError(
            "is a mapped file of many grammars, which cannot be put into lines; extract them without"
            " --mapped",
            path=grammar,
        )
    rules = [rule for rule in read_lines(grammar) if rule.strip()]
    if any(not rule.startswith("[") or rule.count("|||") < 3 for rule in rules):
        raise InputError("expected rules in cdec's format, `[X] ||| ... ||| ... ||| ...`", path=grammar)
    kind = detect(line) if input_format is None else INPUT_FORMATS[input_format]
    head, end, rest = line.partition("</seg>")
    before, _, after = head.partition("grammar=")
    quote = after[:1]
    text = before + after[1:].partition(quote)[2] + end
    made = "\t".join([text, "", *rules]) if rules else text + rest
    if kind.parse(made).grammar is not None:
        raise InputError(f"cannot take the grammar out of {line[:60]!r}; give its rules in the line")
    return made
