"""Where the files of a model are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tunesmith.model.model import LanguageModelPart, Model, PhrasePart, RulePart
from tunesmith.weights import Weights

PARTS = Model(
    Path("here"),
    (PhrasePart("TM0", "phrases.bin", 4, 20),),
    (),
    (
        LanguageModelPart("LM0", 3, "text.arpa", "lm.bin"),
        LanguageModelPart("LM1", 3, "other.arpa", None),
        LanguageModelPart("LM2", 3, None, "classes.lm", classes="classes.txt"),
    ),
    {},
    {},
    Weights({}),
    (RulePart("Glue", "glue.grammar", "text"), RulePart("Rules", "", "input")),
)


def test_files_are_those_that_are_opened() -> None:
    assert PARTS.files() == {
        "TM0": Path("here/phrases.bin"),
        "Glue": Path("here/glue.grammar"),
        "LM0": Path("here/lm.bin"),
        "LM1": Path("here/other.arpa"),
        "LM2": Path("here/classes.lm"),
        "LM2 classes": Path("here/classes.txt"),
    }


def test_anchored_paths_hold_from_any_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    anchored = PARTS.anchored()
    assert anchored.files() == {name: tmp_path / path for name, path in PARTS.files().items()}
    assert [part.arpa for part in anchored.language_models] == [
        str(tmp_path / "here" / "text.arpa"),
        str(tmp_path / "here" / "other.arpa"),
        None,
    ]
    assert anchored.rules[1] == PARTS.rules[1]
    assert anchored.anchored() == anchored
