"""`[mapping]` of moses.ini in all its forms."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tables.toy_tables import INI, write_model

from tunesmith.errors import InputError
from tunesmith.model.moses_import import import_moses
from tunesmith.model.moses_mapping import read_mapping

TABLE = "PhraseDictionaryMemory name=TM1 num-features=4 path=phrase-table input-factor=0 output-factor=0\n"


@pytest.mark.parametrize("steps", ["T 0", "0 T 0", "0 TM0", "0 T TM0", "T TM0", ""])
def test_a_step_of_one_table_has_many_forms(steps: str, tmp_path: Path) -> None:
    write_model(tmp_path)
    section = f"[mapping]\n{steps}\n" if steps else ""
    (tmp_path / "moses.ini").write_text(INI.replace("[mapping]\n0 T 0\n", section))
    model = import_moses(tmp_path / "moses.ini", tmp_path / "model")
    assert [part.name for part in model.phrase_tables] == ["TM0"]


@pytest.mark.parametrize(
    ("lines", "graphs"),
    [
        (("0 T 0", "1 T 1"), {"A": 0, "B": 1}),
        (("0 B", "1 A"), {"B": 0, "A": 1}),
        (("0 T 1",), {"B": 0}),
        ((), {"A": 0}),
    ],
)
def test_graphs_are_alternatives(lines: tuple[str, ...], graphs: dict[str, int]) -> None:
    assert read_mapping("moses.ini", {"mapping": lines}, ["A", "B"]) == graphs


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("T 0", "T 1"), "two mapping steps of one graph"),
        (("0 T 0", "0 G 0"), "expected translation steps only"),
        (("G 0",), "expected translation steps only"),
        (("0 T 0 0",), "expected translation steps only"),
        (("0 T 2",), "2 phrase tables and none '2'"),
        (("0 C",), "none 'C'"),
        (("x T 0",), "graph is 'x'"),
        (("0 T 0", "1 A"), "uses the table 'A' twice"),
    ],
)
def test_steps_that_are_not_tables_are_refused(lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_mapping("moses.ini", {"mapping": lines}, ["A", "B"])


def test_a_table_without_a_step_is_refused_by_name(tmp_path: Path) -> None:
    write_model(tmp_path)
    text = INI.replace("[weight]\n", f"[feature]\n{TABLE}[weight]\nTM1= 1 1 1 1\n[weight]\n")
    (tmp_path / "moses.ini").write_text(text)
    with pytest.raises(InputError, match=r"TM1: a table that no line of \[mapping\] uses"):
        import_moses(tmp_path / "moses.ini", tmp_path / "model")
    model = import_moses(tmp_path / "moses.ini", tmp_path / "model", ignore=["TM1"])
    assert [part.name for part in model.phrase_tables] == ["TM0"]
    assert "TM1_0" not in model.weights


def test_numbers_count_tables_that_are_left_out(tmp_path: Path) -> None:
    write_model(tmp_path)
    text = INI.replace("[feature]\n", f"[feature]\n{TABLE}").replace("[weight]\n", "[weight]\nTM1= 1 1 1 1\n")
    (tmp_path / "moses.ini").write_text(text.replace("0 T 0", "0 T 1"))
    model = import_moses(tmp_path / "moses.ini", tmp_path / "model", ignore=["TM1"])
    assert [part.name for part in model.phrase_tables] == ["TM0"]
