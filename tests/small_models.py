"""A small parallel corpus, and models of it that train in a second."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.once import made_once

from tunesmith.corpus import Alignments
from tunesmith.generated import generate
from tunesmith.model import train
from tunesmith.model.manifest import FileRecord


def write_small_corpus(folder: Path) -> Path:
    """Write `de`, `en`, and their `align`ment."""
    pairs = list(generate(300, seed=1, lowercase=True))
    (folder / "de").write_text("".join(f"{pair.source}\n" for pair in pairs))
    (folder / "en").write_text("".join(f"{pair.target}\n" for pair in pairs))
    Alignments.of(pair.alignment for pair in pairs).write(folder / "align")
    return folder


def trained(corpus: Path, factory: pytest.TempPathFactory, **options) -> Path:
    """Train a model of a corpus, once per run, and return its directory."""

    def make(folder: Path) -> None:
        sides = corpus / "de", corpus / "en"
        train(*sides, folder / "model", alignment=corpus / "align", lm_order=3, **options)

    words = [f"{name}={value}" for name, value in sorted(options.items())]
    return made_once(factory, "-".join(["model-of", corpus.name, *words]), make) / "model"


def fit_manifest(folder: Path) -> None:
    """Record the files of a model in its manifest as they are, so that changed ones are read."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_bytes())
    for step in manifest["steps"].values():
        for name in step["outputs"]:
            record = FileRecord.of(folder / name)
            step["outputs"][name] = {"bytes": record.bytes, "sha256": record.sha256}
    path.write_text(json.dumps(manifest))
