"""`tunesmith table build`."""

from __future__ import annotations

from typer.testing import CliRunner

from tunesmith.cli.main import _build
from tunesmith.corpus.folds import read_folds
from tunesmith.generated import generate
from tunesmith.model import train
from tunesmith.tables import PhraseTable


def test_a_table_without_a_fold_is_that_of_a_model_of_the_other_folds(tmp_path):
    pairs = list(generate(60, seed=2, lowercase=True))
    sides = {"de": [pair.source for pair in pairs], "en": [pair.target for pair in pairs]}
    links = [" ".join(f"{i}-{j}" for i, j in pair.alignment) for pair in pairs]

    def write(name, rows):
        for side, lines in (*sides.items(), ("a", links)):
            (tmp_path / f"{name}.{side}").write_text("".join(lines[row] + "\n" for row in rows))
        return {"alignment": tmp_path / f"{name}.a", "lm_order": 2}

    options = write("all", range(60))
    train(tmp_path / "all.de", tmp_path / "all.en", tmp_path / "folded", folds=3, **options)
    folds = read_folds(tmp_path / "folded" / "folds.txt")
    options = write("rest", [row for row in range(60) if folds[row] != 1])
    train(tmp_path / "rest.de", tmp_path / "rest.en", tmp_path / "rest", **options)

    output = tmp_path / "table.bin"
    command = ["table", "build", str(tmp_path / "folded"), "--exclude-fold", "1", "-o", str(output)]
    run = CliRunner().invoke(_build(), command)
    assert run.exit_code == 0
    without = {(pair.source, pair.target): pair for pair in PhraseTable.open(output)}
    other = {(pair.source, pair.target): pair for pair in PhraseTable.open(tmp_path / "rest" / "phrases.bin")}
    assert without == other
