"""Hypergraphs of Moses."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.forest.enumeration import spelled

from tunesmith.errors import InputError
from tunesmith.forest import Edge, Forest
from tunesmith.forest.readers import read_forests

HEADER = "# target ||| features ||| source-covered\n"
GRAPH = (
    HEADER + "4 5\n"
    "# node 0\n1\n<s> |||  ||| 0\n"
    "# node 1\n2\n[0] the cat  ||| LM=-1.5 TM_0=2  ||| 2\n[0] a  ||| LM=-1 ||| 2\n"
    "# node 2\n1\n[1] of [1]  ||| LM=b=0.25 ||| 4\n"
    "# node 3\n1\n[2] </s> |||  ||| 4\n"
)


def read(text: str, folder: Path, **options: bool) -> Forest:
    (folder / "7.hg").write_text(text, encoding="utf-8")
    [(sentence, forest)] = read_forests(folder / "7.hg", format="moses-hypergraph", **options)
    assert sentence == "7"
    return forest


def test_children_are_tails_in_the_order_of_the_target(tmp_path: Path):
    assert spelled(read(GRAPH, tmp_path)) == [
        [Edge((), (), {})],
        [Edge((0,), (-1, "the", "cat"), {"LM": -1.5, "TM_0": 2.0}), Edge((0,), (-1, "a"), {"LM": -1.0})],
        [Edge((1, 1), (-1, "of", -2), {"LM=b": 0.25})],
        [Edge((2,), (-1,), {})],
    ]


def test_boundaries_are_words_if_they_are_asked_for(tmp_path: Path):
    forest = read(GRAPH, tmp_path, keep_boundaries=True)
    assert forest.edge(0).target == ("<s>",)
    assert forest.edge(4).target == (-1, "</s>")


def test_a_graph_without_nodes_has_no_derivation(tmp_path: Path):
    assert read(HEADER + "0 0\n", tmp_path).node_count == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        (GRAPH.replace("# target", "# goal"), "hg:1: expected '# target"),
        (HEADER, "ends before the numbers"),
        (GRAPH.replace("4 5", "4"), "hg:2: expected the numbers of nodes and edges"),
        (GRAPH.replace("4 5", "4 x"), "hg:2: expected the numbers of nodes and edges"),
        (GRAPH.replace("4 5", "4 6"), "announces 6 edges, but the file has 5"),
        (GRAPH.replace("4 5", "5 5"), "ends within node 4 of 5"),
        (GRAPH.replace("4 5", "3 5"), "hg:14: more than the 3 nodes"),
        (
            GRAPH.replace("[2] </s>", "[3] </s>"),
            r"hg:15: node 3 has the child '\[3\]'; expected a node before it",
        ),
        (GRAPH.replace("[1] of", "[9] of"), r"node 2 has the child '\[9\]'"),
        (GRAPH.replace("# node 2\n1\n", "# node 2\n0\n"), "number of a node's edges, at least 1, found '0'"),
        (GRAPH.replace("# node 2\n1\n", "# node 2\n"), "number of a node's edges"),
        (GRAPH.replace("LM=-1 ", "LM=nan "), "hg:9: expected a finite number, found 'nan'"),
        (GRAPH.replace("LM=-1 ", "LM "), "expected name=value, found 'LM'"),
        (GRAPH.replace("LM=-1 ", "=1 "), "no name"),
        (GRAPH.replace("LM=-1 ", "LM=1 LM=2 "), "two values"),
        (GRAPH.replace("LM=-1 ||| 2", "LM=-1"), "expected 'words"),
        (GRAPH.replace("LM=-1 ||| 2", "LM=-1 ||| x"), "source words that the node covers, found 'x'"),
    ],
)
def test_what_is_no_hypergraph_is_refused(text: str, message: str, tmp_path: Path):
    with pytest.raises(InputError, match=message):
        read(text, tmp_path)
