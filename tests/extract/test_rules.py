"""Hierarchical rules against the definition, their scores against the formulas."""

from __future__ import annotations

import math
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.extract.rule_reference import Counts, Pair, nameless

from tunesmith.corpus import Alignments, Bitext, Sentences, Vocabulary
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.grammar import GrammarRule
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.rule_features import GRAMMAR_FEATURES
from tunesmith.extract.rules import ExtractedRules, RuleOptions, extract_rules
from tunesmith.generated import generate

OPTIONS = st.builds(
    RuleOptions,
    max_span=st.integers(1, 5),
    max_target_span=st.integers(1, 5),
    max_symbols=st.integers(1, 5),
    max_gaps=st.integers(0, 2),
    min_hole=st.integers(1, 2),
    adjacent_gaps=st.booleans(),
    require_link=st.booleans(),
    tight=st.booleans(),
    counts=st.sampled_from(["whole", "fractional"]),
)


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    source = draw(st.lists(st.sampled_from("abc"), max_size=5))
    target = draw(st.lists(st.sampled_from("xyz"), max_size=5))
    cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
    links = draw(st.lists(st.sampled_from(cells), max_size=6, unique=True)) if cells else []
    return Pair(tuple(source), tuple(target), tuple(sorted(links)))


CORPORA = st.lists(pairs(), min_size=1, max_size=4)


def extract(corpus: list[Pair], options: RuleOptions, **settings: int) -> ExtractedRules:
    sides = (Sentences.of(" ".join(getattr(pair, side)) for pair in corpus) for side in ("source", "target"))
    return extract_rules(Bitext(*sides), Alignments.of(pair.links for pair in corpus), options, **settings)


def saved(rules: ExtractedRules, tmp_path_factory, features: str) -> list[GrammarRule]:
    return list(rules.save(tmp_path_factory.mktemp("rules") / "table", features))


@pytest.mark.slow
@given(corpus=CORPORA, options=OPTIONS)
@settings(max_examples=150)
def test_rules_and_counts_are_those_of_the_definition(corpus, options, tmp_path_factory) -> None:
    expected = Counts(corpus, options)
    rules = extract(corpus, options, threads=1)
    table = saved(rules, tmp_path_factory, "moses")
    found = {(" ".join(rule.source), " ".join(rule.target)): rule for rule in table}
    assert len(found) == len(table) == len(rules)
    assert found.keys() == expected.joint.keys()
    assert rules.occurrences == sum(expected.occurrences.values())
    assert rules.sources == len(expected.source)
    for (source, target), rule in found.items():
        counts = expected.target[nameless(target)], expected.source[source], expected.joint[source, target]
        assert rule.counts == pytest.approx([float(count) for count in counts], rel=1e-6)
        assert math.exp(rule.features["SourceGivenTarget"]) == pytest.approx(float(counts[2] / counts[0]))
        assert math.exp(rule.features["TargetGivenSource"]) == pytest.approx(float(counts[2] / counts[1]))
        weights = expected.rules[source, target]
        assert float(weights[rule.alignment]) == pytest.approx(float(max(weights.values())))


def lexicon(corpus: list[Pair]) -> tuple[Counter[tuple[str, str]], Counter[str], Counter[str]]:
    """Counts of links, of source words and of target words; NULL is the partner of unaligned words."""
    joint: Counter[tuple[str, str]] = Counter()
    for pair in corpus:
        joint.update((pair.source[i], pair.target[j]) for i, j in pair.links)
        joint.update((word, "") for i, word in enumerate(pair.source) if i not in {s for s, _ in pair.links})
        joint.update(("", word) for j, word in enumerate(pair.target) if j not in {t for _, t in pair.links})
    sources, targets = Counter(), Counter()
    for (source, target), count in joint.items():
        sources[source] += count
        targets[target] += count
    return joint, sources, targets


@pytest.mark.slow
@given(corpus=CORPORA, options=OPTIONS)
@settings(max_examples=50)
def test_scores_follow_their_formulas(corpus, options, tmp_path_factory) -> None:
    expected = Counts(corpus, options)
    joint, sources, _targets = lexicon(corpus)
    rules = extract(corpus, options, threads=2)

    def p(target: str, source: str) -> float:
        return joint[source, target] / sources[source] if sources[source] else 0.0

    for rule in saved(rules, tmp_path_factory, "moses"):
        weight = 1.0
        for at, word in enumerate(rule.target):
            partners = [rule.source[i] for i, j in rule.alignment if j == at] or [""]
            if not word.startswith("["):
                weight *= sum(p(word, partner) for partner in partners) / len(partners)
        assert math.exp(rule.features["LexicalTargetGivenSource"]) == pytest.approx(weight, rel=1e-5)
    for rule in saved(rules, tmp_path_factory, "cdec"):
        key = " ".join(rule.source), " ".join(rule.target)
        seen = sum(count for (source, _), count in expected.occurrences.items() if source == key[0])
        best = [
            max(p(word, other) for other in (*rule.source, ""))
            for word in rule.target
            if not word.startswith("[")
        ]
        cost = 99.0 if 0.0 in best else -sum(map(math.log10, best))
        assert rule.features["MaxLexEgivenF"] == pytest.approx(cost, rel=1e-5, abs=1e-6)
        assert rule.features["SampleCountF"] == pytest.approx(math.log10(1 + seen))
        assert rule.features["CountEF"] == pytest.approx(math.log10(1 + expected.occurrences[key]))
        assert rule.features["IsSingletonF"] == (seen == 1)
        assert rule.features["IsSingletonFE"] == (expected.occurrences[key] == 1)
        share = float(expected.joint[key] / expected.source[key[0]])
        assert rule.features["EgivenFCoherent"] == pytest.approx(-math.log10(share), abs=1e-6)
        assert list(rule.features) == [feature.name for feature in GRAMMAR_FEATURES]


@pytest.fixture(scope="module")
def generated() -> tuple[Bitext, Alignments]:
    pairs = list(generate(300, seed=1, lowercase=True))
    bitext = Bitext(Sentences.of(p.source for p in pairs), Sentences.of(p.references[0] for p in pairs))
    return bitext, Alignments.of(p.alignment for p in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("options", [RuleOptions(), RuleOptions.moses()], ids=["chiang", "moses"])
def test_neither_threads_nor_memory_change_a_byte(generated, options, tmp_path) -> None:
    texts = set()
    for threads, memory in ((1, 1 << 30), (3, 1 << 30), (2, 1 << 16)):
        rules = extract_rules(*generated, options, threads=threads, memory=memory, temporary=tmp_path)
        assert rules.spilled == (memory < 1 << 20)
        texts.add(b"".join(rules.lines("moses")))
        assert not list(tmp_path.iterdir())
    assert len(texts) == 1


def test_lines_are_sorted_as_moses_sorts_its_tables(generated) -> None:
    lines = b"".join(extract_rules(*generated).lines("moses")).splitlines()
    keys = [line.split(b" ||| ")[:2] for line in lines]
    assert len(lines) > 1000
    assert [b" ||| ".join(key) for key in keys] == sorted(b" ||| ".join(key) for key in keys)


@pytest.mark.parametrize(("form", "column"), [("moses", 0), ("cdec", 1)])
def test_lines_of_chosen_source_sides_are_those_of_the_whole_table(
    generated, form, column, monkeypatch
) -> None:
    monkeypatch.setattr("tunesmith.extract.rules._LINES", 10)  # most blocks have none of them
    rules = extract_rules(*generated)
    lines = b"".join(rules.lines(form)).decode().splitlines(keepends=True)
    chosen = {line.split(" ||| ")[column] for line in lines[5::400]}
    expected = [line for line in lines if line.split(" ||| ")[column] in chosen]
    assert len(chosen) < len(expected) < len(lines)
    assert b"".join(rules.lines(form, {*chosen, "never seen"})).decode() == "".join(expected)
    assert list(rules.lines(form, [])) == []


@pytest.mark.slow
def test_relative_frequencies_of_a_source_side_sum_to_one(generated, tmp_path) -> None:
    sums: Counter[tuple[str, ...]] = Counter()
    for rule in extract_rules(*generated, RuleOptions.moses()).save(tmp_path / "table", "moses"):
        sums[rule.source] += math.exp(rule.features["TargetGivenSource"])
    assert sums
    assert all(total == pytest.approx(1, rel=1e-5) for total in sums.values())


@pytest.mark.slow
def test_a_lexicon_with_other_word_numbers_gives_the_same_scores(generated) -> None:
    bitext, alignments = generated
    lexicon = Lexicon.estimate(bitext, alignments)
    sides = (lexicon.source_vocabulary, lexicon.target_vocabulary)
    other = lexicon.renumbered(*(Vocabulary(["new", *reversed(list(side.words()))]) for side in sides))
    assert other.sources.tolist() != lexicon.sources.tolist()
    sizes = [len(side) for side in sides]
    for form in ("cdec", "moses"):
        expected = b"".join(extract_rules(bitext, alignments).lines(form))
        assert b"".join(extract_rules(bitext, alignments, lexicon=other).lines(form)) == expected
    assert [len(side) for side in sides] == sizes


MEASURE = """
import re, sys
from pathlib import Path
from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.extract.rules import RuleOptions, extract_rules, _words
lines = [" ".join(f"w{i * 7919 % 99991}" for i in range(n * 30, n * 30 + 30)) for n in range(150)]
bitext = Bitext(Sentences.of(lines), Sentences.of(lines))
links = Alignments.of([[(i, i) for i in range(30)]] * len(lines))
limits = RuleOptions(max_symbols=7, max_span=12).native
counted = _native.CountedRules(
    _words(bitext.source), _words(bitext.target), limits, fractional=False,
    memory_bytes=16 << 20, folder=sys.argv[1], threads=2,
)
peak = lambda: int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
before = peak()
counted.add(bitext.source.arrays, bitext.target.arrays, links.arrays, 0, len(bitext))
print(counted.occurrences, peak() - before)
"""


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux to tell the peak")
def test_memory_bounds_what_waits_to_be_counted(tmp_path) -> None:
    command = [sys.executable, "-c", MEASURE, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    occurrences, kilobytes = map(int, done.stdout.split())
    assert occurrences * 40 > 150e6  # bytes of keys, if all of them waited
    assert kilobytes < 80e3  # 16 MB, what buffers of 64 files hold, and room


def test_two_readers_at_once_are_refused(generated, monkeypatch) -> None:
    monkeypatch.setattr("tunesmith.extract.rules._LINES", 10)  # blocks that one made ahead does not exhaust
    rules = extract_rules(*generated)
    first = rules.lines()
    next(first)
    assert sum(block.count(b"\n") for block in rules.lines()) == len(rules)
    with pytest.raises(InputError, match="one reader at a time"):
        list(first)


def test_progress_is_told(generated) -> None:
    told: list[str] = []
    rules = extract_rules(*generated, progress=told.append)
    assert told[-1].startswith(f"{len(rules)} rules")


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_span": 0},
        {"max_target_span": 0},
        {"max_symbols": 0},
        {"max_gaps": 3},
        {"min_hole": 0},
        {"tight": False},
        {"counts": "some"},
        {"max_span": 2.5},
    ],
)
def test_wrong_options_are_refused(wrong) -> None:
    with pytest.raises(OptionError, match="rules: "):
        RuleOptions(**wrong)


def test_alignments_that_do_not_fit_are_refused(generated) -> None:
    bitext, alignments = generated
    with pytest.raises(InputError, match="300 sentence pairs and 299 alignments"):
        extract_rules(bitext, alignments.take(range(299)))
    with pytest.raises(InputError, match="link"):
        extract_rules(bitext, Alignments.of([[(99, 0)]] * 300))


def test_words_outside_of_the_vocabulary_are_refused() -> None:
    known = Sentences.of(["a"])
    unknown = Sentences.of(["b"], known.vocabulary, grow=False)
    with pytest.raises(InputError, match="known words only"):
        extract_rules(Bitext(unknown, known), Alignments.of([[(0, 0)]]))


def test_empty_and_unaligned_text_has_no_rules() -> None:
    for lines in ([], [""], ["a b"]):
        text = Sentences.of(lines)
        rules = extract_rules(Bitext(text, text), Alignments.of([[]] * len(lines)))
        assert (len(rules), list(rules.lines())) == (0, [])


@pytest.mark.slow
def test_a_line_of_ten_thousand_words_is_read(tmp_path) -> None:
    line = " ".join(f"w{i % 100}" for i in range(10_000))
    text = Sentences.of([line])
    rules = extract_rules(Bitext(text, text), Alignments.of([[(i, i) for i in range(10_000)]]))
    assert len(rules) > 100
    links = [(0, 0), (9_999, 9_999)]
    loose = extract_rules(Bitext(text, text), Alignments.of([links]), RuleOptions.moses())
    assert len(loose) > 0


def test_all_scripts_and_odd_words_survive(tmp_path) -> None:
    source, target = Sentences.of(["猫 [X] |||"]), Sentences.of(["קוט [a] \u200b"])
    rules = extract_rules(Bitext(source, target), Alignments.of([[(0, 0), (1, 1), (2, 2)]]))
    lines = b"".join(rules.lines("moses")).decode().splitlines()
    assert "猫 &#91;X&#93; &#124;&#124;&#124; [X] ||| קוט &#91;a&#93; \u200b [X]" in {
        " ||| ".join(line.split(" ||| ")[:2]) for line in lines
    }
    words = {word for rule in rules.save(tmp_path / "table") for word in rule.source}
    assert words == {"猫", "[X]", "|||", "[X,1]", "[X,2]"}


def test_a_full_disk_is_an_error_that_names_the_folder(generated, tmp_path) -> None:
    with pytest.raises(InputError, match="temporary files"):
        extract_rules(*generated, memory=1 << 10, temporary=tmp_path / "missing")
    with pytest.raises(InputError, match="/dev/full"):
        extract_rules(*generated).write("/dev/full")


def test_limits_are_kept(generated, tmp_path) -> None:
    options = replace(RuleOptions(), max_symbols=3, max_gaps=1)
    for rule in extract_rules(*generated, options).save(tmp_path / "table"):
        assert len(rule.source) <= 3
        assert rule.arity <= 1
