"""Grammars of sentences, each without the sentence's fold, in one mapped file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from tunesmith.container import is_container
from tunesmith.errors import InputError
from tunesmith.extract.grammar_file import GrammarFile, GrammarFileWriter
from tunesmith.extract.rule_features import GRAMMAR_FEATURES
from tunesmith.extract.suffix_array import GrammarExtractor, GrammarOptions
from tunesmith.files import PathLike
from tunesmith.model.jackknife.fold_models import FoldModels
from tunesmith.model.jackknife.sentence_folds import OTHER, SentenceFolds, fold_rows
from tunesmith.model.manifest import Manifest, this_version
from tunesmith.model.model import Model
from tunesmith.model.steps import Progress
from tunesmith.types import IntArray

__all__ = ["write_fold_grammars"]

_SHOWN = 100
"""Sentences per progress message."""


def write_fold_grammars(
    models: FoldModels,
    sentences: Sequence[str],
    folds: SentenceFolds,
    path: PathLike,
    options: GrammarOptions | None = None,
    *,
    progress: Progress = lambda line: None,
) -> IntArray:
    """Extract the rules of each tokenized sentence from the model's index without the sentence's fold.

    Returns the number of each sentence's grammar in the file, where they are by fold. A file that has the
    same grammars already is kept. Rules and lexical weights are those of the remaining pairs; each fold's
    pairs are masked once, for all its sentences. Features have the model's names.
    """
    model = Model.open(models.model)
    index, usual = model.rule_index()
    chosen = options or usual
    number_of = np.zeros(len(sentences), dtype=np.int64)
    groups = list(fold_rows(folds.fold_of))
    number_of[np.concatenate([rows for _, rows in groups])] = np.arange(len(sentences))
    key = _key(models, sentences, folds, chosen)
    if is_container(path) and _has_key(path, key):
        return number_of
    names = _names(model, index.extractor(chosen))
    with GrammarFileWriter(path, index, index.extractor(chosen), names=names, key=key) as writer:
        for fold, rows in groups:
            excluded = models.fold_of_pairs == fold if fold != OTHER else ()
            texts = [sentences[row] for row in rows.tolist()]
            for grammar in index.grammars(texts, chosen, exclude=excluded, threads=models.threads):
                writer.add(grammar)
                if len(writer) % _SHOWN == 0:
                    progress(f"rules of {len(writer)} of {len(sentences)} sentences")
    return number_of


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


def _key(models: FoldModels, sentences: Sequence[str], folds: SentenceFolds, options: GrammarOptions) -> str:
    """Return a digest of everything that the grammars depend on."""
    files = {name: record.sha256 for name, record in Manifest.read(models.model).files.items()}
    digest = hashlib.blake2b(digest_size=16)
    limits = {**asdict(options), "cache": None}
    digest.update(json.dumps([this_version(), files, limits], sort_keys=True).encode())
    digest.update(folds.fold_of.tobytes())
    for sentence in sentences:
        digest.update(sentence.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def _has_key(path: PathLike, key: str) -> bool:
    try:
        return GrammarFile.open(path).key == key
    except InputError:  # of another kind, or damaged: it is written anew
        return False
