"""Flat files: K hypotheses per sentence, one per line, and one file of scores per feature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tunesmith import _native
from tunesmith.candidates.features import Features
from tunesmith.candidates.missing import with_remedy
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Reader, Source, feed
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, read_chunks
from tunesmith.long_lines import bounded_lines
from tunesmith.texts import Texts
from tunesmith.types import FloatArray

__all__ = ["Flat"]


@READERS.register("flat")
@dataclass(frozen=True)
class Flat(Reader):
    """N x K hypotheses in N * K lines; scores in N lines of K numbers or in N * K lines of one.

    `features` names one score file per feature; without any, candidates have texts only, as MBR over samples
    needs. `size` is K; it may be omitted if a score file has K columns. Texts are the unchanged lines.
    """

    name: ClassVar[str] = "flat"
    summary: ClassVar[str] = "N x K lines of text and one score file per feature"
    numbered: ClassVar[bool] = True

    features: Mapping[str, PathLike] = field(default_factory=dict)
    size: int | None = None

    def parse(self, source: Source) -> Pool:
        if not self.features and self.size is None:
            raise OptionError(
                "format 'flat' needs {}, the number of candidates per list, or {}, one score file per"
                " feature, such as {example}",
                "size",
                "features",
                example="lm=lm.scores",
            )
        parser = _native.TextParser()
        feed(parser, bounded_lines(source.chunks()))
        texts = Texts(*parser.finish())
        source.columns.extend(self.features)
        columns = {name: _read_scores(path) for name, path in self.features.items()}
        size = self._list_size(columns)
        if len(texts) % size:
            raise InputError(f"{len(texts)} lines are not a multiple of {size}, the size of a list")
        lists = len(texts) // size
        for name, scores in columns.items():
            if scores.shape not in ((lists, size), (len(texts), 1)):
                raise InputError(
                    f"{scores.shape[0]} lines of {scores.shape[1]} numbers; expected {lists} lines of {size}"
                    f" or {len(texts)} lines of 1, for {len(texts)} hypotheses in {source.path}",
                    path=self.features[name],
                )
        matrix = np.empty((len(texts), len(columns)))
        for place, scores in enumerate(columns.values()):
            matrix[:, place] = scores.reshape(-1)
        return Pool(
            tuple(map(str, range(lists))),
            np.arange(lists + 1, dtype=np.int64) * size,
            Features.from_dense(matrix, tuple(columns)),
            texts,
        )

    def _list_size(self, columns: Mapping[str, FloatArray]) -> int:
        if self.size is not None:
            if self.size < 1:
                raise OptionError("{} must be at least 1, not {size}", "size", size=self.size)
            return self.size
        widths = sorted({int(scores.shape[1]) for scores in columns.values()} - {1})
        if len(widths) != 1:
            found = " and ".join(map(str, widths or [1]))
            raise OptionError(
                "score files of {found} columns do not give the size of a list; set {}", "size", found=found
            )
        return widths[0]


def _read_scores(path: PathLike) -> FloatArray:
    parser = _native.NumberParser()
    try:
        feed(parser, read_chunks(path))
        return parser.finish()
    except InputError as error:
        if error.path is not None:
            raise
        raise with_remedy(InputError(error.message, path=path, line=error.line)) from None
