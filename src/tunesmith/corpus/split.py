"""Training, development and test parts of a bitext; no pair is in two of them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith.corpus.blocks import parallel_blocks, write_block
from tunesmith.corpus.duplicates import pair_digests
from tunesmith.corpus.folds import document_numbers
from tunesmith.errors import InputError, OptionError
from tunesmith.files import COMPRESSIONS, PathLike, check_outputs, open_write
from tunesmith.options import check_seed
from tunesmith.types import BoolArray, IntArray

__all__ = ["Split", "split", "split_files"]

_PARTS = ("train", "dev", "test")


@dataclass(frozen=True, eq=False)
class Split:
    """Rows of each part, in corpus order; `dropped` are in no part, because their text is in another part."""

    train: IntArray
    dev: IntArray
    test: IntArray
    dropped: IntArray


def split(
    digests: Sequence[bytes],
    *,
    dev: float,
    test: float,
    documents: Sequence[str] | None = None,
    seed: int = 1,
) -> Split:
    """Draw a development and a test part; the rest is for training.

    `digests` are hashes of pairs (`tunesmith.corpus.duplicates.pair_digests`). `dev` and `test` are
    numbers of pairs, or fractions if below 1. Without documents the parts have exactly that many
    pairs, all different. With one document id per pair they are whole documents, drawn in random
    order while they fit. A pair that also is in test or dev is dropped from the others.
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
    text = _text_numbers(digests)
    random = np.random.default_rng(seed)
    draw = (
        _draw_pairs(text, sizes, random) if documents is None else _draw_documents(documents, sizes, random)
    )
    parts: dict[str, BoolArray] = {}
    known = np.zeros(len(text), dtype=np.bool_)  # texts, not rows, of earlier parts
    for name in ("test", "dev", "train"):
        mine = draw[name] & ~known[text]
        parts[name] = mine
        known[text[mine]] = True
    if not all(part.any() for name, part in parts.items() if sizes.get(name, 1)):
        raise InputError("a part would be empty: all its pairs are in another part too")
    rest = ~(parts["train"] | parts["dev"] | parts["test"])
    rows = {name: np.flatnonzero(part) for name, part in (*parts.items(), ("dropped", rest))}
    return Split(**rows)


def split_files(
    source: PathLike,
    target: PathLike,
    output: PathLike,
    *,
    dev: float,
    test: float,
    documents: PathLike | None = None,
    seed: int = 1,
) -> Split:
    """Split a bitext of files into `<output>.train.<suffix>` and so on; documents, to `.docs`, too.

    The suffixes are those of the given files, without their compression. The files are read twice.
    """
    inputs = [Path(path) for path in ([source, target] if documents is None else [source, target, documents])]
    for path in inputs:
        if str(path) == "-" or not (path.is_file() or path.is_dir() or not path.exists()):
            raise OptionError(f"split: {path} cannot be read twice, which is needed; give a file")
    suffixes = [*_suffixes(*inputs[:2]), "docs"][: len(inputs)]
    asked = [name for name in _PARTS if {"train": 1.0, "dev": dev, "test": test}[name] != 0]
    check_outputs([f"{output}.{name}.{suffix}" for name in asked for suffix in suffixes], inputs)
    digests: list[bytes] = []
    names: list[str] = []
    for block in parallel_blocks(inputs):
        digests += pair_digests(block[:2])
        names += block[2] if documents is not None else []
    parts = split(digests, dev=dev, test=test, documents=names if documents is not None else None, seed=seed)
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


def _draw_pairs(text: IntArray, sizes: dict[str, int], random: np.random.Generator) -> dict[str, BoolArray]:
    """Draw among the first rows of different texts, so that parts have exactly their sizes."""
    _, first = np.unique(text, return_index=True)
    if sum(sizes.values()) >= len(first):
        raise OptionError(
            "{} and {} take {taken} of {found} different pairs; none is left",
            "dev",
            "test",
            taken=sum(sizes.values()),
            found=len(first),
        )
    order = random.permutation(first)
    draw = {}
    begin = 0
    rest = np.ones(len(text), dtype=np.bool_)
    for name, size in sizes.items():
        draw[name] = np.zeros(len(text), dtype=np.bool_)
        draw[name][order[begin : begin + size]] = True
        rest &= ~draw[name]
        begin += size
    return draw | {"train": rest}


def _draw_documents(
    documents: Sequence[str], sizes: dict[str, int], random: np.random.Generator
) -> dict[str, BoolArray]:
    numbers = document_numbers(documents)
    lengths = np.bincount(numbers)
    part = np.full(len(lengths), "train", dtype=object)
    left = dict(sizes)
    for document in random.permutation(len(lengths)).tolist():
        for name, room in left.items():
            if lengths[document] <= room:
                part[document] = name
                left[name] -= int(lengths[document])
                break
    for name, size in sizes.items():
        if size and left[name] == size:
            raise OptionError(
                "no document has {size} or fewer pairs, which is what {} takes; ask for more", name, size=size
            )
    if not (part == "train").any():
        raise OptionError("{} and {} take all documents; none is left", "dev", "test")
    return {name: (part == name)[numbers] for name in ("test", "dev", "train")}
