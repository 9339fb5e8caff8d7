"""What is shown of a model, and what it knows of a text."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.commands import run
from tests.small_models import trained

from tunesmith.corpus.word_order import WordOrder
from tunesmith.decode.packing import pack_model
from tunesmith.extract.glue import sentence_glue
from tunesmith.model import Model
from tunesmith.model.coverage import measure_coverage
from tunesmith.model.inspection import inspect_model
from tunesmith.model.parts.names import WORD_ORDER


@pytest.fixture(scope="module", params=["phrase", "on-demand", "global"])
def model(
    request: pytest.FixtureRequest, small_corpus: Path, tmp_path_factory: pytest.TempPathFactory
) -> Model:
    if request.param == "phrase":
        return Model.open(request.getfixturevalue("small_model"))
    options = {"kind": "hiero", "grammar": request.param}
    return Model.open(trained(small_corpus, tmp_path_factory, **options))


def test_settings_have_their_values_and_reasons(model: Model) -> None:
    found = inspect_model(model.directory)
    settings = {each.name: each for each in found.settings}
    names = {"distortion_limit": model.distortion_limit} if model.phrase_tables else dict(model.settings)
    for name, value in names.items():
        assert settings[name].value == value
        assert settings[name].reason == model.chosen[name].reason
    if model.rules:
        assert settings["span_limit of Rules"].reason == model.chosen["span_limit"].reason
        assert settings["span_limit of Rules"].value == model.rules[0].span_limit


def test_parts_have_their_entries_and_sizes(model: Model) -> None:
    found = inspect_model(model.directory)
    parts = {each.name: each for each in found.parts}
    lm = parts["LM0"]
    assert (lm.entries, lm.bytes) == (
        sum(model.language_model().counts),
        (model.directory / "lm.bin").stat().st_size,
    )
    if model.phrase_tables:
        assert parts["TranslationModel0"].entries == len(model.phrase_table())
    else:
        assert parts["Rules"].entries == len(model.rule_source())
        assert parts["Glue"].entries == len(sentence_glue().splitlines())
    assert found.weights == dict(model.weights)
    assert 0 < found.jumps[4] <= found.jumps[20] <= 1
    order = WordOrder.read(model.directory / WORD_ORDER)
    for limit in (4, 20):
        assert found.pairs_by_jump[limit] == order.share_of_pairs_by_jump(limit)
        assert found.pairs_by_span[limit] == order.share_of_pairs_by_span(limit)
    assert 0 < found.pairs_by_jump[4] <= found.pairs_by_jump[20] <= 1
    json.dumps(found.to_dict())


def test_a_reordering_model_is_shown_with_the_events_that_it_counted(
    small_corpus: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    models = ("phrase-msd-backward-fe", "wbe-msd-backward-fe")
    folder = trained(
        small_corpus, tmp_path_factory, orientation_events="decoder", reordering=models, max_phrase_length=2
    )

    def shown(folder: Path) -> list[str]:
        return [part.what for part in inspect_model(folder).parts if part.what.startswith("reordering, ")]

    ours = "reordering, phrase-msd-backward-fe"
    word = "reordering, wbe-msd-backward-fe"
    assert shown(folder) == [f"{ours}, orientation events: decoder", word]
    old = tmp_path / "old"
    shutil.copytree(folder, old)
    manifest = json.loads((old / "manifest.json").read_text())
    del manifest["steps"]["phrase pairs"]["options"]["orientation_events"]
    (old / "manifest.json").write_text(json.dumps(manifest))
    assert shown(old) == [f"{ours}, orientation events: moses", word]
    pack_model(folder, tmp_path / "packed")
    assert shown(tmp_path / "packed")[1] == word


def test_coverage_counts_phrases_that_the_model_has(model: Model, small_corpus: Path) -> None:
    lines = (small_corpus / "de").read_text().splitlines()[:8]
    known = measure_coverage(model, lines, [(small_corpus / "en").read_text().splitlines()[:8]])
    assert [each.length for each in known.source] == list(range(1, 8))
    assert known.source[0].tokens == sum(len(line.split()) for line in lines)
    assert known.source[0].types == len({word for line in lines for word in line.split()})
    if model.rules and model.rules[0].source == "index":  # phrases of the training text itself
        assert all(each.share_of_types == each.share_of_tokens == 1 for each in known.source)
    if model.phrase_tables:
        lengths = [end - begin for line in lines for begin, end, _ in model.phrase_table().spans(line)]
        assert [each.known_tokens for each in known.source] == [lengths.count(n) for n in range(1, 8)]
    assert 0 < known.source[0].known_tokens <= known.source[0].tokens
    assert known.reference is not None
    assert known.reference.share_of_tokens == 1
    assert known.perplexity is not None
    assert known.perplexity > 1


def test_coverage_by_hand(model: Model, small_corpus: Path) -> None:
    word = (small_corpus / "de").read_text().split()[0]
    known = measure_coverage(model, [f"neverseen {word} neverseen [X]", ""])
    first = known.source[0]
    assert (first.tokens, first.known_tokens, first.types, first.known_types) == (4, 1, 3, 1)
    assert known.unknown == (("neverseen", 2), ("[X]", 1))
    assert (known.source[1].tokens, known.source[1].known_tokens) == (3, 0)
    assert known.source[6].share_of_tokens == 1.0  # there are none


def test_the_command_shows_settings_parts_and_coverage(
    small_model: Path, small_corpus: Path, tmp_path: Path
) -> None:
    given = ("--source", small_corpus / "de", "--references", small_corpus / "en")
    done = run("inspect", small_model, *given, folder=tmp_path)
    assert done.returncode == 0
    for part in (
        "distortion-limit",
        "table-limit of TranslationModel0",
        "of the jumps",
        "jumps within it",
        "pairs without a longer jump",
        "phrase pairs",
        "n-grams",
        "perplexity",
        "tokenize none",
    ):
        assert part in done.stdout
    record = json.loads(run("inspect", small_model, *given, "--json", folder=tmp_path).stdout)
    assert record["coverage"]["source"][0]["length"] == 1
    refused = run("inspect", small_model, "--references", small_corpus / "en", folder=tmp_path)
    assert refused.returncode == 2
    assert "--references needs --source" in refused.stderr
    (tmp_path / "empty").write_text("")
    (tmp_path / "two").write_text("one\ntwo\n")
    for texts, complaint in (
        (("empty", "two"), "empty: the file is empty"),
        (("de", "two"), "two: has 2 lines"),
    ):
        source = small_corpus / "de" if texts[0] == "de" else tmp_path / texts[0]
        refused = run("inspect", small_model, "--source", source, "--references", "two", folder=tmp_path)
        assert refused.returncode == 1
        assert complaint in refused.stderr
