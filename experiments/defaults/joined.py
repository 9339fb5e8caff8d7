"""A phrase model whose phrase pairs come from the alignments of several models."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tunesmith.corpus import Alignments, Bitext
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import count_phrases
from tunesmith.extract.tables import build_table
from tunesmith.model.manifest import BuildRecord, FileRecord, Manifest
from tunesmith.model.parts.names import ALIGNMENT, COUNTS, LEXICON, PHRASES, SOURCE, TARGET

__all__ = ["join_models"]


def join_models(models: Sequence[Path], out: Path, threads: int) -> None:
    """Write the first model with phrase pairs counted once per model, in its alignment of the same text.

    The lexicon is counted likewise, and options of counts and scores are those of the first model, as are
    all its other files: the language model, lists of words, the distortion limit. Nothing is done if the
    folder `out` is there.
    """
    if out.exists():
        return
    partial = out.with_name(f"{out.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(models[0], partial)
    manifest = Manifest.read(partial)
    once = Bitext.read(partial / SOURCE, partial / TARGET)
    bitext = once.take(np.tile(np.arange(len(once)), len(models)))
    alignments = _concatenate([Alignments.read(model / ALIGNMENT, once) for model in models])
    lexicon = Lexicon.estimate(bitext, alignments, threads=threads)
    lexicon.save(partial / LEXICON)
    longest = int(manifest.steps["phrase pairs"].options["max_phrase_length"])
    counts = count_phrases(bitext, alignments, path=partial / COUNTS, max_length=longest, threads=threads)
    options = manifest.steps["phrase table"].options
    build_table(counts, lexicon, partial / PHRASES, threads=threads, **options)
    steps = {name: _recorded(partial, record) for name, record in manifest.steps.items()}
    replace(manifest, steps=steps).write(partial)
    partial.rename(out)


def _concatenate(parts: Sequence[Alignments]) -> Alignments:
    """Return the alignments of a text that is repeated once per part."""
    lengths = np.concatenate([np.diff(part.offsets) for part in parts])
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Alignments(np.concatenate([part.links for part in parts]), offsets)


def _recorded(folder: Path, record: BuildRecord) -> BuildRecord:
    """Return the record of a step with its files as they are now."""
    return replace(record, outputs={name: FileRecord.of(folder / name) for name in record.outputs})
