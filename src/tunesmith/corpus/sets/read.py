"""Reading texts for evaluation: from plain files, one sentence per line, or from evaluation sets."""

from __future__ import annotations

import functools
import stat
from collections.abc import Sequence
from pathlib import Path

from tunesmith import _native
from tunesmith.corpus.sets.encoding import decoded, in_ascii
from tunesmith.corpus.sets.evaluation_set import EvaluationSet
from tunesmith.corpus.sets.parse import is_set, parse_set
from tunesmith.errors import InputError, nearest
from tunesmith.files import PathLike, content_suffix, parse_chunks, read_chunks
from tunesmith.long_lines import bounded_lines
from tunesmith.texts import Texts

__all__ = [
    "check_same_segments",
    "read_output",
    "read_reference_texts",
    "read_references",
    "read_set",
    "read_texts",
]

SUFFIXES = (".sgm", ".sgml", ".xml")
_CHOOSE = "choose one by `tunesmith eval FILE --system NAME`, or as FILE:NAME in `tunesmith compare`"


def read_set(path: PathLike) -> EvaluationSet | None:
    """Read an evaluation set; None if the file is plain text.

    A set has the suffix .sgm, .sgml or .xml (before that of a compression), and begins with the element of a
    set (see `parse`); any other file is plain text. A file that is named several times, as source, reference
    and for its segments, is parsed once.
    """
    if str(path) == "-" or content_suffix(path).lower() not in SUFFIXES:
        return None
    try:
        now = Path(path).stat()
    except OSError:
        return _read_set(path)  # with the error of reading
    if not stat.S_ISREG(now.st_mode):
        return _read_set(path)
    return _known_set(str(path), now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)


@functools.lru_cache(maxsize=8)
def _known_set(path: str, *stamp: int) -> EvaluationSet | None:
    return _read_set(path)


def _read_set(path: PathLike) -> EvaluationSet | None:
    data = b"".join(read_chunks(path))
    return parse_set(decoded(data, path), path) if is_set(in_ascii(data)) else None


def read_references(path: PathLike) -> list[Texts]:
    """Return the references in a file: one of a plain text, all of a set."""
    found = read_set(path)
    if found is None:
        return [read_texts(path)]
    if not found.references:
        raise InputError("the set has no references: expected <refset>, or <ref> in its documents", path=path)
    return [
        found.texts(version, f"the reference {name!r}" if name else "the reference")
        for name, version in found.references.items()
    ]


def read_reference_texts(paths: Sequence[PathLike]) -> list[tuple[PathLike, Texts]]:
    """Return all references in files, each with its file; sets must have the same segments."""
    check_same_segments(paths)
    return [(path, texts) for path in paths for texts in read_references(path)]


def read_output(path: PathLike, system: str | None = None) -> Texts:
    """Return the translations in a file: a plain text, or an output of a set, the only one or `system`'s."""
    found = read_set(path)
    if found is None:
        if system is not None:
            raise InputError(
                "is plain text, which has no names of systems: leave out {}", "system", path=path
            )
        return read_texts(path)
    names = ", ".join(map(repr, found.outputs)) or "none"
    if system is not None and system not in found.outputs:
        hint = nearest(system, found.outputs)
        raise InputError(f"has no output of the system {system!r}{hint}; found {names}", path=path)
    if system is None and len(found.outputs) != 1:
        choose = "" if not found.outputs else f"; {_CHOOSE}"
        raise InputError(
            f"expected the output of one system, <tstset> or <hyp>, found {len(found.outputs)}:"
            f" {names}{choose}",
            path=path,
        )
    name = next(iter(found.outputs)) if system is None else system
    return found.texts(found.outputs[name], f"the output {name!r}")


def check_same_segments(paths: Sequence[PathLike]) -> None:
    """Raise InputError unless all sets among the files have the same segments in the same order."""
    sets = [found for path in paths if (found := read_set(path)) is not None]
    for other in sets[1:]:
        for number, (left, right) in enumerate(zip(sets[0].names, other.names, strict=False), 1):
            if left != right:
                raise InputError(
                    f"segment number {number} is {right}, but in {sets[0].path} it is {left};"
                    " expected the same segments in the same order",
                    path=other.path,
                )
        if len(sets[0].names) != len(other.names):
            raise InputError(
                f"has {len(other.names)} segments, but {sets[0].path} has {len(sets[0].names)};"
                " expected the same segments",
                path=other.path,
            )


def read_texts(path: PathLike) -> Texts:
    """Read a plain file of one text per line."""
    return Texts(*parse_chunks(_native.TextParser(), bounded_lines(read_chunks(path)), path))
