"""Glue grammars and pass-through rules."""

from __future__ import annotations

import pytest

from tunesmith.errors import InputError, OptionError
from tunesmith.extract.glue import glue_grammar, pass_through_rules, write_glue_grammar
from tunesmith.extract.grammar import import_rules
from tunesmith.extract.rule_features import DECODER_FEATURES, GRAMMAR_FEATURES


def test_moses_glue_grammar_is_the_one_that_moses_decodes_with(shared_data) -> None:
    theirs = (shared_data / "moses-hiero/glue-grammar").read_text(encoding="utf-8")
    assert [line.split() for line in glue_grammar("moses").splitlines()] == [
        line.split() for line in theirs.splitlines()
    ]


def test_cdec_glue_rules_are_chiangs(tmp_path) -> None:
    write_glue_grammar(tmp_path / "glue")
    first, second = (tmp_path / "glue").read_text(encoding="utf-8").splitlines()
    assert first.split(" ||| ")[:3] == ["[S]", "[X,1]", "[1]"]
    assert second == "[S] ||| [S,1] [X,2] ||| [1] [2] ||| Glue=1"


def test_pass_through_rules_translate_words_as_themselves(tmp_path) -> None:
    (tmp_path / "rules").write_text(pass_through_rules(["a", "猫", "a"]), encoding="utf-8")
    table = import_rules(tmp_path / "rules", tmp_path / "table")
    assert [(rule.source, rule.target) for rule in table] == [(("a",), ("a",)), (("猫",), ("猫",))]
    assert table.names == ("PassThrough",)


def test_a_format_that_has_no_glue_is_refused(tmp_path) -> None:
    with pytest.raises(OptionError, match="cannot be 'mose'; did you mean 'moses'"):
        glue_grammar("mose")
    with pytest.raises(OptionError, match="choose from"):
        write_glue_grammar(tmp_path / "glue", "joshua")
    assert not (tmp_path / "glue").exists()


@pytest.mark.parametrize("word", ["", "a b", "|||", "[X]"])
def test_what_is_no_word_cannot_pass_through(word) -> None:
    with pytest.raises(InputError, match="cannot be a word"):
        pass_through_rules([word])


def test_names_of_features_are_distinct_and_fit_for_files() -> None:
    names = [feature.name for feature in (*GRAMMAR_FEATURES, *DECODER_FEATURES)]
    assert len(set(names)) == len(names)
    assert not any(set(" =|") & set(name) for name in names)
