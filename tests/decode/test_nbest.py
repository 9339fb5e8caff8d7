"""The columns of n-best lists, the same in each batch."""

from __future__ import annotations

import io
import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.candidates import Pool
from tunesmith.candidates.columns import with_columns
from tunesmith.candidates.features import Features
from tunesmith.candidates.writers import WRITERS
from tunesmith.candidates.writers.stream import PoolStream
from tunesmith.decode import DecodeOutputs, PhraseDecoder, SearchOptions
from tunesmith.decode.output.base import Decoded
from tunesmith.decode.output.nbest import Nbest, NbestOptions
from tunesmith.decode.request import Request
from tunesmith.errors import OptionError
from tunesmith.forest.kbest import kbest_pool
from tunesmith.texts import Texts

NAMES = ("b", "a_0", "a_1", "c")

rows = st.lists(
    st.dictionaries(st.sampled_from([*NAMES, "s1", "s2", "s3"]), st.floats(-9, 9)), min_size=1, max_size=6
)


def features_of(records: list[dict[str, float]], names: list[str]) -> Features:
    offsets, columns, values = [0], [], []
    for record in records:
        numbered = sorted((names.index(name), value) for name, value in record.items())
        columns += [column for column, _ in numbered]
        values += [value for _, value in numbered]
        offsets.append(len(columns))
    return Features(
        tuple(names), np.array(offsets), np.array(columns, dtype=np.int32), np.array(values, dtype=float)
    )


def records_of(features: Features) -> list[dict[str, float]]:
    offsets = features.offsets.tolist()
    names = [features.names[column] for column in features.columns.tolist()]
    return [
        dict(zip(names[begin:end], features.values[begin:end].tolist(), strict=True))
        for begin, end in itertools.pairwise(offsets)
    ]


@given(rows, st.permutations([*NAMES, "s1", "s2", "s3"]))
def test_wanted_columns_come_first_and_in_each_row(records, order):
    found = with_columns(features_of(records, list(order)), NAMES)
    assert found.names[: len(NAMES)] == NAMES
    assert records_of(found) == [dict.fromkeys(NAMES, 0.0) | record for record in records]
    # Sparse columns are numbered as they come: a reader numbers them so too, and no header is needed.
    seen = list(dict.fromkeys(name for record in records_of(found) for name in record))
    assert tuple(seen) == found.names


@pytest.mark.parametrize("name", ["moses", "jsonl"])
def test_sparse_features_survive_a_stream_of_batches(tmp_path, name):
    batches = [[{"b": 1.0, "s1": 2.0}], [{"b": 3.0, "s2": 4.0, "s1": 5.0}], [{"c": 1.0}]]
    stream = io.BytesIO()
    pieces = PoolStream(stream, WRITERS[name])
    for number, records in enumerate(batches):
        features = with_columns(features_of(records, [*NAMES, "s2", "s1"]), NAMES)
        pieces.write(Pool((str(number),), np.array([0, 1]), features, Texts.of(["x"])))
    (tmp_path / "lists").write_bytes(stream.getvalue())
    pool = Pool.read(tmp_path / "lists", format=name)
    wanted = [dict.fromkeys(NAMES, 0.0) | record for records in batches for record in records]
    assert records_of(pool.features) == wanted


def test_lists_of_short_sentences_are_all_derivations_in_order(small_model):
    options = SearchOptions(pop_limit=0, stack_size=1 << 20, table_limit=3, distortion_limit=-1)
    decoder = PhraseDecoder.open(small_model, options=options)
    found = decoder.translate("der hund", forest=True)
    stream = io.BytesIO()
    output = Nbest(
        PoolStream(stream, WRITERS["moses"]), NbestOptions(10_000), decoder.weights, decoder.feature_names
    )
    output.write([Decoded(replace(Request("der hund"), id="0"), found)])
    totals = [float(line.split(b" ||| ")[3]) for line in stream.getvalue().splitlines()]
    assert totals == sorted(totals, reverse=True)
    assert math.isclose(totals[0], found.score, abs_tol=1e-4)
    singles = [decoder.model.phrase_table().lookup(word) for word in ("der", "hund")]
    both = decoder.model.phrase_table().lookup("der hund")
    counts = [min(3, len(pairs)) for pairs in (*singles, both)]
    assert len(totals) == 2 * counts[0] * counts[1] + counts[2]


def test_long_lists_are_made_a_sentence_at_a_time(small_model, monkeypatch):
    decoder = PhraseDecoder.open(small_model)
    texts = ["der hund", "ein hund", "der hund"]
    batch = [
        Decoded(Request(text, id=str(number)), decoder.translate(text, forest=True))
        for number, text in enumerate(texts)
    ]
    made: list[int] = []

    def counted(forests, *given, **options):
        made.append(len(forests))
        return kbest_pool(forests, *given, **options)

    monkeypatch.setattr("tunesmith.decode.output.nbest.kbest_pool", counted)
    lists = []
    for size in (100, 1_000_000):
        stream = io.BytesIO()
        options = NbestOptions(size)
        Nbest(PoolStream(stream, WRITERS["moses"]), options, decoder.weights, decoder.feature_names).write(
            batch
        )
        lists.append(stream.getvalue().splitlines())
    assert made == [3, 1, 1, 1]
    assert set(lists[0]) <= set(lists[1])
    with pytest.raises(OptionError, match="nbest_size must be at most 16777216"):
        DecodeOutputs(nbest="x", nbest_size=2**24 + 1)
