"""Word lists, classes and whitelists of templates, and templates as text."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path

import pytest

from tunesmith.corpus import Alignments, Bitext
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.word_lists import frequent_words, linked_pairs, unaligned_words
from tunesmith.features import (
    ContextPairs,
    Pair,
    RuleIdentity,
    Sentence,
    Span,
    TargetBigrams,
    WordDeletion,
    WordTranslations,
)
from tunesmith.features.naming import parse_template, parse_templates

PAIR = Pair(("das", "haus", "da"), ("the", "house"), ((0, 0), (1, 1)), {})


def test_lists_count_words_those_without_links_and_linked_pairs(small_corpus: Path):
    bitext = Bitext.read(small_corpus / "de", small_corpus / "en")
    alignments = Alignments.read(small_corpus / "align", bitext)
    unaligned: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    every: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    pairs: Counter[str] = Counter()
    for number, links in enumerate(alignments):
        words = [side.text(number).split() for side in (bitext.source, bitext.target)]
        for counts, side in zip(every, words, strict=True):
            counts.update(side)
        for side in (0, 1):
            linked = set(links[:, side].tolist())
            unaligned[side].update(word for i, word in enumerate(words[side]) if i not in linked)
        pairs.update(f"{words[0][i]}\t{words[1][j]}" for i, j in links.tolist())
    for found, counts in zip(
        (
            *unaligned_words(bitext, alignments, 25),
            linked_pairs(bitext, alignments, 25),
            *frequent_words(bitext, 25),
        ),
        (*unaligned, pairs, *every),
        strict=True,
    ):
        assert found == sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:25]


def test_words_outside_of_the_list_share_one_feature(tmp_path: Path):
    (tmp_path / "unaligned.source.txt").write_text("da\t7\ndas\t3\n")
    template = WordDeletion(top=1).with_lists(tmp_path)
    assert template.values(PAIR) == {"Deletion_da": 1.0}
    assert template.values(Pair(("das",), ("it",), (), {})) == {"Deletion_OTHER": 1.0}
    assert pickle.loads(pickle.dumps(template)) == template


def test_classes_stand_in_place_of_words_under_a_name_of_their_own(tmp_path: Path):
    for side, words in (("source", ("das", "haus")), ("target", ("the", "house"))):
        (tmp_path / f"classes.{side}.2.txt").write_text(f"{words[0]}\t0\n{words[1]}\t1\n")
    words = WordTranslations(classes=2).with_lists(tmp_path)
    assert words.values(PAIR) == {"WordTranslationC2_c0_c0": 1.0, "WordTranslationC2_c1_c1": 1.0}
    rule = RuleIdentity(classes=2).with_lists(tmp_path)
    assert rule.values(PAIR) == {"RuleC2_c0_c1_c-_~_c0_c1": 1.0}
    assert rule.owns("RuleC2_x") and not rule.owns("Rule_x")


def test_pairs_in_context_are_those_of_the_list(tmp_path: Path):
    (tmp_path / "word-pairs.txt").write_text("haus\thouse\t9\ndas\tthe\t8\n")
    template = ContextPairs(top=1).with_lists(tmp_path)
    found = template.values(PAIR, Span(1, 4), Sentence(("ja", "das", "haus", "da"), 4))
    assert found == {"ContextPair_haus_house_l_das": 1, "ContextPair_haus_house_r_da": 1}
    assert not template.values(PAIR, Span(1, 4), Sentence((), 4))  # a lattice


def test_a_missing_list_is_an_error_that_names_the_command(tmp_path: Path):
    with pytest.raises(InputError, match=r"has no unaligned.source.txt.*`tunesmith extract words`"):
        WordDeletion().with_lists(tmp_path)


def test_a_whitelist_keeps_frequent_features(tmp_path: Path):
    (tmp_path / "counts").write_text("TargetBigram_the_house\t5\nTargetBigram_<s>_the\t2\n")
    template = TargetBigrams(only=str(tmp_path / "counts"), least=3)
    assert template.estimate(PAIR) == {"TargetBigram_the_house": 1}
    assert not TargetBigrams(only=str(tmp_path / "counts"), least=6).estimate(PAIR)
    (tmp_path / "counts").write_text("TargetBigram_the_house\tmany\n")
    with pytest.raises(InputError, match="expected a name, a tab and a count"):
        TargetBigrams(only=str(tmp_path / "counts"))


def test_templates_are_parsed_with_their_options():
    assert parse_template("word-deletion(top=80)") == WordDeletion(top=80)
    assert parse_templates(["rule-identity,word-deletion(top=80, classes=0)", "target-bigrams"]) == [
        RuleIdentity(),
        WordDeletion(top=80),
        TargetBigrams(),
    ]
    for text, message in (
        ("word-deletion(tops=80)", "no such option: tops of word-deletion; did you mean 'top'"),
        ("word-deletion(top)", "expected options such as 'key=value', found 'top'"),
        ("word-deletion(top=x)", "word-deletion: top: expected a whole number, found 'x'"),
        ("word-deletion(top=-1)", "must be at least 0"),
        ("word-deletions", "unknown feature template"),
        ("word deletion", "expected a template such as"),
    ):
        with pytest.raises(OptionError, match=message.replace("(", r"\(")):
            parse_template(text)
