"""Templates and options of the search that a file of weights records."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.decode.commands import decode
from tests.decode.toy_templates import Ends

from tunesmith.decode import open_decoder
from tunesmith.decode.recorded import decoding_record
from tunesmith.decode.settings import SearchOptions
from tunesmith.errors import InputError, OptionError
from tunesmith.features import BorderBigrams, PhraseLength, Template
from tunesmith.features.record import check_lists, template_of, template_record
from tunesmith.model import Model
from tunesmith.tuning import tune_model
from tunesmith.weights import Weights, WeightStore

SPARSE = {"PhraseLength_1x1": -0.6, "PhraseLength_2x2": 0.9, "BorderBigram_<s>_the": 0.5}
TEMPLATES = (PhraseLength(), BorderBigrams())
SEARCH = SearchOptions(pop_limit=37, distortion_limit=2)


@pytest.fixture(scope="module", params=["container", "json"])
def recorded(
    request: pytest.FixtureRequest, small_model: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return weights with sparse features and the record of a decoder with these templates and options."""
    weights = {**Model.open(small_model).weights, **SPARSE}
    about = decoding_record(open_decoder(small_model, weights, SEARCH, TEMPLATES))
    folder = tmp_path_factory.mktemp("recorded")
    if request.param == "json":
        Weights(weights).write(folder / "weights.json", **about)
        return folder / "weights.json"
    WeightStore.of(weights).save(folder / "weights", about=about)
    return folder / "weights"


def test_recorded_templates_and_options_are_used_by_themselves(
    small_model: Path, small_corpus: Path, recorded: Path
) -> None:
    weights = {**Model.open(small_model).weights, **SPARSE}
    texts = (small_corpus / "de").read_text().splitlines()[:15]
    expected = open_decoder(small_model, weights, SEARCH, TEMPLATES)
    said: list[str] = []
    opened = open_decoder(small_model, recorded, announce=said.append)
    assert opened.options == SEARCH
    assert opened.templates == expected.templates
    scores = [[each.score for each in decoder.translate_all(texts)] for decoder in (opened, expected)]
    assert scores[0] == scores[1]
    (line,) = said
    for part in (str(recorded), "phrase-length, border-bigrams", "pop_limit 37", "distortion_limit 2"):
        assert part in line


def test_what_is_no_part_of_the_model_may_be_changed(small_model: Path, recorded: Path) -> None:
    said: list[str] = []
    opened = open_decoder(small_model, recorded, {"pop_limit": 50}, announce=said.append)
    assert opened.options == SearchOptions(pop_limit=50, distortion_limit=2)
    assert "pop_limit" not in said[0]
    assert open_decoder(small_model, recorded, SearchOptions(pop_limit=50, memory="1G")).options == (
        SearchOptions(pop_limit=50, distortion_limit=2, memory="1G")
    )


def test_flags_that_say_the_same_are_no_contradiction(small_model: Path, recorded: Path) -> None:
    same = {"distortion_limit": 2, "pop_limit": 37}
    said: list[str] = []
    opened = open_decoder(small_model, recorded, same, TEMPLATES[::-1], announce=said.append)
    assert set(opened.templates) == set(TEMPLATES)
    assert said == []


@pytest.mark.parametrize(
    ("options", "templates", "complaint"),
    [
        ({"distortion_limit": 5}, (), "made with distortion_limit 2, but distortion_limit 5 is given"),
        ({}, (PhraseLength(),), "templates phrase-length, border-bigrams, but templates says phrase-length;"),
        ({}, (PhraseLength("X"), BorderBigrams()), r"templates says phrase-length \(name='X'\), border"),
    ],
)
def test_contradictions_are_errors_that_say_both_values(
    small_model: Path,
    recorded: Path,
    options: dict[str, Any],
    templates: tuple[Template, ...],
    complaint: str,
) -> None:
    with pytest.raises(OptionError, match=complaint):
        open_decoder(small_model, recorded, options, templates)


def test_the_command_announces_what_it_uses_and_names_flags_in_errors(
    small_model: Path, recorded: Path, tmp_path: Path
) -> None:
    done = decode(small_model, "--weights", recorded, "-q", folder=tmp_path, stdin="der mann\n")
    assert done.returncode == 0
    assert f"note: {recorded} records how to decode: templates phrase-length, border-bigrams" in done.stderr
    refused = decode(
        small_model, "--weights", recorded, "--distortion-limit", 5, folder=tmp_path, stdin="der mann\n"
    )
    assert refused.returncode == 2
    assert "was made with --distortion-limit 2, but --distortion-limit 5 is given" in refused.stderr
    other = decode(
        small_model, "--weights", recorded, "--template", "phrase-length", folder=tmp_path, stdin="der mann\n"
    )
    assert other.returncode == 2
    assert "but --template says phrase-length" in other.stderr


def test_the_limit_of_the_model_is_recorded_where_none_is_given(small_model: Path) -> None:
    decoder = open_decoder(small_model)
    record = decoding_record(decoder)
    assert record["search"]["distortion_limit"] == decoder.model.distortion_limit
    assert decoding_record(decoder, only_given=True) == {}


@pytest.mark.parametrize(
    ("model", "limit"), [("small_model", {"distortion_limit": 3}), ("small_index", {"span_limit": 4})]
)
def test_a_limit_given_to_tuning_holds_in_decoding(
    model: str, limit: dict[str, int], small_corpus: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    directory: Path = request.getfixturevalue(model)
    for side in ("de", "en"):
        lines = (small_corpus / side).read_text().splitlines()[:5]
        (tmp_path / side).write_text("".join(f"{line}\n" for line in lines))
    tune_model(
        directory,
        tmp_path / "de",
        tmp_path / "en",
        "mira",
        output=tmp_path / "tuned",
        iterations=1,
        nbest=10,
        search=limit,
        threads=1,
    )
    weights = tmp_path / "tuned" / "weights.json"
    said: list[str] = []
    decoder = open_decoder(directory, weights, announce=said.append)
    (name, value), *_ = limit.items()
    assert getattr(decoder.options, name) == value
    assert f"{name} {value}" in said[0]
    with pytest.raises(OptionError, match=f"made with {name} {value}, but {name} {value + 3} is given"):
        open_decoder(directory, weights, {name: value + 3})


def test_a_template_that_is_not_registered_must_be_passed(small_model: Path, tmp_path: Path) -> None:
    weights = {**Model.open(small_model).weights, "Ends": 0.5}
    decoder = open_decoder(small_model, weights, templates=[Ends()])
    store = WeightStore.of(weights)
    store.save(tmp_path / "weights", about=decoding_record(decoder))
    with pytest.raises(
        InputError, match=r"weights: records templates that cannot be used: .*toy_templates.Ends"
    ):
        open_decoder(small_model, tmp_path / "weights")
    assert open_decoder(small_model, tmp_path / "weights", templates=[Ends()]).templates == decoder.templates


@pytest.mark.parametrize(
    "about",
    [
        {"templates": 1},
        {"templates": [1]},
        {"templates": [{"options": {}}]},
        {"templates": [{"name": "phrase-length", "options": []}]},
        {"templates": [{"name": "phrase-length", "lists": {"a": 1}}]},
        {"search": []},
        {"fixed": [1]},
    ],
)
def test_a_damaged_record_is_an_error(small_model: Path, tmp_path: Path, about: dict[str, Any]) -> None:
    WeightStore.of(Model.open(small_model).weights).save(tmp_path / "weights", about=about)
    with pytest.raises(InputError, match="weights: its record of how to decode is damaged"):
        open_decoder(small_model, tmp_path / "weights")


@pytest.mark.parametrize("template", [PhraseLength(), PhraseLength("Other"), BorderBigrams()], ids=repr)
def test_templates_come_back_from_their_records(template: Template) -> None:
    assert template_of(json.loads(json.dumps(template_record(template)))) == template


@dataclass(frozen=True)
class _List:
    digest: str


@dataclass(frozen=True)
class _Listing(PhraseLength):
    words: _List = _List("0123")


def test_other_word_lists_than_the_recorded_ones_are_an_error() -> None:
    record = template_record(_Listing())
    assert record["lists"] == {"words": "0123"}
    check_lists(_Listing(), record)
    with pytest.raises(OptionError, match="has other words in this model"):
        check_lists(_Listing(words=_List("4567")), record)
