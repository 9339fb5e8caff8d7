"""The commands of forests: what they print and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import run

from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.forest.file import ForestFile
from tunesmith.forest.writers import write_forests


def forest(word: str) -> Forest:
    return build_forest(
        [
            [Edge((), (), {})],
            [Edge((0,), (-1, word), {"lm": -1.0}), Edge((0,), (-1, "b"), {"lm": -2.0, "tm": 1.0})],
            [Edge((1,), (-1, "c"), {"tm": 0.5})],
        ]
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_forests("f.bin", [("0", forest("x")), ("1", forest("y")), ("2", build_forest([]))])
    (tmp_path / "weights").write_text("lm 1\ntm 2\n", encoding="utf-8")
    return tmp_path


def test_forests_go_through_every_text_format_and_back(folder: Path) -> None:
    done = run("forest", "convert", "f.bin", "-o", "graphs.osg.gz")
    assert done.stderr == "graphs.osg.gz: 3 forests\n"
    for before, after in (
        ("graphs.osg.gz", "hypergraphs/"),
        ("hypergraphs", "f.json"),
        ("f.json", "again.bin"),
    ):
        assert run("forest", "convert", before, "-o", after, "-q").stderr == ""
    again = ForestFile.open("again.bin")
    assert again.ids == ("0", "1", "2")
    # The root of the graph is another node: it joins complete hypotheses.
    assert again.node_counts.tolist() == [4, 4, 0]
    assert [again[1].edge(i).target for i in again[1].edges(1)] == [(-1, "y"), (-1, "b")]


def test_weights_make_transitions_of_a_search_graph(folder: Path) -> None:
    run("forest", "convert", "f.bin", "-o", "-", "--to", "moses-graph", "--weights", "weights")
    done = run("forest", "convert", "f.bin", "-o", "a.osg", "--weights", "weights")
    assert done.returncode == 0
    lines = (folder / "a.osg").read_text(encoding="utf-8").splitlines()
    assert "score=0 transition=0" in lines[1] and 'out="|b"' in lines[1]  # -2 + 2
    assert "score=-1 transition=-1 recombined=1" in lines[2]


def test_standard_input_is_read(folder: Path) -> None:
    graph = "0 hyp=1 stack=1 back=0 transition=-1 forward=-1 out=yes\n"
    done = run("forest", "info", "-", "--json", stdin=graph)
    assert json.loads(done.stdout)["edges"] == 3


def test_info_counts_what_is_there(folder: Path) -> None:
    done = run("forest", "info", "f.bin")
    assert done.stdout == (
        "forests   3, 1 of them without a derivation\n"
        "nodes     6, 2.0 per forest\n"
        "edges     8, 2.7 per forest, at most 4\n"
        "features  2: lm tm\n"
    )
    assert json.loads(run("forest", "info", "f.bin", "--json").stdout)["features"] == ["lm", "tm"]


def test_a_sentence_is_drawn_with_its_scores(folder: Path) -> None:
    done = run("forest", "draw", "f.bin", "--sentence", "1", "--weights", "weights", "-o", "a.dot")
    assert done.returncode == 0
    assert 'label="y\\n-1"' in (folder / "a.dot").read_text(encoding="utf-8")
    run("forest", "convert", "f.bin", "-o", "f.json", "-q")
    assert run("forest", "draw", "f.json", "--sentence", "1", "-o", "b.dot").returncode == 0
    assert 'label="y\\nlm=-1"' in (folder / "b.dot").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["draw", "f.bin", "--sentence", "7", "-o", "a.dot"], 1, "no forest has the id '7'"),
        (["draw", "weights", "--sentence", "7", "-o", "a.dot"], 1, "cannot detect the forest format"),
        (["info", "missing"], 1, "missing: no such file"),
        (
            ["info", "f.bin", "--format", "moses"],
            2,
            "unknown forest format 'moses'; did you mean 'moses-graph'?",
        ),
        (["convert", "f.bin", "-o", "f.bin"], 2, "is an input too"),
        (["convert", "f.bin", "-o", "a.txt"], 2, "no forest format has this suffix"),
        (["convert", "f.bin", "-o", "a.json", "--weights", "weights"], 2, "no such option: --weights of"),
        (["convert", "f.bin", "-o", "a.hypergraph"], 1, "write to a folder"),
        (["convert", "f.bin", "-o", "missing/a.bin"], 1, "the folder does not exist"),
    ],
)
def test_mistakes_are_named(arguments: list[str], code: int, message: str, folder: Path) -> None:
    before = sorted(folder.iterdir())
    done = run("forest", *arguments)
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr
    assert sorted(folder.iterdir()) == before
