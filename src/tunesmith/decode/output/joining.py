"""Outputs of parts of an input, joined in order: what shards wrote becomes the files that were asked for."""

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

__all__ = ["joining", "of_shard"]

_TEXTS = ("text", "alignment", "trees", "nbest", "log")


def of_shard(outputs: DecodeOutputs, folder: Path, number: int) -> DecodeOutputs:
    """Return the same outputs, as files of a shard in a folder, not compressed."""
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
    """Yield a function that appends the files of a shard, and removes them.

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

        def append(shard: DecodeOutputs, head: int) -> None:
            nonlocal is_begun
            for name, stream in streams.items():
                path = Path(getattr(shard, name))
                with path.open("rb") as part:
                    if name == "nbest" and head:
                        part.seek(head if is_begun else 0)
                        is_begun = True
                    shutil.copyfileobj(part, stream)
                if is_live(getattr(outputs, name)):
                    stream.flush()
                path.unlink()
            if forests is not None and shard.forests is not None:
                for id_, forest in ForestFile.open(shard.forests).items():
                    forests.add(forest, id_)
                Path(shard.forests).unlink()

        yield append
        for stream in streams.values():
            stream.flush()  # report a full disk before the first file gets its name
