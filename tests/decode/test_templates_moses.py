"""Sparse features beside Moses': every one of its derivations, and the best ones under its weights."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.decode.test_replay_moses import named

from tunesmith.decode import PhraseDecoder, SearchOptions
from tunesmith.files import read_lines
from tunesmith.model.importing import import_model

KINDS = ("TB", "WT", "PL", "SWD", "TWI")
SENTENCES = 200
MOSES = -51.5816
"""The average score of Moses' best derivations at pop limit 1000, from the notes to the shared data."""


@pytest.fixture(scope="module")
def sparse_model(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The peer's model with sparse features and made-up weights, without those of reordering."""
    folder, data = tmp_path_factory.mktemp("moses-sparse"), shared_data / "moses-sparse"
    ini = (data / "moses.weighted.ini").read_text().replace("train.5gram.bin", "train.5gram.arpa")
    for name in ("../moses", "top150", "top80", "classes20", "weights.sparse"):
        ini = ini.replace(name, str(data / name))
    (folder / "moses.ini").write_text(ini)
    import_model(folder / "moses.ini", folder / "model", ignore=["LexicalReordering0.sparse-*"])
    return folder / "model"


def entries(path: Path) -> Iterator[tuple[int, list[tuple[int, int, str]], dict[str, float], float]]:
    """The sentence, the phrases, the features and the score of each derivation of an n-best list."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            number, text, features, total, segments, _ = (field.strip() for field in line.split("|||"))
            words, phrases = text.split(), []
            for segment in segments.split():
                source, target = ([int(word) for word in side.split("-")] for side in segment.split("="))
                phrases.append((source[0], source[-1] + 1, " ".join(words[target[0] : target[-1] + 1])))
            yield int(number), phrases, named(features), float(total)


def ours(name: str) -> str:
    """Our name of a feature of Moses: it joins bigrams by a colon, word pairs by ~ and lengths by a comma."""
    kind, _, rest = name.partition("_")
    separator = {"TB": ":", "WT": "~", "PL": ","}.get(kind)
    at = rest.find(separator, 1) if separator else -1
    return name if at < 0 else f"{kind}_{rest[:at]}{'x' if kind == 'PL' else '_'}{rest[at + 1 :]}"


@pytest.mark.slow
def test_all_sparse_features_of_moses_derivations_are_recomputed(shared_data: Path, sparse_model: Path):
    sources = read_lines(shared_data / "multi30k.test_2016.de.xz")
    decoder = PhraseDecoder.open(sparse_model)
    seen: Counter[str] = Counter()
    for number, phrases, features, _ in entries(shared_data / "moses-sparse" / "zero.nbest10.gz"):
        found: Counter[str] = Counter()
        for step in decoder.replay(sources[number], phrases):
            found.update({name: value for name, value in step.items() if name.partition("_")[0] in KINDS})
        expected = {ours(name): value for name, value in features.items() if name.partition("_")[0] in KINDS}
        assert found == {name: value for name, value in expected.items() if value}
        seen.update(found)
        seen["derivations"] += 1
    assert seen["derivations"] == 1540
    assert {name.partition("_")[0] for name in seen} == {*KINDS, "derivations"}


@pytest.mark.slow
def test_best_derivations_under_sparse_weights_score_at_least_as_moses(shared_data: Path, sparse_model: Path):
    """Sparse reordering is not imported: Moses' scores are compared without its share in them."""
    data = shared_data / "moses-sparse"
    weights = dict(line.split() for line in read_lines(data / "weights.sparse.gz"))
    theirs, reordering = [], []
    for _, _, features, total in entries(data / "weighted.cp1000.1best.gz"):
        theirs.append(total)
        share = {name: value for name, value in features.items() if name.startswith("LexicalReordering0_")}
        reordering.append(sum(float(weights.get(name, 0)) * value for name, value in share.items()))
    assert sum(theirs) / SENTENCES == pytest.approx(MOSES, abs=1e-4)
    decoder = PhraseDecoder.open(sparse_model, options=SearchOptions(pop_limit=200, stack_size=200))
    sources = read_lines(shared_data / "multi30k.test_2016.de.xz")[:SENTENCES]
    scores = [found.score for found in decoder.translate_all(sources)]
    assert sum(scores) >= sum(theirs) - sum(reordering)
