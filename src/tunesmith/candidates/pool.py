"""The pool: candidate lists with features, texts and metric statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.candidates.features import Features, check_finite_scores
from tunesmith.candidates.names import count_names
from tunesmith.errors import DegenerateError, InputError
from tunesmith.files import PathLike
from tunesmith.immutable import read_only, seal, unshared
from tunesmith.metrics.base import Metric, Segments
from tunesmith.metrics.parse import MetricSpec, get_metric
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import BoolArray, FloatArray, IntArray, Stats

if TYPE_CHECKING:
    import pandas

    from tunesmith.candidates.folds import Fold
    from tunesmith.candidates.missing import Missing

__all__ = ["Pool"]


@dataclass(frozen=True, eq=False, repr=False)
class Pool:
    """Candidate lists: list g is the candidates `offsets[g]` to `offsets[g + 1]`.

    All arrays are flat, read-only, and may be views of native memory. A pool is immutable: merging,
    sampling and splitting return new pools. Values may share memory with the caller's arrays.
    """

    ids: tuple[str, ...]
    offsets: IntArray
    features: Features
    texts: Texts | None = None
    references: tuple[Texts, ...] = ()
    scores: Mapping[str, FloatArray] = field(default_factory=dict)
    """Metric scores computed elsewhere (COMET, human judgements), one value per candidate."""
    sources: Texts | None = None
    """The source sentences, one per list, if known."""
    totals: FloatArray | None = None
    """The decoder's model scores, if known; no learner uses them."""
    _stats: dict[str, Stats] = field(default_factory=dict, repr=False)
    file_rows: IntArray | None = None
    """The row of each candidate in the file, or in several one after another, if these have another order."""

    noun: ClassVar[str] = "lists"
    texts_noun: ClassVar[str] = "the candidates"
    baseline: ClassVar[str] = "first candidates"

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", unshared(self.offsets))
        _native.check_offsets(self.offsets, len(self.features), "candidate lists")
        sizes = np.diff(self.offsets)
        if len(sizes) == 0:
            raise InputError("a pool needs at least one candidate list, found none")
        if len(self.ids) != len(sizes):
            raise InputError(f"{len(self.ids)} ids for {len(sizes)} candidate lists")
        if not sizes.all():
            raise InputError(f"sentence {self.ids[int(np.argmin(sizes))]!r} has no candidates")
        if self.texts is not None and len(self.texts) != len(self.features):
            raise InputError(f"{len(self.texts)} texts for {len(self.features)} candidates")
        for what, column in [("reference", text) for text in self.references] + [("source", self.sources)]:
            if column is not None and len(column) != len(sizes):
                raise InputError(f"a {what} has {len(column)} lines for {len(sizes)} sentences")
        for name, scores in self.scores.items():
            self._check_column(f"score {name!r}", scores)
        if self.totals is not None:
            self._check_column("total", self.totals)
            object.__setattr__(self, "totals", read_only(self.totals))
        columns = {name: read_only(scores) for name, scores in self.scores.items()}
        object.__setattr__(self, "scores", MappingProxyType(columns))
        object.__setattr__(self, "_stats", {key: read_only(stats) for key, stats in self._stats.items()})
        object.__setattr__(self, "_last_best", (None, None))

    def __reduce__(self) -> tuple[object, ...]:
        values = {option.name: getattr(self, option.name) for option in fields(self)}
        return (Pool, tuple((values | {"scores": dict(self.scores)}).values()))

    def _check_column(self, what: str, column: FloatArray) -> None:
        if np.shape(column) != (len(self.features),):
            raise InputError(
                f"{what}: an array of shape {np.shape(column)} for {len(self.features)} candidates"
            )
        finite = np.isfinite(column)
        if not finite.all():
            raise InputError(f"{what} of candidate {int(np.argmin(finite))} is not finite")

    @staticmethod
    def read(
        path: PathLike | Sequence[PathLike],
        *,
        references: PathLike | Sequence[PathLike] = (),
        format: str | None = None,  # noqa: A002 - the word users know
        allow_missing: bool = False,
        duplicates: Literal["keep", "drop"] | None = None,
        missing: Missing | None = None,
        **options: Any,
    ) -> Pool:
        """Read candidate lists, several files merged; see `tunesmith.candidates.readers.read.read`."""
        from tunesmith.candidates.readers.read import read

        return read(
            path,
            references=references,
            format=format,
            allow_missing=allow_missing,
            duplicates=duplicates,
            missing=missing,
            **options,
        )

    @staticmethod
    def from_arrays(
        features: Any,
        *,
        offsets: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
        names: Sequence[str] | None = None,
        texts: Sequence[Any] | None = None,
        references: Sequence[Any] | None = None,
        scores: Mapping[str, npt.ArrayLike] | None = None,
        ids: Sequence[object] | None = None,
        missing: Missing | None = None,
    ) -> Pool:
        """Build a pool from numpy or scipy arrays; see `tunesmith.candidates.arrays.from_arrays`."""
        from tunesmith.candidates.arrays import from_arrays

        return from_arrays(
            features,
            offsets=offsets,
            groups=groups,
            names=names,
            texts=texts,
            references=references,
            scores=scores,
            ids=ids,
            missing=missing,
        )

    @staticmethod
    def from_pandas(
        frame: pandas.DataFrame,
        *,
        id: str = "id",  # noqa: A002 - the column's name
        text: str | None = "text",
        features: Sequence[str] | None = None,
        scores: Sequence[str] = (),
        references: str | Sequence[str] | None = None,
        missing: Missing | None = None,
    ) -> Pool:
        """Build a pool from a data frame, one row per candidate; see `candidates.frames.from_pandas`."""
        from tunesmith.candidates.frames import from_pandas

        columns: dict[str, Any] = {"id": id, "text": text, "features": features, "scores": scores}
        return from_pandas(frame, **columns, references=references, missing=missing)

    @staticmethod
    def from_records(
        records: Iterable[Mapping[str, Any]],
        *,
        scores: Sequence[str] = (),
        missing: Missing | None = None,
    ) -> Pool:
        """Build a pool from dictionaries, one per candidate; see `candidates.records.from_records`."""
        from tunesmith.candidates.records import from_records

        return from_records(records, scores=scores, missing=missing)

    @staticmethod
    def from_dataset(
        dataset: Any,
        *,
        id: str = "id",  # noqa: A002 - the column's name
        text: str | None = "text",
        features: Sequence[str] | None = None,
        scores: Sequence[str] = (),
        references: str | Sequence[str] | None = None,
        missing: Missing | None = None,
    ) -> Pool:
        """Build a pool from a data set of Hugging Face or the like; see `candidates.records.from_dataset`."""
        from tunesmith.candidates.records import from_dataset

        columns: dict[str, Any] = {"id": id, "text": text, "features": features, "scores": scores}
        return from_dataset(dataset, **columns, references=references, missing=missing)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with one row per candidate; see `candidates.frames.to_pandas`."""
        from tunesmith.candidates.frames import to_pandas

        return to_pandas(self)

    @staticmethod
    def merge(
        pools: Iterable[Pool],
        threads: int | None = None,
        *,
        duplicates: Literal["keep", "drop"] = "drop",
    ) -> Pool:
        """Return the union of pools, list by list, each candidate once; see `candidates.merge.merge`."""
        from tunesmith.candidates.merge import merge

        return merge(pools, threads, duplicates=duplicates)

    def with_scores(
        self,
        values: Mapping[str, npt.ArrayLike] | None = None,
        /,
        *,
        order: Literal["pool", "file"] | None = None,
        **columns: npt.ArrayLike,
    ) -> Pool:
        """Return a pool with further scores: `pool.with_scores(comet=array)`, one value per candidate.

        A mapping takes names that are no Python names. Names must be new. Values are in the order of `texts`,
        or of the file; which of them must be said where these differ (see `file_rows`).
        """
        from tunesmith.candidates.attach import with_scores

        return with_scores(self, {**(values or {}), **columns}, order)

    def with_features(
        self,
        values: Mapping[str, npt.ArrayLike] | npt.ArrayLike | None = None,
        names: Sequence[str] | None = None,
        /,
        *,
        order: Literal["pool", "file"] | None = None,
        **columns: npt.ArrayLike,
    ) -> Pool:
        """Return a pool with further features: `pool.with_features(length=array)`, one value per candidate.

        Or a matrix with names, `pool.with_features(matrix, ["a", "b"])`, or a mapping. Names must be new.
        `order` is as in `with_scores`.
        """
        from tunesmith.candidates.attach import with_features

        return with_features(self, values, names, columns, order)

    def write(self, path: PathLike, format: str | None = None) -> None:  # noqa: A002 - as in read
        """Write the pool as JSONL, Parquet, CSV, TSV, Moses or cdec; see `candidates.writers.write.write`."""
        from tunesmith.candidates.writers.write import write

        write(self, path, format)

    def head(self, n: int) -> Pool:
        """Return the first n candidates of each list; see `tunesmith.candidates.sample.head`."""
        from tunesmith.candidates.sample import head

        return head(self, n)

    def sample(self, n: int, seed: int = 1) -> Pool:
        """Return at most n random candidates of each list; see `tunesmith.candidates.sample.sample`."""
        from tunesmith.candidates.sample import sample

        return sample(self, n, seed)

    def folds(self, k: int, *, seed: int = 1, contiguous: bool = False) -> list[Fold]:
        """Split by sentence into k (train, held-out) pairs; see `tunesmith.candidates.folds.folds`."""
        from tunesmith.candidates.folds import folds

        return folds(self, k, seed=seed, contiguous=contiguous)

    def __repr__(self) -> str:
        return f"<Pool: {len(self)} lists, {self.contents}>"

    def __len__(self) -> int:
        """Return the number of candidate lists (sentences)."""
        return len(self.offsets) - 1

    @property
    def n_candidates(self) -> int:
        """The number of candidates of all lists."""
        return len(self.features)

    @property
    def contents(self) -> str:
        """The size of the pool and its first features, as text."""
        return f"{self.n_candidates} candidates, {count_names(self.feature_names, 'features')}"

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features, in the order of weight arrays."""
        return self.features.names

    def sample_texts(self, most: int) -> Texts | None:
        """Return the first candidate of each of the first lists; None if candidates have no texts."""
        return None if self.texts is None else self.texts.take(self.offsets[:-1][:most])

    def stats(self, metric: MetricSpec, threads: int | None = None) -> Stats:
        """Return the metric's statistics, one row per candidate; computed once per metric."""
        metric = get_metric(metric)
        if metric.signature not in self._stats:
            segments = Segments(self.texts, self.offsets, self.references, self.scores)
            self._stats[metric.signature] = read_only(metric.measure(segments, thread_count(threads)))
        return self._stats[metric.signature]

    def best(self, weights: FloatArray, threads: int | None = None) -> IntArray:
        """Return the row of the best candidate of each list; ties go to the first.

        The rows of the last weights are cached: an objective and the history of a run ask for the same ones.
        """
        key = np.asarray(weights, dtype=np.float64).tobytes()
        last: tuple[bytes | None, IntArray] = self.__dict__["_last_best"]
        if last[0] == key:
            return last[1]
        rows = seal(first_maximum(self.features.dot(weights, threads), self.offsets))
        object.__setattr__(self, "_last_best", (key, rows))
        return rows

    def best_stats(self, metric: Metric, weights: FloatArray, threads: int | None = None) -> Stats:
        """Return the statistics of the best candidate of each list."""
        return self.stats(metric, threads)[self.best(weights, threads)]

    def baseline_stats(self, metric: Metric, start: FloatArray, threads: int | None = None) -> Stats:
        """Return the statistics of the first candidate of each list, for any start weights."""
        return self.stats(metric, threads)[self.offsets[:-1]]

    def fingerprint_arrays(self, metric: Metric, threads: int | None = None) -> list[npt.NDArray[Any]]:
        """Return everything that tuned weights depend on, except the feature names."""
        rows = self.features
        return [self.offsets, rows.offsets, rows.columns, rows.values, self.stats(metric, threads)]

    def refuse_hopeless(self, metric: Metric, free: BoolArray, threads: int | None = None) -> None:
        """Raise DegenerateError if no weights of the `free` features can make a difference."""
        sizes = np.diff(self.offsets)
        if (sizes == 1).all():
            raise DegenerateError("nothing to learn: every list has one candidate only")
        stats = self.stats(metric, threads)
        if np.array_equal(stats, np.repeat(stats[self.offsets[:-1]], sizes, axis=0)):
            raise DegenerateError(
                f"nothing to learn: within every list all {metric.name} statistics are equal"
            )
        # Random weights give candidates that differ in a free feature different scores.
        weights = np.where(free, np.random.default_rng(0).standard_normal(len(free)), 0.0)
        scores = self.features.dot(weights, threads)
        first = np.repeat(scores[self.offsets[:-1]], sizes)
        if not np.any(np.abs(scores - first) > 1e-12 * (1e-300 + np.abs(first))):
            raise DegenerateError("nothing to learn: no tunable feature varies within any list")
        oracle = first_maximum(metric.sentence_gain(stats), self.offsets)
        if metric.higher_is_better and float(metric.score(stats[oracle].sum(axis=0))) == 0.0:
            raise DegenerateError(
                f"nothing to learn: {metric.name} of the best candidates is 0; for short or few sentences "
                "try bleu(order=2) or chrf, and check that the references belong to these candidates"
            )

    def take_lists(self, lists: npt.ArrayLike) -> Pool:
        """Return a pool of the chosen lists, in the given order."""
        chosen = np.asarray(lists, dtype=np.int64)
        sizes = np.diff(self.offsets)[chosen]
        offsets = np.zeros(len(chosen) + 1, dtype=np.int64)
        np.cumsum(sizes, out=offsets[1:])
        rows = np.repeat(self.offsets[:-1][chosen] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return self._select(rows, offsets, chosen)

    def take_rows(self, rows: npt.ArrayLike, *, drop: bool = False) -> Pool:
        """Return a pool of the chosen candidates; rows must increase.

        A list without candidates is an InputError, or is dropped if `drop`.
        """
        chosen = np.asarray(rows, dtype=np.int64)
        offsets = np.searchsorted(chosen, self.offsets).astype(np.int64)
        lists = np.flatnonzero(np.diff(offsets)) if drop else np.arange(len(self))
        return self._select(chosen, np.append(offsets[:-1][lists], len(chosen)), lists)

    def _select(self, rows: IntArray, offsets: IntArray, lists: IntArray) -> Pool:
        in_file = rows if self.file_rows is None else self.file_rows[rows]
        is_ordered = self.file_rows is None and bool((np.diff(rows) >= 0).all())
        return Pool(
            tuple(self.ids[g] for g in lists),
            offsets,
            self.features.take(rows),
            None if self.texts is None else self.texts.take(rows),
            tuple(reference.take(lists) for reference in self.references),
            {name: column[rows] for name, column in self.scores.items()},
            None if self.sources is None else self.sources.take(lists),
            None if self.totals is None else self.totals[rows],
            {signature: stats[rows] for signature, stats in self._stats.items()},
            None if is_ordered else in_file,
        )


def first_maximum(values: FloatArray, offsets: IntArray) -> IntArray:
    """Return for each list the index of its first largest value; values must be finite."""
    check_finite_scores(values)
    largest = np.repeat(np.maximum.reduceat(values, offsets[:-1]), np.diff(offsets))
    hits = np.flatnonzero(values == largest)
    return hits[np.searchsorted(hits, offsets[:-1])].astype(np.int64)
