"""`tunesmith tune online`."""

from __future__ import annotations

from pathlib import Path

from tests.commands import run

from tunesmith.generated import write_corpus
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.tuning.online.tune import tune_online


def test_hope_and_fear_come_from_forests_if_asked_for(small_model: Path, tmp_path: Path) -> None:
    files = write_corpus(tmp_path / "dev", 6, seed=2, lowercase=True)
    source, reference = files.source, files.targets[0]
    data = (small_model, "--source", source, "--references", reference, "-o", tmp_path / "run")
    flags = ("--shards", 2, "--epochs", 1, "--threads", 1, "--hope-fear", "forest", "--beam", 8)
    refused = run("tune", "online", *data, *flags, "--update", "cutting-plane", folder=tmp_path)
    assert refused.returncode == 2
    assert "--hope-fear forest" in refused.stderr and "choose nbest" in refused.stderr
    done = run("tune", "online", *data, *flags, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    setup = ModelSetup.of(small_model, source, [reference])
    options = {"shards": 2, "epochs": 1, "threads": 1, "hope_fear": "forest", "beam": 8}
    same = tune_online(setup, output=tmp_path / "same", **options)
    assert (tmp_path / "run" / "weights").read_bytes() == same.weights.read_bytes()


def test_an_unknown_option_is_named_before_its_value(small_model: Path, tmp_path: Path) -> None:
    refused = run("tune", "online", "--model", small_model, "--source", "de", "-o", "run", folder=tmp_path)
    assert refused.returncode == 2
    assert "no such option: --model" in refused.stderr


def test_options_of_spark_need_the_executor_spark(small_model: Path, tmp_path: Path) -> None:
    data = (small_model, "--source", "de", "--references", "en", "-o", tmp_path / "run")
    refused = run("tune", "online", *data, "--master", "local[2]", folder=tmp_path)
    assert refused.returncode == 2
    assert "--master needs --executor spark" in refused.stderr
    refused = run("tune", "online", *data, "--executor", "spark", "--spark-conf", "memory", folder=tmp_path)
    assert refused.returncode == 2
    assert "--spark-conf 'memory': expected KEY=VALUE" in refused.stderr


def test_a_start_of_rates_without_rates_is_refused_by_the_names_of_flags(
    small_model: Path, tmp_path: Path
) -> None:
    data = (small_model, "--source", "de", "--references", "en", "-o", tmp_path / "run")
    for command in (("tune", "online", *data), ("stream", "map", small_model, "--weights", "w")):
        (tmp_path / "de").write_text("haus\n")
        (tmp_path / "en").write_text("house\n")
        refused = run(*command, "--adaptive", 0, "--rates-start", 0, folder=tmp_path)
        assert refused.returncode == 2
        assert "with --adaptive 0 there is one rate for all: omit --rates-start" in refused.stderr
