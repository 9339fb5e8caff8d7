"""`tunesmith decode` with hierarchical models and ITGs."""

from __future__ import annotations

import json
import re
import resource

import numpy as np
import pytest
from tests.decode.commands import SENTENCES, decode, decode_process, lines

from tunesmith import Decoding, decode_file
from tunesmith.candidates import Pool
from tunesmith.decode import (
    ChartDecoder,
    ChartOptions,
    DecodeOutputs,
    Lattice,
    PhraseDecoder,
    Request,
    SearchOptions,
    open_decoder,
)
from tunesmith.decode.rules import RuleApplication, bracketed
from tunesmith.errors import InputError, OptionError
from tunesmith.features import TEMPLATES
from tunesmith.forest.file import ForestFile
from tunesmith.forest.kbest import kbest
from tunesmith.memory import parse_bytes, show_memory

KINDS = ["hiero", "index", "itg"]
AMOUNT = "memory must be an amount such as 1G, 512M or 1000000"
FOREIGN = {
    "phrase": [("--cell-size", 5), ("--span-limit", 5)],
    "hiero": [("--stack-size", 5), ("--distortion-limit", 5), ("--no-early-discard",)],
}


@pytest.mark.parametrize("kind", KINDS)
def test_all_outputs_tell_of_the_same_translations(models, kind):
    done = decode(
        *(kind, "--input", "test.de", "--output", "out", "--pop-limit", 50, "--threads", 2),
        *("--nbest", 10, "--nbest-output", "nbest", "--unique", "--forest-output", "forests"),
        *("--json-log", "log", "--alignment-output", "align", "--tree-output", "trees"),
        folder=models,
    )
    assert done.returncode == 0, done.stderr
    assert f"{SENTENCES} sentences" in done.stderr
    decoder = open_decoder(models / kind, options={"pop_limit": 50})
    assert isinstance(decoder, ChartDecoder)
    source = lines(models / "test.de")
    # Forests keep all edges, and cost the search nothing.
    found = list(decoder.translate_all(source, forest=True))
    assert lines(models / "out") == [one.text for one in found]
    assert lines(models / "align") == [" ".join(f"{i}-{j}" for i, j in one.alignment) for one in found]
    pool, forests = Pool.read(models / "nbest"), ForestFile(models / "forests")
    assert pool.ids == forests.ids == tuple(map(str, range(SENTENCES)))
    assert pool.feature_names == decoder.feature_names
    weights = np.array([decoder.weights[name] for name in pool.feature_names])
    np.testing.assert_allclose(pool.features.dot(weights), pool.totals, atol=1e-3)
    log = [json.loads(line) for line in lines(models / "log")]
    largest = max(entry["memory"] for entry in log)
    assert f"at most {show_memory(largest)} per sentence" in done.stderr
    for number, one in enumerate(found):
        first = int(pool.offsets[number])
        assert pool.texts[first] == one.text
        assert pool.totals[first] == pytest.approx(one.score, abs=1e-3)
        (best,) = kbest(forests[number], decoder.weights, 1)
        assert (best.text, best.score) == (one.text, pytest.approx(one.score, abs=1e-3))
        entry = log[number]
        assert entry["score"] == one.score
        assert entry["memory"] == one.memory > 0
        assert entry["source_words"] == len(source[number].split())
        assert entry["output_words"] == len(one.text.split())


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_threads_change_no_byte(models, kind):
    outputs = []
    for threads in (1, 2):
        kinds = ("text", "nbest", "alignment", "forests", "trees")
        names = {name: models / f"{name}.{threads}" for name in kinds}
        decode_file(models / kind, models / "test.de", DecodeOutputs(**names), Decoding(threads=threads))
        outputs.append([path.read_bytes() for path in names.values()])
    assert outputs[0] == outputs[1]


def test_options_are_those_of_the_chart(models):
    options = ("--cell-size", 20, "--span-limit", 4, "--table-limit", 3, "--beam-threshold", 9)
    more = ("--unknown-words", "drop", "--memory", "64M", "--context", 1, "--pop-limit", 30)
    done = decode("hiero", "--input", "test.de", "--quiet", *options, *more, folder=models)
    assert done.returncode == 0, done.stderr
    chosen = ChartOptions(30, 20, 9.0, 4, "drop", 3, 1, memory="64M")
    decoder = ChartDecoder.open(models / "hiero", options=chosen)
    found = list(decoder.translate_all(lines(models / "test.de")))
    assert done.stdout.splitlines() == [one.text for one in found]
    within = [rule.source for one in found for rule in one.rules if rule.category == "X"]
    assert max(end - begin for begin, end in within) <= 4


@pytest.mark.parametrize(
    ("kind", "option"), [(kind, option) for kind, options in FOREIGN.items() for option in options]
)
def test_an_option_of_the_other_kind_of_model_is_refused(models, kind, option):
    done = decode(kind, "--input", "test.de", *option, folder=models)
    assert done.returncode == 2
    other = "hierarchical or ITG" if kind == "phrase" else "phrase-based"
    assert f"search: {option[0]} is for {other} models, but this one is" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hiero", "--memory", "much"), f"{AMOUNT}, not 'much'"),
        (("hiero", "--memory", "0"), f"{AMOUNT}, not '0'"),
        (("hiero", "--span-limit", -1), "search: --span-limit must be at least 0, not -1"),
        (("hiero", "--cell-size", 0), "search: --cell-size must be at least 1, not 0"),
        (("hiero", "--unknown-words", "keep"), "search: --unknown-words cannot be 'keep'"),
        (("phrase", "--tree-output", "trees"), "trees need a hierarchical or ITG model"),
    ],
)
def test_bad_values_are_refused(models, arguments, message):
    done = decode(*arguments, "--input", "test.de", "--output", "out", folder=models)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (models / "out").exists()


def test_models_and_decoders_and_options_of_other_kinds_are_refused(models):
    with pytest.raises(InputError, match="is not a hierarchical or ITG model"):
        ChartDecoder.open(models / "phrase")
    for kind in KINDS:
        with pytest.raises(InputError, match="is not a phrase-based model"):
            PhraseDecoder.open(models / kind)
    with pytest.raises(OptionError, match="hierarchical or ITG model needs ChartOptions, not SearchOptions"):
        open_decoder(models / "hiero", options=SearchOptions())
    with pytest.raises(OptionError, match="a phrase-based model needs SearchOptions, not ChartOptions"):
        decode_file(models / "phrase", models / "test.de", decoding=Decoding(search=ChartOptions()))
    with pytest.raises(OptionError, match="no such option: cell_sise of search; did you mean 'cell_size'"):
        open_decoder(models / "hiero", options={"cell_sise": 3})
    assert type(open_decoder(models / "phrase", options=SearchOptions(10))) is PhraseDecoder


def test_a_sentence_that_needs_more_memory_is_an_error_with_its_line(models):
    (models / "long").write_text("der hund\n" + " ".join(lines(models / "test.de")[:4]) + "\n")
    done = decode("itg", "--input", "long", "--memory", "1M", folder=models)
    assert done.returncode == 1
    assert "long:2: the sentence has" in done.stderr
    assert "raise the memory limit" in done.stderr


@pytest.mark.process
def test_a_derivation_as_deep_as_a_long_line_needs_no_deep_stack(models):
    def keep_stacks_small() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20))

    words = "der hund . " * 3000
    arguments = ("hiero", "--pop-limit", 2, "--tree-output", "trees", "--segments", "--quiet")
    done = decode_process(*arguments, folder=models, stdin=f"{words}\n", preexec_fn=keep_stacks_small)
    assert done.returncode == 0, done.stderr
    assert (models / "trees").read_text().count("[") > 3000


def test_given_translations_are_refused(models):
    (models / "marked").write_text('<n translation="the cat">der hund</n> schläft .\n')
    done = decode("hiero", "--input", "marked", "--input-format", "markup", folder=models)
    assert done.returncode == 1
    assert "marked:1: a chart decoder does not take given phrases" in done.stderr


def test_lattices_are_told_from_text(models):
    text = "der hund\n((('der',1,1),),(('hund',1,1),),)\n"
    for kind in KINDS[::2]:
        one, other = decode(kind, "--quiet", folder=models, stdin=text).stdout.splitlines()
        assert one == other
    weighted = {**open_decoder(models / "hiero").weights, "Posterior": 1.0}
    decoder = open_decoder(models / "hiero", weighted, {"arc_features": ("Posterior",)})
    arcs = "((('der',{'Posterior':-0.25},1),('xyzzy',{'Posterior':-0.5},1)),(('hund',{},1),),)"
    assert decoder.translate(Lattice(arcs)).features["Posterior"] == -0.25


def test_templates_add_their_features(models):
    arguments = ("--template", "border-bigrams", "--nbest-output", "nbest", "--nbest", 1, "--output", "out")
    (models / "one").write_text(lines(models / "test.de")[0] + "\n")
    done = decode("hiero", "-i", "one", *arguments, folder=models)
    assert done.returncode == 0, done.stderr
    pool = Pool.read(models / "nbest")
    decoder = open_decoder(models / "hiero", templates=[TEMPLATES["border-bigrams"]()])
    found = decoder.translate(lines(models / "test.de")[0])
    values = dict(zip(pool.feature_names, pool.features.to_dense()[0], strict=True))
    named = [name for name in found.features if name.startswith("BorderBigram_")]
    assert named
    assert all(values[name] == found.features[name] for name in named)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_segments_and_trees_hold_the_words_of_the_translation(models, kind):
    decoder = open_decoder(models / kind)
    source = [*lines(models / "test.de"), "", "xyzzy", "der [X] | hund"]
    (models / "in").write_text("".join(f"{line}\n" for line in source))
    outputs = DecodeOutputs(models / "out", segments=True, trees=models / "trees")
    decode_file(decoder, models / "in", outputs)
    found = list(decoder.translate_all(source))
    for line, tree, one in zip(lines(models / "out"), lines(models / "trees"), found, strict=True):
        words = re.sub(r" ?(?<!\S)\|\d+-\d+\|(?!\S)", "", line).strip()
        assert words == one.text
        leaves = re.sub(r"\[\S+|\]", "", tree).split()
        assert [leaf.replace("&#91;", "[").replace("&#93;", "]") for leaf in leaves] == one.text.split()
        assert tree == one.tree
        assert tree.count("[") == tree.count("]") == len(one.rules) == len(one.steps)
        target = [word for segment in one.segments for word in range(*segment.target)]
        assert target == list(range(len(one.text.split())))
        covered = {column for segment in one.segments for column in range(*segment.source)}
        assert covered == set(range(one.rules[0].source[1]))
    assert bracketed(found[-3].rules, []).startswith("[S")


def test_the_segments_of_an_itg_are_those_of_phrases(models):
    for line in lines(models / "test.de"):
        segments = open_decoder(models / "itg").translate(line).segments
        covered = sorted(column for segment in segments for column in range(*segment.source))
        assert covered == list(range(len(line.split())))


def test_the_words_of_a_rule_may_stand_around_its_gaps():
    rules = [
        RuleApplication("S", (0, 4), (0, 5), 7, 2),
        RuleApplication("X", (1, 2), (1, 2), 8, 0),
        RuleApplication("X", (2, 4), (3, 4), 9, 1),
        RuleApplication("X", (3, 4), (3, 4), -1, 0),
    ]
    text = "[S:0-3 a [X:1 b] &#91;c [X:2-3 [X:3 d]] e]"
    assert bracketed(rules, ["a", "b", "[c", "d", "e"]) == text


def test_a_dropped_word_is_a_segment_without_words(models):
    decoder = open_decoder(models / "hiero", options={"unknown_words": "drop"})
    found = decoder.translate("der xyzzy hund")
    assert [segment.source for segment in found.segments if segment.rule == -1] == [(1, 2)]
    assert (
        "|1-1|"
        in decode(
            "hiero", "-q", "--segments", "--unknown-words", "drop", folder=models, stdin="der xyzzy hund\n"
        ).stdout
    )


def test_phrase_models_tell_memory_too_and_have_no_rules(models):
    done = decode("phrase", "-i", "test.de", "-o", "out", "--json-log", "log", folder=models)
    memory = [json.loads(line)["memory"] for line in lines(models / "log")]
    assert min(memory) > 0
    assert f"at most {show_memory(max(memory))} per sentence" in done.stderr
    found = open_decoder(models / "phrase").translate("der hund")
    assert (found.rules, found.tree) == ((), "")
    assert found.segments == found.phrases


def test_memory_is_an_amount_or_a_number(models):
    assert (show_memory(parse_bytes("1.5K")), show_memory(parse_bytes("2M"))) == ("1.5 kB", "2.0 MB")
    limit = ChartOptions(memory=1 << 20)
    assert limit.native(forest=False).search.memory_limit == parse_bytes("1M") == 1 << 20
    with pytest.raises(InputError, match="raise the memory limit"):
        open_decoder(models / "itg", options=ChartOptions(memory=1000)).translate("der hund schläft")
    with pytest.raises(OptionError, match=f"{AMOUNT}, not True"):
        ChartOptions(memory=True)


def test_decoders_and_translations_say_what_they_are(models):
    decoder = open_decoder(models / "hiero")
    names = len(decoder.feature_names)
    assert repr(decoder) == f"<ChartDecoder: {models / 'hiero'}, {names} features>"
    found = decoder.translate("der hund")
    assert repr(found) == f"<Translation: {found.text!r}, score {found.score:.4f}>"
    missing = decoder.translate(Request("der hund", "nothing of the kind"))
    assert repr(missing) == "<Translation: '', not found>"


def test_single_weights_take_the_place_of_the_models(models, tmp_path):
    lattice = "((('der',{'Sure':-1},1),('ein',{},1)),(('hund',{},1),),)\n"
    chosen = {}
    for weight in (-9, 9):
        options = ["--arc-feature", "Sure", "--weight", f"Sure={weight}"]
        done = decode(models / "itg", *options, folder=tmp_path, stdin=lattice)
        assert done.returncode == 0, done.stderr
        chosen[weight] = done.stdout
    assert chosen[-9] != chosen[9]


@pytest.mark.parametrize("text", ["Sure", "=1", "Sure=", "Sure=one", "Sure=nan"])
def test_what_is_no_weight_is_refused(text, models, tmp_path):
    done = decode(models / "itg", "--weight", text, folder=tmp_path, stdin="der hund\n")
    assert done.returncode == 2
    assert "expected NAME=VALUE" in done.stderr
