"""Training, development and test parts of a bitext; no pair, source or target is in two of them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith.corpus.blocks import parallel_blocks, write_block
from tunesmith.corpus.drawing import draw_documents, draw_groups, draw_pairs
from tunesmith.corpus.duplicates import pair_digests
from tunesmith.corpus.line_keys import LineKeys, line_keys
from tunesmith.corpus.linked import line_numbers, linked_groups
from tunesmith.errors import InputError, OptionError
from tunesmith.files import COMPRESSIONS, PathLike, check_outputs, open_write
from tunesmith.options import check_seed
from tunesmith.types import BoolArray, IntArray

__all__ = ["Split", "split", "split_files"]

_PARTS = ("train", "dev", "test")


@dataclass(frozen=True, eq=False)
class Split:
    """Rows of each part, in corpus order; `dropped` are in no part, because their text is in another part.

    `largest_group` is the number of pairs in the largest group of pairs that share lines; 0 if lines were
    not compared.
    """

    train: IntArray
    dev: IntArray
    test: IntArray
    dropped: IntArray
    largest_group: int = 0


def split(
    digests: Sequence[bytes],
    *,
    dev: float,
    test: float,
    documents: Sequence[str] | None = None,
    lines: tuple[LineKeys, LineKeys] | None = None,
    seed: int = 1,
) -> Split:
    """Draw a development and a test part; the rest is for training.

    `digests` are hashes of pairs (`tunesmith.corpus.duplicates.pair_digests`). `dev` and `test` are
    numbers of pairs, or fractions if below 1. Without documents the parts have exactly that many
    pairs, all different. With one document id per pair they are whole documents, drawn in random
    order while they fit. A pair that also is in test or dev is dropped from the others.

    With `lines`, the keys of the sources and of the targets (`tunesmith.corpus.line_keys`), no source and no
    target is in two parts: groups of pairs that share lines (`linked_groups`) are drawn whole, which may
    leave a part a few pairs smaller (with a warning). Documents are drawn as without `lines`, and pairs
    whose source or target also is in test or dev are dropped from the others.
    """
    check_seed(seed)
    sizes = {"test": _size("test", test, len(digests)), "dev": _size("dev", dev, len(digests))}
    if sum(sizes.values()) >= len(digests):
        raise OptionError(
            "{} and {} take {taken} of {found} pairs; none is left",
            "dev",
            "test",
            taken=sum(sizes.values()),
            found=len(digests),
        )
    if documents is not None and len(documents) != len(digests):
        raise InputError(
            f"found {len(documents)} document ids for {len(digests)} pairs; expected one per pair",
            line=min(len(documents), len(digests)) + 1,
        )
    random = np.random.default_rng(seed)
    text = _text_numbers(digests)
    compared = [text, *(line_numbers(keys) for keys in lines or ())]
    group = linked_groups(*compared[1:]) if lines is not None else None
    if documents is not None:
        draw = draw_documents(documents, sizes, random)
    elif group is not None:
        draw = draw_groups(text, group, sizes, random)
    else:
        draw = draw_pairs(text, sizes, random)
    parts: dict[str, BoolArray] = {}
    known = [np.zeros(int(numbers.max()) + 1, dtype=np.bool_) for numbers in compared]  # in earlier parts
    for name in ("test", "dev", "train"):
        mine = draw[name].copy()
        for seen, numbers in zip(known, compared, strict=True):
            mine &= ~seen[numbers]
        parts[name] = mine
        for seen, numbers in zip(known, compared, strict=True):
            seen[numbers[mine]] = True
    if not all(part.any() for name, part in parts.items() if sizes.get(name, 1)):
        raise InputError("a part would be empty: all its pairs are in another part too")
    rest = ~(parts["train"] | parts["dev"] | parts["test"])
    rows = {name: np.flatnonzero(part) for name, part in (*parts.items(), ("dropped", rest))}
    return Split(**rows, largest_group=0 if group is None else int(np.bincount(group).max()))


def split_files(
    source: PathLike,
    target: PathLike,
    output: PathLike,
    *,
    dev: float,
    test: float,
    documents: PathLike | None = None,
    allow_overlap: bool = False,
    seed: int = 1,
) -> Split:
    """Split a bitext of files into `<output>.train.<suffix>` and so on; documents, to `.docs`, too.

    Lines that differ only in case, white space and control characters are equal, and lie in one part unless
    `allow_overlap`: then only whole pairs are compared, character by character. The suffixes are those of
    the given files, without their compression. The files are read twice.
    """
    inputs = [Path(path) for path in ([source, target] if documents is None else [source, target, documents])]
    for path in inputs:
        if str(path) == "-" or not (path.is_file() or path.is_dir() or not path.exists()):
            raise OptionError(f"split: {path} cannot be read twice, which is needed; give a file")
    suffixes = [*_suffixes(*inputs[:2]), "docs"][: len(inputs)]
    check_outputs(part_files(output, inputs, dev=dev, test=test), inputs)
    digests: list[bytes] = []
    names: list[str] = []
    keys: tuple[list[LineKeys], list[LineKeys]] = ([], [])
    for block in parallel_blocks(inputs):
        digests += pair_digests(block[:2])
        names += block[2] if documents is not None else []
        if not allow_overlap:
            for known, lines in zip(keys, block[:2], strict=True):
                known.append(line_keys(lines))
    parts = split(
        digests,
        dev=dev,
        test=test,
        documents=names if documents is not None else None,
        lines=None if allow_overlap else (np.concatenate(keys[0]), np.concatenate(keys[1])),
        seed=seed,
    )
    chosen = {name: rows for name in _PARTS if len(rows := getattr(parts, name))}
    with contextlib.ExitStack() as stack:
        streams = {
            name: [stack.enter_context(open_write(f"{output}.{name}.{suffix}")) for suffix in suffixes]
            for name in chosen
        }
        done = 0
        for block in parallel_blocks(inputs):
            for name, rows in chosen.items():
                begin, end = np.searchsorted(rows, [done, done + len(block[0])])
                for stream, side in zip(streams[name], block, strict=True):
                    write_block(stream, side.take(rows[begin:end] - done))
            done += len(block[0])
        for opened in streams.values():
            for stream in opened:
                stream.flush()  # so that a full disk fails before the first rename
    return parts


def part_files(output: PathLike, inputs: Sequence[Path], *, dev: float, test: float) -> list[Path]:
    """Return the files of the parts of a source, a target and perhaps documents."""
    suffixes = [*_suffixes(*inputs[:2]), "docs"][: len(inputs)]
    asked = [name for name in _PARTS if {"train": 1.0, "dev": dev, "test": test}[name] != 0]
    return [Path(f"{output}.{name}.{suffix}") for name in asked for suffix in suffixes]


def _suffixes(source: Path, target: Path) -> tuple[str, str]:
    bare = [path.with_suffix("") if path.suffix in COMPRESSIONS else path for path in (source, target)]
    suffixes = [path.suffix.removeprefix(".") for path in bare]
    if "" in suffixes or suffixes[0] == suffixes[1]:
        return "source", "target"
    return suffixes[0], suffixes[1]


def _size(name: str, wanted: float, pairs: int) -> int:
    whole = wanted == int(wanted) if np.isfinite(wanted) else False
    if not (0 <= wanted < 1 or (wanted >= 1 and whole)):
        raise OptionError("{} must be a number or a fraction below 1, not {wanted!r}", name, wanted=wanted)
    return int(wanted) if wanted >= 1 else round(wanted * pairs)


def _text_numbers(digests: Sequence[bytes]) -> IntArray:
    known: dict[bytes, int] = {}
    return np.array([known.setdefault(digest, len(known)) for digest in digests], dtype=np.int64)
