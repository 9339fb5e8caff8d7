"""Outputs of parts of an input, joined in order: what workers wrote becomes the files that were asked for."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from tunesmith.candidates.writers.stream import streaming_writer
from tunesmith.decode.output.outputs import DecodeOutputs, is_live
from tunesmith.files import open_write
from tunesmith.forest.file import ForestFile, ForestWriter

__all__ = ["joining", "of_piece"]

_TEXTS = ("text", "alignment", "trees", "nbest", "log")


def of_piece(outputs: DecodeOutputs, folder: Path, number: int) -> DecodeOutputs:
    """Return the same outputs, as files of a piece in a folder, not compressed."""
    changes: dict[str, Any] = {
        name: folder / f"{number:06}.{name}"
        for name in (*_TEXTS, "forests")
        if getattr(outputs, name) is not None
    }
    if outputs.nbest is not None:
        changes["nbest_format"] = streaming_writer(outputs.nbest, outputs.nbest_format).name
    return replace(outputs, **changes)


@contextlib.contextmanager
def joining(outputs: DecodeOutputs) -> Iterator[Callable[[DecodeOutputs, int], None]]:
    """Yield a function that appends the files of a piece, and removes them.

    Its second argument is the number of bytes at the start of an n-best list that belong to the whole file:
    they are written once. Complete files appear when the block succeeds.
    """
    with contextlib.ExitStack() as stack:
        streams: dict[str, BinaryIO] = {}
        for name in _TEXTS:
            if (path := getattr(outputs, name)) is not None:
                streams[name] = stack.enter_context(open_write(path))
        forests = None if outputs.forests is None else stack.enter_context(ForestWriter(outputs.forests))
        is_begun = False

        def append(piece: DecodeOutputs, head: int) -> None:
            nonlocal is_begun
            for name, stream in streams.items():
                path = Path(getattr(piece, name))
                with path.open("rb") as own:
                    if name == "nbest" and head:
                        own.seek(head if is_begun else 0)
                        is_begun = True
                    shutil.copyfileobj(own, stream)
                if is_live(getattr(outputs, name)):
                    stream.flush()
                path.unlink()
            if forests is not None and piece.forests is not None:
                for id_, forest in ForestFile.open(piece.forests).items():
                    forests.add(forest, id_)
                Path(piece.forests).unlink()

        yield append
        for stream in streams.values():
            stream.flush()  # report a full disk before the first file gets its name
