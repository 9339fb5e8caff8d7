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
from typing import NamedTuple, Self

from tunesmith.decode.given_grammars import check_grammars_kept
from tunesmith.decode.input.base import INPUT_FORMATS, detect
from tunesmith.decode.input.read import read_requests
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, read_lines
from tunesmith.json_files import check_record, parse_json
from tunesmith.systems.sentences import read_references
from tunesmith.tuning.online.shards import make_shards
from tunesmith.tuning.streaming.reading import STANDARD_INPUT, whole_number
from tunesmith.types import IntArray

__all__ = ["MOST_SHARDS", "NumberedLine", "StreamLine", "read_shards", "shard_key", "write_lines"]

_DIGITS = 5
MOST_SHARDS = 10**_DIGITS
"""More would have longer keys, which sort otherwise."""
_KINDS = {
    "shards": int,
    "size": int,
    "sentence": int,
    "fold": int,
    "source": str,
    "references": list[str],
}
_LEAST = {"shards": 1, "size": 1, "sentence": 0, "fold": -1}


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
            if (shard := whole_number(key)) is None:
                raise ValueError("it does not begin with the number of a shard and a tab")
            found = cls._of(shard, parse_json(text, "JSON"))
        except ValueError as error:  # an InputError is one
            raise InputError(
                f"expected the number of a shard, a tab and JSON of texts without line ends, as `tunesmith"
                f" stream lines` writes them, found {line[:60]!r}: {error}",
                path=STANDARD_INPUT,
                line=number,
            ) from None
        return found

    @classmethod
    def _of(cls, shard: int, record: object) -> Self:
        """Return the line of a shard with a record of JSON; a ValueError says what is wrong with it."""
        if not isinstance(record, dict) or sorted(record) != sorted(_KINDS):
            raise ValueError(f"its JSON does not have the fields {', '.join(_KINDS)}")
        for name, kind in _KINDS.items():
            check_record(name, kind, record[name])
        for name, least in _LEAST.items():
            if record[name] < least:
                raise ValueError(f"{name} must be at least {least}, not {record[name]}")
        if not shard < record["shards"] <= MOST_SHARDS:
            raise ValueError(f"shard {shard} is not one of {record['shards']}, or these are too many")
        references = tuple(record["references"])
        if not references:
            raise ValueError("there are no references")
        for text in (record["source"], *references):
            if "\n" in text:
                raise ValueError("a text has a line end")
            text.encode()  # half of a surrogate pair is a UnicodeEncodeError
        return cls(shard, **{**record, "references": references})

    def text(self) -> str:
        """Return the line, without a line end."""
        record = {name: getattr(self, name) for name in _KINDS}
        return f"{shard_key(self.shard)}\t{json.dumps(record, ensure_ascii=False)}"


class NumberedLine(NamedTuple):
    """A line, and its number in standard input, from 1."""

    line: StreamLine
    number: int


def read_shards(lines: Iterable[str]) -> Iterator[list[NumberedLine]]:
    """Yield the sentences of each shard in order; a shard that is not whole is an InputError."""
    parsed = sorted(
        NumberedLine(StreamLine.parse(line, number), number)
        for number, line in enumerate(lines, 1)
        if line.strip()
    )
    for each in parsed:
        if each.line.shards != parsed[0].line.shards:
            counts = sorted((each.line.shards, parsed[0].line.shards))
            raise _refused(
                each,
                f"some lines are of {counts[0]} shards, others of {counts[1]}; give those of one"
                " `stream lines`",
            )
    for shard, group in groupby(parsed, key=lambda each: each.line.shard):
        found = list(group)
        first = found[0].line
        for each in found:
            own = each.line
            if (own.size, own.fold) != (first.size, first.fold):
                raise _refused(each, f"the lines of shard {shard} differ in size or fold")
            if len(own.references) != len(parsed[0].line.references):
                raise _refused(each, "lines have different numbers of references; expected as many in each")
        numbers = {each.line.sentence for each in found}
        if len(found) != first.size or len(numbers) != len(found):
            raise _refused(
                found[0],
                f"shard {shard} has {len(numbers)} sentences in {len(found)} lines, not {first.size}; all"
                " lines of a shard must come to one mapper, once: give it whole files, such as one per shard",
            )
        yield found


def _refused(found: NumberedLine, message: str) -> InputError:
    return InputError(message, path=STANDARD_INPUT, line=found.number)


def write_lines(
    source: PathLike,
    references: Sequence[PathLike],
    *,
    shards: int,
    seed: int,
    folds: IntArray | None = None,
    input_format: str | None = None,
    shuffle: bool = True,
    outputs: Sequence[PathLike] = (),
) -> Iterator[StreamLine]:
    """Yield the lines of a tuning set, shard by shard; shards are those of `tune_online`.

    Files of rules that lines name are put into the lines; one that is among the `outputs` is an InputError.
    """
    texts, of_all = read_lines(source), read_references(list(references))
    if len(texts) != len(of_all[0]):
        raise InputError(
            f"{source} has {len(texts)} lines, but {references[0]} {len(of_all[0])}; expected one line per"
            " sentence"
        )
    batches = check_grammars_kept(read_requests(source, input_format), outputs, source)
    requests = [request for batch in batches for request in batch]
    if len(requests) != len(texts):
        raise InputError(f"has {len(requests)} sentences in {len(texts)} lines; expected lines", path=source)
    made = make_shards(len(texts), shards, seed, folds, shuffle=shuffle)
    if len(made) > MOST_SHARDS:
        raise OptionError("{} must be at most {most}, not {found}", "shards", most=MOST_SHARDS, found=shards)
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
