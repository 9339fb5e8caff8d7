"""Sparse scores of phrase tables and weight files: from Moses to the decoder, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.decode.tiny import INI, derivations, write_sparse_scores

from tunesmith.decode import PhraseDecoder, SearchOptions
from tunesmith.errors import InputError
from tunesmith.forest import kbest_pool
from tunesmith.model import Model
from tunesmith.model.exporting import export_model
from tunesmith.model.importing import import_model

EXHAUSTIVE = SearchOptions(pop_limit=0, stack_size=1 << 20, distortion_limit=-1)
WEIGHTS = {"TranslationModel0_dom_x": 1.5, "TranslationModel0_dom_y": -0.75}


@pytest.fixture(scope="module")
def moses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose pairs have sparse scores, and a weight file for two of three of them."""
    folder = tmp_path_factory.mktemp("sparse")
    write_sparse_scores(folder, 7)
    text = INI.format(features="", weights="")
    (folder / "moses.ini").write_text(text + "[weight-file]\nweights.sparse\n[edc]\ntrue\n")
    foreign = {"TB_a:b": 1.0, "TranslationModel0_dom_z": 2.0}
    (folder / "weights.sparse").write_text(
        "# sparse\n" + "".join(f"{name} {value}\n" for name, value in {**WEIGHTS, **foreign}.items())
    )
    return folder


@pytest.fixture(scope="module")
def model(moses: Path) -> Path:
    import_model(moses / "moses.ini", moses / "model")
    return moses / "model"


def test_weight_files_are_merged_into_the_weights(moses: Path, tmp_path: Path) -> None:
    told: list[str] = []
    import_model(moses / "moses.ini", tmp_path / "model", progress=told.append)
    weights = Model.open(tmp_path / "model").weights
    assert {name: weights[name] for name in WEIGHTS} == WEIGHTS
    assert weights["TranslationModel0_3"] == 0.1
    assert not {"TB_a:b", "TranslationModel0_dom_z", "TranslationModel0_free"} & set(weights)
    assert any(
        "2 weights are of no feature of the model and have no effect: TB_a:b, TranslationModel0_dom_z" in line
        for line in told
    )
    (moses / "weights.sparse").write_text("TranslationModel0_dom_x= 0.5\n")
    try:
        assert not import_model(moses / "moses.ini", tmp_path / "model").steps[0].skipped
        assert Model.open(tmp_path / "model").weights["TranslationModel0_dom_x"] == 0.5
    finally:
        (moses / "weights.sparse").write_text("".join(f"{name} {v}\n" for name, v in WEIGHTS.items()))


def test_a_weight_file_that_cannot_be_is_refused(moses: Path, tmp_path: Path) -> None:
    text = (moses / "moses.ini").read_text()
    for old, new, message in (
        ("weights.sparse", "nowhere", "the weight file 'nowhere' is neither beside the ini"),
        ("weights.sparse", "weights.sparse\nother", "names 2 weight files; expected one"),
        ("weights.sparse", "lm.arpa", r"lm\.arpa:1: expected 'name value'"),
    ):
        (moses / "other.ini").write_text(text.replace(old, new))
        with pytest.raises(InputError, match=message):
            import_model(moses / "other.ini", tmp_path / "model")


def pair_scores(decoder: PhraseDecoder, source: str, target: str) -> dict[str, float]:
    pairs = {pair.target: pair for pair in decoder.model.phrase_table().lookup(source)}
    return {f"TranslationModel0_{name}": value for name, value in pairs[target].sparse.items()}


def test_every_derivation_has_the_sparse_scores_of_its_pairs(model: Path) -> None:
    decoder = PhraseDecoder.open(model, options=EXHAUSTIVE)
    words = ["a", "b", "c"]
    for phrases in derivations(decoder, "a b c"):
        steps = decoder.replay("a b c", phrases)
        for (begin, end, target), step in zip(phrases, steps[:-1], strict=True):
            found = {name: value for name, value in step.items() if name not in decoder.feature_names}
            assert found == pair_scores(decoder, " ".join(words[begin:end]), target)


def weighted(decoder: PhraseDecoder, sentence: str, phrases: tuple[tuple[int, int, str], ...]) -> float:
    """The score with weights of 0 for features without any."""
    rows = decoder.replay(sentence, phrases)
    return sum(decoder.weights.get(name, 0) * value for row in rows for name, value in row.items())


def test_search_forests_and_lists_count_them(model: Path) -> None:
    decoder = PhraseDecoder.open(model, options=EXHAUSTIVE)
    every = [weighted(decoder, "a b c", phrases) for phrases in derivations(decoder, "a b c")]
    found = decoder.translate("a b c", forest=True)
    assert found.score == pytest.approx(max(every), abs=1e-4)
    assert found.forest is not None
    pool = kbest_pool([found.forest], decoder.weights, len(every) + 5, missing=0.0)
    assert len(pool) == 1
    assert {*WEIGHTS, "TranslationModel0_free"} <= set(pool.features.names)
    without = {name: value for name, value in decoder.weights.items() if name not in WEIGHTS}
    plain = PhraseDecoder.open(model, without, EXHAUSTIVE)
    assert plain.translate("a b c").score != pytest.approx(found.score, abs=1e-3)
    plain.weights = {**without, **WEIGHTS}
    assert plain.translate("a b c").score == found.score


def test_weights_of_sparse_scores_that_no_pair_has_are_refused(model: Path) -> None:
    weights = PhraseDecoder.open(model).weights
    with pytest.raises(InputError, match="'TranslationModel0_dom_z' is of no feature"):
        PhraseDecoder.open(model, {**weights, "TranslationModel0_dom_z": 1.0})


def test_what_is_exported_is_imported_as_the_same_model(model: Path, tmp_path: Path) -> None:
    ini = export_model(model, tmp_path / "export")
    text = ini.read_text()
    assert "[weight-file]\nweights.sparse\n" in text
    assert "[early-distortion-cost]\n1\n" in text
    import_model(ini, tmp_path / "again")
    first, second = Model.open(model), Model.open(tmp_path / "again")
    assert dict(second.weights) == dict(first.weights)
    assert second.settings == first.settings
    assert second.early_distortion_cost
    rows = [
        {(pair.source, pair.target): pair.sparse for pair in each.phrase_table()} for each in (first, second)
    ]
    assert rows[0] == rows[1]
    decoders = [PhraseDecoder.open(path, options=EXHAUSTIVE) for path in (model, tmp_path / "again")]
    assert len({decoder.translate("c a b a").score for decoder in decoders}) == 1


def test_tuned_weights_may_have_any_of_the_sparse_names(model: Path, tmp_path: Path) -> None:
    from tunesmith.weights import Weights

    own = {name: value for name, value in Model.open(model).weights.items() if name not in WEIGHTS}
    tuned = Weights({**own, "TranslationModel0_free": 0.25})
    import_model(export_model(model, tmp_path / "export", weights=tuned), tmp_path / "again")
    again = Model.open(tmp_path / "again").weights
    assert again["TranslationModel0_free"] == 0.25
    assert not set(WEIGHTS) & set(again)


def test_a_sparse_score_with_the_name_of_another_score_is_refused(moses: Path, tmp_path: Path) -> None:
    lines = ["a ||| W ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1 ||| 3 1 |||\n"]
    for name in ("lm.arpa", "moses.ini"):
        (tmp_path / name).write_bytes((moses / name).read_bytes())
    (tmp_path / "phrases").write_text("".join(lines))
    (tmp_path / "weights.sparse").write_text("TranslationModel0_3 1\n")
    with pytest.raises(InputError, match="has the name of another feature, 'TranslationModel0_3'"):
        import_model(tmp_path / "moses.ini", tmp_path / "model")
