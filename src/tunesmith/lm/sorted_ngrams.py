"""Models that are sorted n-grams, before they are written."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Generic, TypeVar

from tunesmith import _native
from tunesmith.files import PathLike, check_output, open_write

__all__ = ["SortedNgrams"]

Native = TypeVar("Native", _native.KneserNey, _native.LmMixture)


@dataclass(frozen=True, eq=False)
class SortedNgrams(Generic[Native]):
    """A model as sorted n-grams, in memory or temporary files; may be written any number of times."""

    native: Native

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.native.order

    def write_arpa(self, path: PathLike) -> None:
        """Write the model as ARPA text; the suffix chooses the compression, `-` is standard output."""
        with open_write(path) as stream:
            self.native.write_arpa(stream.write)

    def write_binary(self, path: PathLike) -> None:
        """Write the binary form that `LanguageModel` opens, without ARPA text in between."""
        check_output(path)
        self.send(_native.NgramLmBuilder(os.fspath(path)))

    def send(self, sink: _native.NgramSink) -> None:
        """Push the n-grams into a native sink, order by order."""
        self.native.send(sink)
