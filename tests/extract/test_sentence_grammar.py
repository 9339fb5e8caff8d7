"""Grammars of sentences: the same rules and counts as extraction from the whole bitext."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.extract.aligned_texts import AlignedText, aligned_texts, generated_text

from tunesmith.errors import InputError, OptionError
from tunesmith.extract.rules import GrammarFormat, RuleOptions, extract_rules
from tunesmith.extract.sentence_grammar import COUNTS, SentenceGrammar
from tunesmith.extract.suffix_array import GrammarOptions
from tunesmith.types import FloatArray

Table = dict[tuple[str, str, str], list[float]]


def parsed(lines: Iterable[bytes]) -> Table:
    """Rules of Moses' tables, gaps told apart by the alignment, and their scores and counts."""
    table = {}
    for line in b"".join(lines).decode().splitlines():
        source, target, scores, alignment, counts = line.split(" ||| ")[:5]
        key = source, target, alignment
        assert key not in table
        table[key] = [float(value) for value in f"{scores} {counts.split('|||')[0]}".split()]
    return table


def whole_table(text: AlignedText, rules: RuleOptions) -> Table:
    return parsed(extract_rules(text.bitext, text.alignments, rules, threads=1).lines("moses"))


def all_grammars(text: AlignedText, rules: RuleOptions) -> Table:
    """The union of the grammars of the bitext's own sentences."""
    options = GrammarOptions(rules, samples=0, target_samples=0, coherent=False)
    union: Table = {}
    for grammar in text.index().grammars(text.source, options, threads=1):
        table = parsed([grammar.lines("moses")])
        for key, values in table.items():
            assert union.setdefault(key, values) == values
    return union


def check_equal(found: Table, expected: Table) -> None:
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        frequencies = [values[0], values[2], *values[4:]]
        assert [found[key][0], found[key][2], *found[key][4:]] == pytest.approx(frequencies, rel=1e-5), key


limits = st.builds(
    RuleOptions,
    max_span=st.integers(1, 8),
    max_target_span=st.integers(1, 10),
    max_symbols=st.integers(1, 6),
    max_gaps=st.integers(0, 2),
    min_hole=st.integers(1, 2),
    adjacent_gaps=st.booleans(),
    require_link=st.booleans(),
    tight=st.booleans(),
)


@pytest.mark.slow
@settings(max_examples=150)
@given(aligned_texts(), limits)
def test_all_grammars_together_are_the_rules_of_the_bitext(text: AlignedText, rules: RuleOptions) -> None:
    check_equal(all_grammars(text, rules), whole_table(text, rules))


@pytest.mark.slow
def test_grammars_of_the_generated_corpus_are_its_rules() -> None:
    text = generated_text(60)
    expected = whole_table(text, RuleOptions())
    assert len(expected) > 5000
    found = all_grammars(text, RuleOptions())
    check_equal(found, expected)
    # Where alignments of a rule are equally frequent, extraction from the whole bitext scores each direction
    # by one of its own, as Moses does.
    equal = [found[key] == pytest.approx(values, rel=1e-3) for key, values in expected.items()]
    assert np.mean(equal) > 0.95


@pytest.mark.slow
def test_a_grammar_has_the_rules_whose_source_side_matches_the_sentence() -> None:
    text = generated_text(200)
    options = GrammarOptions(samples=0, target_samples=0, coherent=False)
    table = whole_table(text, RuleOptions())
    sides = {side: side.split()[:-1] for side in {key[0] for key in table}}
    new_sentences = generated_text(6, seed=2).source
    total = 0
    for sentence, grammar in zip(new_sentences, text.index().grammars(new_sentences, options), strict=True):
        words = sentence.split()
        able = {*words, "[X][X]"}  # what no other side can match is not tried
        matching = {
            side
            for side, symbols in sides.items()
            if able.issuperset(symbols) and matches(symbols, words, 10)
        }
        expected = {key: values for key, values in table.items() if key[0] in matching}
        total += len(expected)
        check_equal(parsed([grammar.lines("moses")]), expected)
    assert total > 200


def matches(side: list[str], words: list[str], max_span: int) -> bool:
    """Whether a source side covers some span of the words, each gap a word or more."""
    ends = {(begin, begin) for begin in range(len(words))}
    for symbol in side:
        gap = symbol == "[X][X]"
        ends = {
            (begin, stop)
            for begin, end in ends
            for stop in range(end + 1, (len(words) if gap else min(end + 1, len(words))) + 1)
            if gap or words[end] == symbol
        }
    return any(end - begin <= max_span for begin, end in ends)


@pytest.fixture(scope="module")
def text() -> AlignedText:
    return generated_text(400)


def same(a: SentenceGrammar, b: SentenceGrammar) -> bool:
    return a.lines() == b.lines() and np.array_equal(a.counts, b.counts)


@pytest.mark.parametrize("samples", [5, 0])
def test_threads_caches_and_other_sentences_change_nothing(text: AlignedText, samples: int) -> None:
    index = text.index()
    sentences = [line for line in text.source if len(line.split()) > 6][:12]
    options = GrammarOptions(samples=samples, target_samples=samples)
    together = list(index.grammars(sentences, options, threads=3))
    tiny = list(
        index.grammars(sentences, GrammarOptions(samples=samples, target_samples=samples, cache=1e-4))
    )
    for sentence, first, second in zip(sentences, together, tiny, strict=True):
        alone = text.index().grammar(sentence, options)
        assert len(alone) > 50
        assert same(alone, first)
        assert same(alone, second)


@pytest.mark.parametrize("samples", [6, 0])
@pytest.mark.parametrize("breadth", [1, 2, 5])
def test_the_breadth_is_that_of_the_best_rules_of_each_source_side(
    text: AlignedText, samples: int, breadth: int
) -> None:
    rules = RuleOptions(tight=False, max_target_span=10)
    every = GrammarOptions(rules, samples=samples, target_samples=samples)
    columns = [COUNTS.index(name) for name in ("joint", "lex_fe", "lex_ef")]
    cut = 0
    for sentence in text.source[:20]:
        everything, narrow = (
            text.index().grammar(sentence, options) for options in (every, replace(every, breadth=breadth))
        )
        assert np.array_equal(everything.source, narrow.source)
        rows = list(map(order_of, everything.counts[:, columns]))
        for whole, part in zip(
            itertools.pairwise(everything.rules), itertools.pairwise(narrow.rules), strict=True
        ):
            best = sorted(rows[slice(*whole)])[:breadth]
            assert sorted(map(order_of, narrow.counts[slice(*part), columns])) == best
            cut += (whole[1] - whole[0]) - (part[1] - part[0])
        kept = {(rule.source, rule.target): (rule.alignment, rule.counts) for rule in narrow}
        known = {(rule.source, rule.target): (rule.alignment, rule.counts) for rule in everything}
        assert kept.items() <= known.items()  # with the counts of all
    assert cut > 10


def order_of(row: FloatArray) -> tuple[float, float]:
    """Return what orders rules of a source side: the frequent ones first, then those of low lexical costs."""
    joint, *costs = row.astype(np.float32)
    return -float(joint), float(costs[0] + costs[1])


@pytest.mark.parametrize("pair", [0, 7, 59])
def test_excluding_a_pair_is_learning_without_it(pair: int) -> None:
    text = generated_text(60)
    options = GrammarOptions(samples=0, target_samples=0)
    sentence = text.source[pair]
    excluding = text.index().grammar(sentence, options, exclude=[pair])
    without = text.without(pair).index().grammar(sentence, options)

    def rules(grammar: SentenceGrammar) -> dict[tuple[object, ...], tuple[float, ...]]:
        return {(rule.source, rule.target, rule.alignment): rule.counts for rule in grammar}

    assert rules(excluding) == rules(without)
    assert len(excluding) < len(text.index().grammar(sentence, options))


@pytest.mark.parametrize("samples", [4, 300])
def test_a_mask_a_list_and_the_list_of_one_sentence_exclude_alike(text: AlignedText, samples: int) -> None:
    index = text.index()
    options = GrammarOptions(samples=samples, target_samples=samples)
    excluded = list(range(0, 400, 10))
    mask = np.arange(400) % 10 == 0
    sentences = text.source[:3]
    list(index.grammars(sentences, options))  # what was learned before must not show
    for one, two, three in zip(
        index.grammars(sentences, options, exclude_each=[excluded] * 3),
        index.grammars(sentences, options, exclude=excluded),
        index.grammars(sentences, options, exclude=mask),
        strict=True,
    ):
        assert len(one) > 20
        assert np.array_equal(one.counts[:, :-2], two.counts[:, :-2])  # lexical weights: see below
        assert same(two, three)


@pytest.mark.parametrize("format_", ["cdec", "moses"])
def test_excluding_pairs_of_all_sentences_is_learning_without_them_lexical_weights_included(
    format_: GrammarFormat,
) -> None:
    text = generated_text(60)
    options = GrammarOptions(samples=0, target_samples=0)
    excluded = [3, 17, 18, 44]
    rest = text
    for pair in reversed(excluded):
        rest = rest.without(pair)
    sentences = text.source[3:20]
    differ = []
    for excluding, without, alone in zip(
        text.index().grammars(sentences, options, exclude=excluded),
        rest.index().grammars(sentences, options),
        text.index().grammars(sentences, options, exclude_each=[excluded] * len(sentences)),
        strict=True,
    ):
        lines = [sorted(grammar.lines(format_).splitlines()) for grammar in (excluding, without, alone)]
        assert lines[0] == lines[1]
        differ.append(lines[0] != lines[2])
    assert any(differ)  # the links of a sentence's own exclusions count


def test_nothing_is_learned_where_everything_is_excluded(text: AlignedText) -> None:
    assert len(text.index().grammar(text.source[0], exclude=np.ones(400, dtype=bool))) == 0


def test_bad_exclusions_are_refused(text: AlignedText) -> None:
    index = text.index()
    with pytest.raises(InputError, match="cannot be excluded"):
        index.grammar("a", exclude=[400])
    with pytest.raises(InputError, match="mask of 3"):
        index.grammar("a", exclude=np.ones(3, dtype=bool))
    with pytest.raises(InputError, match="by number"):
        index.grammar("a", exclude=[1.5])


@pytest.mark.parametrize("given", [0, 1, 31, 32, 33, 39, 41, 80])
def test_there_must_be_exclusions_for_each_sentence(text: AlignedText, given: int) -> None:
    index = text.index()
    with pytest.raises(InputError, match="expected one per sentence"):
        list(index.grammars(["a"] * 40, exclude_each=[[1]] * given, threads=2))
    assert len(list(index.grammars(["a"] * 40, exclude_each=[[1], None] * 20, threads=2))) == 40


def test_a_source_side_is_seen_as_often_as_its_rules_or_more(text: AlignedText) -> None:
    sentences = text.source[:20]
    for coherent in (True, False):
        options = GrammarOptions(samples=0, target_samples=0, coherent=coherent)
        singletons = 0
        for grammar in text.index().grammars(sentences, options):
            features = dict(zip(grammar.feature_names, grammar.features.T, strict=True))
            assert (features["SampleCountF"] >= features["CountEF"]).all()
            assert (features["IsSingletonFE"] >= features["IsSingletonF"]).all()
            singletons += features["IsSingletonF"].sum()
        assert singletons > 0


def cdec_features(lines: Iterable[bytes]) -> dict[tuple[str, str], dict[str, float]]:
    table = {}
    for line in b"".join(lines).decode().splitlines():
        _, source, target, features, _ = line.split(" ||| ")
        values = (feature.split("=") for feature in features.split())
        table[source, target] = {name: float(value) for name, value in values}
    return table


@pytest.mark.slow
def test_coherence_changes_what_is_said_of_the_source_side_only(text: AlignedText) -> None:
    whole = cdec_features(extract_rules(text.bitext, text.alignments).lines("cdec"))
    differ = {}
    for coherent in (True, False):
        options = GrammarOptions(samples=0, target_samples=0, coherent=coherent)
        found = cdec_features([text.index().grammar(text.source[0], options).lines()])
        differ[coherent] = {
            name
            for rule, features in found.items()
            for name, value in features.items()
            if value != pytest.approx(whole[rule][name], abs=1e-4)
        }
    assert differ == {True: {"EgivenFCoherent", "SampleCountF", "IsSingletonF"}, False: set()}


def test_certain_things_cost_nothing_without_a_sign(text: AlignedText) -> None:
    lines = text.index().grammar(text.source[0]).lines() + b"".join(
        extract_rules(text.bitext, text.alignments).lines()
    )
    assert b"FgivenE=0 " in lines
    assert b"=-0 " not in lines


def test_samples_bound_what_is_counted(text: AlignedText) -> None:
    grammar = text.index().grammar(text.source[0], GrammarOptions(samples=20))
    samples = grammar.counts[:, COUNTS.index("samples")]
    assert samples.max() == 20
    contiguous = [k for k, rule in enumerate(grammar) if rule.arity == 0]
    assert (grammar.counts[contiguous, COUNTS.index("joint")] <= samples[contiguous]).all()


def test_features_are_functions_of_the_counts(text: AlignedText) -> None:
    grammar = text.index().grammar(text.source[0])
    counts = dict(zip(COUNTS, grammar.counts.T.astype(np.float64), strict=True))
    features = dict(zip(grammar.feature_names, grammar.features.T, strict=True))
    coherent = counts["joint"] / (counts["source"] + counts["without_rule"])
    assert features["EgivenFCoherent"] == pytest.approx(-np.log10(coherent), abs=1e-9)
    assert features["FgivenE"] == pytest.approx(
        -np.log10(counts["target_joint"] / counts["target"]), abs=1e-9
    )
    assert features["SampleCountF"] == pytest.approx(np.log10(1 + counts["source"] + counts["without_rule"]))
    assert features["CountEF"] == pytest.approx(np.log10(1 + counts["joint"]))
    assert features["IsSingletonFE"] == pytest.approx((counts["joint"] == 1) * 1.0)
    assert features["MaxLexFgivenE"] == pytest.approx(counts["lex_fe"], rel=1e-6)


def test_an_index_of_one_side_gives_grammars_without_the_inverse_probability(text: AlignedText) -> None:
    index = text.index(both_sides=False)
    grammar = index.grammar(text.source[0])
    assert "FgivenE" not in grammar.feature_names
    assert b" FgivenE=" not in grammar.lines()
    assert grammar.features.shape == (len(grammar), 7)
    with pytest.raises(InputError, match="both sides"):
        index.grammar(text.source[0], GrammarOptions(target_counts=True))


def test_rules_are_read_as_tokens(text: AlignedText) -> None:
    rules = list(text.index().grammar(text.source[0]))
    with_gaps = [rule for rule in rules if rule.arity == 2]
    assert with_gaps
    assert all({"[X,1]", "[X,2]"} <= set(rule.target) for rule in with_gaps)
    assert any(rule.target.index("[X,2]") < rule.target.index("[X,1]") for rule in with_gaps)


def test_sentences_without_known_words_have_empty_grammars(text: AlignedText) -> None:
    grammars = list(text.index().grammars(["", "xyzzy plugh", "   "]))
    assert [len(grammar) for grammar in grammars] == [0, 0, 0]
    assert grammars[0].lines() == b""
    assert list(text.index().grammars([])) == []


def test_a_sentence_of_ten_thousand_words_has_a_grammar() -> None:
    text = generated_text(30)
    long = " ".join((" ".join(text.source).split() * 100)[:10_000])
    assert len(text.index(both_sides=False).grammar(long)) > 1000


def test_options_that_cannot_be_kept_are_refused() -> None:
    with pytest.raises(OptionError, match="at most 31"):
        GrammarOptions(RuleOptions(max_span=32))
    with pytest.raises(OptionError, match="whole counts"):
        GrammarOptions(RuleOptions(counts="fractional"))
    for wrong in ({"samples": -1}, {"samples": 2**70}, {"target_samples": 2**40}, {"cache": 1e30}):
        with pytest.raises(OptionError, match=next(iter(wrong))):
            GrammarOptions(**wrong)
    for name in ("max_span", "max_target_span", "max_symbols", "min_hole"):
        with pytest.raises(OptionError, match=name):
            RuleOptions(**{name: 2**40})
