"""Candidate lists with thousands of sparse features: decoded once, cut to the features that vary most."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import scipy.sparse

from experiments.pl.setting import Setting
from experiments.pl.templates import Fertility, LexicalPairs
from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.decode.chart import ChartDecoder
from tunesmith.features import PhraseLength
from tunesmith.files import open_write
from tunesmith.forest import kbest_pool
from tunesmith.model import Model
from tunesmith.texts import Texts
from tunesmith.types import BoolArray, IntArray

CANDIDATES = 300
SPARSE = 7440
BATCH = 50
"""Sentences whose forests are held at once."""


def decoded(setting: Setting, part: str, model: Path, weights: Mapping[str, float] | None) -> Pool:
    """Return the candidates of a set with all features, from a file if they were decoded before."""
    kept = setting.out / "figure1" / f"{part}.pool"
    if kept.exists():
        with kept.open("rb") as stream:
            known: Pool = pickle.load(stream)
        return known
    opened = Model.open(model)
    decoder = ChartDecoder(opened, weights, templates=[LexicalPairs(), Fertility(), PhraseLength()])
    parts, sources = [], setting.lines(part, "de")
    for begin in range(0, len(sources), BATCH):
        batch = sources[begin : begin + BATCH]
        found = decoder.translate_all(batch, forest=True, threads=setting.threads)
        forests = [each.forest for each in found if each.forest is not None]
        ids = [str(begin + i) for i in range(len(batch))]
        parts.append(kbest_pool(forests, decoder.weights, CANDIDATES, unique=True, ids=ids, missing=0.0))
        print(f"{part}: {begin + len(batch)} of {len(sources)} sentences", flush=True)
    pool = Pool.merge(parts, setting.threads)
    pool = dataclasses.replace(pool, references=(Texts.of(setting.lines(part, "en")),))
    kept.parent.mkdir(parents=True, exist_ok=True)
    with open_write(kept) as stream:
        pickle.dump(pool, stream)
    return pool


def lists_of_variation(pool: Pool) -> IntArray:
    """Return for each feature the number of lists whose candidates do not all have the same value."""
    varies = np.zeros(pool.features.width, dtype=np.int64)
    features = pool.features
    for begin, end in zip(pool.offsets[:-1], pool.offsets[1:], strict=True):
        rows = slice(features.offsets[begin], features.offsets[end])
        order = np.argsort(features.columns[rows], kind="stable")
        columns, values = features.columns[rows][order], features.values[rows][order]
        first = np.flatnonzero(np.diff(columns, prepend=-1))
        if not len(first):
            continue
        counts = np.diff(first, append=len(columns))
        spread = np.maximum.reduceat(values, first) != np.minimum.reduceat(values, first)
        absent = (counts < end - begin) & (np.maximum.reduceat(np.abs(values), first) > 0)
        varies[columns[first[spread | absent]]] += 1
    return varies


def chosen_features(pool: Pool, dense: Sequence[str], sparse: int = SPARSE) -> list[str]:
    """Return the dense features, and the sparse ones that vary in the most lists; of equal ones by name."""
    varies = dict(zip(pool.feature_names, lists_of_variation(pool).tolist(), strict=True))
    others = sorted(
        (name for name, lists in varies.items() if lists and name not in set(dense)),
        key=lambda name: (-varies[name], name),
    )
    return [*dense, *others[:sparse]]


def with_features(pool: Pool, names: Sequence[str]) -> Pool:
    """Return the same candidates with these features, in this order; those that a pool lacks are 0."""
    known = {name: column for column, name in enumerate(pool.feature_names)}
    features = pool.features
    matrix = scipy.sparse.csr_array(
        (features.values, features.columns, features.offsets), shape=(len(features), features.width)
    )
    place = {known[name]: at for at, name in enumerate(names) if name in known}
    entries = np.array([1.0] * len(place))
    move = scipy.sparse.csr_array(
        (entries, (list(place), list(place.values()))), shape=(features.width, len(names))
    )
    return dataclasses.replace(pool, features=Features.from_scipy(matrix @ move, names), totals=None)


def dense_features(model: Path, pool: Pool) -> list[str]:
    """Return the model's own features, in the pool's order."""
    own = set(Model.open(model).weights)
    is_own: BoolArray = np.array([name in own for name in pool.feature_names])
    return [pool.feature_names[column] for column in np.flatnonzero(is_own)]
