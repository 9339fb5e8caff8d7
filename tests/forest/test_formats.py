"""Forests through every format: what it can hold comes back."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from tests.forest.enumeration import spelled
from tests.forest.random_forests import addable, escaped, forests, narrow, plain_words

from tunesmith.candidates.readers import Source
from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.forest.build import from_arrays
from tunesmith.forest.readers import READERS, read_forests
from tunesmith.forest.writers import WRITERS, write_forests
from tunesmith.texts import Texts


def round_trip(forest: Forest, folder: Path, format_: str) -> Forest:
    path = folder / "file"
    assert write_forests(path, [("0", forest)], format=format_) == 1
    [(sentence, read)] = read_forests(path)
    assert sentence == "0"
    return read


def yields(forest: Forest, *, escape: bool = True) -> list[list[object]]:
    """The edges of each node with tails where they stand, as a hypergraph spells them."""

    def one(edge: Edge) -> object:
        target = escaped(edge.target) if escape else edge.target
        return tuple(edge.tails[-1 - s] if isinstance(s, int) else s for s in target), narrow(edge.features)

    return [[one(edge) for edge in edges] for edges in spelled(forest)]


@given(forest=forests(features=addable))
def test_a_hypergraph_keeps_words_tails_and_features(forest: Forest, tmp_path_factory):
    read = round_trip(forest, tmp_path_factory.mktemp("forests"), "moses-hypergraph")
    assert yields(read, escape=False) == yields(forest)


@given(forest=forests(features=addable))
def test_json_of_cdec_keeps_all_but_links_and_numbers_of_rules(forest: Forest, tmp_path_factory):
    read = round_trip(forest, tmp_path_factory.mktemp("forests"), "cdec-json")

    def kept(edge: Edge) -> Edge:
        return Edge(edge.tails, escaped(edge.target), narrow(edge.features), edge.span, escaped(edge.source))

    assert spelled(read) == [[kept(edge) for edge in edges] for edges in spelled(forest)]


def derivations(forest: Forest, node: int) -> Iterator[tuple[object, ...]]:
    """All ways to a node of a lattice; edges that add nothing are left out."""
    for number in forest.edges(node):
        edge = forest.edge(number)
        words = tuple(s for s in escaped(edge.target) if isinstance(s, str))
        source = tuple(s for s in escaped(edge.source) if isinstance(s, str))
        step = (words, source, edge.span, tuple(sorted(narrow(edge.features).items())))
        bare = not words and not edge.features
        for before in derivations(forest, edge.tails[0]) if edge.tails else [()]:
            yield before if bare else (*before, step)


@given(forest=forests(words=plain_words, features=addable, lattice=True))
def test_a_search_graph_has_the_derivations_of_the_lattice(forest: Forest, tmp_path_factory):
    read = round_trip(forest, tmp_path_factory.mktemp("forests"), "moses-graph")
    assert (read.node_count == 0) == (forest.node_count == 0)
    if forest.node_count:
        assert Counter(derivations(read, read.root)) == Counter(derivations(forest, forest.root))


@given(forest=forests())
@settings(max_examples=30)
def test_every_forest_can_be_drawn(forest: Forest, tmp_path_factory):
    path = tmp_path_factory.mktemp("forests") / "a.dot"
    write_forests(path, [("0", forest)])
    text = path.read_text(encoding="utf-8")
    assert text.startswith('digraph "sentence 0" {') and text.endswith("}\n")
    assert text.count("label=") >= forest.edge_count


def small(features: str = "lm") -> Forest:
    return build_forest(
        [
            [Edge((), (), {})],
            [
                Edge((0,), (-1, "the", "cat"), {features: -1.5}, (0, 2)),
                Edge((0,), (-1, "a"), {features: -1.0}, (0, 2)),
            ],
            [Edge((1,), (-1, "sat"), {features: 0.25}, (2, 3))],
            [Edge((2,), (-1,), {})],
        ]
    )


def test_the_content_tells_the_format(tmp_path: Path):
    for name in READERS:
        write_forests(tmp_path / "file", [("0", small())], format=name)
        assert [forest.edge_count for _, forest in read_forests(tmp_path / "file")] == [5]


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("a.bin", "forests"),
        ("a.osg.gz", "moses-graph"),
        ("a.json.xz", "cdec-json"),
        ("a.hypergraph.zst", "moses-hypergraph"),
    ],
)
def test_the_suffix_tells_what_to_write(name: str, format_: str, tmp_path: Path):
    write_forests(tmp_path / name, [("0", small())])
    [(_, forest)] = read_forests(tmp_path / name, format=format_)
    assert forest.edge_count == 5


@pytest.mark.parametrize("format_", sorted(set(WRITERS) & set(READERS)))
def test_many_sentences_fit_in_a_file_or_in_a_folder(format_: str, tmp_path: Path):
    items = [(str(i), small(f"f{i}")) for i in range(12)]
    path = tmp_path / "folder" if WRITERS[format_].single else tmp_path / "file"
    if WRITERS[format_].single:
        path.mkdir()
        (path / "weights").write_text("lm 1\n", encoding="utf-8")  # Moses puts it there
    assert write_forests(path, iter(items), format=format_) == 12
    read = list(read_forests(path))
    assert [sentence for sentence, _ in read] == [str(i) for i in range(12)]
    for (_, old), (_, new) in zip(items, read, strict=True):
        assert yields(new) == yields(old)


def test_a_folder_may_hold_a_file_a_sentence_of_any_format(tmp_path: Path):
    write_forests(tmp_path / "10.json.gz", [("10", small())])
    write_forests(tmp_path / "9.json.gz", [("9", small())])
    assert [sentence for sentence, _ in read_forests(tmp_path)] == ["9", "10"]
    with pytest.raises(InputError, match="no file such as"):
        (tmp_path / "empty").mkdir()
        list(read_forests(tmp_path / "empty"))


def test_a_format_of_one_sentence_refuses_two_and_leaves_nothing(tmp_path: Path):
    with pytest.raises(InputError, match="one sentence per file; write to a folder"):
        write_forests(tmp_path / "a.hypergraph", [("0", small()), ("1", small())])
    with pytest.raises(InputError, match="no forest to write"):
        write_forests(tmp_path / "a.hypergraph", [])
    assert list(tmp_path.iterdir()) == []


def test_wrong_names_are_refused_with_the_right_ones(tmp_path: Path):
    with pytest.raises(OptionError, match="no forest format has this suffix"):
        write_forests(tmp_path / "a.txt", [("0", small())])
    with pytest.raises(OptionError, match="unknown forest format 'cdec'; did you mean 'cdec-json'"):
        read_forests(tmp_path / "a", format="cdec")
    with pytest.raises(OptionError, match=r"no such option: weight of .*; did you mean 'weights'"):
        write_forests(tmp_path / "a.dot", [("0", small())], weight={})
    with pytest.raises(InputError, match="is not a number"):
        write_forests(f"{tmp_path}/new/", [("../x", small())])
    with pytest.raises(InputError, match="no such file"):
        list(read_forests(tmp_path / "missing"))
    (tmp_path / "foreign").write_text("a text\n", encoding="utf-8")
    with pytest.raises(InputError, match="cannot detect the forest format"):
        list(read_forests(tmp_path / "foreign"))
    with pytest.raises(InputError, match="standard input"):
        list(READERS["forests"]().read(Source("-", b"", iter(()))))


@pytest.mark.parametrize("format_", sorted(set(WRITERS) & set(READERS) - {"forests"}))
@pytest.mark.parametrize("word", ["", "a b", "a\nb"])
def test_a_word_that_text_cannot_hold_is_refused(format_: str, word: str, tmp_path: Path):
    with pytest.raises(InputError, match=r"sentence '0': .*write the format forests"):
        write_forests(tmp_path / "file", [("0", build_forest([[Edge((), (word,), {})]]))], format=format_)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format_", ["moses-graph", "moses-hypergraph"])
@pytest.mark.parametrize("name", ["", "a b", 'a"', "a|||b"])
def test_a_feature_that_text_cannot_hold_is_refused(format_: str, name: str, tmp_path: Path):
    with pytest.raises(InputError, match="write the format forests"):
        write_forests(tmp_path / "file", [("0", build_forest([[Edge((), (), {name: 1.0})]]))], format=format_)


@pytest.mark.parametrize("format_", sorted(set(WRITERS) & set(READERS) - {"forests"}))
def test_a_truncated_gz_is_refused(format_: str, tmp_path: Path):
    write_forests(tmp_path / "a.gz", [("0", small())], format=format_)
    data = (tmp_path / "a.gz").read_bytes()
    (tmp_path / "a.gz").write_bytes(data[:-5])
    with pytest.raises(InputError, match="truncated compressed file"):
        list(read_forests(tmp_path / "a.gz"))


@pytest.mark.parametrize("format_", sorted(set(WRITERS) & set(READERS) - {"forests"}))
def test_a_text_cut_anywhere_is_refused_or_a_forest(format_: str, tmp_path: Path):
    write_forests(tmp_path / "a", [("0", small())], format=format_)
    data = (tmp_path / "a").read_bytes()
    refused = 0
    for length in range(0, len(data), 5):
        (tmp_path / "cut").write_bytes(data[:length])
        try:
            list(read_forests(tmp_path / "cut", format=format_))
        except InputError:
            refused += 1
    assert refused > len(data) // 10


def chain(edges: int) -> Forest:
    """A lattice as deep as it has edges: recursion would not come back from it."""
    offsets, rules = np.arange(edges + 1), np.minimum(np.arange(edges), 1)
    words, names = Texts.of(["a"]), Texts.of(["f"])
    values = np.random.default_rng(1).normal(size=edges)
    return from_arrays(
        offsets,
        (np.append(0, offsets[:-1]), offsets[: edges - 1]),
        rules,
        np.stack([offsets[:-1], offsets[1:]], axis=1),
        (offsets, np.zeros(edges, dtype=np.uint32), values),
        ([0, 0, 0], []),
        ([0, 0, 2], [-1, 0]),
        ([0, 0, 0], []),
        ([0, 0, 0], [], []),
        [-1, -1],
        (words.blob, words.offsets),
        (names.blob, names.offsets),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format_", "edges"),
    [("forests", 200_000), ("moses-graph", 100_000), ("moses-hypergraph", 100_000), ("cdec-json", 10_000)],
)
def test_large_and_deep_forests_come_back(format_: str, edges: int, tmp_path: Path):
    forest = chain(edges)
    read = round_trip(forest, tmp_path, format_)
    added = 2 if format_ == "moses-graph" else 0  # the empty hypothesis and the root, which have no features
    assert read.edge_count == forest.edge_count + added
    scores = read.scores(np.ones(1))
    assert scores[scores != 0].tolist() == forest.scores(np.ones(1)).tolist()


@pytest.mark.parametrize("format_", sorted(set(WRITERS) & set(READERS)))
@pytest.mark.parametrize("ids", [["7", "9"], ["0", "2"], ["1", "0"], ["7"], ["007"], ["dev.7"]])
def test_ids_come_back_or_are_refused(format_: str, ids: list[str], tmp_path: Path):
    path = tmp_path / "file"
    try:
        write_forests(path, [(name, small()) for name in ids], format=format_)
    except InputError as error:
        assert WRITERS[format_].unnamed and "write to a folder" in str(error)
        assert list(tmp_path.iterdir()) == []
    else:
        assert not WRITERS[format_].unnamed
        assert [name for name, _ in read_forests(path)] == ids


@pytest.mark.parametrize("format_", ["cdec-json", "moses-hypergraph"])
def test_files_of_a_folder_tell_ids_that_the_format_has_no_place_for(format_: str, tmp_path: Path):
    items = [(name, small(name)) for name in ("9", "7")]
    assert write_forests(f"{tmp_path}/new/", items, format=format_) == 2
    assert [(name, forest.feature_names) for name, forest in read_forests(tmp_path / "new")] == [
        ("7", ("7",)),
        ("9", ("9",)),
    ]


@pytest.mark.parametrize("format_", sorted(WRITERS))
def test_two_forests_of_one_id_are_refused(format_: str, tmp_path: Path):
    path = f"{tmp_path}/new/" if WRITERS[format_].single else tmp_path / "file"
    with pytest.raises(InputError, match=r"two forests have the id ['\"]0"):
        write_forests(path, [("0", small()), ("0", small())], format=format_)


def test_words_that_a_hypergraph_takes_for_borders_are_not_lost(tmp_path: Path):
    forest = build_forest([[Edge((), ("<s>", "a", "</s>"), {})]])
    write_forests(tmp_path / "a.hypergraph", [("0", forest)])
    [(_, read)] = read_forests(tmp_path / "a.hypergraph")
    assert read.edge(0).target == ("&lt;s&gt;", "a", "&lt;/s&gt;")
    write_forests(tmp_path / "a.hypergraph", [("0", forest)], keep_boundaries=True)
    [(_, read)] = read_forests(tmp_path / "a.hypergraph", keep_boundaries=True)
    assert read.edge(0).target == ("<s>", "a", "</s>")


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["moses-graph", "moses-hypergraph"])
def test_time_is_linear_in_the_features_of_an_edge(format_: str, tmp_path: Path):
    features = {f"f{i}": 1.0 for i in range(200_000)}
    forest = build_forest(
        [[Edge((), (), {})], [Edge((0,), (-1, "a"), features), Edge((0,), (-1,), {"f1": 2.0})]]
    )
    begin = time.process_time()
    read = round_trip(forest, tmp_path, format_)
    assert time.process_time() - begin < 10  # twenty billion comparisons of each with each take longer
    assert sorted(len(edge.features) for edges in spelled(read) for edge in edges)[-2:] == [1, 200_000]
