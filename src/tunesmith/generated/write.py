"""Writing a generated corpus to files, in one process or several."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tunesmith.errors import OptionError
from tunesmith.files import PathLike, open_write
from tunesmith.generated.generate import check_options, generate
from tunesmith.generated.label import LABEL
from tunesmith.generated.own_files import check_generated, named_files

__all__ = ["CorpusFiles", "write_corpus"]

CHUNK = 5_000
"""Pairs per task of a process."""


@dataclass(frozen=True)
class CorpusFiles:
    """The files of a corpus: one sentence per line, parallel line by line."""

    source: Path
    targets: tuple[Path, ...]
    alignment: Path
    readme: Path

    @classmethod
    def of(cls, prefix: PathLike, references: int = 1) -> CorpusFiles:
        """Return the files that `write_corpus` writes."""
        endings = ["en"] if references == 1 else [f"en{r}" for r in range(references)]
        targets = tuple(Path(f"{prefix}.{ending}") for ending in endings)
        return cls(Path(f"{prefix}.de"), targets, Path(f"{prefix}.align"), Path(f"{prefix}.README"))

    @property
    def texts(self) -> tuple[Path, ...]:
        """All but the one that describes them."""
        return (self.source, *self.targets, self.alignment)


@dataclass(frozen=True)
class _Range:
    first: int
    count: int
    seed: int
    references: int
    noise: float
    lowercase: bool


def write_corpus(
    prefix: PathLike,
    n: int,
    *,
    seed: int = 1,
    first: int = 0,
    references: int = 1,
    noise: float = 0.05,
    lowercase: bool = False,
    processes: int = 1,
) -> CorpusFiles:
    """Write `prefix.de`, `prefix.en`, `prefix.align` and `prefix.README`, which says what the text is.

    Several references go to `prefix.en0`, `prefix.en1`, ... The files do not depend on `processes`.
    Alignments are `i-j` links from German to English positions, from 0. A file that is there is replaced only
    if `prefix.README` names it as generated; else it is an InputError.
    """
    check_options(n, seed=seed, first=first, references=references, noise=noise)
    if processes < 1:
        raise OptionError("{} must be at least 1, not {found}", "processes", found=processes)
    files = CorpusFiles.of(prefix, references)
    check_generated(files.readme, files.texts)
    ranges = [
        _Range(start, min(CHUNK, first + n - start), seed, references, noise, lowercase)
        for start in range(first, first + n, CHUNK)
    ]
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(open_write(path)) for path in files.texts]
        for blocks in _blocks(ranges, processes):
            for stream, block in zip(streams, blocks, strict=True):
                stream.write(block)
        readme = stack.enter_context(open_write(files.readme))  # the last, which is in its place first
        options = (
            f"n={n} seed={seed} first={first} references={references} noise={noise} lowercase={lowercase}"
        )
        told = f"{files.source.stem}: German-English sentence pairs, {LABEL}.\n{options}\n"
        readme.write((told + named_files(files.texts)).encode())
    return files


def _blocks(ranges: list[_Range], processes: int) -> Iterator[list[bytes]]:
    """Yield the text of each range for each file, in order."""
    if processes == 1 or len(ranges) < 2:
        yield from map(_block, ranges)
        return
    with multiprocessing.get_context("spawn").Pool(min(processes, len(ranges))) as pool:
        yield from pool.imap(_block, ranges)


def _block(part: _Range) -> list[bytes]:
    pairs = list(
        generate(
            part.count,
            seed=part.seed,
            first=part.first,
            references=part.references,
            noise=part.noise,
            lowercase=part.lowercase,
        )
    )
    columns: list[Iterable[str]] = [[pair.source for pair in pairs]]
    columns += [[pair.references[r] for pair in pairs] for r in range(part.references)]
    columns.append(" ".join([f"{i}-{j}" for i, j in pair.alignment]) for pair in pairs)
    return [("\n".join(column) + "\n").encode("utf-8") for column in columns]
