"""Counts of the phrase pairs that derivations use, against counts in Python."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reestimate.decoded_derivations import Pair, lists, used_pairs, write_decoded
from tests.reestimate.made_derivations import write_made

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.extract.phrases import PhraseCounts, count_phrases
from tunesmith.extract.tables import build_table
from tunesmith.reestimate.counting import count_uses
from tunesmith.reestimate.derivation_file import TABLE, UNKNOWN, FoundDerivation, PhraseStep, add_derivations
from tunesmith.reestimate.oracle_text import OracleText
from tunesmith.reestimate.posterior_scale import posterior_scale
from tunesmith.reestimate.table import empty_lexicon
from tunesmith.tables import PhraseTable

MODELS = ("wbe-msd-bidirectional-fe", "phrase-mslr-bidirectional-fe", "hier-mslrg-bidirectional-fe")


def table_of(counts: Path, reordering: tuple[str, ...] = ()) -> PhraseTable:
    output = counts.with_suffix(".table")
    return build_table(PhraseCounts.open(counts), empty_lexicon(), output, reordering=reordering)


def joint_counts(table: PhraseTable) -> dict[Pair, float]:
    return {(pair.source, pair.target): pair.joint_count for pair in table}


@pytest.fixture(scope="module")
def decoded(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    sources = (small_model / "source.txt").read_text().splitlines()[:40]
    path = tmp_path_factory.mktemp("decoded") / "derivations.bin"
    return write_decoded(small_model, [*sources, f"{sources[0]} neverseen"], path, nbest=5)


def test_each_use_of_a_pair_counts_one(decoded: Path, tmp_path: Path) -> None:
    found = count_uses([decoded], tmp_path / "uses")
    expected = used_pairs(decoded)
    assert joint_counts(table_of(tmp_path / "uses")) == expected
    assert found.uses == sum(expected.values())
    assert found.pairs == len(expected)
    assert found.sentences == 41
    assert found.derivations == sum(len(each) for _, each in lists(decoded))
    assert found.untabled == sum(
        step.origin != TABLE for _, all_ in lists(decoded) for d in all_ for step in d.steps
    )
    assert found.untabled > 0


def test_derivations_share_one_count_evenly_or_by_their_posteriors(decoded: Path, tmp_path: Path) -> None:
    assert count_uses([decoded], tmp_path / "even", nbest_weight="even").posterior_scale is None
    scale = count_uses([decoded], tmp_path / "posterior", nbest_weight="posterior").posterior_scale

    def share(found: list[FoundDerivation], one: FoundDerivation) -> float:
        return 1 / sum(math.exp(scale * (each.score - one.score)) for each in found)

    even = used_pairs(decoded, lambda found, one: 1 / len(found))
    posterior = used_pairs(decoded, share)
    assert joint_counts(table_of(tmp_path / "even")) == pytest.approx(even, abs=1e-4)
    assert joint_counts(table_of(tmp_path / "posterior")) == pytest.approx(posterior, abs=1e-4)
    assert even != pytest.approx(posterior, abs=1e-2)


def relative_entropy(scores: list[float], scale: float) -> float:
    masses = [math.exp(scale * (score - max(scores))) for score in scores]
    shares = [mass / sum(masses) for mass in masses]
    return -sum(share * math.log(share) for share in shares if share > 0) / math.log(len(scores))


def test_posteriors_have_half_of_the_entropy_of_even_shares(decoded: Path) -> None:
    scale = posterior_scale([decoded])
    found = [[each.score for each in derivations] for _, derivations in lists(decoded)]
    several = [scores for scores in found if len(scores) > 1]
    assert len(several) > 20
    assert sum(relative_entropy(scores, scale) for scores in several) / len(several) == pytest.approx(
        0.5, abs=1e-3
    )


def test_equal_scores_and_single_derivations_count_evenly(tmp_path: Path) -> None:
    steps = (PhraseStep(0, 1, ("x",), ((0, 0),)),)
    writer = _native.DerivationWriter()
    add_derivations(writer, 0, "a", 1, [made(steps), made(steps)])
    add_derivations(writer, 1, "a", 1, [made(steps)])
    writer.write(str(tmp_path / "file"))
    assert posterior_scale([tmp_path / "file"]) is None
    count_uses([tmp_path / "file"], tmp_path / "uses", nbest_weight="posterior")
    assert joint_counts(table_of(tmp_path / "uses")) == {("a", "x"): pytest.approx(2.0)}


def test_probabilities_are_relative_frequencies_of_the_uses(decoded: Path, tmp_path: Path) -> None:
    count_uses([decoded], tmp_path / "uses")
    joint = used_pairs(decoded)
    by_source, by_target = Counter[str](), Counter[str]()
    for (source, target), count in joint.items():
        by_source[source] += count
        by_target[target] += count
    for pair in table_of(tmp_path / "uses"):
        count = joint[pair.source, pair.target]
        assert pair.scores["p(e|f)"] == pytest.approx(count / by_source[pair.source])
        assert pair.scores["p(f|e)"] == pytest.approx(count / by_target[pair.target])


def test_extracted_orientations_are_those_of_a_table_extracted_from_the_oracles(
    small_model: Path, tmp_path: Path
) -> None:
    sources = (small_model / "source.txt").read_text().splitlines()[:40]
    path = write_decoded(small_model, sources, tmp_path / "derivations.bin")
    count_uses([path], tmp_path / "uses", tmp_path / "extracted", max_length=4)
    text = OracleText.read([path])
    extracted = count_phrases(text.bitext, text.alignments, path=tmp_path / "all", max_length=4)
    whole = {
        (pair.source, pair.target): pair
        for pair in build_table(extracted, empty_lexicon(), tmp_path / "whole", reordering=MODELS)
    }
    used = used_pairs(path)
    found = {(pair.source, pair.target): pair for pair in table_of(tmp_path / "extracted", MODELS)}
    assert set(found) == {pair for pair in used if pair in whole}
    assert len(found) > 50
    for key, pair in found.items():
        assert pair.reordering == whole[key].reordering
        assert pair.joint_count == whole[key].joint_count
        assert pair.alignment == whole[key].alignment


def test_equal_translations_are_extracted_from_once_with_all_their_counts(tmp_path: Path) -> None:
    steps = PhraseStep(0, 1, ("x",), ((0, 0),)), PhraseStep(1, 2, ("y",), ((0, 0),))
    whole = (PhraseStep(0, 2, ("x", "y"), ((0, 0), (1, 1))),)
    writer = _native.DerivationWriter()
    add_derivations(writer, 0, "a b", 2, [made(steps), made(whole)])
    writer.write(str(tmp_path / "file"))
    count_uses([tmp_path / "file"], tmp_path / "uses", tmp_path / "extracted")
    assert joint_counts(table_of(tmp_path / "uses")) == {("a", "x"): 1, ("b", "y"): 1, ("a b", "x y"): 1}
    assert joint_counts(table_of(tmp_path / "extracted")) == {("a", "x"): 2, ("b", "y"): 2, ("a b", "x y"): 2}


def test_orientations_of_a_derivation_are_those_of_its_blocks(tmp_path: Path) -> None:
    # c, then a b as a swap of it, then d: everything before it is one block.
    steps = (
        PhraseStep(2, 3, ("c",), ((0, 0),)),
        PhraseStep(0, 1, ("a",), ((0, 0),)),
        PhraseStep(1, 2, ("b",), ((0, 0),)),
        PhraseStep(3, 4, ("d",), ((0, 0),)),
    )
    writer = _native.DerivationWriter()
    add_derivations(writer, 0, "A B C D", 4, [made(steps)])
    writer.write(str(tmp_path / "file"))
    count_uses([tmp_path / "file"], tmp_path / "uses")
    spec = _native_labels(table_of(tmp_path / "uses", ("hier-mslrg-bidirectional-fe",)))
    assert spec == {
        "c": ("right", "swap"),
        "a": ("left", "monotone"),
        "b": ("monotone", "right"),
        "d": ("global", "global"),
    }
    phrase = _native_labels(table_of(tmp_path / "uses", ("phrase-mslr-bidirectional-fe",)))
    assert phrase["d"] == ("right", "monotone")
    words = _native_labels(table_of(tmp_path / "uses", ("wbe-mslr-bidirectional-fe",)))
    assert words == phrase


def _native_labels(table: PhraseTable) -> dict[str, tuple[str, str]]:
    """The most probable orientations of each target phrase, backward and forward."""
    from tunesmith.tables.reordering import ReorderingSpec

    labels = ReorderingSpec.parse(table.reordering_models[0][0]).labels
    half = len(labels)
    found = defaultdict[str, tuple[str, str]](tuple)
    for pair in table:
        sides = pair.reordering[:half], pair.reordering[half:]
        found[pair.target] = tuple(labels[side.index(max(side))] for side in sides)  # type: ignore[assignment]
    return dict(found)


def test_files_do_not_depend_on_threads(decoded: Path, tmp_path: Path) -> None:
    for threads in (1, 3):
        folder = tmp_path / str(threads)
        folder.mkdir()
        count_uses([decoded], folder / "uses", folder / "extracted", nbest_weight="even", threads=threads)
    for name in ("uses", "extracted"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "3" / name).read_bytes()


def test_derivations_without_phrase_pairs_are_refused(tmp_path: Path) -> None:
    writer = _native.DerivationWriter()
    add_derivations(writer, 0, "a", 1, [made((PhraseStep(0, 1, ("a",), ((0, 0),), UNKNOWN),))])
    writer.write(str(tmp_path / "file"))
    with pytest.raises(InputError, match="use no phrase pair"):
        count_uses([tmp_path / "file"], tmp_path / "uses")


def test_a_phrase_that_is_too_long_is_refused(tmp_path: Path) -> None:
    words = tuple("abcdefghi")
    writer = _native.DerivationWriter()
    add_derivations(writer, 4, " ".join(words), 1, [made((PhraseStep(0, 9, ("x",), ((0, 0),)),))])
    writer.write(str(tmp_path / "file"))
    with pytest.raises(InputError, match="9 and 1 words in line 5 of the text; expected at most 8"):
        count_uses([tmp_path / "file"], tmp_path / "uses")


def test_the_best_derivations_are_a_bitext(tmp_path: Path) -> None:
    write_made(tmp_path / "file")
    text = OracleText.read([tmp_path / "file"])
    assert text.rows.tolist() == [7, 3]
    assert [text.bitext.source.text(row) for row in (0, 1)] == ["Ada das Haus", "äh"]
    assert [text.bitext.target.text(row) for row in (0, 1)] == ["the house Ada", ""]
    assert [text.alignments[0].tolist(), text.alignments[1].tolist()] == [[[0, 2], [1, 0], [2, 1]], []]


def test_phrases_of_no_table_are_left_out_of_the_bitext_if_asked_for(tmp_path: Path) -> None:
    steps = (
        PhraseStep(3, 4, ("d",), ((0, 0),)),
        PhraseStep(1, 2, ("B",), ((0, 0),), UNKNOWN),
        PhraseStep(2, 3, (), (), UNKNOWN),
        PhraseStep(0, 1, ("x", "a"), ((0, 1),)),
    )
    writer = _native.DerivationWriter()
    add_derivations(writer, 0, "A B C D", 4, [made(steps)])
    writer.write(str(tmp_path / "file"))
    text = OracleText.read([tmp_path / "file"], untabled=False)
    assert (text.bitext.source.text(0), text.bitext.target.text(0)) == ("A D", "d x a")
    assert text.alignments[0].tolist() == [[0, 2], [1, 0]]


def made(steps: tuple[PhraseStep, ...]) -> FoundDerivation:
    return FoundDerivation(0.0, 0.0, 0.0, (0, 0, 0, 0), steps)


@st.composite
def derivations(draw: st.DrawFn) -> tuple[str, FoundDerivation]:
    """A sentence cut into phrases in any order, with links."""
    cuts = draw(st.lists(st.integers(1, 3), min_size=1, max_size=5))
    words = draw(st.lists(st.sampled_from("abc"), min_size=sum(cuts), max_size=sum(cuts)))
    steps, begin = [], 0
    for length in cuts:
        target = tuple(draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=3)))
        every = [(i, j) for i in range(length) for j in range(len(target))]
        links = tuple(sorted(draw(st.sets(st.sampled_from(every)))))
        origin = draw(st.sampled_from([TABLE, TABLE, UNKNOWN]))
        steps.append(PhraseStep(begin, begin + length, target, links, origin))
        begin += length
    return " ".join(words), made(tuple(draw(st.permutations(steps))))


@settings(max_examples=20)
@given(st.lists(st.lists(derivations(), min_size=1, max_size=1), min_size=1, max_size=6))
def test_extraction_from_any_derivations_is_that_of_their_bitext(
    tmp_path_factory: pytest.TempPathFactory, text: list[list[tuple[str, FoundDerivation]]]
) -> None:
    folder = tmp_path_factory.mktemp("made")
    writer = _native.DerivationWriter()
    for number, [(source, found)] in enumerate(text):
        add_derivations(writer, number, source, 1, [found])
    path = folder / "file"
    writer.write(str(path))
    used = used_pairs(path)
    if not used:
        return
    count_uses([path], folder / "uses", folder / "extracted", max_length=3)
    assert joint_counts(table_of(folder / "uses")) == used
    oracle = OracleText.read([path])
    every = count_phrases(oracle.bitext, oracle.alignments, path=folder / "all", max_length=3)
    expected = {}
    if every.instances:
        whole = build_table(every, empty_lexicon(), folder / "whole", reordering=MODELS)
        expected = {
            (pair.source, pair.target): (pair.joint_count, pair.reordering)
            for pair in whole
            if (pair.source, pair.target) in used
        }
    if not PhraseCounts.open(folder / "extracted").instances:
        assert not expected
        return
    found = table_of(folder / "extracted", MODELS)
    assert {(p.source, p.target): (p.joint_count, p.reordering) for p in found} == expected
