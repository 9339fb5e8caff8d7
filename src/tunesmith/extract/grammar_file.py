"""The grammars of many sentences, compressed, in one mapped file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.extract.rule_features import GRAMMAR_FEATURES
from tunesmith.extract.sentence_grammar import SentenceGrammar
from tunesmith.extract.suffix_array import GrammarExtractor, SuffixIndex
from tunesmith.files import PathLike, check_output
from tunesmith.json_files import check_record, parse_json

__all__ = ["GrammarFile", "GrammarFileWriter"]


class GrammarFileWriter:
    """Writes grammars one by one; the complete file appears when the block ends.

    A grammar takes some 10 to 20 bytes per rule. If the block fails, nothing stays on disk.
    """

    def __init__(
        self,
        path: PathLike,
        index: SuffixIndex,
        extractor: GrammarExtractor,
        *,
        names: Sequence[str] | None = None,
        key: str = "",
    ) -> None:
        """Begin a file of grammars of an index; all must be extracted with the options of `extractor`.

        `names` are other names for its features; `key` is stored, to recognize the file by.
        """
        check_output(path)
        features = dict(zip(extractor.feature_names, names or extractor.feature_names, strict=True))
        self._meta = {
            "names": [features.get(feature.name, "") for feature in GRAMMAR_FEATURES],
            "coherent": extractor.options.coherent,
            "key": key,
        }
        self._native = _native.GrammarFileWriter(str(path), index.native)

    def add(self, grammar: SentenceGrammar) -> None:
        """Append the grammar of the next sentence."""
        self._native.add(grammar.native)

    def __len__(self) -> int:
        """Return the number of grammars so far."""
        return len(self._native)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._native.finish(json.dumps(self._meta, ensure_ascii=False))
        del self._native  # without `finish`, it removes what it wrote


class GrammarFile:
    """The grammars of a file, by number; each is decompressed when it is asked for. Threads may read."""

    def __init__(self, path: PathLike) -> None:
        self.path = Path(path)
        if not self.path.exists():
            raise InputError("no such file", path=path)
        self._native = _native.GrammarFile(str(path))
        try:
            meta: dict[str, Any] = parse_json(self._native.meta, "JSON")
            check_record("names", list[str], meta["names"])
            check_record("coherent", bool, meta["coherent"])
            check_record("key", str, meta["key"])
        except (KeyError, TypeError, ValueError):
            raise InputError("is damaged: its notes do not name its features", path=path) from None
        if len(meta["names"]) != len(GRAMMAR_FEATURES):
            raise InputError("is damaged: its notes name other features than it has", path=path)
        self._names: list[str] = meta["names"]
        self._coherent: bool = meta["coherent"]
        self.key: str = meta["key"]

    @classmethod
    def open(cls, path: PathLike) -> GrammarFile:
        """Map a file; one that is missing, foreign, truncated or damaged is an InputError."""
        return cls(path)

    def __len__(self) -> int:
        return len(self._native)

    def __reduce__(self) -> tuple[object, ...]:
        return GrammarFile, (self.path.absolute(),)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features of the rules."""
        return tuple(name for name in self._names if name)

    def trie(self, number: int) -> _native.MemoryGrammar:
        """Return the grammar of a sentence as a trie for chart decoders, as `SentenceGrammar.trie` does."""
        if not 0 <= number < len(self):
            raise InputError(f"has no grammar {number}; it has {len(self)}, from 0", path=self.path)
        return self._native.trie(number, self._names, self._coherent)
