"""Lists of events against all derivations, the events and features of derivations, and sacrebleu."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from tests.decode import tiny
from tests.xbleu.made_lists import CODES, GLOBAL, ReadEvent, expected_events, made_lists, read_list

from tunesmith import _native
from tunesmith.decode.events import DerivationEvents
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import MOST, SearchOptions
from tunesmith.errors import InputError
from tunesmith.features import SparseReordering
from tunesmith.features.orientations import class_of
from tunesmith.model import Model
from tunesmith.texts import Texts
from tunesmith.xbleu.list_file import ListFile

WIDE = SearchOptions(pop_limit=0, stack_size=MOST, distortion_limit=-1)
NAMES = {code: name for name, code in CODES.items()} | {
    code + GLOBAL: f"global {name}" for name, code in CODES.items()
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A model of random pairs, with lists of its words."""
    folder = tiny.write_model(tmp_path_factory.mktemp("lists") / "moses", seed=5)
    for side, words in (("source", tiny.SOURCE), ("target", tiny.TARGET)):
        (folder / f"frequent.{side}.txt").write_text("".join(f"{word}\t9\n" for word in words[:3]))
    return Model.open(folder)


@pytest.fixture(scope="module")
def decoder(model: Model) -> PhraseDecoder:
    return PhraseDecoder(model, None, WIDE)


@pytest.mark.parametrize("sentence", ["a b c d", "d c b a", "c d a b", "d d", "a W b", "b"])
def test_a_list_has_the_best_derivation_of_each_string_in_order(
    sentence: str, decoder: PhraseDecoder, tmp_path: Path
):
    """`W` is passed through, and is spelled as a word of the table: some strings are made in two ways."""
    best: dict[str, tuple[float, tiny.Phrases]] = {}
    for phrases in tiny.derivations(decoder, sentence):
        text = " ".join(target for *_, target in phrases)
        scored = tiny.score(decoder, sentence, phrases), phrases
        best[text] = max(best.get(text, scored), scored, key=lambda each: each[0])
    wanted = sorted(best.values(), key=lambda each: -each[0])[:40]
    file, counts = made_lists(decoder, [sentence], ["W X"], tmp_path / "lists", nbest=40)
    found = read_list(file, 0)
    assert [each.score for each in found] == pytest.approx([score for score, _ in wanted], abs=1e-4)
    expected = [expected_events(decoder, sentence, phrases) for _, phrases in wanted]
    assert [each.events for each in found] == expected
    assert counts == (0, 0, int(len(best) == 1))


def test_events_that_all_candidates_have_are_listed_once(decoder: PhraseDecoder, tmp_path: Path):
    sentences = [" ".join(random.Random(seed).choices(tiny.SOURCE, k=6)) for seed in range(6)]
    file, _ = made_lists(decoder, sentences, ["W X Y"] * 6, tmp_path / "lists", nbest=4)
    seen = 0
    for number in range(len(file)):
        shared = set.intersection(*(set(each.events) for each in read_list(file, number)))
        begin, end = file.common[0][number : number + 2]
        assert end - begin == len(shared)
        events = file.events[0][number + 1] - file.events[0][number]
        assert events == len({event for each in read_list(file, number) for event in each.events})
        seen += len(shared)
    assert seen > 0


def test_events_are_those_of_derivations_that_are_read_off_the_forest(decoder: PhraseDecoder, tmp_path: Path):
    draw = random.Random(2)
    sentences = [" ".join(draw.choices(tiny.SOURCE, k=draw.randint(2, 7))) for _ in range(8)]
    file, _ = made_lists(decoder, sentences, ["W"] * 8, tmp_path / "lists", nbest=30)
    orientations: Counter[int] = Counter()
    for number, sentence in enumerate(sentences):
        scored = decoder.scored_forest(sentence)
        derivations = DerivationEvents.kbest(scored.forest, scored.scores, 30, unique=True)
        candidates = read_list(file, number)
        assert len(candidates) == len(derivations)
        for candidate, derivation in zip(candidates, range(len(derivations)), strict=True):
            assert candidate.score == np.float32(derivations.scores[derivation])
            assert candidate.events == _events_of(derivations, derivation)
            orientations.update(event.orientation for event in candidate.events)
    assert set(orientations) == {0, 1, 2, 3, GLOBAL}


def _events_of(derivations: DerivationEvents, number: int) -> tuple[ReadEvent, ...]:
    """Return the events of a derivation; the ids of rules say what is unknown. No phrase is empty here."""
    text = tuple(derivations.words.take(derivations.target_words[number]))
    steps, rules = derivations.steps, derivations.rules
    found = []
    for step in range(*derivations.step_offsets[number : number + 2].tolist()):
        begin, end = steps.targets[step].tolist()
        source_begin, source_end, first, last = steps.blocks[step].tolist()
        borders = (text[first], text[last - 1]) if last else (None, None)
        found.append(
            ReadEvent(
                *steps.sources[step].tolist(),
                text[begin:end],
                (source_begin, source_end),
                *borders,
                int(steps.orientations[step][0]),
                bool(rules.ids[steps.rules[step]] < 0),
            )
        )
    return tuple(sorted(found))


def test_features_of_events_are_those_of_the_native_template(model: Model, tmp_path: Path):
    template = SparseReordering(top=3, stack="block", orientations="mslrg")
    decoder = PhraseDecoder(model, None, WIDE, [template])
    (own,) = (each for each in decoder.templates if isinstance(each, SparseReordering))
    draw = random.Random(4)
    sentences = [" ".join(draw.choices(tiny.SOURCE, k=draw.randint(3, 7))) for _ in range(6)]
    file, _ = made_lists(decoder, sentences, ["W"] * 6, tmp_path / "lists", nbest=25)
    parts: Counter[str] = Counter()
    for number, sentence in enumerate(sentences):
        best = decoder.kbest(sentence, 25)
        candidates = read_list(file, number)
        assert [each.score for each in candidates] == np.float32(best.scores).tolist()
        for index, candidate in enumerate(candidates):
            row = best.features(index)
            wanted = dict(zip(row.names(), row.values.tolist(), strict=True))
            found = Counter(
                name for event in candidate.events for name in _names(own, sentence.split(), event)
            )
            assert found == {name: value for name, value in wanted.items() if own.owns(name)}
            parts.update(name.split("_")[1] for name in found)
    assert set(parts) == {"phrase", "stack", "between"}


def _names(template: SparseReordering, words: list[str], event: ReadEvent) -> list[str]:
    """Return the features of an event, by the labels of the template in Python."""
    assert template.source_labels is not None and template.target_labels is not None
    source, target = template.source_labels, template.target_labels
    labels = [source[word] for word in words]
    found = class_of("mslrg", NAMES[event.orientation])
    span, block = (event.begin, event.end), event.block
    sides = [target[word] for word in event.target] or [()]
    names = list(template._borders("phrase", labels, span, (sides[0], sides[-1]), found))
    if block[1]:
        ends = [() if word is None else target[word] for word in (event.block_first, event.block_last)]
        names += template._borders("stack", labels, block, (ends[0], ends[1]), found)
    if found in ("left", "right"):
        begin, end = (block[1], span[0]) if span[0] >= block[1] else (span[1], block[0])
        names += [f"{template.name}_between_{label}_{found}" for word in labels[begin:end] for label in word]
    return names


def test_statistics_are_those_of_sacrebleu(decoder: PhraseDecoder, tmp_path: Path):
    sentences = ["a b c d", "d a c", "b b"]
    references = [decoder.kbest(sentences[0], 20).texts[-1] + " W W d", "d Z d W", "X"]
    file, _ = made_lists(decoder, sentences, references, tmp_path / "lists", nbest=50)
    metric = sacrebleu.BLEU(tokenize="none", effective_order=True)
    matched = 0.0
    for number, (sentence, reference) in enumerate(zip(sentences, references, strict=True)):
        texts = list(decoder.kbest(sentence, 50))
        candidates = read_list(file, number)
        for text, candidate in zip(texts, candidates, strict=True):
            score = metric.sentence_score(text, [reference])
            wanted = [value for pair in zip(score.counts, score.totals, strict=True) for value in pair]
            assert candidate.statistics == (*wanted, score.ref_len)
            matched += score.counts[3]
    assert matched > 0


def test_bytes_do_not_depend_on_threads_or_batches(decoder: PhraseDecoder, tmp_path: Path):
    draw = random.Random(6)
    sentences = [" ".join(draw.choices(tiny.SOURCE, k=draw.randint(1, 6))) for _ in range(20)]
    references = ["W X Y Z"] * 20
    made_lists(decoder, sentences, references, tmp_path / "one", nbest=10, threads=1)
    made_lists(decoder, sentences, references, tmp_path / "three", nbest=10, threads=3)
    writer = _native.ListWriter()
    for begin in range(0, 20, 7):
        texts = [Texts.of(side[begin : begin + 7]) for side in (sentences, references)]
        rows = np.arange(begin, min(begin + 7, 20), dtype=np.uint32)
        arrays = [(each.blob, each.offsets) for each in texts]
        writer.decode(decoder.native_model, decoder.native_options(forest=False), *arrays, rows, 10, 2)
    writer.write(str(tmp_path / "batches"))
    whole = (tmp_path / "one").read_bytes()
    assert (tmp_path / "three").read_bytes() == whole
    assert (tmp_path / "batches").read_bytes() == whole


def test_dropped_words_have_no_words_at_their_borders(model: Model, tmp_path: Path):
    dropping = PhraseDecoder(model, None, SearchOptions(unknown_words="drop"))
    file, counts = made_lists(dropping, ["d d", "d a d"], ["", "W"], tmp_path / "lists", nbest=5)
    first, second = read_list(file, 0), read_list(file, 1)
    assert counts[2] == 1 and len(first) == 1
    assert [event.target for event in first[0].events] == [(), ()]
    assert {(event.block_first, event.block_last) for event in first[0].events} == {(None, None)}
    assert first[0].statistics == (0.0,) * 9
    assert len(second) > 1
    assert all(event.is_unknown == (event.target == ()) for each in second for event in each.events)


def test_what_exceeds_16_bits_is_counted_and_left_out(model: Model, tmp_path: Path):
    narrow = PhraseDecoder(model, None, SearchOptions(pop_limit=1, stack_size=1, distortion_limit=0))
    long = " ".join(["d"] * 65_536)
    file, counts = made_lists(narrow, ["a", long], ["W", "W"], tmp_path / "lists", nbest=2)
    assert counts[1] == 1 and file.sentences.tolist() == [0]


def test_texts_of_different_lengths_are_an_error(decoder: PhraseDecoder, tmp_path: Path):
    with pytest.raises(InputError, match="2 sentences have 1 references and 2 rows; expected one each"):
        made_lists(decoder, ["a", "b"], ["W"], tmp_path / "lists", nbest=2)


@pytest.mark.parametrize("block", [(1, 1), (2, 2), (0, 3)])
def test_a_block_that_is_not_within_the_sentence_is_refused(block: tuple[int, int], tmp_path: Path):
    writer = _native.ListWriter()
    first = (["A"], (0, 1), (0, 0), (None, None), 4, False)
    second = (["B"], (1, 2), block, ("A", "A"), 4, False)
    rows = [2, 1, 1, 0, 0]
    _native.add_list(writer, 0, 2, ["a", "b"], [-1.0, -2.0], [rows, rows], [first, second], [], [[0, 1], [0]])
    writer.write(str(tmp_path / "lists"))
    with pytest.raises(InputError, match="is damaged: its numbers do not fit"):
        ListFile.open(tmp_path / "lists")
