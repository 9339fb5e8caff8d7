"""Preparation: raw parallel text in, tokenized, cased, cleaned and de-duplicated text out."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from tunesmith.corpus.blocks import parallel_blocks, write_block
from tunesmith.corpus.characters import Characters
from tunesmith.corpus.clean import Cleaning, count_tokens, lowercase, space_lines
from tunesmith.corpus.duplicates import Duplicates
from tunesmith.corpus.pair_counts import PairCounts, PairTally
from tunesmith.corpus.side import SEGMENTATION, SIDES, Side, SideName, name_programs, side_of
from tunesmith.corpus.tokenize import Tokenizer
from tunesmith.corpus.truecase import CasingCounts, Truecaser
from tunesmith.corpus.unsplit import check_split
from tunesmith.errors import InputError, Message, OptionError
from tunesmith.files import PathLike, check_outputs, open_write
from tunesmith.folders import temporary_folder
from tunesmith.options import check_options, option, same_option
from tunesmith.texts import Texts
from tunesmith.types import BoolArray, IntArray

__all__ = ["PrepareOptions", "Prepared", "prepare"]

Progress = Callable[[str], None]


@dataclass(frozen=True)
class PrepareOptions:
    """Options of preparation; lengths, ratio and controls are those of `Cleaning`."""

    source_language: str | None = option(
        None, help="Code of the source language, such as de; needed to tokenize."
    )
    target_language: str | None = option(
        None, help="Code of the target language, such as en; needed to tokenize."
    )
    tokenize: Literal["moses", "none"] = option(
        "moses", help="moses (tokenize raw text as Moses does) or none (the text is tokenized already)."
    )
    case: Literal["lower", "true", "keep"] = option(
        "lower", help="lower (lowercase), true (truecase, as learned from the text) or keep."
    )
    min_length: int = same_option(Cleaning, "min_length")
    max_length: int = same_option(Cleaning, "max_length")
    ratio: float = same_option(Cleaning, "ratio")
    controls: Literal["remove", "drop"] = same_option(Cleaning, "controls")
    deduplicate: Literal["no", "pair", "source", "target"] = option(
        "no", help="{choices}: keep the first of equal ones."
    )
    source_segmenter: str | None = option(
        None,
        help="Command that splits source lines into tokens, after the tokenizer; or python:module:name; or"
        " characters (text without spaces, such as Chinese, character by character).",
    )
    source_joiner: str | None = option(
        None, help="Command that undoes the source segmenter; or characters (no spaces in such scripts)."
    )
    source_join_with: str | None = option(
        None, help="The same without a command: the text between source tokens, '' for none."
    )
    target_segmenter: str | None = option(
        None,
        help="Command that splits target lines into tokens, after the tokenizer; or python:module:name; or"
        " characters (text without spaces, such as Chinese, character by character).",
    )
    target_joiner: str | None = option(
        None, help="Command that undoes the target segmenter; or characters (no spaces in such scripts)."
    )
    target_join_with: str | None = option(
        None, help="The same without a command: the text between target tokens, '' for none."
    )
    characters: Characters = same_option(Tokenizer, "characters")

    def __post_init__(self) -> None:
        name_programs(self)
        check_options(self, "prepare")
        if self.tokenize == "moses" and not (
            (self.source_language or self.source_segmenter)
            and (self.target_language or self.target_segmenter)
        ):
            raise OptionError(
                "prepare: name the languages of both sides, {} and {}, or set {} to none",
                "source_language",
                "target_language",
                "tokenize",
            )
        _ = self.cleaning, self.sides

    @property
    def cleaning(self) -> Cleaning:
        """Which pairs to keep."""
        return Cleaning(self.min_length, self.max_length, self.ratio, self.controls)

    @property
    def sides(self) -> tuple[Side, Side]:
        """The preparation of both sides, without models of case."""
        return side_of(asdict(self), "source"), side_of(asdict(self), "target")

    def segmentation(self, side: SideName | None = None) -> dict[str, str]:
        """Return the options of segmenters that are given, of one side or both."""
        given = {name: getattr(self, name) for name in SEGMENTATION if name.startswith(side or "")}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def determinants(self) -> dict[str, Any]:
        """The options that results depend on; segmenters only if they are given."""
        apart = (*SEGMENTATION, "characters")
        chosen = {name: value for name, value in asdict(self).items() if name not in apart}
        return chosen | self.segmentation() | self.recorded_characters

    @property
    def recorded_characters(self) -> dict[str, str]:
        """The option `characters` if text is tokenized; tokenized text is taken as it is."""
        return {} if self.tokenize == "none" else {"characters": self.characters}

    @property
    def suffixes(self) -> tuple[str, str]:
        """The suffixes of the files: languages, or `source` and `target` if the languages are equal."""
        return suffixes_of(self.source_language, self.target_language)


def suffixes_of(source_language: str | None, target_language: str | None) -> tuple[str, str]:
    """Return the suffixes of both sides: languages, or `source` and `target` if they are equal or unknown."""
    names = source_language or "source", target_language or "target"
    return names if names[0] != names[1] else ("source", "target")


@dataclass(frozen=True, eq=False)
class Prepared:
    """The files written, the rows (from 0) of the raw text that were kept, and counts.

    `pairs` says how many were dropped and why; `tokens` is the number of tokens kept per side.
    """

    source: Path
    target: Path
    documents: Path | None
    rows: IntArray
    pairs: PairCounts
    tokens: tuple[int, int]
    truecasers: tuple[Truecaser, Truecaser] | None

    @property
    def counts(self) -> dict[str, int]:
        """The number of pairs by reason, `kept` included."""
        return dict(self.pairs.counts)


class _Block(NamedTuple):
    rows: IntArray
    sides: tuple[Texts, ...]  # source, target and, if given, documents

    def take(self, kept: BoolArray) -> _Block:
        chosen = np.flatnonzero(kept)
        return _Block(self.rows[chosen], tuple(side.take(chosen) for side in self.sides))


def prepare(
    source: PathLike,
    target: PathLike,
    output: PathLike,
    options: PrepareOptions,
    *,
    documents: PathLike | None = None,
    lines: PathLike | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Prepared:
    """Write `<output>.<language>` for both sides, `<output>.docs` and, with case "true", the truecasers.

    `documents` has one id per line and is filtered alike; `lines` is a file for the numbers, from 1, of the
    raw lines that were kept. Text is processed in blocks: one pass, or two with a truecaser, which must be
    trained on all of it first. All files are written, or none.
    """
    say = progress or (lambda line: None)
    names = [*options.suffixes, "docs"][: 3 if documents is not None else 2]
    paths = [Path(f"{output}.{name}") for name in names]
    inputs = [source, target] if documents is None else [source, target, documents]
    models = [f"{output}.truecase.{name}" for name in options.suffixes] if options.case == "true" else []
    check_outputs([*paths, *models, lines], inputs)
    tally = PairTally(options.cleaning)
    truecasers: tuple[Truecaser, Truecaser] | None = None
    with contextlib.ExitStack() as stack:
        blocks = _cleaned(_tokenized(inputs, options, threads, say), options, tally)
        if options.case == "true":
            folder = stack.enter_context(temporary_folder(".prepare.", paths[0].parent))
            blocks, truecasers = _truecased(blocks, [Path(folder) / name for name in names])
        elif options.case == "lower":
            blocks = (_Block(b.rows, (*map(lowercase, b.sides[:2]), *b.sides[2:])) for b in blocks)
        if options.deduplicate != "no":
            blocks = _deduplicated(blocks, Duplicates(options.deduplicate), tally)
        streams = [stack.enter_context(open_write(path)) for path in paths]
        rows = [np.zeros(0, dtype=np.int64)]
        tokens = np.zeros(2, dtype=np.int64)
        for block in blocks:
            rows.append(block.rows)
            tokens += [int(count_tokens(side).sum()) for side in block.sides[:2]]
            for stream, side in zip(streams, block.sides, strict=True):
                write_block(stream, side)
        kept = np.concatenate(rows)
        pairs = tally.result(len(kept))
        if not len(kept):
            report = pairs.report
            text = f"no pair is left after cleaning: {report.template}"
            raise InputError(Message(text, *report.options, **report.values), path=source)
        for truecaser, model in zip(truecasers or (), models, strict=True):
            streams.append(stack.enter_context(open_write(model)))
            truecaser.write(streams[-1])
        if lines is not None:
            streams.append(stack.enter_context(open_write(lines)))
            streams[-1].write("".join(f"{row + 1}\n" for row in kept.tolist()).encode())
        for stream in streams:
            stream.flush()  # so that a full disk fails before the first rename
    say(pairs.report)
    written = paths[2] if documents is not None else None
    return Prepared(paths[0], paths[1], written, kept, pairs, (int(tokens[0]), int(tokens[1])), truecasers)


def _tokenized(
    inputs: list[PathLike], options: PrepareOptions, threads: int | None, say: Progress
) -> Iterator[tuple[_Block, BoolArray]]:
    """Yield tokenized blocks, with a mask of pairs that had control characters."""
    done = 0
    for texts in parallel_blocks(inputs):
        spaced = [space_lines(side) for side in texts[:2]]
        sides = [
            side.tokenized(lines, threads) for (lines, _), side in zip(spaced, options.sides, strict=True)
        ]
        if not done:
            for tokens, side, name, path in zip(sides, options.sides, SIDES, inputs, strict=False):
                check_split(tokens, side, name, path)
        rows = np.arange(done, done + len(texts[0]), dtype=np.int64)
        yield _Block(rows, (*sides, *texts[2:])), spaced[0][1] | spaced[1][1]
        done += len(texts[0])
        say(f"read {done} pairs")


def _cleaned(
    blocks: Iterator[tuple[_Block, BoolArray]], options: PrepareOptions, tally: PairTally
) -> Iterator[_Block]:
    for block, controls in blocks:
        source, target = (count_tokens(side) for side in block.sides[:2])
        codes = options.cleaning.reasons(source, target, controls)
        tally.drop_by_code(codes, block.rows)
        yield block.take(codes == 0)


def _deduplicated(blocks: Iterator[_Block], duplicates: Duplicates, tally: PairTally) -> Iterator[_Block]:
    for block in blocks:
        repeated = duplicates.add(*block.sides[:2])
        tally.drop("duplicate", block.rows, repeated)
        yield block.take(~repeated)


def _truecased(
    blocks: Iterator[_Block], waiting: list[Path]
) -> tuple[Iterator[_Block], tuple[Truecaser, Truecaser]]:
    """Train on all blocks, buffered in files, and return them truecased."""
    casings = CasingCounts(), CasingCounts()
    rows = [np.zeros(0, dtype=np.int64)]
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(open_write(path)) for path in waiting]
        for block in blocks:
            rows.append(block.rows)
            for casing, side in zip(casings, block.sides, strict=False):
                casing.add(side)
            for stream, side in zip(streams, block.sides, strict=True):
                write_block(stream, side)
    truecasers = casings[0].truecaser(), casings[1].truecaser()
    return _apply(truecasers, np.concatenate(rows), waiting), truecasers


def _apply(truecasers: tuple[Truecaser, Truecaser], rows: IntArray, paths: list[Path]) -> Iterator[_Block]:
    if not len(rows):
        return
    done = 0
    for texts in parallel_blocks(paths):
        sides = (truecaser.apply(side) for truecaser, side in zip(truecasers, texts, strict=False))
        yield _Block(rows[done : done + len(texts[0])], (*sides, *texts[2:]))
        done += len(texts[0])
