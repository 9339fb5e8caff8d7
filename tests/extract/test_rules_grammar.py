"""Rule tables: text in, mapped file out, and what is refused."""

from __future__ import annotations

import gzip
import lzma
import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunesmith.container import Container, write_container
from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.errors import InputError
from tunesmith.extract.grammar import GrammarRule, RuleTable, import_rules
from tunesmith.extract.rules import RuleOptions, extract_rules
from tunesmith.generated import generate

CDEC = """\
[X] ||| der [X,1] ||| the [1] ||| EgivenFCoherent=0.25 Glue=1 ||| 0-0
[X] ||| [X,1] hat [X,2] gesehen ||| [1] saw [2] ||| EgivenFCoherent=0.5 ||| 1-1 3-1
[X] ||| [X,1] von [X,2] ||| [X,2] 's [X,1] ||| EgivenFCoherent=1.5
[X] ||| der ||| the ||| 0.5 2
"""
MOSES = """\
der [X][X] [X] ||| the [X][X] [X] ||| 0.5 0.25 1 0.125 ||| 0-0 1-1 ||| 4 2 2 ||| |||
[X][X] von [X][X] [X] ||| [X][X] 's [X][X] [X] ||| 1 1 1 0 ||| 0-2 1-1 2-0 ||| 1 1 1 ||| |||
"""

GAPS = ("[X,1]", "[X,2]")


def imported(text: str, tmp_path: Path) -> RuleTable:
    (tmp_path / "grammar").write_text(text, encoding="utf-8")
    return import_rules(tmp_path / "grammar", tmp_path / "table")


def test_a_cdec_grammar_is_read(tmp_path) -> None:
    table = imported(CDEC, tmp_path)
    assert len(table) == 4
    assert table.names == ("EgivenFCoherent", "Glue", "PhraseModel_0", "PhraseModel_1")
    features = {"EgivenFCoherent": 0.25, "Glue": 1.0, "PhraseModel_0": 0.0, "PhraseModel_1": 0.0}
    assert table.rules("der [X,1]") == [GrammarRule(("der", "[X,1]"), ("the", "[X,1]"), ((0, 0),), features)]
    (swap,) = table.rules("[X,1] von [X,2]")
    assert swap.target == ("[X,2]", "'s", "[X,1]")
    assert swap.arity == 2
    assert table.rules("[X,1] hat") == []
    assert table.rules("unseen") == []
    assert len(list(table)) == 4


def test_a_moses_table_is_read(tmp_path) -> None:
    table = imported(MOSES, tmp_path)
    (rule,) = table.rules("der [X,1]")
    assert rule.target == ("the", "[X,1]")
    assert rule.alignment == ((0, 0),)
    assert rule.counts == (4, 2, 2)
    assert list(rule.features.values()) == pytest.approx([math.log(p) for p in (0.5, 0.25, 1, 0.125)])
    (swap,) = table.rules("[X,1] von [X,2]")
    assert swap.target == ("[X,2]", "'s", "[X,1]")
    assert swap.features["LexicalTargetGivenSource"] == -100


def test_gaps_are_numbered_by_the_source_side(tmp_path) -> None:
    table = imported("[X] ||| [X,2] a [X,1] ||| [1] b [2] ||| f=1\n", tmp_path)
    (rule,) = table.rules("[X,1] a [X,2]")
    assert rule.target == ("[X,2]", "b", "[X,1]")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["cdec", "moses"])
def test_what_is_written_reads_back_as_what_is_saved(tmp_path, form) -> None:
    pairs = list(generate(40, seed=2, lowercase=True))
    bitext = Bitext(Sentences.of(p.source for p in pairs), Sentences.of(p.references[0] for p in pairs))
    rules = extract_rules(bitext, Alignments.of(p.alignment for p in pairs), RuleOptions.moses())
    rules.write(tmp_path / "rules.gz", form)
    read = {(r.source, r.target): r for r in import_rules(tmp_path / "rules.gz", tmp_path / "read")}
    saved = {(r.source, r.target): r for r in rules.save(tmp_path / "saved", form)}
    assert len(saved) > 500
    assert read.keys() == saved.keys()
    for key, rule in saved.items():
        assert read[key].alignment == rule.alignment
        assert read[key].features == pytest.approx(rule.features, rel=1e-5, abs=1e-5)
        assert form == "cdec" or read[key].counts == pytest.approx(rule.counts, rel=1e-5)


@pytest.mark.slow
def test_moses_own_table_is_read(shared_data, tmp_path) -> None:
    path = shared_data / "moses-hiero/rule-table.test_2016.first200.xz"
    table = import_rules(path, tmp_path / "table")
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = [next(file) for _ in range(2000)]
    assert len(table) == 416_749
    for line in lines[::40]:
        source, target, scores, *_ = line.split(" ||| ")
        gap = iter(("[X,1]", "[X,2]"))
        side = " ".join(next(gap) if token == "[X][X]" else token for token in source.split()[:-1])
        expected = [math.log(float(score)) for score in scores.split()]
        words = [token for token in target.split()[:-1] if token != "[X][X]"]
        assert any(
            [token for token in rule.target if not token.startswith("[X,")] == words
            and list(rule.features.values()) == pytest.approx(expected, rel=1e-5)
            for rule in table.rules(side)
        )


BAD = {
    "der [X] ||| von [X] ||| 1 1 1 1 ||| 0-0 ||| 1 1 -1": "'-1'; expected 0 or more",
    "der [X][X] [X] ||| the [X][X] [X] ||| 1 1 1 1 ||| 0-0 1-1 ||| 1 1 1": "duplicate of rule 1",
    "[X] ||| [X,2] von [X,1] ||| [1] 's [2] ||| f=1": "duplicate of rule 3",
    "no bars": "expected source ||| target ||| scores ||| links",
    "a [X] ||| b [X] ||| 1 1 1 x ||| 0-0": "'x'; expected a probability",
    "a [X] ||| b [X] ||| 1 1 1 -1 ||| 0-0": "not a log",
    "a [X] ||| b [X] ||| 1 1 1 nan ||| 0-0": "expected a probability",
    "a [X] ||| b [X] ||| 1 1 1 ||| 0-0": "found 3 scores; expected 4",
    "a [X] ||| b [X] ||| 1 1 1 1 1 ||| 0-0": "more than 4 scores",
    "a [X] ||| b [X] ||| 1 1 1 1 ||| 0-1": "outside of its rule",
    "a [X] ||| b [X] ||| 1 1 1 1 ||| 0:1": "expected a link",
    "a [X] ||| b [X] ||| 1 1 1 1 ||| 0-0 ||| 1 2": "found 2 counts; expected 3",
    "a [S] ||| b [X] ||| 1 1 1 1 ||| 0-0": r"expected the label \[X\]",
    "[X][S] a [X] ||| b [X] ||| 1 1 1 1 ||| 0-0": "the only label of rules is X",
    "[X] ||| b [X] ||| 1 1 1 1 ||| ": "a side of a rule is empty",
    "a [X][X] [X] ||| b [X][X] [X] ||| 1 1 1 1 ||| 0-0": "pair each gap",
    "a [X][X] [X] ||| b [X] ||| 1 1 1 1 ||| 0-0": "do not pair each gap of the source side",
    "a [X][X] [X] ||| b [X][X] [X] ||| 1 1 1 1 ||| 0-1 1-0": "joins a gap and a word",
    "[S] ||| a ||| b ||| f=1": "the only label of rules is X",
    "[X] ||| a ||| b": "expected .X. ||| source",
    "[X] ||| a ||| ||| f=1": "empty",
    "[X] ||| a ||| b ||| f=": "expected a feature such as",
    "[X] ||| a ||| b ||| f=1 f=2": "'f' occurs twice",
    "[X] ||| a [X,1] ||| b ||| f=1": "1 gaps, the target side 0",
    "[X] ||| a ||| b [1] ||| f=1": "does not have",
    "[X] ||| [X,1] a [X,1] ||| [1] ||| f=1": "gaps",
    "[X] ||| [X,1] a [X,2] b [X,3] ||| [1] [2] [3] ||| f=1": "expected at most 2",
    "[X] ||| [NP,1] a ||| [1] ||| f=1": "the only label of rules is X",
    "[X] ||| a ||| b ||| f=1 ||| 0-7": "outside of a rule",
    "": "fields",
}


@pytest.mark.parametrize("line", BAD)
def test_a_bad_line_is_named(line, tmp_path) -> None:
    good = CDEC if line.startswith(("[X] |||", "[S] |||")) and "[X] ||| 1" not in line else MOSES
    with pytest.raises(InputError, match=BAD[line].replace("|||", r"\|\|\|")) as caught:
        imported(good + line + "\n" + good, tmp_path)
    assert caught.value.line == good.count("\n") + 1
    assert not (tmp_path / "table").exists()


def test_files_that_are_no_grammar_are_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="empty"):
        imported("", tmp_path)
    (tmp_path / "bad").write_bytes(b"[X] ||| \xff ||| a ||| f=1\n")
    with pytest.raises(InputError, match="not UTF-8"):
        import_rules(tmp_path / "bad", tmp_path / "table")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(CDEC.encode())[:-12])
    with pytest.raises(InputError, match=r"cut\.gz"):
        import_rules(tmp_path / "cut.gz", tmp_path / "table")
    with pytest.raises(InputError, match="folder"):
        import_rules(tmp_path / "bad", tmp_path / "missing" / "table")


def test_too_many_features_are_refused(tmp_path) -> None:
    many = " ".join(f"f{i}=1" for i in range(300))
    with pytest.raises(InputError, match="different features"):
        imported(f"[X] ||| a ||| b ||| {many}\n", tmp_path)


@given(data=st.data())
@settings(max_examples=60)
def test_a_damaged_table_is_an_error_never_a_crash(data, tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    imported(CDEC, folder)
    container = Container.open(folder / "table", "rules", 1)
    name = data.draw(st.sampled_from(sorted(container.arrays)))
    arrays = {key: np.array(array) for key, array in container.arrays.items()}
    array = arrays[name]
    if len(array) and data.draw(st.booleans()):
        place = data.draw(st.integers(0, len(array) - 1))
        largest = 1e30 if array.dtype.kind == "f" else np.iinfo(array.dtype).max
        odd = [np.nan, np.inf, -1] if array.dtype.kind == "f" else []
        odd += [-1, -2, -3] if array.dtype.kind == "i" else []
        array[place] = data.draw(st.sampled_from([0, 1, 3, largest, *odd]))
    else:
        arrays[name] = array[: len(array) // 2]
    write_container(folder / "damaged", "rules", 1, arrays, {})
    try:
        table = RuleTable.open(folder / "damaged")
    except InputError:
        return
    rules = list(table)
    assert len(rules) == len(table)
    assert len(table.rules("der [X,1]")) <= len(table)
    for rule in rules:
        assert rule.source
        assert rule.target
        gaps = ["[X,1]", "[X,2]"][: rule.arity]
        assert [token for token in rule.source if token in GAPS] == gaps
        assert sorted(token for token in rule.target if token in GAPS) == gaps
        assert all(0 <= i < len(rule.source) and 0 <= j < len(rule.target) for i, j in rule.alignment)
        assert all(math.isfinite(value) for value in (*rule.features.values(), *rule.counts))
        assert all(count >= 0 for count in rule.counts)


@pytest.mark.parametrize(
    ("name", "place", "value", "message"),
    [
        ("links", 0, 9, "is outside of a rule"),
        ("links", 1, 9, "is outside of a rule"),
        ("trie.symbols", -1, 0, "each gap of the source side"),
        ("targets", 1, 0, "gaps"),
        ("trie.rules", slice(1, 5), 1, "empty"),
        ("features", 0, np.nan, "finite"),
        ("counts", 0, -1, "count"),
    ],
)
def test_rules_that_are_none_are_seen_when_a_table_is_opened(tmp_path, name, place, value, message) -> None:
    imported(MOSES, tmp_path)
    container = Container.open(tmp_path / "table", "rules", 1)
    arrays = {key: np.array(array) for key, array in container.arrays.items()}
    arrays[name][place] = value
    write_container(tmp_path / "damaged", "rules", 1, arrays, {})
    with pytest.raises(InputError, match=message):
        RuleTable.open(tmp_path / "damaged")


def test_a_table_is_pickled_by_its_path(tmp_path) -> None:
    table = imported(MOSES, tmp_path)
    pickled = pickle.dumps(table)
    assert b"gesehen" not in pickled
    assert b"von" not in pickled
    assert list(pickle.loads(pickled)) == list(table)


def test_foreign_and_truncated_files_are_refused(tmp_path) -> None:
    imported(MOSES, tmp_path)
    content = (tmp_path / "table").read_bytes()
    (tmp_path / "short").write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match="truncated"):
        RuleTable.open(tmp_path / "short")
    with pytest.raises(InputError, match="not a Tunesmith binary file"):
        RuleTable.open(tmp_path / "grammar")
    write_container(tmp_path / "other", "lm", 1, {"a": np.zeros(1)})
    with pytest.raises(InputError, match="holds 'lm'"):
        RuleTable.open(tmp_path / "other")
    middle = bytearray(content)
    middle[content.index(b"gesehen" if b"gesehen" in content else b"von")] ^= 1
    (tmp_path / "flipped").write_bytes(middle)
    with pytest.raises(InputError, match="checksum"):
        RuleTable.open(tmp_path / "flipped", verify=True)
