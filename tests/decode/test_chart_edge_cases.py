"""Sentences and grammars at the edge of what the chart decoder takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.decode.chart_brute_force import ChartBruteForce, arcs_of, check_all, parse_rules
from tests.decode.chart_tiny import GLUE, Grammar, random_grammar, random_sentence, write_chart_model

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.errors import InputError, OptionError
from tunesmith.files import read_lines
from tunesmith.forest import count_derivations, kbest

ALL = ChartOptions(pop_limit=0)
WORDS = Grammar("[X] ||| a ||| W ||| F0=1 ||| 0-0\n[X] ||| a [X,1] ||| [1] X ||| F0=2 ||| 0-1\n", ("F0",))


@pytest.fixture
def decoder(tmp_path: Path) -> ChartDecoder:
    return ChartDecoder(write_chart_model(tmp_path, [WORDS, GLUE]), options=ALL)


@pytest.fixture(scope="module")
def sources(shared_data: Path) -> list[str]:
    return read_lines(shared_data / "multi30k.test_2016.de.xz")[:200]


def expected_of(decoder: ChartDecoder, text: str, unknown: str = "pass") -> ChartBruteForce:
    rules = parse_rules(WORDS) + parse_rules(GLUE)
    arcs = [[(word, {}, node + 1)] for node, word in enumerate(word for word in text.split(" ") if word)]
    return ChartBruteForce(rules, arcs, decoder.model.directory / "lm.arpa", unknown=unknown)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "q",
        "q r q",
        "a <s> a",
        "</s>",
        "<s> a </s>",
        "<unk> a",
        "||| a |||",
        "[X] a [X,1]",
        "[1] [S] [X][X]",
        "猫 שלום é",
        "\u00a0 \x01",
        "x" * 5000,
    ],
)
@pytest.mark.parametrize("unknown", ["pass", "drop"])
def test_words_of_any_form_are_words(text: str, unknown: str, tmp_path: Path):
    options = ChartOptions(pop_limit=0, unknown_words=unknown)
    decoder = ChartDecoder(write_chart_model(tmp_path, [WORDS, GLUE]), options=options)
    check_all(decoder.translate(text, forest=True), expected_of(decoder, text, unknown), decoder)


def test_only_blanks_part_words(decoder: ChartDecoder):
    found = decoder.translate("a\ta q\u3000q")
    assert (found.text, found.unknown_words) == ("a\ta q\u3000q", 2)


def test_blanks_around_words_do_not_count(decoder: ChartDecoder):
    first, second = (decoder.translate(text, forest=True) for text in ("a q a", "  a  q   a "))
    assert (first.text, first.score, first.alignment) == (second.text, second.score, second.alignment)


def test_unknown_words_are_counted_and_aligned(decoder: ChartDecoder):
    found = decoder.translate("q r q")
    assert (found.text, found.unknown_words) == ("q r q", 3)
    assert found.alignment == ((0, 0), (1, 1), (2, 2))
    assert found.features["UnknownWordPenalty0"] == -300


def test_a_word_that_only_longer_rules_have_is_unknown(tmp_path: Path):
    grammar = Grammar("[X] ||| a b ||| W ||| F0=1\n[X] ||| a ||| X ||| F0=1\n", ("F0",))
    decoder = ChartDecoder(write_chart_model(tmp_path, [grammar, GLUE]), options=ALL)
    found = decoder.translate("a b", forest=True)
    assert {each.text for each in kbest(found.forest, decoder.weights, 9)} == {"W", "X b"}


def test_rules_of_one_gap_that_lead_back_are_refused(tmp_path: Path):
    for text in (
        "[X] ||| [X,1] ||| [1] W ||| F0=1\n",
        "[X] ||| [Y,1] ||| [1] ||| F0=1\n[Y] ||| [X,1] ||| [1] ||| F0=1\n",
    ):
        decoder = ChartDecoder(write_chart_model(tmp_path, [Grammar(text, ("F0",)), GLUE]), options=ALL)
        with pytest.raises(InputError, match="lead from a category back to itself"):
            decoder.translate("a")


def test_chains_of_rules_of_one_gap_are_found_in_any_order(tmp_path: Path):
    """Categories are made in the order in which rules need them, not in that of their numbers."""
    lines = ["[X] ||| [A,1] ||| [1]", "[A] ||| [C,1] ||| [1]", "[B] ||| a ||| W", "[C] ||| [B,1] ||| [1]"]
    for order in (lines, lines[::-1]):
        text = "".join(f"{line} ||| F0=1\n" for line in [*order, "[C] ||| a ||| Z"])
        decoder = ChartDecoder(write_chart_model(tmp_path, [Grammar(text, ("F0",)), GLUE]), options=ALL)
        found = decoder.translate("a", forest=True)
        counts = {each.text: each.features["F0"] for each in kbest(found.forest, decoder.weights, 9)}
        assert counts == {"W": 4, "Z": 3}


@pytest.mark.parametrize("glue", ["", "[T] ||| <s> ||| <s>\n[T] ||| [T,1] </s> ||| [1] </s>\n"])
def test_a_grammar_without_goal_finds_nothing(glue: str, tmp_path: Path):
    decoder = ChartDecoder(write_chart_model(tmp_path, [WORDS, Grammar(glue)]), options=ALL)
    for text in ("", "a", "a q"):
        found = decoder.translate(text, forest=True)
        assert (found.found, found.text, found.phrases, found.features) == (False, "", (), {})
        assert found.forest.node_count == 0


def test_a_model_of_phrases_needs_the_other_decoder(tmp_path: Path):
    model = write_chart_model(tmp_path, [])
    with pytest.raises(InputError, match="is not a hierarchical or ITG model"):
        ChartDecoder(model)


def test_one_pop_a_cell_finds_a_derivation(tmp_path: Path):
    for seed in range(8):
        model = write_chart_model(tmp_path, [random_grammar(seed), GLUE], seed=seed)
        text = random_sentence(seed + 3, 5)
        one, every = (
            ChartDecoder(model, options=ChartOptions(pop_limit=limit)).translate(text, forest=True)
            for limit in (1, 0)
        )
        assert one.found == every.found
        if one.found:
            assert count_derivations(one.forest) == 1
            assert one.score <= every.score + 1e-4


def test_cells_and_beams_only_lose(tmp_path: Path):
    for seed in range(6):
        model = write_chart_model(tmp_path, [random_grammar(seed), GLUE], seed=seed)
        text = random_sentence(seed + 3, 5)
        best = ChartDecoder(model, options=ALL).translate(text, forest=True)
        for changed in ({"cell_size": 1}, {"cell_size": 3}, {"beam_threshold": 0.0}, {"beam_threshold": 1.5}):
            found = ChartDecoder(model, options=ChartOptions(pop_limit=0, **changed)).translate(
                text, forest=True
            )
            assert found.found == best.found
            if best.found:
                assert found.score <= best.score + 1e-4
                assert count_derivations(found.forest) <= count_derivations(best.forest)


def test_changed_weights_are_those_of_the_next_sentence(tmp_path: Path):
    grammar = random_grammar(2)
    decoder = ChartDecoder(write_chart_model(tmp_path, [grammar, GLUE], seed=2), options=ALL)
    rules = parse_rules(grammar) + parse_rules(GLUE)
    expected = ChartBruteForce(rules, arcs_of("a b a"), tmp_path / "lm.arpa")
    first = dict(decoder.weights)
    texts = set()
    for sign in (1, -1, 1):
        decoder.weights = {name: sign * value for name, value in first.items()}
        found = decoder.translate("a b a", forest=True)
        check_all(found, expected, decoder)
        texts.add(found.text)
    assert len(texts) == 2


@pytest.mark.slow
def test_threads_change_nothing(moses_hiero: Path, sources: list[str]):
    decoder = ChartDecoder.open(moses_hiero, options=ChartOptions(pop_limit=30))
    one, two = (
        [
            (each.text, each.score, each.steps, each.forest.native.tails.tobytes(), each.native.bytes)
            for each in decoder.translate_all(sources[:40], forest=True, threads=threads)
        ]
        for threads in (1, 2)
    )
    assert one == two


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read there")
def test_a_long_sentence_needs_what_it_says(moses_hiero: Path, sources: list[str]):
    """In a process of its own, so that nothing but the sentence makes the peak grow.

    The peak is not asked of `resource`: there a new process begins with that of its parent.
    """
    text = " ".join(" ".join(sources).split()[:120])
    script = (
        "import pathlib, re, sys\n"
        "from tunesmith.decode.chart import ChartDecoder\n"
        "from tunesmith.decode.settings import ChartOptions\n"
        "decoder = ChartDecoder.open(sys.argv[1], options=ChartOptions(span_limit=40))\n"
        "status = pathlib.Path('/proc/self/status')\n"
        "peak = lambda: int(re.search(r'VmHWM:\\s*(\\d+)', status.read_text())[1]) * 1024\n"
        "decoder.translate(sys.argv[2][:50])\n"
        "before = peak()\n"
        "found = decoder.translate(sys.argv[2])\n"
        "print(peak() - before, found.native.bytes, found.text.count(' '))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(moses_hiero), text], capture_output=True, text=True, check=True
    )
    grown, told, blanks = map(int, done.stdout.split())
    assert blanks > 80
    # The model keeps scored rules for later sentences, too; and vectors have room that was never touched.
    assert told / 1.5 < grown < 1.5 * told + (8 << 20)


@pytest.mark.parametrize("memory", ["4M", "20M"])
def test_a_sentence_beyond_the_memory_limit_is_refused_while_it_is_parsed(
    memory: str, moses_hiero: Path, sources: list[str]
):
    options = ChartOptions(span_limit=0, memory=memory)
    decoder = ChartDecoder.open(moses_hiero, options=options)
    words = " ".join(sources).split()
    with pytest.raises(
        InputError, match=rf"has 300 words and needs more than {memory[:-1]} MB; lower the pop"
    ):
        decoder.translate(" ".join(words[:300]))
    with pytest.raises(InputError, match="400 words") as caught:
        list(decoder.translate_all([sources[0], Request(" ".join(words[:400]), line=7)]))
    assert caught.value.line == 7
    assert decoder.translate(sources[1][:20]).found


def test_a_thousand_words_are_translated_within_a_span_limit(moses_hiero: Path, sources: list[str]):
    decoder = ChartDecoder.open(moses_hiero, options=ChartOptions(pop_limit=5, span_limit=4))
    text = " ".join(" ".join(sources).split()[:1000])
    found = decoder.translate(text, forest=True)
    assert found.found
    assert 800 < len(found.text.split()) < 1200
    assert found.native.bytes < 50 << 20
    assert (
        max(b - a for (a, b), rule in ((each.source, each.rule) for each in found.phrases) if rule >> 32 == 0)
        <= 4
    )


@pytest.mark.slow
def test_sentences_too_long_for_recursion_are_translated(decoder: ChartDecoder):
    """Glue nests rules as deep as the sentence is long."""
    decoder = ChartDecoder(decoder.model, options=ChartOptions(pop_limit=1))
    assert decoder.translate(" ".join(["q"] * 60_000)).text.count("q") == 60_000
    found = decoder.translate(" ".join(["q"] * 10_000), forest=True)
    assert count_derivations(found.forest) == 1


def test_only_phrase_decoders_have_derivations_to_replay(decoder: ChartDecoder):
    found = decoder.translate("a q")
    assert found.phrases and found.rules
    assert found.derivation == ()


def test_options_that_make_no_sense_are_refused():
    for changed in ({"pop_limit": -1}, {"cell_size": 0}, {"span_limit": -1}, {"beam_threshold": -1.0}):
        with pytest.raises(OptionError, match=next(iter(changed))):
            ChartOptions(**changed)
    for name in ("pop_limit", "cell_size", "span_limit", "table_limit", "context"):
        with pytest.raises(OptionError, match=f"search: {name} must be at most"):
            ChartOptions(**{name: 99_999_999_999})
    for name in ("pop_limit", "stack_size", "distortion_limit", "table_limit", "context"):
        with pytest.raises(OptionError, match=f"search: {name} must be at most"):
            SearchOptions(**{name: 99_999_999_999})


@pytest.mark.parametrize(
    "rule",
    [
        "[S] ||| [S,1] [X,2] ||| [2] [1]",
        "[S] ||| [S,1] a ||| W [1]",
        "[M] ||| [S,1] </s> ||| [1] </s>\n[S] ||| [M,1] ||| [1] W",
    ],
)
def test_rules_that_put_words_beyond_the_borders_of_the_sentence_are_not_used(rule: str, tmp_path: Path):
    plain = ChartDecoder(write_chart_model(tmp_path / "plain", [WORDS, GLUE]), options=ALL)
    decoder = ChartDecoder(
        write_chart_model(tmp_path / "more", [WORDS, Grammar(rule + "\n"), GLUE]), options=ALL
    )
    found, expected = (each.translate("a a", forest=True) for each in (decoder, plain))
    assert (found.text, found.score) == (expected.text, expected.score)
    assert count_derivations(found.forest) == count_derivations(expected.forest)


def test_a_sentence_within_a_sentence_is_no_sentence_of_its_own(tmp_path: Path):
    """S is a constituent like any other; only the one that has the begin can be ended."""
    grammar = Grammar("[S] ||| b ||| Z\n[X] ||| a [S,1] ||| W [1]\n[X] ||| a [S,1] ||| [1] W\n")
    decoder = ChartDecoder(write_chart_model(tmp_path, [grammar, GLUE]), options=ALL)
    forest = decoder.translate("a b", forest=True).forest
    assert {each.text for each in kbest(forest, decoder.weights, 10)} == {"W Z", "Z W"}
    assert count_derivations(forest) == 2


def test_a_column_of_many_partial_rules_is_refused_before_it_takes_memory(tmp_path: Path):
    """The gaps of one rule fit in millions of ways."""
    gaps = range(1, 8)
    rule = f"[X] ||| a {' '.join(f'[X,{i}]' for i in gaps)} ||| {' '.join(f'[{i}]' for i in gaps)}\n"
    model = write_chart_model(
        tmp_path, [Grammar(rule + "[X] ||| b ||| W\n[X] ||| [X,1] b ||| [1] W\n"), GLUE]
    )
    decoder = ChartDecoder(model, options=ChartOptions(memory="8M"))
    with pytest.raises(InputError, match="has 51 words and needs more than 8 MB"):
        decoder.translate("a" + " b" * 50)


def test_a_threshold_holds_for_true_scores(tmp_path: Path):
    grammar = Grammar("[X] ||| a ||| W ||| F0=0\n[X] ||| a ||| X ||| F0=-9\n", ("F0",))
    model = write_chart_model(tmp_path, [grammar, GLUE], {"F0": 1.0, "LM0": 0.1})
    texts = {}
    for threshold in (2.0, 50.0):
        options = ChartOptions(pop_limit=0, beam_threshold=threshold)
        forest = ChartDecoder(model, options=options).translate("a", forest=True).forest
        texts[threshold] = {each.text for each in kbest(forest, model.weights, 5)}
    assert texts == {2.0: {"W"}, 50.0: {"W", "X"}}
