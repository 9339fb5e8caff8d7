"""The texts of experiments by role."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from experiments.texts import HELD_OUT, RoleTexts

COUNTS = {"train": HELD_OUT + 30, "dev": HELD_OUT + 20, "test": 10}
EXPECTED = {
    "europarl": {"train": (0, 1030), "tune": (0, 20), "select": (20, 1020), "test": (0, 10)},
    "europarl-de-en": {"train": (0, 1030), "tune": (0, 20), "select": (20, 1020), "test": (0, 10)},
    "enja": {"train": (0, 30), "tune": (0, 1020), "select": (30, 1030), "test": (0, 10)},
}
PARTS = {"tune": "dev", "select": "dev", "train": "train", "test": "test"}
FILES = {
    "europarl": ("europarl-fr-en", "fr"),
    "europarl-de-en": ("europarl-de-en", "de"),
    "enja": ("enja", "ja"),
}


@pytest.mark.parametrize("corpus", EXPECTED)
def test_roles_share_no_line(corpus: str, tmp_path: Path) -> None:
    stem, source = FILES[corpus]
    for part, count in COUNTS.items():
        for language in (source, "en"):
            with lzma.open(tmp_path / f"{stem}.{part}.{language}.xz", "wt") as stream:
                stream.writelines(f"{language} {part} {row}\n" for row in range(count))
    texts = RoleTexts(tmp_path, tmp_path / "out")
    for role, (begin, end) in EXPECTED[corpus].items():
        part = "train" if (corpus, role) == ("enja", "select") else PARTS[role]
        for side, language in (("source", source), ("target", "en")):
            lines = texts.text(corpus, role, side).read_text().splitlines()
            assert lines == [f"{language} {part} {row}" for row in range(begin, end)]


def test_raw_text_is_prepared_and_its_documents_stay_whole(tmp_path: Path) -> None:
    texts = RoleTexts(tmp_path, tmp_path)
    for corpus in ("europarl-de-en", "enja"):
        (tmp_path / corpus).mkdir()
        for side in ("source", "target"):
            (tmp_path / corpus / f"train.{side}").write_text("a\n")
    given = texts.training_options("europarl-de-en", aligner="hmm")
    assert given[given.index("--aligner") + 1] == "hmm"
    assert given[given.index("--documents") + 1] == tmp_path / "europarl-de-en.train.docs.xz"
    assert given[given.index("--source-language") + 1] == "de"
    assert texts.prepare_options("europarl-de-en") == ("--prepare",)
    assert "--documents" not in texts.training_options("enja")
    assert texts.prepare_options("enja") == ()
