"""Hierarchical models of Moses: rule tables, glue grammars, labels, limits of spans."""

from __future__ import annotations

import lzma
import math
import re
from pathlib import Path

import pytest
from tests.tables.toy_tables import ARPA

from tunesmith.decode import ChartDecoder
from tunesmith.errors import InputError
from tunesmith.extract.glue import glue_grammar
from tunesmith.extract.grammar import RuleTable
from tunesmith.model import Model
from tunesmith.model.exporting import export_model
from tunesmith.model.importing import import_model
from tunesmith.model.moses_import import import_moses
from tunesmith.model.moses_rules import FirstRules, copy_rules

INI = """
[mapping]
0 T 0
1 T 1

[non-terminals]
X

[search-algorithm]
3

[max-chart-span]
12
1000

[cube-pruning-pop-limit]
300

[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TM0 num-features=4 path=rules table-limit=7
PhraseDictionaryMemory name=Glue0 num-features=1 path=glue
KENLM name=LM0 path=lm.arpa order=1

[weight]
LM0= 0.5
WordPenalty0= -1
PhrasePenalty0= 0.2
TM0= 0.2 0.1 0.2 0.1
Glue0= 0.75
"""

RULES = """\
der [X][X] [X] ||| the [X][X] [X] ||| 0.5 0.25 0.125 1 ||| 0-0 1-1 ||| 2 2 1 ||| |||
[X][X] hat [X][X] [X] ||| has [X][X] [X][X] [X] ||| 0.5 0 0.125 1 ||| 0-2 1-0 2-1 ||| 2 2 1 ||| |||
"""


@pytest.fixture
def moses(tmp_path: Path) -> Path:
    folder = tmp_path / "moses"
    folder.mkdir()
    for name, text in {
        "moses.ini": INI,
        "rules": RULES,
        "glue": glue_grammar("moses"),
        "lm.arpa": ARPA,
    }.items():
        (folder / name).write_text(text)
    return folder


def test_rules_are_mapped_and_glue_becomes_text(moses: Path, tmp_path: Path) -> None:
    said: list[str] = []
    model = import_moses(moses / "moses.ini", tmp_path / "model", progress=said.append)
    assert "Glue0.grammar: 3 rules" in said
    rules, glue = model.rules
    assert (rules.path, rules.source, rules.table_limit, rules.span_limit) == ("TM0.rules", "table", 7, 12)
    assert rules.features == ("TM0_0", "TM0_1", "TM0_2", "TM0_3")
    assert (glue.path, glue.source, glue.span_limit, glue.counted) == ("Glue0.grammar", "text", 0, True)
    assert glue.features == ("Glue0",)
    table = model.rule_source()
    assert isinstance(table, RuleTable)
    assert [rule.target for rule in table.rules("[X,1] hat [X,2]")] == [("has", "[X,2]", "[X,1]")]
    assert model.rule_source(1) == tmp_path / "model" / "Glue0.grammar"
    assert model.settings == {"pop_limit": 300}
    assert model.decoder_kind == "chart"
    assert Model.read(tmp_path / "model") == model


def test_glue_is_copied_and_counts_itself_in_natural_logs(moses: Path, tmp_path: Path) -> None:
    with lzma.open(moses / "glue.xz", "wt") as stream:
        stream.write((moses / "glue").read_text())
    (moses / "glue").unlink()
    model = import_moses(moses / "moses.ini", tmp_path / "model")
    assert model.rule_source(1).read_text() == glue_grammar("moses")
    found = ChartDecoder(model).translate("der x")
    assert found.text == "the x"
    assert found.features["Glue0"] == pytest.approx(math.log(2.718))
    assert found.features["TM0_0"] == pytest.approx(math.log(0.5))


def test_the_command_makes_a_directory_of_kind_hiero_once(moses: Path, tmp_path: Path) -> None:
    made = import_model(moses / "moses.ini", tmp_path / "model")
    assert made.manifest.kind == "hiero"
    assert {"TM0.rules", "Glue0.grammar", "LM0.lm"} < set(made.manifest.files)
    Model.open(tmp_path / "model", verify=True)
    assert all(step.skipped for step in import_model(moses / "moses.ini", tmp_path / "model").steps)
    (moses / "glue").write_text((moses / "glue").read_text().replace("2.718", "1"))
    assert not any(step.skipped for step in import_model(moses / "moses.ini", tmp_path / "model").steps)
    with pytest.raises(InputError, match="only phrase models are exported; this one is of kind hiero"):
        export_model(tmp_path / "model", tmp_path / "again")


@pytest.mark.parametrize(
    ("old", "new", "limits"),
    [
        ("12\n1000", "12", (12, 20)),
        ("12\n1000", "0\n999", (0, 999)),
        ("[max-chart-span]\n12\n1000\n", "", (20, 20)),
        ("0 T 0\n1 T 1", "0 T 1\n1 T 0", (0, 12)),
    ],
)
def test_span_limits_are_those_of_the_graphs(old, new, limits, moses: Path, tmp_path: Path) -> None:
    (moses / "moses.ini").write_text(INI.replace(old, new))
    model = import_moses(moses / "moses.ini", tmp_path / "model")
    assert tuple(part.span_limit for part in model.rules) == limits


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("moses.ini", "path=glue", "path=one", "names no glue grammar: no table has rules of [S]"),
        ("moses.ini", "12\n1000", "wide", "max-chart-span is 'wide'"),
        ("moses.ini", "0 T 0", "a T 0", "graph is 'a'"),
        (
            "moses.ini",
            "\nWordPenalty",
            "\nDistortion name=WordPenalty0",
            "a hierarchical model has no 'Distortion' here",
        ),
        ("rules", RULES, "", "rules: has no rules"),
        ("rules", "der [X][X] [X]", "der [X][X]", "rules:1: found '[X][X]'; expected the category"),
        ("rules", "0-0 1-1", "0-0", "rules:1: the links do not pair each gap"),
        ("rules", "0-2 1-0 2-1", "0-1 1-0 2-1", "rules:2: the links do not pair each gap"),
        ("rules", "0-0 1-1", "0-0 1-1 9-0", "rules:1: the link 9-0 is outside of its rule"),
        ("rules", "2 2 1 ||| |||", "2 2 1 ||| dom 1 |||", "rules:1: found the sparse scores 'dom 1'"),
        ("rules", "0.25", "nan", "rules:1: found 'nan'; expected a probability"),
        ("rules", "0.25", "-1", "rules:1: found the score '-1'"),
        ("rules", "[X][X] hat", "[1] hat", "rules:2: found '[1]'; expected a gap such as '[X][X]'"),
        (
            "rules",
            " ||| 0-0 1-1 ||| 2 2 1 ||| |||",
            "",
            "rules:1: found 3 fields; expected source ||| target",
        ),
        ("rules", RULES, "[X] ||| a ||| 1 1 1 1", "rules:1: found '[X]'; expected words and gaps"),
        ("glue", "<s> [X] ", "<s> [NP] ", "glue:1: has the source labels NP; expected [X] only"),
        ("glue", " ||| 2.718", "", "glue:3: found '0-0'; expected a probability"),
        ("glue", "1 ||| 0-0 ||| 0", "1 1 ||| 0-0 ||| 0", "'Glue0' has 1 weights, but its table 2 values"),
    ],
)
def test_what_cannot_be_imported_is_refused_before_anything_is_written(
    file: str, old: str, new: str, message: str, moses: Path, tmp_path: Path
) -> None:
    (moses / "one").write_text("a [X] ||| a [X] ||| 1 ||| 0-0\n")
    text = (moses / file).read_text()
    assert old in text
    (moses / file).write_text(text.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        import_moses(moses / "moses.ini", tmp_path / "model")
    assert message in str(caught.value)
    assert not (tmp_path / "model").exists()


def test_labels_are_those_of_the_target_side(tmp_path: Path) -> None:
    (tmp_path / "table").write_text(
        "[X][NP] hat [X][VP] &#91;1&#93; [X] ||| has [X][VP] &#91;1&#93; [X][NP] [S] ||| 0.5 0"
        " ||| 2-1 0-3 1-0 3-2 ||| 1 1 1\n"
        "\n"
        "la [X] ||| 猫 [NP] ||| 1e-200 3 ||| \n",
        encoding="utf-8",
    )
    tops, categories = frozenset({"S", "NP"}), frozenset({"S", "NP", "VP"})
    assert FirstRules.peek(tmp_path / "table") == FirstRules(tops, categories, 2)
    assert copy_rules(tmp_path / "table", tmp_path / "text", ("a_0", "a_1")) == 2
    assert (tmp_path / "text").read_bytes() == (tmp_path / "table").read_bytes()


def test_a_peek_ends_with_a_whole_line(tmp_path: Path) -> None:
    line = "a [X] ||| b [X] ||| 1 ||| 0-0\n"
    (tmp_path / "table").write_text(line * 5000 + "no rule\n")
    assert FirstRules.peek(tmp_path / "table") == FirstRules(frozenset({"X"}), frozenset({"X"}), 1)
    with pytest.raises(InputError, match="table:5001: found 1 fields"):
        copy_rules(tmp_path / "table", tmp_path / "text", ("a",))


def test_a_table_of_more_scores_than_a_mapped_one_has_becomes_text(moses: Path, tmp_path: Path) -> None:
    (moses / "rules").write_text(RULES.replace(" 1 |||", " 1 2.718 |||"))
    text = INI.replace("num-features=4", "num-features=5").replace("0.2 0.1 0.2 0.1", "0.2 0.1 0.2 0.1 0.3")
    (moses / "moses.ini").write_text(text)
    model = Model.open(import_model(moses / "moses.ini", tmp_path / "model").directory)
    assert (model.rules[0].path, model.rules[0].source) == ("TM0.grammar", "text")
    assert model.rules[0].features == tuple(f"TM0_{number}" for number in range(5))
    found = ChartDecoder(model).translate("x hat y")
    assert found.text == "has y x"
    scores = [found.features.get(f"TM0_{number}", 0.0) for number in range(5)]
    assert scores == pytest.approx([math.log(0.5), -100, math.log(0.125), 0, math.log(2.718)])


def test_a_later_line_that_does_not_fit_is_named(tmp_path: Path) -> None:
    (tmp_path / "table").write_text("a [X] ||| a [S] ||| 1 ||| 0-0\nb [X] ||| b [S] ||| 1 1 ||| 0-0\n")
    with pytest.raises(InputError, match=r"table:2: found more than 1 scores"):
        copy_rules(tmp_path / "table", tmp_path / "text", ("a",))
    (tmp_path / "table").write_bytes(b"a [X] ||| a [S] ||| 1 ||| 0-0\n\xff [X] ||| b [S] ||| 1 ||| 0-0\n")
    with pytest.raises(InputError, match=r"table:2: not UTF-8"):
        copy_rules(tmp_path / "table", tmp_path / "text", ("a",))
    assert not (tmp_path / "text").exists()


@pytest.mark.slow
def test_the_multi30k_model_of_moses_is_imported(shared_data: Path, tmp_path: Path) -> None:
    ini = shared_data / "moses-hiero" / "moses.mira.ini"
    model = import_moses(ini, tmp_path / "model")
    labels = re.findall(r"^(\w+)= (.+)$", ini.read_text(), re.MULTILINE)
    wanted = {}
    for label, values in labels:
        row = values.split()
        wanted |= {label if len(row) == 1 else f"{label}_{i}": float(value) for i, value in enumerate(row)}
    assert dict(model.weights) == wanted
    assert [part.span_limit for part in model.rules] == [20, 0]
    table = model.rule_source()
    assert isinstance(table, RuleTable)
    with lzma.open(shared_data / "moses-hiero" / "rule-table.test_2016.first200.xz") as lines:
        assert len(table) == sum(1 for _ in lines)
    assert model.rules[1].features == ("TranslationModel1",)
    assert model.rule_source(1).read_text().count("\n") == 3
