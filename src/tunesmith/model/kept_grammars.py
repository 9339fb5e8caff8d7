"""Grammars of sentences in a mapped file, which is kept while nothing changes that they depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict

from tunesmith.container import is_container
from tunesmith.errors import InputError
from tunesmith.extract.grammar_file import GrammarFile, GrammarFileWriter
from tunesmith.extract.sentence_grammar import SentenceGrammar
from tunesmith.extract.suffix_array import GrammarExtractor, GrammarOptions
from tunesmith.files import PathLike
from tunesmith.model.manifest import Manifest, this_version
from tunesmith.model.model import Model
from tunesmith.model.rule_names import names_of_rules
from tunesmith.model.steps import Progress

__all__ = ["grammars_key", "keep_grammars"]

_SHOWN = 100
"""Sentences per progress message."""


def keep_grammars(
    path: PathLike,
    model: Model,
    extract: Callable[[], tuple[GrammarExtractor, Iterable[SentenceGrammar]]],
    *,
    key: str,
    total: int,
    progress: Progress = lambda line: None,
) -> None:
    """Write the grammars that `extract` returns, `total` of them, unless the file has this key already.

    Features have the model's names. All grammars are of the index and the options of the extractor.
    """
    if is_container(path) and _has_key(path, key):
        return
    extractor, grammars = extract()
    part = next(part for part in model.rules if part.source == "index")
    names = names_of_rules(model, part, extractor)
    with GrammarFileWriter(path, extractor.index, extractor, names=names, key=key) as writer:
        for grammar in grammars:
            writer.add(grammar)
            if len(writer) % _SHOWN == 0:
                progress(f"rules of {len(writer)} of {total} sentences")


def grammars_key(
    model: Model, options: GrammarOptions, sentences: Sequence[str], folds: Sequence[int] = ()
) -> str:
    """Return a digest of everything that grammars depend on; `folds` are left out for the sentences."""
    files = {name: record.sha256 for name, record in Manifest.read(model.directory).files.items()}
    digest = hashlib.blake2b(digest_size=16)
    limits = {**asdict(options), "cache": None}
    fixed = [this_version(), files, model.record, limits, list(folds)]
    digest.update(json.dumps(fixed, sort_keys=True).encode())
    for sentence in sentences:
        digest.update(sentence.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def _has_key(path: PathLike, key: str) -> bool:
    try:
        return GrammarFile.open(path).key == key
    except InputError:  # of another kind, or damaged: it is written anew
        return False
