"""Options of the search chosen on held-out text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run

from tunesmith.cli.trial_display import print_trials
from tunesmith.decode import open_decoder
from tunesmith.errors import InputError, OptionError
from tunesmith.tuning.loop.result import LoopResult
from tunesmith.tuning.loop.rounds import publish
from tunesmith.tuning.search_trials import try_search
from tunesmith.weights import Weights


class Tuning:
    """A stand-in for `tune_model` with known scores by distortion limit."""

    def __init__(self, scores: dict[int, float | None]) -> None:
        self.scores = scores
        self.calls: list[dict[str, Any]] = []

    def __call__(self, *, output: Path, search: dict[str, Any], progress: object) -> LoopResult:
        limit, done = search["distortion_limit"], (output / "weights.json").exists()
        self.calls.append(search)
        output.mkdir(parents=True, exist_ok=True)
        weights = Weights({"LM0": float(limit)})
        publish(weights, output, search={"distortion_limit": limit}, fixed=["distortion_limit"], after=1)
        history = [
            {
                "score": 0.1,
                "loss": 1.0,
                "start_loss": 2.0,
                "interval": [0, 1],
                "dev_score": self.scores[limit],
            }
        ]
        return LoopResult("mira", "m", "bleu", weights, 1, history, "done", output, resumed_after=int(done))


def test_the_best_on_the_select_set_is_kept_and_recorded(tmp_path: Path) -> None:
    tuning, said = Tuning({6: 0.3, 9: 0.4, 12: 0.4}), list[str]()
    tries = [{"distortion_limit": limit, "pop_limit": 50} for limit in (6, 9, 12)]
    tried = try_search(tries, tuning, tmp_path / "out", search={"stack_size": 7}, progress=said.append)
    assert tried.best == 1  # the first of equals
    assert tuning.calls == [{"stack_size": 7, **each} for each in tries]
    assert tried.result.folder == tmp_path / "out"
    weights = Weights.read(tmp_path / "out" / "weights.json")
    assert dict(weights) == {"LM0": 9.0}
    assert weights.about["search"] == {"distortion_limit": 9, "pop_limit": 50}
    assert weights.about["fixed"] == ["distortion_limit"]
    assert said == [
        "try 1 of 3: distortion-limit 6, pop-limit 50",
        "try 2 of 3: distortion-limit 9, pop-limit 50",
        "try 3 of 3: distortion-limit 12, pop-limit 50",
        "best of 3 on the select set: distortion-limit 9, pop-limit 50",
    ]
    record = json.loads((tmp_path / "out" / "tries.json").read_text())
    assert (record.pop("format"), record.pop("version")) == ("tunesmith-tries", 1)
    assert record == json.loads(json.dumps(tried.record.to_dict()))
    assert [trial["select_score"] for trial in record["trials"]] == [0.3, 0.4, 0.4]


class Methods:
    """A stand-in for `tune_model` with known scores by method and standardization."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def __call__(
        self, *, output: Path, search: dict[str, Any], progress: object, **tuning: Any
    ) -> LoopResult:
        self.calls.append(tuning | {"search": search})
        output.mkdir(parents=True, exist_ok=True)
        weights = Weights({"LM0": 1.0})
        publish(weights, output, method=tuning["method"])
        best = (tuning["method"], tuning["standardize"]) == ("mert", "none")
        history = [
            {
                "score": 0.1,
                "loss": 1.0,
                "start_loss": 2.0,
                "interval": [0, 1],
                "dev_score": 0.4 if best else 0.3,
            }
        ]
        return LoopResult(tuning["method"], "m", "bleu", weights, 1, history, "done", output)


def test_methods_and_options_of_the_loop_are_arguments_of_the_tuning(tmp_path: Path) -> None:
    tries = [
        {"method": method, "standardize": which, "pop_limit": 50}
        for method in ("mira", "mert")
        for which in ("dense", "none")
    ]
    tuning, said = Methods(), list[str]()
    tried = try_search(tries, tuning, tmp_path / "out", progress=said.append)
    own = {"search": {"pop_limit": 50}, "select": "metric"}
    assert tuning.calls == [
        {"method": each["method"], "standardize": each["standardize"], **own} for each in tries
    ]
    assert [line for line in said if "here all select the one with the best score" in line] == said[:1]
    assert tried.best == 3
    assert tried.trials[3].folder == "tries/method=mert,pop-limit=50,standardize=none"
    assert (tmp_path / "out" / tried.trials[3].folder / "weights.json").exists()
    about = Weights.read(tmp_path / "out" / "weights.json").about
    assert about["search"] == {"pop_limit": 50}  # what decoding needs
    assert about["method"] == "mert"
    record = json.loads((tmp_path / "out" / "tries.json").read_text())
    assert [trial["options"] for trial in record["trials"]] == tries


@pytest.mark.parametrize(
    ("methods", "given"),
    [(("mira", "mert"), ("select",)), (("mira", "pl"), ()), (("mert", "forest-mert"), ())],
)
def test_methods_select_by_their_own_rule_where_it_is_one_or_the_user_gives_one(
    methods: tuple[str, str], given: tuple[str, ...], tmp_path: Path
) -> None:
    tries = [{"method": method, "standardize": "none"} for method in methods]
    tuning, said = Methods(), list[str]()
    try_search(tries, tuning, tmp_path, given=given, progress=said.append)
    assert tuning.calls == [{**each, "search": {}} for each in tries]
    assert said[0].startswith("try 1 of 2: ")


class Compared:
    """A stand-in for the start weights without any option tried."""

    def __init__(self, score: float, digest: str = "same") -> None:
        self.known, self.digest, self.calls = score, digest, 0

    def score(self) -> float:
        self.calls += 1
        return self.known

    def show(self, score: float) -> str:
        return f"{score:.2f}"


@pytest.mark.parametrize(("sign", "start", "worse"), [(1, 0.5, True), (1, 0.4, False), (-1, 0.2, True)])
def test_tries_that_are_all_worse_than_no_option_tried_are_reported(
    sign: float, start: float, worse: bool, tmp_path: Path
) -> None:
    said = list[str]()
    tries, tuning = [{"distortion_limit": limit} for limit in (6, 12)], Tuning({6: 0.3, 12: 0.4})
    tried = try_search(tries, tuning, tmp_path, sign=sign, untried=Compared(start), progress=said.append)
    assert said[0] == f"start weights, nothing tried: {start:.2f} on the select set"
    assert tried.all_worse is worse
    record = json.loads((tmp_path / "tries.json").read_text())
    assert record["all_worse"] is worse
    assert record["untried"]["select_score"] == start
    assert {"format": "tunesmith-tries", "version": 1, **tried.record.to_dict()} == record
    best = "0.40 with the best try, distortion-limit 12" if sign == 1 else "0.30 with the best try"
    shown = [text for text in tried.result.warnings if "all 2 tries translate the select set worse" in text]
    assert [best in text and f"{start:.2f} with the start weights" in text for text in shown] == [
        True
    ] * worse


def test_the_score_without_any_option_tried_is_not_computed_again(tmp_path: Path) -> None:
    tries, tuning = [{"distortion_limit": limit} for limit in (6, 12)], Tuning({6: 0.3, 12: 0.4})
    first, again, other = Compared(0.5), Compared(0.1), Compared(0.1, "other")
    for compared, worse in ((first, True), (again, True), (other, False)):
        assert try_search(tries, tuning, tmp_path, untried=compared).all_worse is worse
    assert (first.calls, again.calls, other.calls) == (1, 0, 1)


def test_every_try_is_checked_before_the_first_is_tuned(tmp_path: Path) -> None:
    tuning, tries = Tuning({6: 0.3, 12: 0.4}), [{"distortion_limit": limit} for limit in (6, 12)]

    def check(search: Mapping[str, Any]) -> None:
        if search["distortion_limit"] == 12:
            raise OptionError("{} is too much", "distortion_limit")

    with pytest.raises(OptionError, match="distortion_limit is too much"):
        try_search(tries, tuning, tmp_path / "out", check=check)
    assert tuning.calls == []
    assert not (tmp_path / "out").exists()


def test_lower_scores_of_error_rates_are_better(tmp_path: Path) -> None:
    tries = [{"distortion_limit": limit} for limit in (6, 12)]
    assert try_search(tries, Tuning({6: 0.6, 12: 0.45}), tmp_path, sign=-1.0).best == 1


def test_the_files_of_a_model_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "weights.json").write_text("of the model")
    with pytest.raises(InputError, match=r"contains 'weights\.json' but no tuning run"):
        try_search([{"distortion_limit": limit} for limit in (6, 12)], Tuning({}), tmp_path)
    assert (tmp_path / "weights.json").read_text() == "of the model"


def test_the_time_of_an_earlier_call_counts(tmp_path: Path) -> None:
    tries = [{"distortion_limit": limit} for limit in (6, 12)]
    try_search(tries, Tuning({6: 0.3, 12: 0.4}), tmp_path)
    file = tmp_path / "tries.json"
    record = json.loads(file.read_text())
    record["trials"][1]["seconds"] = 100.0
    file.write_text(json.dumps(record))
    again = try_search(tries, Tuning({6: 0.3, 12: 0.4}), tmp_path)
    assert [trial.seconds >= 100 for trial in again.trials] == [False, True]
    file.write_text('{"format": "tunesmith-tries", "trials": 3}')
    assert try_search(tries, Tuning({6: 0.3, 12: 0.4}), tmp_path).best == 1


def test_trials_need_a_select_set_a_folder_of_their_own_and_no_second_value(tmp_path: Path) -> None:
    tries = [{"distortion_limit": limit} for limit in (6, 12)]
    with pytest.raises(OptionError, match="try chooses by a select set: give select_source"):
        try_search(tries, Tuning({6: None}), tmp_path / "a")
    with pytest.raises(OptionError, match="distortion_limit takes its values from the trials: omit it"):
        try_search(tries, Tuning({}), tmp_path / "b", search={"distortion_limit": 3})
    with pytest.raises(OptionError, match="method takes its values from the trials: omit it"):
        try_search([{"method": "mira"}, {"method": "mert"}], Methods(), tmp_path / "b", given=["method"])
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "run.json").write_text("{}")
    with pytest.raises(
        InputError, match="contains a run of `tunesmith tune model` without try: give the com"
    ):
        try_search(tries, Tuning({}), tmp_path / "c")


def test_the_folder_of_a_try_does_not_depend_on_the_order_of_options(tmp_path: Path) -> None:
    tries = [{"distortion_limit": limit, "pop_limit": 50} for limit in (6, 12)]
    first = try_search(tries, Tuning({6: 0.3, 12: 0.4}), tmp_path)
    turned = [dict(reversed(each.items())) for each in tries]
    again = try_search(turned, Tuning({6: 0.3, 12: 0.4}), tmp_path)
    assert [each.folder for each in again.trials] == [each.folder for each in first.trials]
    assert again.result.resumed_after
    (tmp_path / "tries" / "pop-limit=50,distortion-limit=6").mkdir()
    with pytest.raises(InputError, match=r"is a try of an earlier build, whose name depends on the order"):
        try_search(tries, Tuning({6: 0.3, 12: 0.4}), tmp_path)


def test_a_try_that_ends_at_its_start_weights_is_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tuning = Tuning({6: 0.3, 12: 0.4})

    def tune(**given: Any) -> LoopResult:
        found = tuning(**given)
        is_first = given["search"]["distortion_limit"] == 6
        return replace(found, chosen=0) if is_first else found

    tried = try_search([{"distortion_limit": limit} for limit in (6, 12)], tune, tmp_path)
    assert (tried.at_start, tried.to_dict()["at_start"]) == ((0,), [0])
    print_trials(tried, 100.0)
    shown = capsys.readouterr().out.splitlines()
    assert ["its start weights" in line for line in shown if "0.1" in line or "10.00" in line] == [
        True,
        False,
    ]
    assert any("kept" in line for line in shown)


def test_the_command_tries_both_limits_and_decode_uses_the_better_one(
    small_model: Path, small_corpus: Path, tmp_path: Path
) -> None:
    for side in ("de", "en"):
        lines = (small_corpus / side).read_text().splitlines(keepends=True)
        (tmp_path / f"tune.{side}").write_text("".join(lines[:4]))
        (tmp_path / f"held.{side}").write_text("".join(lines[4:8]))
    tuning = ("tune", "model", small_model, "--source", "tune.de", "--references", "tune.en", "--nbest", 10)
    tuning += (
        "--iterations",
        1,
        "--threads",
        1,
        "--try",
        "distortion-limit=0,5",
        "-o",
        "out",
    )
    refused = run(*tuning, folder=tmp_path)
    assert refused.returncode == 2
    assert "--try chooses by held-out sentences: give --select-source and --select-refer" in refused.stderr
    tuning += ("--select-source", "held.de", "--select-references", "held.en")
    start = tmp_path / "start.json"
    fixed = {"search": {"distortion_limit": 0}, "fixed": ["distortion_limit"]}
    Weights(open_decoder(small_model).weights).write(start, **fixed)
    for more, complaint in (
        (("--start", start), "start.json was made with --distortion-limit 0, but --distortion-limit 5 is"),
        (
            ("--try", "span-limit=3,6"),
            "--span-limit is for hierarchical or ITG models, but this one is phrase-based",
        ),
        (("--method", "cobleu", "--try", "context=3,1"), "cobleu needs --context to be at least 3, not 1"),
        (
            ("--method", "mira", "--try", "method=mira,mert"),
            "--method takes its values from the trials",
        ),
        (
            ("--no-standardize", "--try", "standardize=dense,none"),
            "--standardize takes its values",
        ),
        (("--try", "method=mira,mert", "--c", 0.1), "no such option: --c of mert"),
        (("--try", "method=mira,miro"), "unknown method 'miro'; did you mean 'mira'"),
    ):
        refused = run(*tuning, *more, folder=tmp_path)
        assert refused.returncode == 2
        assert complaint in refused.stderr
        assert "try 1 of" not in refused.stderr
    done = run(*tuning, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "start weights, nothing tried: " in done.stderr
    assert "try 2 of 2: distortion-limit 5" in done.stderr
    assert "kept" in done.stdout
    assert "start weights, nothing tried" in done.stdout
    record = json.loads(run(*tuning, "--json", "-q", folder=tmp_path).stdout)  # resumed
    best = record["tried"]["trials"][record["tried"]["best"]]
    assert record["select_score"] == best["select_score"]
    assert max(trial["select_score"] for trial in record["tried"]["trials"]) == best["select_score"]
    decoder = open_decoder(small_model, tmp_path / "out" / "weights.json")
    assert decoder.options.distortion_limit == best["options"]["distortion_limit"]


def test_the_command_tries_methods_and_resumes(small_model: Path, small_corpus: Path, tmp_path: Path) -> None:
    for side in ("de", "en"):
        lines = (small_corpus / side).read_text().splitlines(keepends=True)
        (tmp_path / f"tune.{side}").write_text("".join(lines[:4]))
        (tmp_path / f"held.{side}").write_text("".join(lines[4:8]))
    tuning = ("tune", "model", small_model, "--source", "tune.de", "--references", "tune.en", "--nbest", 10)
    tuning += ("--select-source", "held.de", "--select-references", "held.en", "-o", "out", "--threads", 1)
    tuning += ("--iterations", 1, "--try", "method=mira,search", "--try", "standardize=dense,none")
    done = run(*tuning, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "try 4 of 4: method search, standardize none" in done.stderr
    settings = {
        folder.name: json.loads((folder / "run.json").read_text())["settings"]
        for folder in (tmp_path / "out" / "tries").iterdir()
    }
    assert {name: (each["method"], each.get("standardize")) for name, each in settings.items()} == {
        "method=mira,standardize=dense": ("mira", "dense"),
        "method=mira,standardize=none": ("mira", None),
        "method=search,standardize=dense": ("search", "dense"),
        "method=search,standardize=none": ("search", None),
    }
    record = json.loads(run(*tuning, "--json", "-q", folder=tmp_path).stdout)  # resumed
    best = record["tried"]["trials"][record["tried"]["best"]]
    assert record["select_score"] == best["select_score"]
    assert record["method"] == best["options"]["method"]
    again = {
        folder.name: json.loads((folder / "run.json").read_text())["settings"]
        for folder in (tmp_path / "out" / "tries").iterdir()
    }
    assert again == settings
    plain = run(*tuning[: tuning.index("--try")], folder=tmp_path)
    assert plain.returncode == 1
    told = "out: contains tries of `tunesmith tune model`: give --try again to continue them, or name another"
    assert told in plain.stderr


@pytest.mark.parametrize(("flags", "selected"), [((), "metric"), (("--select", "objective"), "objective")])
def test_the_command_compares_methods_that_select_alike(
    flags: tuple[str, ...], selected: str, small_model: Path, small_corpus: Path, tmp_path: Path
) -> None:
    for side in ("de", "en"):
        lines = (small_corpus / side).read_text().splitlines(keepends=True)
        (tmp_path / f"tune.{side}").write_text("".join(lines[:4]))
        (tmp_path / f"held.{side}").write_text("".join(lines[4:8]))
    data = ("--source", "tune.de", "--references", "tune.en")
    data += ("--select-source", "held.de", "--select-references", "held.en")
    quick = ("--iterations", 1, "--nbest", 10, "--threads", 1, "--try", "method=mira,mert")
    done = run("tune", "model", small_model, *data, *quick, *flags, "-o", "out", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    runs = (tmp_path / "out" / "tries").iterdir()
    assert [json.loads((each / "run.json").read_text())["select"] for each in runs] == [selected] * 2
    assert ("here all select the one with the best score" in done.stderr) == (selected == "metric")
