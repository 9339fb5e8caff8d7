"""Writing a generated corpus to files, in one process or several."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith.errors import OptionError
from tunesmith.files import PathLike, open_write
from tunesmith.generated.generate import check_options, generate
from tunesmith.generated.own_files import LABEL, check_generated, named_files

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
    options = {"seed": seed, "references": references, "noise": noise, "lowercase": lowercase}
    tasks = [
        (min(CHUNK, first + n - start), {**options, "first": start})
        for start in range(first, first + n, CHUNK)
    ]
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(open_write(path)) for path in files.texts]
        for blocks in _blocks(tasks, processes):
            for stream, block in zip(streams, blocks, strict=True):
                stream.write(block)
        readme = stack.enter_context(open_write(files.readme))  # the last, which is in its place first
        told = f"{files.source.stem}: German-English sentence pairs, {LABEL}.\n"
        told += " ".join(f"{name}={value}" for name, value in {"n": n, "first": first, **options}.items())
        readme.write(f"{told}\n{named_files(files.texts)}".encode())
    return files


Task = tuple[int, dict[str, Any]]


def _blocks(tasks: list[Task], processes: int) -> Iterator[list[bytes]]:
    """Yield the text of each range for each file, in order."""
    if processes == 1 or len(tasks) < 2:
        yield from map(_block, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(min(processes, len(tasks))) as pool:
        yield from pool.imap(_block, tasks)


def _block(task: Task) -> list[bytes]:
    pairs = list(generate(task[0], **task[1]))
    lines = zip(*((pair.source, *pair.references, _links(pair.alignment)) for pair in pairs), strict=True)
    return [("\n".join(column) + "\n").encode() for column in lines]


def _links(alignment: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{i}-{j}" for i, j in alignment)
