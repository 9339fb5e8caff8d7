"""Search graphs of Moses."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.forest.enumeration import spelled

from tunesmith.errors import InputError
from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.forest.readers import read_forests
from tunesmith.forest.writers import write_forests

PLAIN = """\
0 hyp=0 stack=0
0 hyp=6 stack=1 back=0 score=-2 transition=-2 forward=9 fscore=-1 covered=0-0 out=this
0 hyp=7 stack=1 back=0 score=-2.5 transition=-2.5 recombined=6 forward=9 fscore=-1 covered=0-0 out=it
0 hyp=9 stack=3 back=6 score=-3 transition=-1 forward=-1 fscore=0 covered=1-2 out=is good
0 hyp=8 stack=2 back=0 score=-9 transition=-9 forward=-1 fscore=0 covered=1-2 out=dead end
1 hyp=0 stack=0
1 hyp=1 stack=1 back=0 score=-1 transition=-1 forward=-1 fscore=0 covered=0-0 out=yes
"""

START = [Edge((), (), {})]


def read(text: str, folder: Path) -> list[tuple[str, Forest]]:
    (folder / "graph").write_text(text, encoding="utf-8")
    return list(read_forests(folder / "graph", format="moses-graph"))


def test_the_plain_form_has_transitions_as_its_only_feature(tmp_path: Path):
    [(first, one), (second, two)] = read(PLAIN, tmp_path)
    assert (first, second) == ("0", "1")
    assert spelled(one) == [
        START,
        [
            Edge((0,), (-1, "this"), {"transition": -2.0}, (0, 1)),
            Edge((0,), (-1, "it"), {"transition": -2.5}, (0, 1)),
        ],
        [Edge((1,), (-1, "is", "good"), {"transition": -1.0}, (1, 3))],
        [Edge((2,), (-1,), {})],
    ]
    assert one.feature_names == two.feature_names == ("transition",)
    assert spelled(two)[1] == [Edge((0,), (-1, "yes"), {"transition": -1.0}, (0, 1))]


def test_the_plain_form_is_written_as_it_was_read(tmp_path: Path):
    write_forests(tmp_path / "a.osg", read(PLAIN, tmp_path))
    assert (tmp_path / "a.osg").read_text(encoding="utf-8") == (
        "0 hyp=0 stack=0\n"
        "0 hyp=1 stack=1 back=0 score=-2 transition=-2 forward=3 fscore=-1 covered=0-0 out=this\n"
        "0 hyp=2 stack=1 back=0 score=-2.5 transition=-2.5 recombined=1 forward=3 fscore=-1 covered=0-0 "
        "out=it\n"
        "0 hyp=3 stack=3 back=1 score=-3 transition=-1 forward=-1 fscore=0 covered=1-2 out=is good\n"
        "1 hyp=0 stack=0\n"
        "1 hyp=1 stack=1 back=0 score=-1 transition=-1 forward=-1 fscore=0 covered=0-0 out=yes\n"
    )


def test_the_extended_form_has_named_features_and_source_words(tmp_path: Path):
    [(_, forest)] = read(
        "3 hyp=0 stack=0 forward=1 fscore=-4\n"
        "3 hyp=1 stack=2 back=0 score=-4 transition=-4 forward=-1 fscore=0 covered=0-1 "
        'scores="core=(-1,2.5) LM= -3 TM= 1 2 sparse_a=b=1" out="das ist|that is"\n',
        tmp_path,
    )
    assert forest.edge(1) == Edge(
        (0,),
        (-1, "that", "is"),
        {"core_0": -1.0, "core_1": 2.5, "LM": -3.0, "TM_0": 1.0, "TM_1": 2.0, "sparse_a=b": 1.0},
        (0, 2),
        ("das", "ist"),
    )


def test_quotes_and_bars_in_words_survive_the_extended_form(tmp_path: Path):
    forest = build_forest([[Edge((), ('"', "a|b", '"'), {"lm": 1.0, "tm": 2.0}, (0, 1), ('"',))]])
    write_forests(tmp_path / "a.osg", [("0", forest)])
    [(_, again)] = read_forests(tmp_path / "a.osg")
    assert again.edge(1) == Edge((0,), (-1, '"', "a&#124;b", '"'), {"lm": 1.0, "tm": 2.0}, (0, 1), ('"',))


def test_hypotheses_may_come_in_any_order(tmp_path: Path):
    lines = PLAIN.splitlines(keepends=True)[:5]
    [(_, forest)] = read("".join(reversed(lines)), tmp_path)
    assert forest.node_count == 4
    assert sorted(edge.target for edge in spelled(forest)[1]) == [(-1, "it"), (-1, "this")]


def test_the_empty_hypothesis_may_be_complete_or_all_there_is(tmp_path: Path):
    [(_, nothing), (_, empty)] = read("0 hyp=0 stack=0\n1 hyp=0 stack=0 forward=-1 fscore=0\n", tmp_path)
    assert nothing.node_count == 0
    assert spelled(empty) == [START, [Edge((0,), (-1,), {})]]


def test_weights_make_the_transitions(tmp_path: Path):
    forest = build_forest([[Edge((), ("a",), {"lm": -1.0}), Edge((), ("b",), {"lm": -0.5, "tm": 1.0})]])
    write_forests(tmp_path / "a.osg", [("0", forest)], weights={"lm": 2.0, "tm": 10.0})
    assert (tmp_path / "a.osg").read_text(encoding="utf-8").splitlines()[1:] == [
        '0 hyp=1 stack=0 back=0 score=9 transition=9 forward=-1 fscore=0 scores="lm=-0.5 tm=1" out="|b"',
        "0 hyp=2 stack=0 back=0 score=-2 transition=-2 recombined=1 forward=-1 fscore=0 "
        'scores="lm=-1" out="|a"',
    ]


def test_what_is_no_phrase_lattice_is_refused(tmp_path: Path):
    pair = build_forest([[Edge((), ("a",), {})], [Edge((0, 0), (-1, -2), {})]])
    before = build_forest([[Edge((), ("a",), {})], [Edge((0,), ("b", -1), {})]])
    for forest in (pair, before):
        with pytest.raises(InputError, match="not a phrase lattice"):
            write_forests(tmp_path / "a.osg", [("0", forest)])
    with pytest.raises(InputError, match="has a space"):
        write_forests(tmp_path / "a.osg", [("a b", build_forest([]))])


LINE = "0 hyp=1 stack=1 back=0 transition=-1 forward=-1 out=a\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LINE + LINE, r"graph:2: sentence '0' has two hypotheses of number 1"),
        (LINE.replace("back=0", "back=5"), "hypothesis 1 leads to 5, which is missing"),
        (LINE.replace("forward", "recombined=7 forward"), "hypothesis 1 leads to 7, which is missing"),
        (LINE.replace("forward=-1", "forward=3"), "no hypothesis is complete"),
        (LINE.replace("back=0", "back=1"), "form a cycle"),
        (
            LINE.replace("back=0", "back=2") + LINE.replace("hyp=1", "hyp=2").replace("back=0", "back=1"),
            "form a cycle",
        ),
        (LINE.replace("back=0", "back=-2"), "no previous hypothesis"),
        (LINE.replace(" out=a", ""), "has no out="),
        (LINE.replace("transition=-1", "transition=nan"), "graph:1: expected a finite number, found 'nan'"),
        (LINE.replace("transition=-1", "transition=1e39"), "not finite"),
        (LINE.replace("transition=-1", "transition=x"), "expected a finite number"),
        (LINE.replace("hyp=1", "hyp=x"), "expected a whole number for hyp"),
        (LINE.replace("hyp=1", "hyp=-1"), "expected 'SENTENCE hyp=NUMBER"),
        (LINE.replace("stack=1", "stack"), "expected fields such as hyp=3"),
        (LINE.replace("out", "covered=2-1 out"), "i at most j"),
        (LINE.replace("out", "covered=2 out"), "expected covered=i-j"),
        (LINE.replace("out=a", 'scores="a=1 out="b|a"'), "expected"),
        (LINE.replace("out=a", 'scores="a=1" out=a'), 'expected out="source words'),
        (LINE.replace("out=a", 'scores="a=1" out="a"'), 'expected out="source words'),
        (LINE.replace("out=a", 'scores="a=1" out='), 'expected out="source words'),
        (LINE.replace("out=a", 'scores="a=1" out="'), 'expected out="source words'),
        (LINE.replace("out=a", 'scores="a=1'), "no closing quote"),
        (LINE.replace("out=a", 'scores="a=1 a=2" out="b|a"'), "two values"),
        (LINE.replace("out=a", 'scores="x" out="b|a"'), "expected name=value"),
        (LINE.replace("out=a", 'scores="=1" out="b|a"'), "no name"),
        (LINE + "1 hyp=0 stack=0\n" + LINE, "graph:3: sentence '0' occurs again"),
        ("", "is empty"),
    ],
)
def test_what_is_no_search_graph_is_refused(text: str, message: str, tmp_path: Path):
    with pytest.raises(InputError, match=message):
        read(text, tmp_path)


def test_empty_lines_are_no_sentence(tmp_path: Path):
    assert read("\n\n", tmp_path) == []
    assert len(read("\n" + PLAIN.replace("1 hyp=0", "\n1 hyp=0"), tmp_path)) == 2


def test_bad_utf8_is_refused(tmp_path: Path):
    (tmp_path / "graph").write_bytes(LINE.encode().replace(b"out=a", b"out=\xff"))
    with pytest.raises(InputError, match="graph:1: not UTF-8"):
        list(read_forests(tmp_path / "graph"))
