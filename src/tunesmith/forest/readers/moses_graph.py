"""Search graphs of Moses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.candidates.readers import Source
from tunesmith.forest.forest import Forest
from tunesmith.forest.readers.base import READERS, Reader

__all__ = ["MosesGraph"]

_FIRST_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*\S+ hyp=\d+ stack=\d+")


@READERS.register("moses-graph")
@dataclass(frozen=True)
class MosesGraph(Reader):
    """`SID hyp=N stack=K back=P score=S transition=T [recombined=R] forward=F fscore=G covered=i-j out=words`

    As `moses -osg` writes it, or `-osgx`, with `scores="core=(v,v) name=v"` and `out="source|target"`.
    """

    name: ClassVar[str] = "moses-graph"
    summary: ClassVar[str] = "search graphs of Moses, plain (-osg) or extended (-osgx)"

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        return _FIRST_LINE.match(head) is not None

    def read(self, source: Source) -> Iterator[tuple[str, Forest]]:
        parser = _native.SearchGraphParser()
        for chunk in source.chunks():
            parser.feed(chunk)
            yield from ((sentence, Forest(native)) for sentence, native in parser.take())
        parser.finish()
        yield from ((sentence, Forest(native)) for sentence, native in parser.take())
