"""Consensus translations of both decoders: chosen from forests, told of by all outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.decode.commands import SENTENCES, decode, lines

from tunesmith import Decoding, decode_file
from tunesmith.candidates import Pool
from tunesmith.consensus import (
    CONSENSUS,
    Chosen,
    FastConsensus,
    LinearConsensus,
    MbrConsensus,
    consensus_rule,
)
from tunesmith.decode import (
    ChartOptions,
    DecodeOutputs,
    Lattice,
    Request,
    SearchOptions,
    open_decoder,
)
from tunesmith.decode.consensus import ConsensusTranslation, choose_translations, with_context
from tunesmith.errors import IgnoredInputWarning
from tunesmith.forest import kbest
from tunesmith.forest.file import ForestFile

KINDS = ["phrase", "hiero", "itg"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_derivation_of_a_forest_tells_what_the_decoder_tells(
    models: Path, kind: str, folder: Path
) -> None:
    decoder = open_decoder(models / kind)
    lattice = Lattice("((('der',1,1),('ein',1,1),),(('hund',1,1),('unbekannt',1,2),),(('schläft',1,1),),)")
    source = [*lines(folder / "test.de")[:6], "unbekannt das haus", "", lattice]
    for found in decoder.translate_all(source, forest=True):
        forest = found.forest
        assert forest is not None
        scores = forest.scores(forest.weights(decoder.weights, missing=0.0))
        tied = [
            ConsensusTranslation(
                one.text, one.score, True, found.native, found.model, Chosen(one.text, one, 0.0)
            )
            for one in kbest(forest, scores, 100)
            if one.text == found.text
        ]
        same = [one for one in tied if (one.phrases, one.rules) == (found.phrases, found.rules)]
        assert same, found.phrases
        chosen = same[0]
        for name in ("tree", "segments", "alignment", "unknown_words", "derivation"):
            assert getattr(chosen, name) == getattr(found, name), name
        assert chosen.score == pytest.approx(found.score, abs=1e-4)
        assert len(chosen.steps) == len(found.steps)
        for own, told in zip(chosen.steps, found.steps, strict=True):
            assert {k: v for k, v in own.items() if v} == pytest.approx(
                {k: v for k, v in told.items() if v}, abs=1e-4
            )
        assert {k: v for k, v in chosen.features.items() if v} == pytest.approx(
            {k: v for k, v in found.features.items() if v}, abs=1e-3
        )


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", list(CONSENSUS))
def test_every_rule_chooses_from_the_forests_of_every_decoder(
    models: Path, folder: Path, kind: str, name: str
) -> None:
    rule = consensus_rule(name, scale=2.0)
    out, source = folder / "out", lines(folder / "test.de")[:5]
    (folder / "few.de").write_text("".join(f"{line}\n" for line in source))
    summary = decode_file(models / kind, folder / "few.de", DecodeOutputs(out), consensus=rule)
    decoder = open_decoder(models / kind, options={"context": rule.context})
    expected = []
    for found in decoder.translate_all(source, forest=True):
        assert found.forest is not None
        scores = found.forest.scores(found.forest.weights(decoder.weights, missing=0.0))
        expected.append(rule.over_forest(found.forest, scores))
    assert lines(out) == [chosen.text for chosen in expected]
    assert summary.score == pytest.approx(sum(chosen.derivation.score for chosen in expected))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_all_outputs_tell_of_the_chosen_derivation(models: Path, folder: Path, kind: str) -> None:
    arguments = ["--consensus", "--consensus-scale", 0.2, "--nbest-output", "nbest", "--nbest", 5, "--unique"]
    outputs = ["--json-log", "log", "--alignment-output", "align", "--forest-output", "forests"]
    tree = [] if kind == "phrase" else ["--tree-output", "trees"]
    done = decode(models / kind, "-i", "test.de", "-o", "out", *arguments, *outputs, *tree, folder=folder)
    assert done.returncode == 0, done.stderr
    texts = lines(folder / "out")
    plain = decode(models / kind, "-i", "test.de", "-o", "plain", "--context", 3, folder=folder)
    assert plain.returncode == 0
    assert texts != lines(folder / "plain")
    pool = Pool.read(folder / "nbest")
    assert pool.texts is not None
    best = [pool.texts[int(row)] for row in pool.offsets[:-1]]
    assert best == lines(folder / "plain")  # lists stay by model score
    log = [json.loads(line) for line in lines(folder / "log")]
    assert [entry["output_words"] for entry in log] == [len(text.split()) for text in texts]
    for links, text in zip(lines(folder / "align"), texts, strict=True):
        targets = [int(link.split("-")[1]) for link in links.split()]
        assert all(target < len(text.split()) for target in targets)
    for entry, row in zip(log, pool.offsets[:-1], strict=True):
        assert pool.totals is not None
        assert entry["score"] <= pool.totals[int(row)] + 1e-4
    if kind != "phrase":
        for line, text in zip(lines(folder / "trees"), texts, strict=True):
            words = [word for word in line.replace("]", " ").split() if not word.startswith("[")]
            assert words == text.split()
    assert len(ForestFile(folder / "forests")) == SENTENCES
    segments = decode(
        models / kind, "-i", "test.de", "--segments", *arguments[:3], "--quiet", folder=folder
    ).stdout
    spelled = [" ".join(w for w in line.split() if not w.startswith("|")) for line in segments.splitlines()]
    assert spelled == texts


def test_threads_and_batches_change_no_byte(folder: Path) -> None:
    found = []
    for threads in (1, 3):
        names = {name: folder / f"{name}.{threads}" for name in ("text", "alignment")}
        decode_file(
            folder / "model",
            folder / "test.de",
            DecodeOutputs(**names),
            Decoding(threads=threads),
            consensus=LinearConsensus(scale=0.5),
        )
        found.append([path.read_bytes() for path in names.values()])
    assert found[0] == found[1]


def test_lattices_and_unknown_words_are_chosen_for(folder: Path) -> None:
    source = "((('das',1,1),('ein',1,1),),(('haus',1,1),('|||',1,1),),)\nunbekannt \u4f60\u597d\n\n"
    arguments = ["--weight", "InputFeature0=0.1", "--consensus", "--quiet"]
    done = decode("model", *arguments, folder=folder, stdin=source)
    assert done.returncode == 0, done.stderr
    first, second, third, _ = done.stdout.split("\n")
    assert first
    assert "unbekannt" in second
    assert third == ""


def test_sentences_without_a_translation_stay_empty(models: Path) -> None:
    decoder = open_decoder(models / "phrase")
    requests = [Request.of("das haus"), Request("das haus", target="no such thing")]
    found = list(decoder.translate_all(requests, forest=True))
    chosen = choose_translations(decoder, FastConsensus(), found)
    assert [each.found for each in chosen] == [True, False]
    assert chosen[1].text == ""


def test_a_search_keeps_apart_what_the_rule_tells_apart() -> None:
    rule = FastConsensus()
    assert with_context(None, rule) == {"context": 3}
    assert with_context({"context": 1, "pop_limit": 5}, rule) == {"context": 1, "pop_limit": 5}
    assert with_context(SearchOptions(stack_size=7), rule) == SearchOptions(stack_size=7, context=3)
    assert with_context(ChartOptions(context=5), LinearConsensus(order=2)) == ChartOptions(context=5)
    assert with_context(None, MbrConsensus()) == {"context": 0}
    assert with_context(None, None) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--consensus-scale", 2], "need --consensus"),
        (["--consensus", "--consensus-rule", "fats"], "fast"),
        (["--consensus", "--consensus-scale", -1], "scale must be at least 0"),
        (["--consensus", "--consensus-scale", "nan"], "scale"),
        (
            ["--consensus", "--consensus-rule", "linear", "--consensus-size", 3],
            "no such option: --consensus-size of linear",
        ),
        (["--consensus", "--consensus-metric", "ter"], "n-gram counts"),
        (["--consensus", "--consensus-option", "sizes=3"], "size"),
        (["--consensus", "--consensus-option", "size=x"], "whole number"),
    ],
)
def test_options_that_make_no_sense_are_refused(folder: Path, arguments: list[object], message: str) -> None:
    done = decode("model", "-i", "test.de", "-o", "out", *arguments, folder=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (folder / "out").exists()


def test_other_options_of_a_rule_have_a_flag_too(folder: Path) -> None:
    rule = ["--consensus-rule", "variational", "--consensus-option", "order=2"]
    options = ["--consensus-option", "weights=0.5,1", "--consensus-option", "viterbi=0.5"]
    done = decode("model", "-i", "test.de", "--quiet", "--consensus", *rule, *options, folder=folder)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == SENTENCES


def test_forests_that_are_too_large_for_a_rule_are_counted_at_the_end(models: Path, folder: Path) -> None:
    text, count = folder / "test.de", len(lines(folder / "test.de"))
    with pytest.warns(IgnoredInputWarning, match=f"of [1-9][0-9]* of {count} sentences"):
        found = decode_file(
            models / "phrase", text, DecodeOutputs(folder / "few"), consensus=LinearConsensus(max_edges=5)
        )
    assert 0 < found.pruned <= count
    found = decode_file(models / "phrase", text, DecodeOutputs(folder / "all"), consensus=LinearConsensus())
    assert found.pruned == 0
