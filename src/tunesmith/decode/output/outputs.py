"""The requested outputs and their files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tunesmith.candidates.writers.stream import PoolStream, streaming_writer
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.output.alignment import BestAlignment
from tunesmith.decode.output.base import Flush, Output
from tunesmith.decode.output.forests import Forests
from tunesmith.decode.output.log import JsonLog
from tunesmith.decode.output.nbest import Nbest, NbestOptions
from tunesmith.decode.output.text import BestText
from tunesmith.decode.output.trees import BestTree
from tunesmith.decode.preparation import readable_side
from tunesmith.errors import OptionError
from tunesmith.files import PathLike, open_write
from tunesmith.forest.file import ForestWriter
from tunesmith.forest.kbest import LARGEST_K
from tunesmith.options import require_at_least, require_at_most

__all__ = ["DecodeOutputs", "is_live"]


def is_live(path: PathLike) -> bool:
    """Whether an output is a pipe or a terminal, whose reader may be waiting."""
    return str(path) == "-" or (Path(path).exists() and not Path(path).is_file())


@dataclass(frozen=True)
class DecodeOutputs:
    """Files to write; `-` is standard output, None skips an output. Suffixes such as .gz compress.

    - `text`: the best translations, with `segments` as phrases and the source words they come from.
    - `alignment`: their word alignments.
    - `nbest`: lists of `nbest_size` candidates, with `unique` of different translations, in `nbest_format`
      ("moses", "cdec" or "jsonl"; default: detected from the name, else Moses').
    - `forests`: all derivations that the search kept, in one binary file.
    - `log`: one JSON object per sentence.
    - `trees`: the derivations of the best translations, in brackets; for models of rules.
    - `nbest_segments`: add the phrases of each candidate to the lists, in Moses' format only.
    - `detokenize`: write `text` as readable text, in its usual case; `detokenize_nbest`: the lists, too. All
      other outputs are of tokens.
    """

    text: PathLike | None = "-"
    segments: bool = False
    alignment: PathLike | None = None
    nbest: PathLike | None = None
    nbest_size: int = 100
    nbest_format: str | None = None
    unique: bool = False
    forests: PathLike | None = None
    log: PathLike | None = None
    trees: PathLike | None = None
    detokenize: bool = False
    detokenize_nbest: bool = False
    nbest_segments: bool = False

    def __post_init__(self) -> None:
        require_at_least(1, "outputs", nbest_size=self.nbest_size)
        require_at_most(LARGEST_K, "outputs", nbest_size=self.nbest_size)
        if self.nbest is not None:
            writer = streaming_writer(self.nbest, self.nbest_format)
            if self.nbest_segments and writer.name != "moses":
                raise OptionError(
                    f"outputs: {{}} need the format moses, but the lists are in the format {writer.name}",
                    "nbest_segments",
                )
        if self.detokenize and self.segments:
            raise OptionError("outputs: {} are of tokens; leave out {}", "segments", "detokenize")
        if self.detokenize_nbest and self.nbest_segments:
            raise OptionError("outputs: {} are of tokens; leave out {}", "nbest_segments", "detokenize_nbest")
        if self.forests is not None and str(self.forests) == "-":
            raise OptionError("forests are a mapped file; name one, not standard output")

    @property
    def paths(self) -> list[PathLike | None]:
        """All files."""
        return [self.text, self.alignment, self.nbest, self.forests, self.log, self.trees]

    def check(self, decoder: AnyDecoder) -> None:
        """Refuse outputs that a decoder has not."""
        if self.trees is not None and decoder.model.decoder_kind != "chart":
            raise OptionError(
                "outputs: trees need a hierarchical or ITG model, but this one is phrase-based: use {}",
                "segments",
            )
        if self.nbest_segments and decoder.model.decoder_kind != "phrase":
            raise OptionError(
                "outputs: {} need a phrase-based model, but this one is hierarchical or an ITG",
                "nbest_segments",
            )

    @contextlib.contextmanager
    def open(self, decoder: AnyDecoder, threads: int | None = None) -> Iterator[list[Output]]:
        """Open all outputs; complete files appear under their names when the block succeeds."""
        self.check(decoder)
        side = readable_side(decoder.model) if self.detokenize or self.detokenize_nbest else None
        with contextlib.ExitStack() as stack:
            streams: list[BinaryIO] = []
            live: list[BinaryIO] = []

            def opened(path: PathLike) -> BinaryIO:
                streams.append(stack.enter_context(open_write(path)))
                if is_live(path):
                    live.append(streams[-1])
                return streams[-1]

            outputs: list[Output] = []
            if self.text is not None:
                readable = side if self.detokenize else None
                outputs.append(BestText(opened(self.text), segments=self.segments, readable=readable))
            if self.alignment is not None:
                outputs.append(BestAlignment(opened(self.alignment)))
            if self.trees is not None:
                outputs.append(BestTree(opened(self.trees)))
            if self.nbest is not None:
                lists = PoolStream(opened(self.nbest), streaming_writer(self.nbest, self.nbest_format))
                options = NbestOptions(self.nbest_size, self.unique, self.nbest_segments)
                readable = side if self.detokenize_nbest else None
                names = decoder.feature_names
                outputs.append(Nbest(lists, options, decoder.weights, names, threads, readable))
            if self.log is not None:
                outputs.append(JsonLog(opened(self.log)))
            if self.forests is not None:
                outputs.append(Forests(stack.enter_context(ForestWriter(self.forests))))
            yield [*outputs, Flush(live)]
            for stream in streams:
                stream.flush()  # report a full disk before the first file gets its name
