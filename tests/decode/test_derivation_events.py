"""Events of derivations, against walks in plain Python."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from tests.decode.chart_lattices import ARC_WEIGHTS, NAMED, plf, random_lattice
from tests.decode.chart_tiny import GLUE, Grammar, random_grammar, random_sentence, write_chart_model
from tests.decode.event_walks import expected_phrases, expected_rules
from tests.decode.orientations import forward, label
from tests.decode.tiny import write_model

from tunesmith.decode import (
    ChartDecoder,
    ChartOptions,
    DerivationEvents,
    GivenPhrase,
    Lattice,
    PhraseDecoder,
    Request,
    SearchOptions,
)
from tunesmith.decode.event_views import DerivationView
from tunesmith.decode.translation import GIVEN, UNKNOWN_WORD
from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Derivation, Edge, Forest, build_forest, kbest, read_forests
from tunesmith.tables.reordering import ReorderingSpec

WIDE = SearchOptions(pop_limit=0, stack_size=1 << 20, distortion_limit=-1, early_discard=False, table_limit=0)
CLASSES = {
    "hier": ("monotonicity", "msd", "mslr", "leftright", "mslrg"),
    "phrase": ("msd", "mslr", "leftright"),
}


@pytest.fixture(scope="module")
def phrases(tmp_path_factory: pytest.TempPathFactory) -> PhraseDecoder:
    """A decoder of random phrases of up to two words; `d` alone is unknown."""
    return PhraseDecoder.open(write_model(tmp_path_factory.mktemp("events") / "tiny", 3), options=WIDE)


def linked(grammar: Grammar, seed: int) -> Grammar:
    """Return a grammar with random links between the words of its rules."""
    draw = random.Random(seed)
    lines = []
    for line in grammar.text.splitlines():
        source, target = (line.split("|||")[side].split() for side in (1, 2))
        links = [
            f"{i}-{j}"
            for i, word in enumerate(source)
            for j, other in enumerate(target)
            if word.isalpha() and other.isalpha() and draw.random() < 0.5
        ]
        lines.append(f"{line} ||| {' '.join(links)}\n")
    return replace(grammar, text="".join(lines))


def chart(folder: Path, seed: int) -> ChartDecoder:
    """Return a decoder of a random grammar with glue, which links nothing."""
    model = write_chart_model(folder, [linked(random_grammar(seed), seed), GLUE], seed=seed)
    return ChartDecoder(model, options=ChartOptions(pop_limit=0))


def arrays_of(events: DerivationEvents) -> dict[str, np.ndarray]:
    """Return all arrays by name."""
    found = {}
    for part, prefix in ((events, ""), (events.steps, "steps."), (events.rules, "rules.")):
        for field in fields(part):
            value = getattr(part, field.name)
            if isinstance(value, np.ndarray):
                found[prefix + field.name] = value
            elif hasattr(value, "offsets"):
                found[prefix + field.name + ".offsets"] = value.offsets
                found[prefix + field.name + ".values"] = getattr(
                    value, "values", getattr(value, "blob", None)
                )
    assert len(found) == 27
    return found


@pytest.mark.parametrize("unique", [False, True])
def test_phrase_derivations_are_read_as_a_walk_up_their_edges_reads_them(
    phrases: PhraseDecoder, unique: bool
):
    texts = ["a b c d", "c a d b a", "d", "b a", "a d c b d"]
    forests = [found.forest for found in phrases.translate_all(texts, forest=True)]
    events = DerivationEvents.kbest(forests, phrases.weights, 150, unique=unique)
    lists = [kbest(forest, phrases.weights, 150, unique=unique) for forest in forests]
    assert events.lists.tolist() == [0, *np.cumsum([len(derivations) for derivations in lists])]
    expected = [
        expected_phrases(derivation, text.split())
        for text, derivations in zip(texts, lists, strict=True)
        for derivation in derivations
    ]
    assert list(events) == expected
    assert list(events.texts) == [" ".join(view.target) for view in expected]
    assert events.of_phrases.all()
    seen = {(step.orientation, step.phrase_orientation) for view in expected for step in view.steps}
    assert {hier for hier, _ in seen} == {"monotone", "swap", "left", "right", "global"}
    assert any(step.block is not None and step.block[1][0] > 0 for view in expected for step in view.steps)


def test_orientations_have_the_classes_of_every_model_in_both_directions(phrases: PhraseDecoder):
    texts = ["a b c d", "c a d b a", "a d c b d"]
    forests = [found.forest for found in phrases.translate_all(texts, forest=True)]
    events = DerivationEvents.kbest(forests, phrases.weights, 60)
    begin, end = events.step_offsets[:-1], events.step_offsets[1:]
    spans = [
        [tuple(span) for span in events.steps.sources[a:b].tolist()] for a, b in zip(begin, end, strict=True)
    ]
    for model, sets in CLASSES.items():
        for classes in sets:
            labels = ReorderingSpec(model, classes, "backward").labels
            numbers = events.steps.orientation_classes(model, classes, "forward")
            for row, a, b in zip(spans, begin, end, strict=True):
                length = sum(last - first for first, last in row)
                expected = [label(classes, *forward(model, row, i, length)) for i in range(len(row) - 1)]
                assert [labels[number] for number in numbers[a : b - 1]] == expected
                assert numbers[b - 1] == -1  # nothing follows the last phrase
            assert set(numbers.tolist()) == {-1, *range(len(labels))}
            # Backward classes are coarser ones of the labels that views have.
            numbers = events.steps.orientation_classes(model, classes)
            fine = [
                step.orientation if model == "hier" else step.phrase_orientation
                for view in events
                for step in view.steps
            ]
            coarse = [
                label(classes, "monotone" if each == "global" else str(each), each == "global")
                for each in fine
            ]
            assert [labels[number] for number in numbers] == coarse
    with pytest.raises(InputError, match="one class per direction"):
        events.steps.orientation_classes("hier", "mslr", "bidirectional")
    with pytest.raises(OptionError, match="mslrg needs blocks"):
        events.steps.orientation_classes("phrase", "mslrg")


@pytest.mark.parametrize("seed", range(8))
def test_chart_derivations_are_read_as_a_walk_down_their_trees_reads_them(seed: int, tmp_path: Path):
    decoder = chart(tmp_path, seed)
    texts = [random_sentence(10 * seed + length, length) for length in (1, 3, 4, 5)]
    forests = [found.forest for found in decoder.translate_all(texts, forest=True)]
    events = DerivationEvents.kbest(forests, decoder.weights, 40)
    expected = [
        expected_rules(derivation, text.split())
        for text, forest in zip(texts, forests, strict=True)
        for derivation in kbest(forest, decoder.weights, 40)
    ]
    assert list(events) == expected
    assert not events.of_phrases.any()
    assert (events.steps.blocks == -1).all() and (events.steps.orientations == 255).all()
    children = Counter(
        (derivation, parent)
        for derivation, parent in zip(events.step_derivations, events.steps.parents, strict=True)
        if parent >= 0
    )
    numbers = np.arange(len(events.steps)) - events.step_offsets[events.step_derivations]
    arities = [
        children[derivation, number]
        for derivation, number in zip(events.step_derivations, numbers, strict=True)
    ]
    assert events.rules.arities[events.steps.rules].tolist() == arities


@pytest.mark.parametrize("kind", ["phrase", "chart"])
def test_the_events_of_a_translation_are_its_own_phrases_and_links(
    kind: str, phrases: PhraseDecoder, tmp_path: Path
):
    decoder = phrases if kind == "phrase" else chart(tmp_path, 1)
    found = [decoder.translate(text, forest=True) for text in ("a b c d", "d d", "", "c a")]
    events = DerivationEvents.of_translations(found)
    assert events.lists.tolist() == [0, 1, 2, 3, 4]
    for translation, view in zip(found, events, strict=True):
        assert (view.text, view.score) == (translation.text, translation.score)
        rows = [(step.source, step.target, step.rule) for step in view.steps]
        assert rows == [(phrase.source, phrase.target, phrase.rule) for phrase in translation.phrases]
        assert view.alignment == translation.alignment
    with pytest.raises(InputError, match="translation 1 has no forest"):
        DerivationEvents.of_translations([found[0], decoder.translate("a")])


def test_a_translation_that_was_not_found_has_an_empty_list(phrases: PhraseDecoder):
    found = list(phrases.translate_all([Request("a", target="Q Q Q"), "b"], forest=True))
    assert DerivationEvents.of_translations(found).lists.tolist() == [0, 0, 1]
    best = DerivationEvents.kbest([each.forest for each in found], phrases.weights, 1)
    assert best.lists.tolist() == [0, 0, 1]
    assert len(DerivationEvents.of([])) == 0


def test_passed_words_have_a_link_and_dropped_ones_an_empty_target(phrases: PhraseDecoder):
    (passed,) = DerivationEvents.of_translations([phrases.translate("a q b", forest=True)])
    (step,) = (step for step in passed.steps if step.rule == UNKNOWN_WORD)
    assert (step.source_side, step.target_side, step.source) == (("q",), ("q",), (1, 2))
    assert step.links == ((1, step.target[0]),)
    dropping = PhraseDecoder(phrases.model, options=replace(WIDE, unknown_words="drop"))
    (dropped,) = DerivationEvents.of_translations([dropping.translate("a q b", forest=True)])
    (step,) = (step for step in dropped.steps if step.rule == UNKNOWN_WORD)
    assert (step.source_side, step.target_side, step.links) == (("q",), (), ())
    assert step.target[0] == step.target[1]
    assert dropped.source == ("a", "q", "b")


def test_given_phrases_are_steps_with_the_words_of_the_input(phrases: PhraseDecoder):
    request = Request("a q b c", phrases=(GivenPhrase(1, 3, "W G"),))
    found = phrases.translate(request, forest=True)
    events = DerivationEvents.kbest(found.forest, phrases.weights, 30)
    for view in events:
        (step,) = (step for step in view.steps if step.rule == GIVEN)
        assert (step.source, step.source_side, step.target_side) == ((1, 3), ("q", "b"), ("W", "G"))
        assert view.source == ("a", "q", "b", "c")


def test_columns_of_a_lattice_have_the_words_of_the_path(phrases: PhraseDecoder):
    # Two words, or one that skips a column, then two.
    lattice = Lattice("((('a', 1, 1), ('q', 1, 2)), (('b', 1, 1),), (('c', 1, 1),), (('d', 1, 1),),)")
    found = phrases.translate(lattice, forest=True)
    events = DerivationEvents.kbest(found.forest, phrases.weights, 400)
    paths = {("a", "b", "c", "d"), ("q", "q", "c", "d")}
    assert {view.source for view in events} == paths
    for view in events:
        covered = sorted(column for step in view.steps for column in range(*step.source))
        assert covered == [0, 1, 2, 3]
        for step in view.steps:
            assert view.source[step.source[0]] == step.source_side[0]
            assert view.source[step.source[1] - 1] == step.source_side[-1]
            assert all(step.source[0] <= column < step.source[1] for column, _ in step.links)


def test_columns_beside_gaps_and_at_the_ends_of_rules_have_their_words_in_lattices_too(tmp_path: Path):
    skipping = 0
    for seed in range(4):
        grammars = [linked(random_grammar(seed), seed), GLUE]
        model = write_chart_model(tmp_path / str(seed), grammars, ARC_WEIGHTS, seed=seed)
        decoder = ChartDecoder(model, options=NAMED)
        found = decoder.translate(plf(random_lattice(seed, 5)), forest=True)
        for view in DerivationEvents.kbest(found.forest, decoder.weights, 100, missing=0.0):
            skipping += sum(check_columns(view, number) for number in range(len(view.steps)))
    assert skipping > 0


def check_columns(view: DerivationView, number: int) -> bool:
    """Compare the words of a rule's source side, where a span ends, with the columns; was an arc skipping?"""
    step = view.steps[number]
    spans = {-1 - each.gap: each.source for each in view.steps if each.parent == number}
    borders: list[tuple[int, int] | None] = [spans.get(symbol) for symbol in step.source_side]
    borders = [(step.source[0], step.source[0]), *borders, (step.source[1], step.source[1])]
    for before, word, after in zip(borders, step.source_side, borders[2:], strict=False):
        if isinstance(word, str) and before is not None:
            assert view.source[before[1]] == word
        if isinstance(word, str) and after is not None:
            assert view.source[after[0] - 1] == word
    return not spans and 0 < len(step.source_side) < step.source[1] - step.source[0]


def test_results_do_not_depend_on_threads_or_on_what_is_read_together(phrases: PhraseDecoder, tmp_path: Path):
    rules = chart(tmp_path, 2)
    draw = random.Random(1)
    texts = [" ".join(draw.choices("abcd", k=draw.randint(1, 5))) for _ in range(14)]
    for decoder in (phrases, rules):
        forests = [found.forest for found in decoder.translate_all(texts, forest=True)]
        one, two = (DerivationEvents.kbest(forests, decoder.weights, 20, threads=n) for n in (1, 3))
        for name, array in arrays_of(one).items():
            assert np.array_equal(array, arrays_of(two)[name]), name
            assert not array.flags.writeable
        alone = [DerivationEvents.kbest(forest, forest.scores(decoder.weights), 20) for forest in forests]
        assert list(one) == [view for events in alone for view in events]
        given = [derivation for forest in forests for derivation in kbest(forest, decoder.weights, 20)]
        assert list(DerivationEvents.of(given)) == list(one)
        scores = [forest.scores(decoder.weights) for forest in forests]
        assert list(DerivationEvents.kbest(forests, scores, 20)) == list(one)
        assert list(pickle.loads(pickle.dumps(one))) == list(one)


def test_equal_rules_of_all_sentences_have_one_number_so_that_uses_can_be_counted(phrases: PhraseDecoder):
    texts = ["a b", "b a", "a b c", "c a b"]
    forests = [found.forest for found in phrases.translate_all(texts, forest=True)]
    events = DerivationEvents.kbest(forests, phrases.weights, 30)
    sides = [
        (
            int(events.rules.ids[i]),
            *(tuple(rows[i].tolist()) for rows in (events.rules.sources, events.rules.targets)),
        )
        for i in range(len(events.rules))
    ]
    assert len(set(sides)) == len(sides)
    assert len(set(events.words)) == len(events.words)
    counts = Counter((step.source_side, step.target_side) for view in events for step in view.steps)
    uses = np.bincount(events.steps.rules, minlength=len(events.rules))
    words = [tuple(tuple(events.words[word] for word in side) for side in row[1:]) for row in sides]
    assert {row: int(count) for row, count in zip(words, uses, strict=True)} == dict(counts)


def chain(*phrases: tuple[tuple[int, int], str]) -> Forest:
    """Return a forest of one derivation, without a start or an end."""
    nodes = [[Edge((), (phrases[0][1],), {"f": 1.0}, phrases[0][0])]]
    for number, (span, word) in enumerate(phrases[1:]):
        nodes.append([Edge((number,), (-1, word), {"f": 1.0}, span)])
    return build_forest(nodes)


def test_phrases_of_forests_without_borders_are_read_too():
    events = DerivationEvents.kbest(chain(((2, 3), "c"), ((0, 1), "a"), ((1, 2), "b")), {"f": 1.0}, 1)
    (view,) = events
    assert [step.orientation for step in view.steps] == ["right", "left", "monotone"]
    assert [step.block for step in view.steps] == [((0, 0), (0, 0)), ((2, 3), (0, 1)), ((0, 1), (1, 2))]
    assert view.source == (None, None, None)  # the edges have no source sides
    assert [step.target for step in view.steps] == [(0, 1), (1, 2), (2, 3)]


def test_search_graphs_of_moses_have_phrases_with_orientations(tmp_path: Path):
    (tmp_path / "graph").write_text(
        "0 hyp=0 stack=0\n"
        "0 hyp=1 stack=2 back=0 score=-1 transition=-1 forward=2 fscore=-2 covered=1-2 out=is good\n"
        "0 hyp=2 stack=3 back=1 score=-2 transition=-1 forward=-1 fscore=0 covered=0-0 out=this\n"
    )
    ((_, forest),) = read_forests(tmp_path / "graph", "moses-graph")
    (view,) = DerivationEvents.kbest(forest, np.zeros(forest.edge_count), 1)
    assert view.text == "is good this"
    assert [(step.source, step.target, step.orientation, step.block) for step in view.steps] == [
        ((1, 3), (0, 2), "right", ((0, 0), (0, 0))),
        ((0, 1), (2, 3), "swap", ((1, 3), (0, 2))),
    ]


@pytest.mark.parametrize(
    "spans", [((0, 1), (-1, -1)), ((0, 2), (1, 3)), ((0, 0), (0, 1)), ((1, 2), (0, 1), (1, 2))]
)
def test_phrases_without_known_disjoint_spans_have_no_orientations(spans: tuple[tuple[int, int], ...]):
    forest = chain(*((span, f"w{number}") for number, span in enumerate(spans)))
    events = DerivationEvents.kbest(forest, {"f": 1.0}, 1)
    assert not events.of_phrases[0]
    assert (events.steps.orientations == 255).all() and (events.steps.blocks == -1).all()
    assert events[0].target == tuple(f"w{number}" for number in range(len(spans)))
    assert events[0].steps[0].block is None


def test_what_cannot_be_read_is_refused():
    forest = chain(((0, 1), "a"))
    with pytest.raises(InputError, match="2 arrays of scores for 1 forests"):
        DerivationEvents.kbest([forest], [np.zeros(1), np.zeros(1)], 1)
    with pytest.raises(InputError, match="the feature 'f' has no weight"):
        DerivationEvents.kbest(forest, {}, 1)
    assert DerivationEvents.kbest(forest, {}, 1, missing=0.0).scores.tolist() == [0.0]
    with pytest.raises(OptionError, match="k must be at least 1"):
        DerivationEvents.kbest(forest, {"f": 1.0}, 0)
    with pytest.raises(InputError, match="not a derivation of the forest"):
        DerivationEvents.of([Derivation(forest, (0, 0), 0.0)])
    with pytest.raises(InputError, match="an edge ends at column 2000000000; expected at most 1048576"):
        DerivationEvents.kbest(chain(((0, 2_000_000_000), "a")), {"f": 1.0}, 1)
