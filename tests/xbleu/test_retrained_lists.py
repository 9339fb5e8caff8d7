"""Lists of a model with a trained reordering model whose scores are left out, and the loop of rounds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.model.jackknife.folded import Folded, fold_corpus
from tests.xbleu.attached import write_classes
from tests.xbleu.made_lists import ReadEvent, read_list

from tunesmith import _native
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError, OptionError
from tunesmith.model import Model
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.passes.decoding import Decoding
from tunesmith.texts import Texts
from tunesmith.weights import Weights
from tunesmith.xbleu.attach import attach
from tunesmith.xbleu.list_file import ListFile
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.lists import write_lists
from tunesmith.xbleu.reordering import TrainedReordering
from tunesmith.xbleu.store import ListStore
from tunesmith.xbleu.train import train_reordering
from tunesmith.xbleu.training_options import ReorderingOptions

pytestmark = [
    pytest.mark.filterwarnings("ignore:the trained reordering model of"),
    pytest.mark.filterwarnings("ignore:the objective on held-out lists does not rise"),
]
NAME, NBEST = "SparseHRMLocal", 6
TUNED = {"monotone": 0.5, "swap": 2.0, "left": 1.25, "right": -1.0, "global": 1.5}
LABELS = ("monotone", "swap", "left", "right", "global")
TRAINED = ReorderingOptions(features="local", gamma=0.2, epochs=2, tolerance=0.0)
AGAIN = ReorderingOptions(features="local", epochs=2, tolerance=0.0)
FOLDED = Decoding(jackknife=JackknifeOptions(jackknife=True, keep_fold_tables=True))


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folded:
    return fold_corpus(tmp_path_factory.mktemp("folded"), 60, folds=2)


@pytest.fixture(scope="module")
def home(folded: Folded, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plain model, its lists, the model trained on them, and the two together with tuned weights."""
    folder = tmp_path_factory.mktemp("home")
    plain = folded.train("phrase", max_phrase_length=2)
    write_classes(plain, (20, 50, 80))
    write_lists(plain, folder / "lists", ListOptions(nbest=NBEST), FOLDED)
    train_reordering(folder / "lists", folder / "reordering", TRAINED)
    attach(plain, folder / "reordering", folder / "model2")
    weights = {f"{NAME}_{label}": weight for label, weight in TUNED.items()}
    Weights({**Model.open(folder / "model2").weights, **weights}).write(folder / "tuned.json")
    again(folder, folder / "lists2")
    return folder


def again(home: Path, output: Path, *, retrain: tuple[str, ...] = (NAME,), tuned: bool = True) -> ListStore:
    """Write the lists of the second round."""
    return write_lists(
        home / "model2",
        output,
        ListOptions(nbest=NBEST, retrain=retrain),
        replace(FOLDED, weights=home / "tuned.json" if tuned else None),
    ).store


def score_of(event: ReadEvent, source: list[str], trained: TrainedReordering) -> float:
    """The tuned score of an event: the words at its borders, and their labels, by the names of features."""
    orientation = "global" if event.orientation >= 4 else LABELS[event.orientation]
    template = trained.template
    assert template.source_labels is not None and template.target_labels is not None
    places = [
        ("source_first", template.source_labels, source[event.begin]),
        ("source_last", template.source_labels, source[event.end - 1]),
    ]
    if event.target:
        places.append(("target_first", template.target_labels, event.target[0]))
        places.append(("target_last", template.target_labels, event.target[-1]))
    names = [
        f"{NAME}_phrase_{place}_{label}_{orientation}" for place, of, word in places for label in of[word]
    ]
    return TUNED[orientation] * sum(trained.weights.get(name, 0.0) for name in names)


def test_scores_of_lists_and_of_their_events_are_the_decoders_whole_scores(
    home: Path, folded: Folded
) -> None:
    store, trained = ListStore.open(home / "lists2"), TrainedReordering.open(home / "reordering")
    assert store.record["left_out"] == {NAME: TUNED}
    assert store.record["left_out_digests"] == {NAME: trained.digest}
    whole, sources = open_decoder(home / "model2", home / "tuned.json"), folded.lines("de")
    models, largest, seen = FoldModels.of(home / "model2", FOLDED.jackknife), 0.0, set()
    for path, left_out in zip(store.files, store.pieces.folds.values(), strict=True):
        with models.open(left_out) as directory:
            fold = PhraseDecoder(Model.open(directory), whole.weights, whole.options)
            file = ListFile.open(path)
            for number, row in enumerate(file.sentences.tolist()):
                found, best = read_list(file, number), fold.kbest(sources[row], NBEST)
                added = [
                    sum(score_of(event, sources[row].split(), trained) for event in each.events)
                    for each in found
                ]
                base = np.array([each.score for each in found])
                np.testing.assert_allclose(base + added, best.scores, atol=2e-4)
                largest = max(largest, *map(abs, added))
                seen |= {event.orientation for each in found for event in each.events}
    assert largest > 0.05 and len(seen) >= 3


def test_candidates_are_those_of_whole_scores_and_keep_their_order(home: Path, tmp_path: Path) -> None:
    kept = again(home, tmp_path / "kept", retrain=())
    assert "left_out" not in kept.record and "retrain" not in kept.record["made_by"]
    left_out = ListStore.open(home / "lists2")
    differing = 0
    for paths in zip(kept.files, left_out.files, strict=True):
        one, two = map(ListFile.open, paths)
        for number in range(len(one)):
            lists = read_list(one, number), read_list(two, number)
            first, second = ([each[1:] for each in found] for found in lists)
            assert first == second
            differing += [each.score for each in lists[0]] != [each.score for each in lists[1]]
    assert differing > 10
    with pytest.raises(OptionError, match=f"contains lists with retrain none, not {NAME}; use the same"):
        again(home, tmp_path / "kept")


def test_lists_do_not_depend_on_threads(home: Path, tmp_path: Path) -> None:
    store = write_lists(
        home / "model2",
        tmp_path / "lists",
        ListOptions(nbest=NBEST, retrain=(NAME,)),
        replace(FOLDED, weights=home / "tuned.json", threads=3),
    ).store
    for one, two in zip(store.files, ListStore.open(home / "lists2").files, strict=True):
        assert one.read_bytes() == two.read_bytes()


def test_a_round_starts_where_the_decoder_was(home: Path, folded: Folded, tmp_path: Path) -> None:
    """BLEU of the first held-out candidates before training is that of the decoder's best translations."""
    made = train_reordering(home / "lists2", tmp_path / "two", AGAIN, start=home / "reordering").model
    store = ListStore.open(home / "lists2")
    assert made.record["gamma"] == 0.2  # the same weights of all other features
    assert made.decoder_weights == TrainedReordering.open(home / "reordering").decoder_weights
    assert made.record["lists"]["held_out"] == store.sentences // 10
    first = ListStore.open(home / "lists")
    held = np.random.default_rng(1).permutation(first.sentences)[: store.sentences // 10]
    rows = np.concatenate([ListFile.open(path).sentences for path in first.files])[held]
    best = np.zeros(9)
    for path in store.files:
        file = ListFile.open(path)
        for number, row in enumerate(file.sentences.tolist()):
            if row in rows:
                best += file.statistics[int(file.scores[0][number])]
    assert made.record["start"]["bleu"] == pytest.approx(AGAIN.metric.score(best))


def test_three_rounds_end_in_a_model_that_decodes(home: Path, folded: Folded, tmp_path: Path) -> None:
    plain = ListStore.open(home / "lists").model
    start, stores = home / "reordering", [home / "lists"]
    directory = home / "model2"
    for number in (2, 3):
        options = ListOptions(nbest=NBEST, retrain=(NAME,))
        store = write_lists(directory, tmp_path / f"lists{number}", options, FOLDED).store
        result = train_reordering(
            store.path, tmp_path / f"reordering{number}", AGAIN, start=start, others=stores
        ).model
        unit = TrainedReordering.open(start).orientation_weight
        assert unit == 1 / result.record["gamma"]
        assert result.record["start_model"]["weights"] == dict.fromkeys(LABELS, unit)
        held_out = round(store.sentences / 10)
        assert result.record["lists"]["training"] == (len(stores) + 1) * (store.sentences - held_out)
        directory = attach(plain, result.directory, tmp_path / f"model{number}").directory
        start, stores = result.directory, [*stores, store.path]
    opened = Model.open(directory)
    assert [part.name for part in opened.trained_reordering] == [NAME]
    assert {name: opened.weights[name] for name in Model.open(plain).weights} == dict(
        Model.open(plain).weights
    )
    assert open_decoder(directory).translate(folded.lines("de")[0]).found


def test_a_model_that_is_not_attached_cannot_be_retrained(home: Path, tmp_path: Path) -> None:
    with pytest.raises(
        OptionError, match=r"retrain: .* has no trained reordering model 'SparseHRM'; did you"
    ):
        again(home, tmp_path / "lists", retrain=("SparseHRM",))
    plain = ListStore.open(home / "lists").model
    with pytest.raises(
        OptionError, match=r"no trained reordering model 'SparseHRM', nor any other; .*attach"
    ):
        write_lists(plain, tmp_path / "lists", options=ListOptions(nbest=2, retrain=("SparseHRM",)))
    assert not (tmp_path / "lists").exists()
    decoder = PhraseDecoder.open(plain)
    nothing = (Texts.of([]).blob, Texts.of([]).offsets)
    with pytest.raises(InputError, match="no dense feature 'SparseHRM_swap'"):
        _native.ListWriter().decode(
            decoder.native_model,
            decoder.native_options(forest=False),
            nothing,
            nothing,
            np.zeros(0, dtype=np.uint32),
            2,
            1,
            ["SparseHRM_swap"],
        )


def test_a_damaged_record_of_what_is_left_out_is_refused(home: Path, tmp_path: Path) -> None:
    record = json.loads((home / "lists2" / "store.json").read_text())
    (tmp_path / "store").mkdir()
    for damaged in ([NAME], {NAME: 1.0}, {NAME: {"swap": "x"}}):
        (tmp_path / "store/store.json").write_text(json.dumps({**record, "left_out": damaged}))
        with pytest.raises(InputError, match=r"is damaged .*left_out"):
            ListStore.open(tmp_path / "store")
