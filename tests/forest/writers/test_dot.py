"""Drawings of forests."""

from __future__ import annotations

from pathlib import Path

from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.forest.writers import write_forests


def draw(forest: Forest, folder: Path, **options: object) -> list[str]:
    write_forests(folder / "a.dot", [('s"1', forest)], **options)
    return (folder / "a.dot").read_text(encoding="utf-8").splitlines()


def test_a_lattice_is_labeled_arrows(tmp_path: Path):
    lattice = build_forest(
        [
            [Edge((), (), {})],
            [Edge((0,), (-1, 'say "\\n"', "x"), {"lm": -1.25}), Edge((0,), (-1,), {"lm": 2.0})],
        ]
    )
    assert draw(lattice, tmp_path, weights={"lm": 2.0}) == [
        r'digraph "sentence s\"1" {',
        "  rankdir=LR;",
        "  node [shape=circle];",
        "  1 [shape=doublecircle];",
        "  start0 [shape=point];",
        '  start0 -> 0 [label="\\n0"];',
        r'  0 -> 1 [label="say \"\\n\" x\n-2.5"];',
        r'  0 -> 1 [label="\n4"];',
        "}",
    ]


def test_other_forests_have_a_box_an_edge_with_features_where_no_weights_are_given(tmp_path: Path):
    forest = build_forest([[Edge((), ("a",), {"lm": -1.0})], [Edge((0, 0), (-2, "of", -1), {})]])
    assert draw(forest, tmp_path)[2:] == [
        "  1 [shape=doublecircle];",
        r'  edge0 [shape=box, label="a\nlm=-1"];',
        "  edge0 -> 0;",
        '  edge1 [shape=box, label="[0] of [0]"];',
        "  edge1 -> 1;",
        '  0 -> edge1 [arrowhead=none, taillabel="1"];',
        '  0 -> edge1 [arrowhead=none, taillabel="2"];',
        "}",
    ]


def test_a_forest_without_nodes_is_an_empty_drawing(tmp_path: Path):
    assert draw(build_forest([]), tmp_path)[-1] == "}"
