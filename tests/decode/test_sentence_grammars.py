"""Where the rules of one sentence come from: an index, or a grammar that the request brings."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from tests.commands import run
from tests.decode.commands import decode, decode_process
from tests.decode.sentence_rules import found, with_files

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.decode import given_grammars
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.grammars import GrammarSources
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions
from tunesmith.errors import InputError, OptionError, UnweightedFeatureWarning
from tunesmith.extract.rule_features import GRAMMAR_FEATURES
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.model import Model
from tunesmith.model.input_rules import rules_from_input
from tunesmith.weights import Weights

NAMES = tuple(feature.name for feature in GRAMMAR_FEATURES)


@pytest.fixture(scope="module")
def glue(escaped_model: Model) -> Model:
    """A model whose rules all come with sentences."""
    weights = {name: value for name, value in escaped_model.weights.items() if name not in NAMES}
    return replace(escaped_model, rules=(escaped_model.rules[1],), weights=Weights(weights))


@pytest.mark.parametrize("compression", ["gz", "none"])
def test_grammars_that_were_written_decode_as_those_on_demand(
    escaped_model, escaped_sentences, tmp_path, compression
):
    requests = with_files(escaped_model, escaped_sentences, tmp_path, compression=compression)
    assert [request.source for request in requests] == escaped_sentences
    expected = found(ChartDecoder(escaped_model), escaped_sentences)
    assert expected[4][0].split() == ["the", "|", "dog", "[x]", "sleeps"]
    assert expected[5][0].endswith("unbekannt | [y]")
    assert found(ChartDecoder(escaped_model), requests) == expected


def test_a_model_of_glue_alone_takes_all_rules_from_the_input(
    escaped_model, glue, escaped_corpus, escaped_sentences, tmp_path
):
    # In long sentences pruning depends on the order in which equal rules are read.
    lines = [*escaped_sentences, *(escaped_corpus / "de").read_text().splitlines()]
    sentences = [line for line in lines if len(line.split()) < 9][:8]
    assert len(sentences) == 8
    expected = found(ChartDecoder(escaped_model), sentences)
    requests = with_files(escaped_model, sentences, tmp_path)
    options = ChartOptions(rule_features=NAMES, table_limit=escaped_model.rules[0].table_limit)
    decoder = ChartDecoder(glue, escaped_model.weights, options)
    assert set(NAMES) < set(decoder.feature_names)
    again = found(decoder, requests)
    assert [(text, features) for text, _, features in again] == [(t, f) for t, _, f in expected]
    assert [score for _, score, _ in again] == pytest.approx([score for _, score, _ in expected], rel=1e-6)


def test_a_directory_without_rules_decodes_what_brings_them(
    escaped_model, escaped_sentences, small_itg, tmp_path
):
    requests = with_files(escaped_model, escaped_sentences, tmp_path)
    rules_from_input(escaped_model.directory, tmp_path / "model")
    made = Model.open(tmp_path / "model", verify=True)
    assert [path.name for path in (tmp_path / "model").glob("*.bin")] == ["seen.bin"]
    assert found(ChartDecoder(made), requests) == found(ChartDecoder(escaped_model), escaped_sentences)
    with pytest.raises(InputError, match="no file of the rules 'Rules': they come with the input"):
        made.rule_source(0)
    rules_from_input(tmp_path / "model", tmp_path / "again")
    assert Model.open(tmp_path / "again").rules == made.rules
    with pytest.raises(InputError, match="has no index or table of rules"):
        rules_from_input(small_itg, tmp_path / "none")


def test_errors_tell_the_line_in_whichever_group_they_are(escaped_model):
    bad = Request("das", rules="[X] ||| das ||| [1]", line=71)
    with pytest.raises(InputError, match="line 71: rule 1 of the sentence"):
        list(ChartDecoder(escaped_model).translate_all([*[Request("das", line=1)] * 70, bad], threads=1))


def test_threads_and_batches_change_nothing(escaped_model, escaped_sentences):
    decoder = ChartDecoder(escaped_model)
    alone = [decoder.translate(sentence) for sentence in escaped_sentences]
    assert found(decoder, escaped_sentences * 3)[: len(escaped_sentences)] == [
        (each.text, each.score, {name: value for name, value in each.features.items() if value})
        for each in alone
    ]


def test_excluded_pairs_teach_nothing(escaped_model, escaped_corpus):
    source = (escaped_corpus / "de").read_text().splitlines()
    decoder = ChartDecoder(escaped_model)
    number = len(source) - 1
    learned = decoder.translate(source[number])
    held_out = decoder.translate(Request(source[number], exclude=(number,)))
    assert learned.unknown_words == 0
    assert held_out.unknown_words >= 2  # | and [x] are in no other pair
    first, second = decoder.translate_all([Request(source[number], exclude=[number]), source[number]])
    assert (first.text, second.text) == (held_out.text, learned.text)


def test_exclusions_without_effect_are_refused(escaped_model, glue, small_model):
    with pytest.raises(InputError, match="line 1: cannot exclude the pair 301; the index has the pairs 0"):
        ChartDecoder(escaped_model).translate(Request("das", exclude=(301,), line=1))
    with pytest.raises(InputError, match=r"line 8: .* no rules are extracted: the model has no index"):
        ChartDecoder(glue).translate(Request("das", exclude=(1,), line=8))
    with pytest.raises(InputError, match="no rules are extracted: the sentence has a grammar"):
        ChartDecoder(escaped_model).translate(Request("das", exclude=(1,), rules="[X] ||| das ||| the"))
    with pytest.raises(InputError, match="line 2: cannot exclude training pairs: a phrase-based model"):
        PhraseDecoder.open(small_model).translate(Request("das", exclude=(1,), line=2))


@pytest.mark.parametrize("given", [{"rules": "[X] ||| das ||| the"}, {"rules": ""}, {"grammar": "missing"}])
def test_a_phrase_model_refuses_rules(small_model, given):
    with pytest.raises(InputError, match="line 2: rules come with the sentence, but a phrase-based model"):
        PhraseDecoder.open(small_model).translate(Request("das", line=2, **given))


def test_features_of_rules_count_by_their_declared_weights(glue):
    rules = "[X] ||| das ||| this ||| Good=2 Odd=5\n[X] ||| das ||| that ||| Good=1\n"
    plain = ChartDecoder(glue)
    with pytest.warns(UnweightedFeatureWarning, match=r"are ignored: 'Good', 'Odd'\. Declare them as"):
        assert "Odd" not in plain.translate(Request("das", rules=rules)).features
    for weight, expected in ((100.0, "this"), (-100.0, "that")):
        options = ChartOptions(rule_features=("Good",))
        decoder = ChartDecoder(glue, {**glue.weights, "Good": weight}, options)
        with pytest.warns(UnweightedFeatureWarning, match="are ignored: 'Odd'"):
            best = decoder.translate(Request("das", rules=rules))
        assert (best.text, best.features["Good"]) == (expected, 2 if expected == "this" else 1)
    with pytest.raises(
        InputError, match=r"'Good' is of no feature of this model; .*declare: .*rule_features"
    ):
        ChartDecoder(glue, {**glue.weights, "Good": 1.0})
    with pytest.raises(InputError, match="no weight for the feature 'Good'"):
        ChartDecoder(glue, options=ChartOptions(rule_features=("Good",)))
    with pytest.raises(OptionError, match="rule_features declares 'Good' twice"):
        ChartOptions(rule_features=("Good", "Good"))


def test_a_decoder_warns_once_of_features_without_weights(escaped_model, escaped_sentences, tmp_path):
    decoder = ChartDecoder(escaped_model)
    scores = with_files(escaped_model, escaped_sentences, tmp_path, format_="moses")
    with pytest.warns(UnweightedFeatureWarning, match="'SourceGivenTarget'") as caught:
        list(decoder.translate_all(scores * 20, threads=1))
        decoder.translate(Request("das", rules="[X] ||| das ||| the ||| Topic=1"))
    assert len(caught) == 1
    rules = "[X] ||| das ||| the ||| " + " ".join(f"CountEf{number}=1" for number in range(9))
    with pytest.warns(UnweightedFeatureWarning, match=r"'CountEf0' \(did you mean 'CountEF'\?\), .*9 in all"):
        ChartDecoder(escaped_model).translate(Request("das", rules=rules))


@pytest.mark.process
def test_the_command_warns_in_a_plain_line(escaped_model, tmp_path):
    line = "<seg>das</seg>\t[X] ||| das ||| this ||| 0.5 0.5\n"
    done = decode_process(escaped_model.directory, "--quiet", folder=tmp_path, stdin=line * 3)
    assert (done.returncode, done.stdout) == (0, "this\n" * 3)
    assert done.stderr.startswith("warning: rules of the input have features without a weight")
    assert done.stderr.count("\n") == done.stderr.count("'PhraseModel_0' (a score without a name)") == 1


def test_words_without_rules_pass_through(glue, tmp_path):
    (tmp_path / "empty.gz").write_bytes(gzip.compress(b""))
    best = ChartDecoder(glue).translate(Request("ein haus | [x]", grammar=tmp_path / "empty.gz"))
    assert (best.text, best.unknown_words) == ("ein haus | [x]", 4)
    one = Request("ein haus", grammar=tmp_path / "empty.gz", rules="[X] ||| haus ||| house")
    best = ChartDecoder(glue).translate(one)
    assert (best.text, best.unknown_words) == ("ein house", 1)
    dropped = ChartDecoder(glue, options=ChartOptions(unknown_words="drop")).translate(one)
    assert dropped.text == "house"


def test_given_rules_join_a_table(small_hiero, small_corpus):
    decoder = ChartDecoder.open(small_hiero)
    sentence = (small_corpus / "de").read_text().splitlines()[0]
    plain = decoder.translate(sentence)
    given = decoder.translate(Request(f"{sentence} neuwort", rules="[X] ||| neuwort ||| newword"))
    assert given.text.replace(" newword", "").split() == plain.text.split()
    assert given.unknown_words == 0


def test_categories_of_their_own_and_wide_rules(glue):
    rules = "[X] ||| a [Y,1] ||| [1] A\n[Y] ||| b ||| B\n[Y] ||| b [Y,1] ||| [1] B2\n"
    decoder = ChartDecoder(glue)
    assert decoder.translate(Request("a b", rules=rules)).text == "B A"
    assert decoder.translate(Request("a b b", rules=rules)).text == "B B2 A"
    wide = " ".join(["a", *"b" * 11])
    assert not decoder.translate(Request(wide, rules=rules)).found
    unlimited = ChartDecoder(glue, options=ChartOptions(span_limit=0))
    assert unlimited.translate(Request(wide, rules=rules)).text == " ".join(["B", *["B2"] * 10, "A"])


def test_a_file_is_read_once_a_batch(glue, tmp_path, monkeypatch):
    (tmp_path / "grammar").write_text("[X] ||| das ||| the\n")
    read: list[Path] = []

    def noted(path: Path) -> _native.MemoryGrammar:
        read.append(path)
        return original(path)

    original = given_grammars._read
    monkeypatch.setattr(given_grammars, "_read", noted)
    requests = [Request("das", grammar=tmp_path / "grammar")] * 5
    assert {each.text for each in ChartDecoder(glue).translate_all(requests)} == {"the"}
    assert read == [tmp_path / "grammar"]


def test_errors_of_grammars_name_the_file_or_the_line(glue, tmp_path):
    decoder = ChartDecoder(glue)
    (tmp_path / "bad").write_text("[X] ||| das ||| the\n[X] ||| das\n")
    with pytest.raises(InputError, match=r"line 7: the grammar of the sentence, .*bad:2: found 2 fields"):
        decoder.translate(Request("das", grammar=tmp_path / "bad", line=7))
    with pytest.raises(InputError, match=r"line 7: the grammar of the sentence, .*nowhere: no such file"):
        decoder.translate(Request("das", grammar=tmp_path / "nowhere", line=7))
    whole = gzip.compress(b"[X] ||| das ||| the\n" * 100)
    (tmp_path / "cut.gz").write_bytes(whole[:-9])
    with pytest.raises(InputError, match=r"cut\.gz"):
        decoder.translate(Request("das", grammar=tmp_path / "cut.gz"))
    requests = [Request("gut", line=6), Request("das", rules="[X] ||| a ||| b\n[X] ||| das ||| [1]", line=7)]
    with pytest.raises(InputError, match=r"line 7: rule 2 of the sentence: the target side has a gap"):
        list(decoder.translate_all(requests))
    with pytest.raises(InputError, match="rule 1 of the sentence: not UTF-8"):
        decoder.translate(Request("das", rules="[X] ||| \ud800 ||| a"))
    with pytest.raises(InputError, match="expected a feature such as"):
        decoder.translate(Request("das", rules="[X] ||| das ||| the ||| a=nan"))
    with pytest.raises(InputError, match="cannot be standard input"):
        Request("das", grammar=Path("-"))


def test_the_command_names_the_line_that_names_a_grammar(escaped_model, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "bad").write_text("[X] ||| das ||| the\n[X] ||| das\n")
    for name, message in (
        ("bad", "there/in:2: the grammar of the sentence, there/bad:2: found 2 fields"),
        ("none", "there/in:2: there is no grammar 'none'; looked in the current folder and in there"),
        ("/none", "there/in:2: there is no grammar '/none'\n"),
        ("g" * 5000, f"there/in:2: cannot read the grammar '{'g' * 59}: File name too long"),
        ("g" * 300 + "/x#7", "File name too long"),
    ):
        (tmp_path / "there" / "in").write_text(f'das\n<seg grammar="{name}">das</seg>\n')
        done = decode(escaped_model.directory, "-i", "there/in", "-q", folder=tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert message in done.stderr
    done = decode(escaped_model.directory, "-q", folder=tmp_path, stdin='<seg grammar="bad">das</seg>\n')
    assert done.stderr == "error: -:1: there is no grammar 'bad'; looked in the current folder\n"


def test_an_index_of_one_side_has_a_column_without_values(escaped_model, escaped_corpus, tmp_path):
    source, target = ((escaped_corpus / name).read_text().splitlines() for name in ("de", "en"))
    bitext = Bitext(Sentences.of(source), Sentences.of(target))
    index = SuffixIndex.build(
        bitext, Alignments.read(escaped_corpus / "align"), tmp_path / "one", both_sides=False
    )
    part = replace(escaped_model.rules[0], path=str(index.path))
    named = replace(escaped_model, rules=(part, escaped_model.rules[1]))
    decoder = ChartDecoder(named)
    assert "FgivenE" in decoder.feature_names
    assert decoder.translate(source[0]).features.get("FgivenE", 0) == 0
    assert decoder.translate(source[0]).features["MaxLexFgivenE"] > 0
    unnamed = replace(escaped_model, rules=(replace(part, features=()), escaped_model.rules[1]))
    weights = {name: value for name, value in escaped_model.weights.items() if name != "FgivenE"}
    assert "FgivenE" not in ChartDecoder(unnamed, weights).feature_names
    renamed = tuple(f"R{number}" for number in range(len(NAMES)))
    others = {name: value for name, value in escaped_model.weights.items() if name not in NAMES}
    weights = {**others, **{new: escaped_model.weights[old] for new, old in zip(renamed, NAMES, strict=True)}}
    again = ChartDecoder(
        replace(escaped_model, rules=(replace(part, features=renamed), escaped_model.rules[1])), weights
    )
    assert again.translate("der hund schläft").score == decoder.translate("der hund schläft").score
    with pytest.raises(InputError, match="names 1 features of the rules 'Rules'; extracted rules have 8"):
        GrammarSources(replace(escaped_model, rules=(replace(part, features=("a",)),)), ChartOptions())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["escaped_model", "loose_model"])
def test_the_commands_extract_and_decode_alike(kind, request, escaped_sentences, tmp_path):
    model: Model = request.getfixturevalue(kind)
    (tmp_path / "in.de").write_text("".join(f"{sentence}\n" for sentence in escaped_sentences))
    given = ("--model", model.directory, "--input", "in.de", "-o", "g")
    extracted = run("extract", "grammars", *given, folder=tmp_path)
    (tmp_path / "in.sgm").write_text(extracted.stdout)
    outputs = []
    for name in ("in.de", "in.sgm"):
        nbest = ("--nbest", 5, "--nbest-output", f"{name}.nbest", "--quiet")
        done = decode(model.directory, "--input", name, *nbest, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        outputs.append((done.stdout, (tmp_path / f"{name}.nbest").read_text()))
    assert outputs[0] == outputs[1]
    assert outputs[0][0].count("\n") == len(escaped_sentences)


@pytest.mark.slow
def test_options_change_the_limits_of_a_model(loose_model, small_hiero, escaped_sentences, tmp_path):
    (tmp_path / "in.de").write_text("".join(f"{sentence}\n" for sentence in escaped_sentences))
    written = []
    for given in (
        ("--model", loose_model.directory),
        ("--model", loose_model.directory, "--max-gaps", 0),
        ("--index", loose_model.directory / loose_model.rules[0].path),
    ):
        common = ("--input", "in.de", "-o", "g", "--compression", "none")
        assert run("extract", "grammars", *given, *common, folder=tmp_path).returncode == 0
        written.append((tmp_path / "g" / "grammar.0").read_text())
    assert len(set(written)) == 3
    assert "[X,1]" in written[0] and "[X,1]" not in written[1]
    for given, message in (
        ((), "expected --index FILE, or --model DIRECTORY"),
        (("--index", "x", "--model", "y"), "expected --index FILE, or --model DIRECTORY"),
        (("--model", small_hiero), "has no index that rules are extracted from"),
    ):
        done = run("extract", "grammars", *given, "--input", "in.de", "-o", "g", folder=tmp_path)
        assert done.returncode and message in done.stderr


def test_the_command_takes_features_of_given_rules(escaped_model, tmp_path):
    rules_from_input(escaped_model.directory, tmp_path / "model")
    Weights({**escaped_model.weights, "Good": 100.0}).write(tmp_path / "weights.json")
    line = "<seg>das</seg>\t[X] ||| das ||| this\t[X] ||| das ||| that ||| Good=1\n"
    command = ("model", "--weights", "weights.json", "--quiet")
    done = decode(*command, "--rule-feature", "Good", folder=tmp_path, stdin=line)
    assert done.stdout == "that\n"
    refused = decode(*command, folder=tmp_path, stdin=line)
    assert (refused.returncode, "'Good' is of no feature" in refused.stderr) == (1, True)
    broken = decode("model", "--quiet", folder=tmp_path, stdin="<seg>a</seg>\n<seg>a</seg>\t[X] ||| a\n")
    assert "-:2: rule 1 of the sentence: found 2 fields" in broken.stderr
