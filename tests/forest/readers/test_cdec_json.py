"""JSON forests of cdec."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.forest.enumeration import spelled

from tunesmith.errors import InputError
from tunesmith.forest import Derivation, Edge, Forest, derivations, kbest, kbest_pool, viterbi
from tunesmith.forest.readers import read_forests

LATTICE = (
    '{"rules":[1,"[X] ||| [1] a",2,"[X] ||| x [X,1] ||| [1] \\"b\\" ||| p=1 ||| 0-1"],"features":["f","g"],'
    '"edges":[],"node":{"in_edges":[]},'
    '"edges":[{"tail":[0],"feats":[0,-0.25],"rule":1},{"tail":[0],"spans":[1,3,-1,-1],"feats":["h",2],"rule":2}],'
    '"node":{"in_edges":[1,0],"cat":"X"}}'
)


def read(text: str, folder: Path) -> list[tuple[str, Forest]]:
    (folder / "3.json").write_text(text, encoding="utf-8")
    return list(read_forests(folder / "3.json", format="cdec-json"))


def test_a_node_without_edges_is_where_derivations_begin(tmp_path: Path):
    [(sentence, forest)] = read(LATTICE, tmp_path)
    assert sentence == "3"
    assert spelled(forest) == [
        [Edge((), (), {})],
        [
            Edge((0,), (-1, '"b"'), {"h": 2.0}, (1, 3), ("x", -1), ((0, 1),)),
            Edge((0,), (-1, "a"), {"f": -0.25}),
        ],
    ]
    assert forest.feature_names == ("f", "g", "h")


def test_gaps_of_newer_versions_count_in_order(tmp_path: Path):
    text = (
        '{"rules":[1,"[X] ||| a ||| b",2,"[S] ||| [X] c [X] ||| [2] d [1]"],"features":null,'
        '"is_sorted":true,"edges":[{"tail":null,"feats":null,"rule":1}],"node":{"in_edges":[0]},'
        '"edges":[{"tail":[0,0],"rule":2}],"node":{"in_edges":[1]}}'
    )
    [(_, forest)] = read(text, tmp_path)
    assert forest.edge(1) == Edge((0, 0), (-2, "d", -1), {}, (-1, -1), (-1, "c", -2))


def test_rules_may_be_left_out_or_spelled_out_in_edges(tmp_path: Path):
    text = (
        '{"edges":[{"tail":[],"rule":"[X] ||| a"}],"node":{"in_edges":[0]},'
        '"edges":[{"tail":[0,0],"feats":[]}],"node":{"in_edges":[1]}}'
    )
    [(_, forest)] = read(text, tmp_path)
    assert [edge.target for node in spelled(forest) for edge in node] == [("a",), (-1, -2)]


def test_forests_may_follow_one_another(tmp_path: Path):
    read_twice = read(f"{LATTICE}\n{{}}\n\n {LATTICE}\n", tmp_path)
    assert [(sentence, forest.node_count) for sentence, forest in read_twice] == [
        ("0", 2),
        ("1", 0),
        ("2", 2),
    ]


@pytest.mark.parametrize(
    ("rest", "line", "found"),
    [
        ("\n\n  ]", 3, "after the end of forest 1, found '\\]' at column 3"),
        (" # made by cdec\nmore", 1, "after the end of forest 1, found '# made by cdec' ... at column "),
        (f"\n{LATTICE}\ntrailing", 3, "after the end of forest 2, found 'trailing' at column 1"),
        (",", 1, "another forest or the end of the file after the end of forest 1, found ',' at column"),
        ("\n" + "x" * 100, 2, f"found '{'x' * 40}' ... at column 1; remove what is not JSON"),
    ],
)
def test_text_after_a_forest_is_shown_with_its_line(rest: str, line: int, found: str, tmp_path: Path):
    with pytest.raises(InputError, match=found) as raised:
        read(LATTICE + rest, tmp_path)
    assert str(raised.value).startswith(f"{tmp_path}/3.json:{line}: ")


def test_features_that_a_file_lists_but_weights_lack_count_as_missing_says(tmp_path: Path):
    [(_, forest)] = read(LATTICE, tmp_path)
    weights = {"f": 1.0}
    with pytest.raises(InputError, match=r"2 of 3 features of the forest have no weight: 'g', 'h'.*missing"):
        viterbi(forest, weights)
    full = {"f": 1.0, "g": 0.0, "h": 0.0}
    for best in (viterbi, lambda *given, **how: kbest(*given, 5, **how)[0], first_derivation):
        found, expected = best(forest, weights, missing=0), best(forest, full)
        assert (found.edges, found.score) == (expected.edges, expected.score)
    assert [one.score for one in kbest(forest, weights, 5, missing=2)] == [4.0, -0.25]
    pool = kbest_pool([forest], weights, 5, missing=0)
    assert pool.totals.tolist() == kbest_pool([forest], full, 5).totals.tolist()
    with pytest.raises(InputError, match="2 of 3 features of the forest have no weight: 'g', 'h'"):
        kbest_pool([forest], weights, 5)


def first_derivation(forest: Forest, weights: dict[str, float], missing: float | None = None) -> Derivation:
    return next(derivations(forest, weights, missing=missing))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LATTICE[:-1], "not JSON, or truncated"),
        ('"a"', "expected an object"),
        ("[1]", "not a forest"),
        ("[" * 100_000, "nested too deep"),
        (LATTICE.replace('"node":{"in_edges":[1,0]', '"node":{"in_edges":[1,1]'), "has another head"),
        (
            LATTICE.replace('"node":{"in_edges":[1,0]', '"node":{"in_edges":[2]'),
            "edge 2, which does not exist",
        ),
        (
            LATTICE.replace('"node":{"in_edges":[1,0]', '"node":{"in_edges":[-1]'),
            "edge -1, which does not exist",
        ),
        (LATTICE.replace('"tail":[0]', '"tail":[1]'), "not below its head"),
        (LATTICE.replace('"tail":[0]', '"tail":[-1]'), "expected numbers of nodes, from 0"),
        (LATTICE.replace('"tail":[0]', '"tail":[]'), "have each tail exactly once"),
        (LATTICE.replace('"tail":[0]', '"tail":["x"]'), "a tail has the number 'x'"),
        (LATTICE.replace('"tail":[0]', '"tail":[0.9]'), "a tail has the number 0.9; expected an integer"),
        (LATTICE.replace('"in_edges":[1,0]', '"in_edges":[1,0.5]'), "an edge has the number 0.5"),
        (LATTICE.replace('"rule":2', '"rule":2.0'), "a rule has the number 2.0"),
        (LATTICE.replace("[0,-0.25]", "[0,-0.25,0,1]"), "feature 'f' has two values for one edge"),
        (LATTICE.replace("[0,-0.25]", '[0,-0.25,"f",1]'), "feature 'f' has two values for one edge"),
        (LATTICE.replace("[0,-0.25]", "[0,1e40]"), "the value 1e.40; expected a finite 32-bit float"),
        (LATTICE.replace('"tail":[0]', '"tail":[99999999999999999999]'), "not a forest as cdec writes it"),
        (LATTICE.replace('"rule":2', '"rule":3'), "rule 3, which is not among the rules"),
        (LATTICE.replace("[0,-0.25]", "[0,NaN]"), "expected a finite 32-bit float"),
        (LATTICE.replace("[0,-0.25]", "[0]"), "not a forest as cdec writes it"),
        (LATTICE.replace("[0,-0.25]", "[7,1]"), "feature 7, of 2"),
        (LATTICE.replace('"features"', '"feature"'), "unknown key 'feature'"),
        (LATTICE.replace("[X] ||| [1] a", "[1] a"), "expected a rule such as"),
    ],
)
def test_what_is_no_forest_is_refused(text: str, message: str, tmp_path: Path):
    with pytest.raises(InputError, match=message):
        read(text, tmp_path)


def test_bad_utf8_is_refused(tmp_path: Path):
    (tmp_path / "a.json").write_bytes(b'{"rules":[1,"\xff"]}')
    with pytest.raises(InputError, match="not UTF-8"):
        list(read_forests(tmp_path / "a.json"))
