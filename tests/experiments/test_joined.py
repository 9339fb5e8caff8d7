"""Models whose phrase pairs come from several alignments."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiments.defaults.joined import join_models
from tests.small_models import write_small_corpus

from tunesmith.decode import open_decoder
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import PhraseCounts
from tunesmith.model import train
from tunesmith.model.manifest import FileRecord, Manifest
from tunesmith.model.parts.names import ALIGNMENT, COUNTS, LEXICON, LM, PHRASES
from tunesmith.tables import PhraseTable


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same text, with true and with other alignments."""
    corpus = write_small_corpus(tmp_path_factory.mktemp("corpus"))
    sides = corpus / "de", corpus / "en"
    train(*sides, corpus / "true", alignment=corpus / "align", lm_order=3)
    train(*sides, corpus / "diagonal", aligner="diagonal", lm_order=3)
    return [corpus / "true", corpus / "diagonal"]


@pytest.fixture(scope="module")
def joined(models: list[Path]) -> Path:
    out = models[0].with_name("joined")
    join_models(models, out, threads=1)
    return out


def test_counts_of_all_alignments_are_summed(models: list[Path], joined: Path) -> None:
    found = [PhraseCounts.open(model / COUNTS) for model in (*models, joined)]
    assert found[2].instances == found[0].instances + found[1].instances
    assert max(found[0].pairs, found[1].pairs) < found[2].pairs < found[0].pairs + found[1].pairs
    words = [int(Lexicon.open(model / LEXICON).counts.sum()) for model in (*models, joined)]
    assert words[2] == words[0] + words[1]
    assert len(PhraseTable.open(joined / PHRASES)) == found[2].pairs


def test_all_else_is_the_first_models(models: list[Path], joined: Path) -> None:
    changed = {
        path.name
        for path in models[0].iterdir()
        if path.is_file() and path.read_bytes() != (joined / path.name).read_bytes()
    }
    assert changed == {LEXICON, COUNTS, PHRASES, "manifest.json"}
    assert LM not in changed and ALIGNMENT not in changed


def test_the_manifest_has_the_files_as_they_are(joined: Path) -> None:
    for name, record in Manifest.read(joined).files.items():
        assert FileRecord.of(joined / name) == record
    assert open_decoder(joined).translate("das haus ist alt .").text
