"""A scikit-learn style estimator: rows of features, groups and scores in, a ranking function out."""

from __future__ import annotations

import inspect
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tunesmith.candidates.features import check_finite_scores
from tunesmith.candidates.missing import Missing
from tunesmith.candidates.pool import Pool, first_maximum
from tunesmith.errors import InputError, OptionError
from tunesmith.metrics.precomputed import Precomputed
from tunesmith.tuning.reranker_labels import check_same_rows, group_and_score
from tunesmith.tuning.reranker_rows import (
    check_names,
    column_fill,
    filled_rows,
    list_digests,
    names_of_columns,
    warn_of_torn_lists,
)
from tunesmith.tuning.tuning import tune
from tunesmith.types import FloatArray, IntArray

__all__ = ["Reranker"]


class Reranker:
    """Learns weights that rank the best row of each group first; works with `clone` and cross-validation.

    `fit(X, groups=..., scores=...)` takes one row, one group and one score per candidate, by name only:
    libraries disagree on their order. Scikit-learn's splitters pass only one target: give groups and
    scores as the columns of a matrix, `fit(X, np.column_stack([groups, scores]))`, and split by group
    (`GroupKFold`): other splitters tear lists apart, of which `score` warns. The rows of a group need not be
    contiguous; pandas objects must have the same index in the same order, and a data frame y the columns
    `group` and `score`. X is an array, a list of rows, a data frame or a scipy sparse matrix; its features
    are named f0, f1, ..., or as the columns of the data frame: `predict` and `score` then refuse other names
    and another order, as scikit-learn does.

    A missing value (NaN) is an error, or counts as `missing` says: the least value of its column in the rows
    that were fitted ("worst"), their "mean", 0 ("absent") or a number.

    `options` may contain any other keyword of `tune`: `start`, `bounds`, `frozen`, `replicas`, ... and the
    method's own, such as `k` of pl or `restarts` of mert.
    """

    def __init__(
        self,
        method: str = "mira",
        *,
        higher_is_better: bool = True,
        seed: int = 1,
        l1: float = 0.0,
        l2: float | None = None,
        options: dict[str, Any] | None = None,
        threads: int | None = None,
        missing: Missing | None = None,
    ) -> None:
        self.method = method
        self.higher_is_better = higher_is_better
        self.seed = seed
        self.l1 = l1
        self.l2 = l2
        self.options = options
        self.threads = threads
        self.missing = missing

    def fit(
        self,
        X: Any,
        y: npt.ArrayLike | None = None,
        *unnamed: Any,
        groups: npt.ArrayLike | None = None,
        scores: npt.ArrayLike | None = None,
    ) -> Self:
        """Tune weights for the mean score of the first-ranked rows; `y` is the matrix [groups, scores]."""
        rows, names = _rows(X), names_of_columns(X)
        check_same_rows(X=X, y=y, groups=groups, scores=scores)
        labels, groups, values = _targets("fit", y, unnamed, groups, scores, rows.shape[0])
        fill = column_fill(rows, self.missing)
        rows = filled_rows(rows, fill, names)
        order = np.argsort(groups, kind="stable")
        pool = Pool.from_arrays(
            rows[order], groups=groups[order], names=names, scores={"score": values[order]}
        )
        metric = Precomputed("score", higher_is_better=self.higher_is_better)
        self.result_ = tune(
            pool,
            self.method,
            metric,
            seed=self.seed,
            l1=self.l1,
            l2=self.l2,
            threads=self.threads,
            **(self.options or {}),
        )
        self.coef_ = np.array([self.result_.weights[name] for name in pool.feature_names])
        self.n_features_in_ = len(self.coef_)
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        self._fill, self._lists = fill, list_digests(labels, groups, values)
        return self

    def predict(self, X: Any) -> FloatArray:
        """Return the model score of each row; within a group the largest wins."""
        if not hasattr(self, "coef_"):
            raise OptionError("this Reranker is not fitted yet: call fit first")
        rows, names = _rows(X), names_of_columns(X)
        fitted = getattr(self, "feature_names_in_", None)
        check_names(None if fitted is None else tuple(fitted), names)
        if rows.shape[1] != self.n_features_in_:
            raise InputError(f"expected {self.n_features_in_} features, found {rows.shape[1]}")
        rows = filled_rows(rows, self._fill, names)
        predicted = np.asarray(rows @ self.coef_, dtype=np.float64).reshape(-1)
        check_finite_scores(predicted)
        return predicted

    def score(
        self,
        X: Any,
        y: npt.ArrayLike | None = None,
        *unnamed: Any,
        groups: npt.ArrayLike | None = None,
        scores: npt.ArrayLike | None = None,
    ) -> float:
        """Return the mean score of the first-ranked rows, negated if lower is better; targets as in `fit`.

        Groups that were fitted with other rows are a TunesmithWarning.
        """
        check_same_rows(X=X, y=y, groups=groups, scores=scores)
        predicted = self.predict(X)
        labels, groups, values = _targets("score", y, unnamed, groups, scores, len(predicted))
        warn_of_torn_lists(self._lists, list_digests(labels, groups, values), len(values))
        order = np.argsort(groups, kind="stable")
        starts = np.flatnonzero(np.diff(groups[order], prepend=groups[order][0] - 1))
        offsets = np.append(starts, len(order)).astype(np.int64)
        best = order[first_maximum(predicted[order], offsets)]
        return float(values[best].mean()) * (1.0 if self.higher_is_better else -1.0)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Self:
        """Set constructor arguments by name."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise OptionError(f"Reranker has no parameter {name!r}")
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        from sklearn.base import BaseEstimator

        return BaseEstimator().__sklearn_tags__()

    def __repr__(self) -> str:
        return f"Reranker({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"


def _targets(
    call: str,
    y: npt.ArrayLike | None,
    unnamed: tuple[Any, ...],
    groups: npt.ArrayLike | None,
    scores: npt.ArrayLike | None,
    rows: int,
) -> tuple[npt.NDArray[Any], IntArray, FloatArray]:
    """Return labels, their numbers and scores, from two named arrays or from the two columns of `y`."""
    usage = f"{call}(X, groups=..., scores=...)"
    if unnamed:
        raise OptionError(
            f"{call} takes groups and scores by name only, since their order differs between libraries:"
            f" write {usage}"
        )
    if y is not None:
        labels = np.asarray(group_and_score(y))
        if labels.ndim != 2 or labels.shape[1] != 2:
            raise InputError(
                f"expected a matrix of two columns, group and score, found an array of shape {labels.shape};"
                f" or write {usage}"
            )
        if groups is not None or scores is not None:
            raise OptionError(f"{call}: y has groups and scores already; give either it or both by name")
        labels, scores = labels[:, 0], labels[:, 1]
    elif groups is None or scores is None:
        raise OptionError(f"{call} needs groups and scores: write {usage}")
    else:
        labels = np.asarray(groups)
    values = _floats(scores, "scores")
    if labels.shape != values.shape or labels.ndim != 1:
        raise InputError(f"groups of shape {labels.shape} do not fit scores of shape {values.shape}")
    if len(values) != rows:
        raise InputError(f"{len(values)} groups and scores for {rows} rows of features")
    if rows == 0:
        raise InputError("no rows; expected at least one")
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        raise InputError(f"the group of row {int(np.argmax(np.isnan(labels)))} is nan; expected a label")
    finite = np.isfinite(values)
    if not finite.all():
        row = int(np.argmin(finite))
        raise InputError(f"the score of row {row} is {values[row]}; expected a finite number")
    return labels, np.unique(labels, return_inverse=True)[1].astype(np.int64), values


def _rows(X: Any) -> Any:
    """Return a matrix [rows, features], dense or in compressed rows."""
    if hasattr(X, "iloc"):
        X = _numpy(X)
    matrix = X.tocsr() if hasattr(X, "tocsr") else np.ascontiguousarray(_floats(X, "X"))
    if matrix.ndim != 2:
        raise InputError(f"X: expected a matrix [rows, features], found an array of shape {matrix.shape}")
    return matrix


def _numpy(frame: Any) -> Any:
    try:
        return frame.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):  # texts: reported as entries of other kinds
        return frame.to_numpy()


def _floats(values: npt.ArrayLike, what: str) -> FloatArray:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:  # ragged rows, or entries of other kinds
        raise InputError(f"{what}: expected an array of numbers ({error})") from None
