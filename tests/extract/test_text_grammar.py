"""Grammars as chart decoders ask for them: text, mapped tables and sampled rules, and what is refused."""

from __future__ import annotations

import itertools
import lzma
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.extract.aligned_texts import aligned_texts, generated_text

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.extract.glue import glue_grammar
from tunesmith.extract.grammar import RuleTable, import_rules
from tunesmith.extract.rule_features import MOSES_SCORES
from tunesmith.extract.sentence_grammar import SentenceGrammar
from tunesmith.extract.suffix_array import GrammarOptions
from tunesmith.files import parse_chunks

NAMES = [score.name for score in MOSES_SCORES]
TrieRules = list[tuple[str, list[str], list[tuple[int, int]], dict[str, float], str]]


def parsed(text: str | bytes, names: list[str] | None = None) -> _native.MemoryGrammar:
    given = text.encode() if isinstance(text, str) else text
    return parse_chunks(_native.GrammarParser(NAMES if names is None else names), [given], None)


def check_equal(trie: _native.RuleTrie, table: RuleTable | SentenceGrammar) -> None:
    """Compare all rules; those of one source side come in the same order."""
    assert trie.rule_count == len(table)
    for source, rules in itertools.groupby(table, key=lambda rule: rule.source):
        expected = [
            (
                "X",
                [token.replace("[X,", "[") for token in rule.target],
                list(rule.alignment),
                {name: pytest.approx(value) for name, value in rule.features.items() if value != 0},
                "none",
            )
            for rule in rules
        ]
        found = trie.rules(["[X]" if token.startswith("[X,") else token for token in source])
        shown = [(*rule[:3], {k: v for k, v in rule[3].items() if v != 0}, rule[4]) for rule in found]
        assert shown == expected


def test_a_cdec_grammar_has_the_categories_that_it_names() -> None:
    grammar = parsed(
        "[S] ||| [NP,1] [VP,2] ||| [1] [VP,2] ||| Tree=1 0.5 2 ||| \n"
        "\n"
        "[NP] ||| der [NN,1] ||| the [1] ||| p=-0.25 ||| 0-0\n"
        "[VP] ||| [NP,3] nicht [VP,1] [X,2] ||| [2] [1] not [3] ||| ||| 0-3 1-2\n"
        "[VP] ||| [NP,1] nicht [VP,2] [X,3] ||| [1] [2] [3]\n"
    )
    assert grammar.rule_count == 4
    assert set(grammar.categories) == {"S", "NP", "VP", "NN", "X"}
    assert grammar.feature_names == ["Tree", "PhraseModel_0", "PhraseModel_1", "p"]
    assert grammar.rules(["[NP]", "[VP]"]) == [
        ("S", ["[1]", "[2]"], [], {"Tree": 1, "PhraseModel_0": 0.5, "PhraseModel_1": 2}, "none")
    ]
    assert grammar.rules(["der", "[NN]"]) == [("NP", ["the", "[1]"], [(0, 0)], {"p": -0.25}, "none")]
    assert grammar.rules(["[NP]", "nicht", "[VP]", "[X]"]) == [
        ("VP", ["[3]", "[2]", "not", "[1]"], [(1, 2)], {}, "none"),
        ("VP", ["[1]", "[2]", "[3]"], [], {}, "none"),
    ]
    for none in (["der"], ["der", "[NP]"], ["unseen"], ["[Unseen]"], []):
        assert grammar.rules(none) == []


def test_categories_of_moses_are_the_labels_of_the_target_side() -> None:
    grammar = parsed(
        "der [X][NN] [X] ||| the [X][NN] [NP] ||| 0.5 0 ||| 0-0 1-1 ||| 4 2 2 ||| |||\n"
        "[X][A] [X][B] von [X][C] [X] ||| [X][C] 's [X][A] [X][B] [X] ||| 1 1 ||| 0-2 1-3 2-1 3-0\n",
        ["p", "q"],
    )
    assert grammar.rules(["der", "[NN]"]) == [
        ("NP", ["the", "[1]"], [(0, 0)], {"p": pytest.approx(math.log(0.5)), "q": -100}, "none")
    ]
    ((category, target, links, _, _),) = grammar.rules(["[A]", "[B]", "von", "[C]"])
    assert (category, target, links) == ("X", ["[3]", "'s", "[1]", "[2]"], [(2, 1)])


@pytest.mark.parametrize("form", ["cdec", "moses"])
def test_glue_grammars_are_read(form) -> None:
    grammar = parsed(glue_grammar(form), ["Glue"])
    ((category, target, links, values, border),) = grammar.rules(["[S]", "[X]"])
    assert (category, target, links, border) == ("S", ["[1]", "[2]"], [], "none")
    assert values["Glue"] == pytest.approx(1, abs=1e-3)
    if form == "moses":
        assert grammar.rules([" <s>"]) == [("S", [], [], {"Glue": 0}, "begin")]
        assert grammar.rules(["[S]", " </s>"]) == [("S", ["[1]"], [], {"Glue": 0}, "end")]
    else:
        assert grammar.rules(["[X]"]) == [("S", ["[1]"], [], {"Glue": 0}, "none")]


def test_the_same_rule_may_come_twice() -> None:
    line = "[X] ||| a ||| b ||| f=1\n"
    assert len(parsed(line + line).rules(["a"])) == 2


def test_a_grammar_may_be_empty_and_so_may_target_sides() -> None:
    assert [parsed(text).rule_count for text in ("", "\n \n")] == [0, 0]
    assert parsed("").rules(["a"]) == []
    assert parsed("[X] ||| a ||| ||| f=1\n").rules(["a"]) == [("X", [], [], {"f": 1}, "none")]


REFUSED = {
    "[X] ||| a": "2 fields",
    "[X] ||| a ||| b ||| f=1 ||| 0-0 ||| more": "6 fields",
    "a b c": "1 fields",
    "a [X] ||| b [X] ||| 1 1 1 1": "3 fields",
    "[X] ||| ||| b": "no source side",
    "[] ||| a ||| b": "category that a rule produces",
    "[X][X] ||| a ||| b": "category that a rule produces",
    "[X] ||| [1] a ||| [1]": "with its category",
    "[X] ||| [X,0] a ||| [1]": "expected a gap",
    "[X] ||| [X,one] a ||| [1]": "expected a gap",
    "[X] ||| [,1] a ||| [1]": "expected a gap",
    "[X] ||| [X] a ||| [1]": "expected a gap",
    "[X] ||| [X,1] [X,1] ||| [1] [1]": "two gaps",
    "[X] ||| [X,1] a ||| [2]": "does not have",
    "[X] ||| [X,1] a ||| [1] [1]": "exactly once",
    "[X] ||| [X,1] [X,2] ||| [1]": "2 gaps, the target side 1",
    "[X] ||| [X,1] a ||| [S,1]": "the same category",
    "[X] ||| a ||| b ||| f=nan": "expected a feature",
    "[X] ||| a ||| b ||| f=inf": "expected a feature",
    "[X] ||| a ||| b ||| f=1e39": "expected a feature",
    "[X] ||| a ||| b ||| f=": "expected a feature",
    "[X] ||| a ||| b ||| f=1 f=2": "'f' occurs twice",
    "[X] ||| a ||| b ||| f=1 ||| 0-1": "0-1 does not join two words",
    "[X] ||| a ||| b ||| f=1 ||| 0:1": "expected a link",
    "[X] ||| a [X,1] ||| b [1] ||| ||| 0-1": "0-1 does not join two words",
    "a ||| b [X] ||| 1 1 1 1 |||": "category that a rule produces",
    "a [X] ||| b ||| 1 1 1 1 |||": "category that a rule produces",
    "a [X] ||| b [X] ||| 1 1 1 |||": "3 scores; expected 4",
    "a [X] ||| b [X] ||| 1 1 1 1 1 |||": "more than 4 scores",
    "a [X] ||| b [X] ||| 1 1 1 nan |||": "expected a probability",
    "a [X] ||| b [X] ||| 1 1 1 -1 |||": "not a log",
    "a [X] [X] ||| b [X] ||| 1 1 1 1 |||": "expected a gap such as '[X][X]'",
    "a [X][X][X] [X] ||| b [X] ||| 1 1 1 1 |||": "expected a gap such as '[X][X]'",
    "a [X][X] [X] ||| b [X][X] [X] ||| 1 1 1 1 ||| 0-0": "do not pair",
    "a [X][X] [X] ||| b [X][X] [X] ||| 1 1 1 1 ||| 0-1": "joins a gap and a word",
    "a [X][X] [X] ||| b [X][X] [X] ||| 1 1 1 1 ||| 1-2": "outside",
    "a [X][X] [X] ||| b [X][S] [X] ||| 1 1 1 1 ||| 1-1": "the same category",
    "[X] ||| <s> a ||| <s> b": "sentence markers",
    "[X] ||| a ||| </s>": "sentence markers",
    "[X] ||| <s> ||| </s>": "sentence markers",
    "[X] ||| </s> ||| </s>": "sentence markers",
    "[X] ||| [X,1] </s> ||| </s> [1]": "sentence markers",
    "[X] ||| [X,1] <s> ||| [1] <s>": "sentence markers",
}


MANY_LINKS = " ".join(f"{source}-{target}" for source in (0, 1) for target in range(200))
MANY_GAPS = f"[X][X] [X][X] [X] ||| {'[X][X] ' * 400}[X] ||| ||| {MANY_LINKS}"


@pytest.mark.parametrize(
    "rule",
    [
        "[X][X] a [X][X] [X] ||| [X][X] [X][X] [X] ||| ||| 0-1 2-1",  # one target gap linked twice
        "[X][X] a [X][X] [X] ||| [X][X] [X][X] [X] ||| ||| 0-0 0-1",  # one source gap linked twice
        "[X][X] [X][X] [X] ||| [X][X] [X][X] [X][X] [X] ||| ||| 0-0 0-1 1-0",
        MANY_GAPS,
    ],
)
def test_gaps_of_moses_are_linked_once_each(rule) -> None:
    with pytest.raises(InputError, match="do not pair each gap of the source side with one gap"):
        parsed(rule + "\n", [])


def test_values_that_would_make_scores_infinite_are_refused() -> None:
    with pytest.raises(InputError, match="of at most 1e9 in size") as caught:
        parsed("[X] ||| a ||| b ||| f=1e9\n[X] ||| a ||| b ||| f=1e10\n")
    assert caught.value.line == 2


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_no_rule_is_refused_with_its_line(line) -> None:
    with pytest.raises(InputError) as caught:
        parsed(f"[X] ||| fine ||| fine\n{line}\n")
    assert REFUSED[line] in caught.value.message
    assert caught.value.line == 2


def test_bytes_that_are_not_text_are_refused_with_their_line() -> None:
    with pytest.raises(InputError, match="UTF-8") as caught:
        parsed(b"[X] ||| a ||| b\n[X] ||| \xff ||| b\n")
    assert caught.value.line == 2


def test_words_of_all_kinds_pass() -> None:
    words = ["猫", "שלום", "&#124;", "&#91;X&#93;", "[", "a\tb", "\x01", "<s", "x,1]"]
    grammar = parsed("".join(f"[X] ||| {word} ||| {word} ||| ||| 0-0\n" for word in words))
    for word in words:
        assert grammar.rules([word]) == [("X", [word], [(0, 0)], {}, "none")]


def test_rules_may_be_huge() -> None:
    gaps = " ".join(f"[X,{i}] w{i}" for i in range(1, 20001))
    features = " ".join(f"f{i}=1" for i in range(20000))
    grammar = parsed(f"[X] ||| {gaps} ||| {gaps} ||| {features}\n")
    ((_, target, _, values, _),) = grammar.rules(["[X]" if t[0] == "[" else t for t in gaps.split()])
    assert target[-2:] == ["[20000]", "w20000"]
    assert len(values) == 20000


def test_a_file_is_read_in_chunks_and_named_in_errors(tmp_path) -> None:
    text = b"[X] ||| a ||| b ||| f=1\n[S] ||| [X,1] ||| [1]\n"
    chunks = [text[i : i + 1] for i in range(len(text))]
    assert parse_chunks(_native.GrammarParser([]), chunks, None).categories == ["X", "S"]
    with pytest.raises(InputError, match=r"grammar.*1"):
        parse_chunks(_native.GrammarParser([]), [b"[X] ||| a"], tmp_path / "grammar")


def test_a_table_that_is_not_there_is_an_error(tmp_path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        _native.TableGrammar(str(tmp_path / "nowhere"))


@settings(max_examples=25, deadline=None)
@given(text=aligned_texts())
def test_the_rules_of_a_sentence_are_the_same_as_a_trie_and_as_text(text) -> None:
    options = GrammarOptions(samples=0, target_samples=0)
    for grammar in text.index().grammars(text.source, options, threads=1):
        check_equal(grammar.trie(), grammar)
        read = parsed(grammar.lines(), [])
        assert read.rule_count == len(grammar)
        assert read.categories in ([], ["X"])


def test_tries_of_sentences_hold_their_words_alone() -> None:
    text = generated_text(60)
    grammar = text.index().grammar(text.source[0])
    trie = grammar.trie()
    assert trie.feature_names == list(grammar.feature_names)
    check_equal(trie, grammar)


def test_values_that_do_not_fit_a_grammar_are_refused() -> None:
    text = generated_text(20)
    index = text.index()
    grammar = index.grammar(text.source[0])
    for values, names in ((grammar.features[:-1], grammar.feature_names), (grammar.features, ("one",))):
        with pytest.raises(InputError, match="a row of"):
            grammar._arrays.trie(index.native, values, list(names))


@given(st.text(alphabet="[]X,1|| ab<s>/=-\n", max_size=60))
def test_any_text_is_a_grammar_or_an_error_with_its_line(text) -> None:
    try:
        parsed(text)
    except InputError as error:
        assert error.line is not None


@pytest.mark.slow
def test_a_table_of_moses_is_the_same_mapped_and_in_memory(shared_data, tmp_path) -> None:
    with lzma.open(shared_data / "moses-hiero" / "rule-table.test_2016.first200.xz", "rb") as stream:
        lines = list(itertools.islice(stream, 0, 200_000, 20))
    path: Path = tmp_path / "rules"
    path.write_bytes(b"".join(lines))
    table = import_rules(path, tmp_path / "table")
    check_equal(_native.TableGrammar(str(tmp_path / "table")), table)
    check_equal(parsed(b"".join(lines)), table)
