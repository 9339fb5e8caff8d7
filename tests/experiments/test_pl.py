"""The experiments' own functions, on lists made up here; nothing is decoded."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from experiments.pl import figure1, lists, table2
from experiments.pl.plot import Curve, plot
from experiments.pl.setting import Setting
from experiments.pl.templates import Fertility, LexicalPairs

from tunesmith.candidates import Pool
from tunesmith.features import Pair
from tunesmith.optimizers.lbfgs import Lbfgs
from tunesmith.tuning import tune

RULE = Pair(("das", -1, "haus", "da"), ("the", "old", -1, "house"), ((0, 0), (1, 2), (2, 3), (0, 3)), {})
WORDS = ("a", "man", "sits", "on", "the", "bench", "and", "reads")


def made_up(count: int, seed: int) -> Pool:
    """Make lists in which feature 0 tells how many words are right."""
    random = np.random.default_rng(seed)
    texts, rows, references = [], [], []
    for _ in range(count):
        references.append(" ".join(WORDS))
        for _ in range(6):
            right = random.random(len(WORDS)) < 0.7
            texts.append(" ".join(word if ok else "x" for word, ok in zip(WORDS, right, strict=True)))
            rows.append([right.sum(), random.random(), 1.0, 0.0])
    return Pool.from_arrays(
        np.array(rows),
        offsets=np.arange(count + 1) * 6,
        names=["Right", "Noise", "Constant", "Zero"],
        texts=texts,
        references=references,
    )


def test_lexical_features_are_of_links_and_of_words_without_one():
    assert LexicalPairs().values(RULE) == {
        "Lexical_das_the": 1,
        "Lexical_das_house": 1,
        "Lexical_haus_house": 1,
        "Lexical_da_": 1,
        "Lexical__old": 1,
    }
    assert Fertility().values(RULE) == {"Fertility_das_2": 1, "Fertility_haus_1": 1, "Fertility_da_0": 1}


def test_features_are_chosen_by_the_lists_in_which_they_vary():
    rows = [[1, 0, 5, 1], [1, 2, 5, 0], [1, 3, 5, 0], [2, 3, 5, 0]]
    pool = Pool.from_arrays(np.array(rows), offsets=[0, 2, 4], names=["A", "B", "C", "D"])
    assert lists.lists_of_variation(pool).tolist() == [1, 1, 0, 1]
    assert lists.chosen_features(pool, ["C"], 2) == ["C", "A", "B"]
    cut = lists.with_features(pool, ["D", "Absent", "B"])
    assert cut.feature_names == ("D", "Absent", "B")
    assert cut.features.to_dense().tolist() == [[1, 0, 0], [0, 0, 2], [0, 0, 3], [0, 0, 3]]


def test_a_curve_ends_where_the_recipe_ends(tmp_path: Path):
    pool, held_out = made_up(30, 1), made_up(20, 2)
    points, weights = figure1.learn(pool, held_out, 3, figure1.Learner(iterations=40, threads=1))
    plain = {"resample": "never", "ties": "random", "length_search": False}
    recipe = tune(pool, "pl", k=3, optimizer_iterations=40, threads=1, **plain)
    assert weights[0] == pytest.approx(recipe.best.weights["Right"], rel=1e-4)
    assert points[-1].train == pytest.approx(recipe.best.score, abs=1e-9)
    assert points[-1].loss < points[0].loss
    figure1.write_curve(tmp_path / "curve.csv", points)
    read = figure1.read_curve(tmp_path / "curve.csv")
    assert [point.iteration for point in read] == [point.iteration for point in points]
    assert read[-1].held_out == pytest.approx(points[-1].held_out, abs=1e-6)


def test_a_figure_and_a_table_are_made_of_what_was_learned(tmp_path: Path):
    pool, held_out = made_up(30, 1), made_up(20, 2)
    learner = figure1.Learner(iterations=30, threads=1)
    mira = figure1.run_mira(tmp_path, pool, held_out, learner)
    assert figure1.run_mira(tmp_path, held_out, pool, learner) == mira  # kept
    figure1.run_pl(tmp_path, pool, held_out, 3, learner)
    curves = {3: figure1.read_curve(tmp_path / "pl3.csv")}
    text = figure1.table(curves, mira, {3: 0.5})
    assert text.splitlines()[3].startswith(f"| PL(3) | {100 * curves[3][-1].train:.2f} |")
    picture = ET.fromstring(figure1.figure(curves, mira))
    assert len(picture.findall(".//{*}polyline")) == 4


def test_a_flat_curve_can_be_plotted():
    ET.fromstring(plot({"<flat>": [Curve("a & b", [(1, 2.0), (1, 2.0)])]}, "x"))


def test_points_are_dense_at_first():
    shown = [iteration for iteration in range(1, figure1.ITERATIONS + 1) if figure1.is_shown(iteration)]
    assert shown[:21] == [*range(1, 21), 25]
    assert shown[-1] == Lbfgs().iterations == 500


def test_the_table_marks_what_differs_from_mert():
    references = [" ".join(WORDS)] * 40
    worse = [" ".join([*WORDS[:4], "x", *WORDS[5:]])] * 40
    rows = table2.scores({"mert": worse, "mira": references, "pl5": worse}, references, 1)
    assert table2.cell(rows["mira"]) == "100.00+"
    lines = table2.table({"val": rows}).splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| MERT", "| MIRA", "| PL(5)"]
    assert "+" not in lines[2] and "+" not in lines[4] and "-" not in lines[4]


def test_decoder_runs_and_lengths_are_told(tmp_path: Path):
    (tmp_path / "pl5").mkdir()
    (tmp_path / "pl5" / "history.jsonl").write_text('{"loss": 1}\n{"loss": 1}\n{"last": true}\n')
    (tmp_path / "pl5" / "val.out").write_text("a b\nc\n")
    told = table2.about(tmp_path, ["pl5"], {"val": ["a b", "c d"]})
    assert told.splitlines() == ["| | runs | val |", "|---|---|---|", "| PL(5) | 2 | 0.750 |"]


def test_a_system_is_tuned_once_and_translates_each_set_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    asked: list[tuple[str, ...]] = []

    def fake(*arguments: object) -> None:
        words = tuple(map(str, arguments))
        asked.append(words)
        output = Path(words[words.index("-o") + 1])
        if words[0] == "tune":
            output.mkdir(parents=True)
        else:
            output.write_text("out\n")

    monkeypatch.setattr(table2, "tunesmith", fake)
    setting = Setting(tmp_path / "data", tmp_path / "runs")
    for _ in range(2):
        table2.run("pl3", setting, tmp_path / "model", seed=1, iterations=40)
    assert [words[0] for words in asked] == ["tune", *["decode"] * 4]
    command = " ".join(asked[0])
    assert "--method pl --k 3 --resample always --sample 30 --ties random --no-length-search" in command
    assert "--iterations 40 --nbest 200" in command
