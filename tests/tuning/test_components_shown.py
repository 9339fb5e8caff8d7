"""Tuning reports what its scores are made of, beside the scores."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import sacrebleu
from rich.console import Console
from tests.random_pools import random_pool
from tests.tuning.toy_loops import loop
from tests.tuning.toy_systems import ToySystem

from tunesmith import tune
from tunesmith.candidates import rerank
from tunesmith.cli import online_display, round_display
from tunesmith.json_files import read_json
from tunesmith.metrics import get_metric
from tunesmith.tuning.loop.progress import describe


def test_tuning_on_lists_reports_the_length_ratio_of_the_texts_it_chose(tmp_path: Path) -> None:
    pool, other = random_pool(1, lists=20, size=6), random_pool(2, lists=15, size=6)
    result = tune(pool, "mira", epochs=2, held_out=other, output=tmp_path / "weights.json")
    for data, found in ((pool, result), (other, result.held_out)):
        texts = list(rerank(data, result.weights).texts)
        references = list(map(list, data.references))
        theirs = sacrebleu.corpus_bleu(texts, references, tokenize="none", force=True)
        assert found is not None
        assert found.components["length_ratio"] == theirs.sys_len / theirs.ref_len
        assert abs(found.components["brevity_penalty"] - theirs.bp) < 1e-12
    assert result.to_dict()["components"] == result.components != result.baseline_components
    assert "components" not in str(read_json(tmp_path / "weights.json", "weights"))


def test_rounds_of_a_loop_show_what_their_scores_are_made_of(tmp_path: Path, monkeypatch) -> None:
    lines: list[str] = []
    result = loop(ToySystem(), tmp_path, "mira", iterations=1, progress=lines.append)
    first = result.history[0]["components"]
    wanted = f"length ratio {first['length_ratio']:.3f}, brevity penalty {first['brevity_penalty']:.3f}"
    assert any(f" ({wanted}, precisions " in line for line in lines)
    assert result.to_dict()["components"] == result.record["components"]
    assert wanted in printed(result, monkeypatch)


def test_rounds_of_an_earlier_version_are_shown_without_components(tmp_path: Path, monkeypatch) -> None:
    result = loop(ToySystem(), tmp_path, "mira", iterations=1)
    old = [{key: value for key, value in record.items() if key != "components"} for record in result.history]
    assert "length ratio" not in printed(replace(result, history=old), monkeypatch)
    assert "length ratio" not in describe(old[0], get_metric("bleu"))


def test_iterations_of_online_learning_show_what_scores_are_made_of() -> None:
    made = {"length_ratio": 0.9, "brevity_penalty": 0.895}
    record = {"iteration": 0, "score": 0.3, "select_score": 0.2, "features": 9, "seconds": 1.0}
    line = online_display._line(record | {"select_components": made}, 100.0)
    assert "tuning set 30.00, select set 20.00 (length ratio 0.900, brevity penalty 0.895)" in line


def printed(result, monkeypatch) -> str:
    stream = io.StringIO()
    monkeypatch.setattr(round_display, "output", Console(file=stream, width=160))
    round_display.print_rounds(result, 100.0)
    return stream.getvalue()
