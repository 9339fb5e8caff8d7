"""Grammars of sentences in a mapped file, which is kept while nothing changes that they depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict

from tunesmith.container import is_container
from tunesmith.errors import InputError
from tunesmith.extract.grammar_file import GrammarFile, GrammarFileWriter
from tunesmith.extract.rule_features import GRAMMAR_FEATURES
from tunesmith.extract.sentence_grammar import SentenceGrammar
from tunesmith.extract.suffix_array import GrammarExtractor, GrammarOptions
from tunesmith.files import PathLike
from tunesmith.model.manifest import Manifest, this_version
from tunesmith.model.model import Model
from tunesmith.model.steps import Progress

__all__ = ["grammars_key", "keep_grammars"]

_SHOWN = 100
"""Sentences per progress message."""


def keep_grammars(
    path: PathLike,
    model: Model,
    extractor: GrammarExtractor,
    extract: Callable[[], Iterable[SentenceGrammar]],
    *,
    key: str,
    total: int,
    progress: Progress = lambda line: None,
) -> None:
    """Write the grammars that `extract` returns, `total` of them, unless the file has this key already.

    Features have the model's names. All grammars are of the index and the options of `extractor`.
    """
    if is_container(path) and _has_key(path, key):
        return
    names = _names(model, extractor)
    with GrammarFileWriter(path, extractor.index, extractor, names=names, key=key) as writer:
        for grammar in extract():
            writer.add(grammar)
            if len(writer) % _SHOWN == 0:
                progress(f"rules of {len(writer)} of {total} sentences")


def grammars_key(
    model: PathLike, options: GrammarOptions, sentences: Sequence[str], exclusions: Sequence[object]
) -> str:
    """Return a digest of everything that grammars depend on; `exclusions` say what is left out for them."""
    files = {name: record.sha256 for name, record in Manifest.read(model).files.items()}
    digest = hashlib.blake2b(digest_size=16)
    limits = {**asdict(options), "cache": None}
    digest.update(json.dumps([this_version(), files, limits, exclusions], sort_keys=True).encode())
    for sentence in sentences:
        digest.update(sentence.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def _names(model: Model, extractor: GrammarExtractor) -> list[str]:
    """Return the model's names of the extractor's features."""
    known = [feature.name for feature in GRAMMAR_FEATURES]
    (part,) = [part for part in model.rules if part.source == "index"][:1]
    if part.features and len(part.features) != len(known):
        raise InputError(
            f"names {len(part.features)} features of the rules {part.name!r}; expected {len(known)}",
            path=model.directory,
        )
    named = dict(zip(known, part.features or known, strict=True))
    return [named[name] for name in extractor.feature_names]


def _has_key(path: PathLike, key: str) -> bool:
    try:
        return GrammarFile.open(path).key == key
    except InputError:  # of another kind, or damaged: it is written anew
        return False
