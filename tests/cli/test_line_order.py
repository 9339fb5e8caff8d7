"""The lines that `rerank` and `mbr` write: in the order of ids that count lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.commands import Done, run

COMMANDS = [("rerank", "--weight", "lm=1"), ("mbr",)]
FORMATS = ["csv", "tsv", "jsonl", "parquet"]


def lists(folder: Path, ids: Sequence[object], ending: str = "csv") -> Path:
    """Write one candidate `line ID` per list, in this order."""
    path = folder / f"lists.{ending}"
    if ending == "jsonl":
        records = [
            {"id": name, "hypotheses": [{"text": f"line {name}", "features": {"lm": -1}}]} for name in ids
        ]
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return path
    table = folder / "lists.csv"
    table.write_text("id,text,lm\n" + "".join(f"{name},line {name},-1\n" for name in ids))
    if ending == "tsv":
        path.write_text(table.read_text().replace(",", "\t"))
    elif ending == "parquet":
        assert run("convert", "--candidates", table, "-o", path).returncode == 0
    return path


def written(command: Sequence[object], path: Path, *more: object) -> Done:
    return run(*command, "--candidates", path, *more)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("ending", FORMATS)
def test_lines_are_in_the_order_of_ids_that_were_sorted_as_text(
    tmp_path: Path, command: Sequence[object], ending: str
) -> None:
    path = lists(tmp_path, sorted(range(12), key=str), ending)
    done = written(command, path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"line {number}" for number in range(12)]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_number_without_candidates_is_refused(tmp_path: Path, command: Sequence[object]) -> None:
    path, out = lists(tmp_path, [2, 0]), tmp_path / "out.txt"
    done = written(command, path, "-o", out)
    assert done.returncode == 1 and not out.exists()
    assert "sentence 1 has no candidates; --allow-missing skips such sentences" in " ".join(
        done.stderr.split()
    )
    assert written(command, path, "--allow-missing").stdout.splitlines() == ["line 0", "line 2"]


def test_ids_from_1_are_refused_as_for_references(tmp_path: Path) -> None:
    done = written(COMMANDS[0], lists(tmp_path, [1, 2, 3]))
    assert done.returncode == 1 and "sentence 0 has no candidates" in " ".join(done.stderr.split())


def test_numbers_with_a_fraction_are_refused(tmp_path: Path) -> None:
    done = written(COMMANDS[0], lists(tmp_path, ["0.0", "1.0", "10.0", "2.0"]))
    assert done.returncode == 1
    assert "not clear which line of the output it belongs to" in " ".join(done.stderr.split())


def test_lists_with_names_are_in_the_order_of_the_file(tmp_path: Path) -> None:
    done = written(COMMANDS[0], lists(tmp_path, ["b", "10", "a"]))
    assert done.stdout.splitlines() == ["line b", "line 10", "line a"]


def test_json_keeps_the_order_of_the_lists_beside_ordered_lines(tmp_path: Path) -> None:
    path, out = lists(tmp_path, [1, 0]), tmp_path / "out.txt"
    done = written(COMMANDS[0], path, "--json", "-o", out)
    assert [(each["id"], each["text"]) for each in json.loads(done.stdout)] == [
        ("1", "line 1"),
        ("0", "line 0"),
    ]
    assert out.read_text() == "line 0\nline 1\n"
