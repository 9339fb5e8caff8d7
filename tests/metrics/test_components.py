"""What scores are made of, against sacrebleu and by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest
import sacrebleu
from tests.commands import run

from tunesmith.metrics import Bleu, Chrf, Segments, Ter, evaluate, get_metric
from tunesmith.metrics.components import show_components

HYPOTHESES = ["the cat sat on the mat today", "a dog", "it rains"]
REFERENCES = ["the cat sat on a mat", "a big dog barks at it", "it rains again"]


def of(metric, hypotheses=HYPOTHESES, references=REFERENCES):
    return metric.components(metric.measure(Segments.of(hypotheses, [references])).sum(axis=0))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_components_of_bleu_are_those_of_sacrebleu(count):
    hypotheses, references = HYPOTHESES[:count], REFERENCES[:count]
    ours = of(Bleu(), hypotheses, references)
    theirs = sacrebleu.corpus_bleu(hypotheses, [references], tokenize="none")
    assert ours["length_ratio"] == pytest.approx(theirs.sys_len / theirs.ref_len)
    assert ours["brevity_penalty"] == pytest.approx(theirs.bp)
    assert ours["precisions"] == pytest.approx([value / 100 for value in theirs.precisions])


def test_bleu_is_the_brevity_penalty_times_the_geometric_mean_of_the_precisions():
    found = of(Bleu())
    score = found["brevity_penalty"] * float(np.prod(found["precisions"])) ** 0.25
    assert score == pytest.approx(evaluate("bleu", HYPOTHESES, [REFERENCES], resamples=0)[0].score)
    assert found["brevity_penalty"] < 1


def test_components_of_empty_outputs_are_zero():
    assert of(Bleu(), [""], ["a b"]) == {
        "length_ratio": 0.0,
        "brevity_penalty": 0.0,
        "precisions": [0.0, 0.0, 0.0, 0.0],
    }
    assert of(Chrf(), [""], ["a b"]) == {"precision": 0.0, "recall": 0.0}


def test_components_of_chrf_give_its_score():
    found = of(Chrf())
    precision, recall = found["precision"], found["recall"]
    score = 5 * precision * recall / (4 * precision + recall)
    assert score == pytest.approx(evaluate("chrf", HYPOTHESES, [REFERENCES], resamples=0)[0].score)


def test_error_rates_give_edits_and_reference_words():
    assert of(Ter(), ["a b d"], ["a b c d"]) == {"edits": 1, "reference_words": 4}


def test_combined_metrics_give_the_score_and_components_of_each_part():
    found = of(get_metric("0.5*bleu + 0.5*(1-ter)"))
    assert found["bleu"] == {"score": found["bleu"]["score"], **of(Bleu())}
    assert show_components(found).startswith("bleu (score 0.313, length ratio 0.733"), found
    assert "ter (score 0.467, edits 7" in show_components(found)


def test_eval_shows_components_as_text_and_as_json(tmp_path):
    (tmp_path / "out").write_text("\n".join(HYPOTHESES) + "\n")
    (tmp_path / "ref").write_text("\n".join(REFERENCES) + "\n")
    given = ("eval", "out", "--references", "ref", "--metrics", "bleu", "--resamples", 0)
    text = run(*given, folder=tmp_path).stdout
    assert "length ratio 0.733, brevity penalty 0.695, precisions 81.8/50.0/40.0/25.0" in text
    assert json.loads(run(*given, "--json", folder=tmp_path).stdout)[0]["components"] == of(Bleu())


def test_compare_shows_components_of_each_system(tmp_path):
    for name, lines in {"a": HYPOTHESES, "b": REFERENCES, "ref": REFERENCES}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    given = ("compare", "--references", "ref", "a", "b", "--metrics", "bleu", "--resamples", 9, "--trials", 9)
    text = run(*given, folder=tmp_path).stdout
    assert "length ratio 0.733" in text and "length ratio 1.000" in text
    rows = json.loads(run(*given, "--json", folder=tmp_path).stdout)["rows"]
    assert rows[0]["components"] == of(Bleu())
