"""Model directories from files of derivations: what they contain, and what can be done with them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from tests.reestimate.decoded_derivations import lists, used_pairs, write_decoded
from tests.small_models import trained

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.bilingual import bilingual_tokens
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import OrientationEvents, count_phrases
from tunesmith.extract.tables import build_table
from tunesmith.lm import LanguageModel
from tunesmith.lm.estimate import estimate
from tunesmith.model import Model
from tunesmith.model.exporting import export_model
from tunesmith.model.jackknife import FoldModels
from tunesmith.reestimate.baseline import Baseline
from tunesmith.reestimate.derivation_file import UNKNOWN
from tunesmith.reestimate.options import ReestimateOptions
from tunesmith.reestimate.oracle_text import OracleText
from tunesmith.reestimate.reestimated_model import write_reestimated_model
from tunesmith.reestimate.steps import Reestimation
from tunesmith.reestimate.table import empty_lexicon
from tunesmith.tables import PhraseTable


@dataclass
class Made:
    """Derivations that are there, counting how often they were asked for."""

    files: list[Path]
    asked: int = 0
    record: Mapping[str, Any] = field(default_factory=lambda: {"text_sentences": 50})

    def __call__(self, progress: object) -> Made:
        self.asked += 1
        return self


@pytest.fixture(scope="module")
def model(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    options: dict[str, Any] = {"bilingual_lm_order": 3, "folds": 3, "max_phrase_length": 3}
    reordering = ("hier-mslrg-bidirectional-fe", "wbe-msd-backward-f")
    return trained(small_corpus, tmp_path_factory, reordering=reordering, **options)


@pytest.fixture(scope="module")
def derivations(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    sources = (model / "source.txt").read_text().splitlines()[:50]
    return write_decoded(model, sources, tmp_path_factory.mktemp("derivations") / "file")


def plan_of(model: Path, derivations: Path, **options: Any) -> Reestimation:
    chosen = ReestimateOptions(**options)
    return Reestimation(Baseline.open(model), chosen, Made([derivations]), {"made": "by a test"})


def write(plan: Reestimation, folder: Path) -> Model:
    write_reestimated_model(plan, folder, plan.baseline.weights(None))
    return Model.open(folder)


@pytest.fixture(scope="module")
def alone(model: Path, derivations: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small model, with a bilingual language model of its own."""
    folder = tmp_path_factory.mktemp("alone") / "model"
    write(plan_of(model, derivations, table_weight="none", bilingual_lm=True), folder)
    return folder


def test_a_small_model_has_the_used_pairs_and_the_features_of_the_baseline(
    model: Path, derivations: Path, alone: Path
) -> None:
    before, after = Model.open(model), Model.open(alone, verify=True)
    assert {(pair.source, pair.target) for pair in after.phrase_table()} == set(used_pairs(derivations))
    assert dict(after.weights) == dict(before.weights)
    assert after.penalties == before.penalties
    assert after.reordering == before.reordering
    assert [part.name for part in after.language_models] == [part.name for part in before.language_models]
    assert after.language_models[0].path == str(model.resolve() / "lm.bin")
    assert (alone / "seen.bin").read_bytes() == (model / "seen.bin").read_bytes()
    assert (alone / "frequent.source.txt").read_bytes() == (model / "frequent.source.txt").read_bytes()


def test_orientations_are_extracted_as_those_of_the_model_were(
    small_corpus: Path, model: Path, derivations: Path, tmp_path: Path
) -> None:
    old = tmp_path / "old"
    shutil.copytree(model, old)
    manifest = json.loads((old / "manifest.json").read_text())
    del manifest["steps"]["phrase pairs"]["options"]["orientation_events"]
    (old / "manifest.json").write_text(json.dumps(manifest))  # as models had no choice
    text = OracleText.read([derivations])
    tables = []
    expected_events: list[tuple[Path, OrientationEvents]] = [(model, "blocks"), (old, "moses")]
    for folder, events in expected_events:
        plan = plan_of(folder, derivations, table_weight="none")
        assert plan.baseline.orientation_events == events
        written = write(plan, tmp_path / events).phrase_table()
        counted = tmp_path / f"{events}.bin"
        counts = count_phrases(
            text.bitext, text.alignments, path=counted, max_length=3, orientation_events=events
        )
        (name, columns), _ = written.reordering_models  # the other one is given the source side alone
        every = build_table(counts, empty_lexicon(), tmp_path / f"{events}.table", reordering=[name])
        expected = {(pair.source, pair.target): pair.reordering for pair in every}
        tables.append({(pair.source, pair.target): pair.reordering[:columns] for pair in written})
        both = tables[-1].keys() & expected.keys()
        assert [tables[-1][key] for key in both] == [expected[key] for key in both]
        assert len(both) > 50
    assert tables[0] != tables[1]


def test_a_small_model_translates_as_before_what_it_was_estimated_from(
    derivations: Path, alone: Path
) -> None:
    decoder = open_decoder(alone)
    assert isinstance(decoder, PhraseDecoder)
    same = []
    for source, [best] in list(lists(derivations))[:20]:
        translation = decoder.translate(" ".join(source))
        phrases = [
            (step.begin, step.end, " ".join(step.target), -1)
            if step.origin == UNKNOWN
            else (step.begin, step.end, " ".join(step.target))
            for step in best.steps
        ]
        values = decoder.replay(" ".join(source), phrases)
        score = sum(decoder.weights[name] * value for part in values for name, value in part.items())
        assert translation.score >= score - 1e-3  # the derivation is one of the small model
        same.append(translation.text == " ".join(word for step in best.steps for word in step.target))
    assert sum(same) >= 18


def test_the_bilingual_language_model_is_that_of_the_translations(derivations: Path, alone: Path) -> None:
    (alone.parent / "f").write_text("".join(" ".join(source) + "\n" for source, _ in lists(derivations)))
    targets, links = [], []
    for _, [best] in lists(derivations):
        words: list[str] = []
        links.append(
            [(step.begin + i, len(words) + j) for step in best.steps for i, j in _placed(step, words)]
        )
        targets.append(" ".join(words))
    (alone.parent / "e").write_text("".join(f"{line}\n" for line in targets))
    bitext = Bitext.read(alone.parent / "f", alone.parent / "e")
    tokens = Sentences.of(bilingual_tokens(bitext, Alignments.of(links)))
    expected = estimate(tokens, order=3, discount_fallback=True)
    expected.write_binary(alone.parent / "lm")
    found, wanted = LanguageModel.open(alone / "bilingual-lm.bin"), LanguageModel.open(alone.parent / "lm")
    assert found.counts == wanted.counts
    assert found.perplexity(tokens) == wanted.perplexity(tokens)


def _placed(step: Any, words: list[str]) -> list[tuple[int, int]]:
    """The links of a step relative to the words before it, which are then those of the step, too."""
    placed = list(step.links)
    words += step.target
    return [(i, j - len(step.target)) for i, j in placed]


def test_a_mixture_has_all_pairs_and_is_mixed_again_without_the_derivations(
    model: Path, derivations: Path, tmp_path: Path
) -> None:
    plan = plan_of(model, derivations, table_weight="0.4")
    after = write(plan, tmp_path / "model")
    assert len(after.phrase_table()) == len(Model.open(model).phrase_table())
    again = replace(plan, options=ReestimateOptions(table_weight="0.8"))
    write(again, tmp_path / "model")
    assert plan.derivations.asked == 1  # type: ignore[attr-defined]
    used = used_pairs(derivations)
    pair = max(used, key=lambda each: used[each])
    scores = [
        {each.target: each.scores["p(e|f)"] for each in table.lookup(pair[0])}[pair[1]]
        for table in (Model.open(model).phrase_table(), PhraseTable.open(tmp_path / "model" / "phrases.bin"))
    ]
    own = used[pair] / sum(count for (source, _), count in used.items() if source == pair[0])
    assert scores[1] == pytest.approx(0.8 * own + 0.2 * scores[0])
    assert json.loads((tmp_path / "model" / "mixture.json").read_text())["weight"] == 0.8


def test_the_weight_of_a_mixture_is_fitted_to_a_tuning_text(
    model: Path, derivations: Path, small_corpus: Path, tmp_path: Path
) -> None:
    plan = plan_of(model, derivations, table_weight="em")
    texts = small_corpus / "de", small_corpus / "en"
    with pytest.raises(
        InputError, match=r"has no word aligner.*name those of the tuning text by tune_alignment"
    ):
        write(replace(plan, tune=texts), tmp_path / "none")
    write(replace(plan, tune=texts, tune_alignment=small_corpus / "align"), tmp_path / "model")
    record = json.loads((tmp_path / "model" / "mixture.json").read_text())
    assert 0.001 <= record["weight"] < 0.5  # the baseline was extracted from this very text
    assert list(record["curve"]) == [f"0.{digit}" for digit in range(1, 10)]
    assert record["perplexity"] <= min(record["curve"].values()) + 1e-9
    given = replace(plan, tune=texts, tune_alignment=small_corpus / "align", options=ReestimateOptions())
    write(given, tmp_path / "model")
    compared = json.loads((tmp_path / "model" / "mixture.json").read_text())
    assert (compared["weight"], compared["curve"]) == (0.5, record["curve"])
    assert compared["perplexity"] == compared["curve"]["0.5"]
    write(replace(given, tune_alignment=None), tmp_path / "model")  # the model has no aligner
    assert "curve" not in json.loads((tmp_path / "model" / "mixture.json").read_text())


def test_orientations_may_be_those_of_the_derivations(model: Path, derivations: Path, tmp_path: Path) -> None:
    after = write(
        plan_of(model, derivations, table_weight="none", orientations="derivation"), tmp_path / "model"
    )
    assert not (tmp_path / "model" / "orientation-counts.bin").exists()
    used = used_pairs(derivations)
    backward = dict.fromkeys(used, 0.0)
    for source, [best] in lists(derivations):
        first = best.steps[0]
        if first.begin == 0 and first.origin == 0:  # everything before it, nothing, is monotone with it
            backward[" ".join(source[: first.end]), " ".join(first.target)] += 1
    for pair in after.phrase_table():
        key = pair.source, pair.target
        if backward[key] == used[key]:
            assert pair.reordering[4] == pytest.approx((used[key] + 0.5) / (used[key] + 2.5))


@pytest.mark.parametrize("interpolate", ["none", "0.5"])
def test_orientations_may_be_kept_and_are_counted_again_by_another_call(
    model: Path, derivations: Path, tmp_path: Path, interpolate: str
) -> None:
    folder = tmp_path / "model"
    plan = plan_of(model, derivations, table_weight=interpolate, orientations="keep")
    after, before = write(plan, folder), Model.open(model).phrase_table()
    assert not (folder / "orientation-counts.bin").exists()
    for pair in list(after.phrase_table())[::7]:
        (own,) = [each for each in before.lookup(pair.source) if each.target == pair.target]
        assert pair.reordering == pytest.approx(own.reordering, rel=1e-6)
    kept = (folder / "phrases.bin").read_bytes()
    write(plan_of(model, derivations, table_weight=interpolate, orientations="derivation"), folder)
    assert (folder / "phrases.bin").read_bytes() != kept
    write(plan, folder)
    assert (folder / "phrases.bin").read_bytes() == kept


def test_relex_keeps_a_lexicon_beside_the_counts(model: Path, derivations: Path, tmp_path: Path) -> None:
    after = write(plan_of(model, derivations, table_weight="none", relex=True), tmp_path / "model")
    text = OracleText.read([derivations])
    expected = Lexicon.estimate(text.bitext, text.alignments)
    kept = Lexicon.open(tmp_path / "model" / "lexicon.bin")
    single = [pair for pair in after.phrase_table() if pair.alignment == ((0, 0),) and " " not in pair.source]
    assert len(single) > 20
    for pair in single:
        wanted = expected.probability(pair.source, pair.target.split()[0])
        assert kept.probability(pair.source, pair.target.split()[0]) == wanted
        if " " not in pair.target:
            assert (pair.scores["lex(f|e)"], pair.scores["lex(e|f)"]) == pytest.approx(wanted)


def test_a_finished_model_is_not_made_again_and_damage_is_found(
    model: Path, derivations: Path, alone: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(alone, folder)
    plan = plan_of(model, derivations, table_weight="none", bilingual_lm=True)
    made = write_reestimated_model(plan, folder, plan.baseline.weights(None))
    assert all(step.skipped for step in made.trained.steps)
    assert plan.derivations.asked == 0  # type: ignore[attr-defined]
    (folder / "phrases.bin").unlink()
    with pytest.raises(InputError, match="is missing; run the same `tunesmith reestimate` again"):
        Model.open(folder)


def test_a_report_has_sizes_before_and_after(model: Path, derivations: Path, alone: Path) -> None:
    plan = plan_of(model, derivations, table_weight="none", bilingual_lm=True)
    record = write_reestimated_model(plan, alone, plan.baseline.weights(None)).record
    table, lm = record["sizes"]
    assert table["entries_before"] == len(Model.open(model).phrase_table())
    assert table["entries_after"] == len(used_pairs(derivations)) == record["mixture"]["reestimated_pairs"]
    assert table["bytes_after"] == (alone / "phrases.bin").stat().st_size
    assert lm["entries_after"] == sum(LanguageModel.open(alone / "bilingual-lm.bin").counts)
    assert record["used"]["sentences"] == record["used"]["text_sentences"] == 50
    json.dumps(record)


def test_a_re_estimated_model_is_exported_with_the_language_model_of_the_baseline(
    small_model: Path, tmp_path: Path
) -> None:
    sources = (small_model / "source.txt").read_text().splitlines()[:5]
    path = write_decoded(small_model, sources, tmp_path / "file")
    made = write(plan_of(small_model, path, table_weight="none"), tmp_path / "model")
    export_model(made.directory, tmp_path / "moses")
    export_model(small_model, tmp_path / "baseline")
    texts = [
        sorted(path.name for path in (tmp_path / folder).iterdir() if "lm" in path.name.lower())
        for folder in ("moses", "baseline")
    ]
    assert texts[0] == texts[1] != []
    for name in texts[0]:
        assert (tmp_path / "moses" / name).read_bytes() == (tmp_path / "baseline" / name).read_bytes()


def test_a_re_estimated_model_has_no_folds(alone: Path) -> None:
    with pytest.raises(InputError, match="has a re-estimated phrase table"):
        FoldModels.of(alone)


def test_weights_are_given_or_those_of_the_model(model: Path) -> None:
    baseline = Baseline.open(model)
    own = dict(baseline.model.weights)
    assert dict(baseline.weights({"LM0": 9.0})) == own | {"LM0": 9.0}
    with pytest.raises(InputError, match="has no weight of the model"):
        baseline.weights({"Other": 1.0})


def test_what_cannot_be_re_estimated_is_refused(
    model: Path, derivations: Path, small_model: Path, small_hiero: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="has no phrase table"):
        Baseline.open(small_hiero)
    with pytest.raises(InputError, match="has no bilingual language model to re-train"):
        write(plan_of(small_model, derivations, bilingual_lm=True), tmp_path / "model")
    with pytest.raises(
        OptionError, match="table_weight must be a number between 0 and 1, em or none, not '2'"
    ):
        ReestimateOptions(table_weight="2")
