"""The estimator within scikit-learn."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, cross_val_score, cross_validate

from tunesmith import Reranker
from tunesmith.errors import InputError, OptionError, TunesmithWarning


def planted(seed: int = 1, groups: int = 60, size: int = 8, width: int = 4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(groups * size, width))
    labels = np.repeat(np.arange(groups), size)
    scores = X @ np.array([1.0, -2.0, 0.5, 0.0]) + 0.1 * rng.normal(size=len(X))
    return X, labels, scores


@pytest.mark.parametrize("method", ["mert", "mira", "pl", "pro"])
def test_it_finds_planted_weights(method: str) -> None:
    X, groups, scores = planted()
    reranker = Reranker(method=method).fit(X, groups=groups, scores=scores)
    cosine = reranker.coef_ @ [1, -2, 0.5, 0] / np.linalg.norm(reranker.coef_) / np.linalg.norm([1, -2, 0.5])
    assert cosine > 0.97
    best = np.max(scores.reshape(60, 8), axis=1).mean()
    assert reranker.score(X, groups=groups, scores=scores) > 0.97 * best


def test_rows_may_come_in_any_order() -> None:
    X, groups, scores = planted()
    order = np.random.default_rng(0).permutation(len(X))
    shuffled = Reranker("mira").fit(X[order], groups=groups[order], scores=scores[order])
    sorted_rows = Reranker("mira").fit(X, groups=groups, scores=scores)
    best = sorted_rows.score(X, groups=groups, scores=scores)
    assert shuffled.score(X, groups=groups, scores=scores) > 0.95 * best


def test_it_clones_and_cross_validates() -> None:
    X, groups, scores = planted()
    target = np.column_stack([groups, scores])
    reranker = Reranker("mert", options={"restarts": 2})
    assert clone(reranker).get_params() == reranker.get_params()
    folds = cross_val_score(reranker, X, target, groups=groups, cv=GroupKFold(3))
    assert len(folds) == 3
    assert folds.mean() > 1.0
    search = GridSearchCV(Reranker("pl"), {"l2": [0.1, 10.0]}, cv=GroupKFold(3))
    assert search.fit(X, target, groups=groups).best_params_["l2"] in (0.1, 10.0)


def test_sparse_rows_give_the_same_weights_as_dense_ones() -> None:
    X, groups, scores = planted()
    dense = Reranker("pl").fit(X, groups=groups, scores=scores)
    np.testing.assert_allclose(
        Reranker("pl").fit(sparse.csr_array(X), groups=groups, scores=scores).coef_, dense.coef_
    )


def test_less_can_be_better() -> None:
    X, groups, scores = planted()
    reranker = Reranker("mert", higher_is_better=False).fit(X, groups=groups, scores=scores)
    assert reranker.coef_[1] > 0


def test_misuse_is_an_error_that_helps() -> None:
    X, groups, scores = planted()
    with pytest.raises(OptionError, match="not fitted"):
        Reranker().predict(X)
    with pytest.raises(InputError, match="two columns"):
        Reranker().fit(X, groups)
    with pytest.raises(OptionError, match="no parameter"):
        Reranker().set_params(metod="pl")
    with pytest.raises(InputError, match="4 features"):
        Reranker("mira").fit(X, groups=groups, scores=scores).predict(X[:, :2])


def test_groups_and_scores_are_taken_by_name_only() -> None:
    """LightGBM's order, (X, y, group), was taken as (X, groups, scores)."""
    X, groups, scores = planted(groups=10)
    fitted = Reranker("mira").fit(X, groups=groups, scores=scores)
    for call in (fitted.fit, fitted.score):
        name = call.__name__
        with pytest.raises(OptionError, match=rf"by name only.*{name}\(X, groups=..., scores=...\)"):
            call(X, scores, groups)
        with pytest.raises(OptionError, match=f"{name} needs groups and scores"):
            call(X, groups=groups)
        with pytest.raises(OptionError, match="y has groups and scores already"):
            call(X, np.column_stack([groups, scores]), groups=groups)


def test_lists_and_data_frames_are_taken_wherever_arrays_are() -> None:
    X, groups, scores = planted()
    reranker = Reranker("mira").fit(X.tolist(), groups=groups.tolist(), scores=scores.tolist())
    expected = Reranker("mira").fit(X, groups=groups, scores=scores)
    np.testing.assert_array_equal(reranker.coef_, expected.coef_)
    for rows in (X.tolist(), pd.DataFrame(X), sparse.coo_array(X)):
        np.testing.assert_allclose(reranker.predict(rows), expected.predict(X))
        assert reranker.score(rows, groups=groups.tolist(), scores=scores.tolist()) == expected.score(
            X, groups=groups, scores=scores
        )


def test_options_take_any_keyword_of_tune() -> None:
    X, groups, scores = planted()
    options = {"bounds": {"f1": (-0.5, 0.5)}, "start": {"f0": 0.25}, "frozen": ["f0"], "k": 2}
    weights = Reranker("pl", options=options).fit(X, groups=groups, scores=scores).coef_
    assert weights[0] == 0.25
    assert weights[1] == -0.5  # the planted one is -2
    with pytest.raises(OptionError, match="did you mean 'k'"):
        Reranker("pl", options={"kk": 2}).fit(X, groups=groups, scores=scores)


NAN = float("nan")


@pytest.mark.parametrize(
    ("rows", "groups", "scores", "complaint"),
    [
        (np.zeros((0, 2)), [], [], "no rows"),
        ([[1, 2], [2, 1]], [0, 0], [1.0, NAN], "the score of row 1 is nan"),
        ([[1, 2], [2, 1]], [0, NAN], [1.0, 1.0], "the group of row 1 is nan"),
        ([[1, 2], [2, NAN]], [0, 0], [1.0, 1.0], "feature 'f1' has no value in row 1"),
        ([[1, 2], [2, 1]], [0, 0, 0], [1.0, 1.0, 1.0], "3 groups and scores for 2 rows"),
        ([[1, 2], [2]], [0, 0], [1.0, 1.0], "X: expected an array of numbers"),
        ([1, 2], [0, 0], [1.0, 1.0], r"found an array of shape \(2,\)"),
        ([[1, 2], [2, 1]], [0, 0], ["x", "y"], "scores: expected an array of numbers"),
    ],
)
def test_bad_rows_groups_and_scores_are_refused(rows, groups, scores, complaint) -> None:
    X = np.random.default_rng(1).normal(size=(40, 2))
    fitted = Reranker("mira").fit(X, groups=np.repeat(np.arange(10), 4), scores=X[:, 0])
    for call in (fitted.score, Reranker("mira").fit):
        with pytest.raises(InputError, match=complaint):
            call(rows, groups=groups, scores=scores)


def test_a_data_frame_with_other_columns_is_refused() -> None:
    X, groups, scores = planted()
    frame = pd.DataFrame(X, columns=["lm", "tm", "length", "rare"])
    reranker = Reranker("pl").fit(frame, groups=groups, scores=scores)
    assert list(reranker.feature_names_in_) == list(frame)
    assert list(reranker.result_.weights) == list(frame)
    assert reranker.predict(frame).tolist() == (X @ reranker.coef_).tolist()
    with pytest.raises(InputError, match="the same names in another order"):
        reranker.predict(frame[frame.columns[::-1]])
    with pytest.raises(InputError, match="unseen at fit: 'bleu'; missing now: 'lm'"):
        reranker.score(frame.rename(columns={"lm": "bleu"}), groups=groups, scores=scores)
    with pytest.warns(TunesmithWarning, match="fitted with feature names, but X has none"):
        assert reranker.predict(X).tolist() == reranker.predict(frame).tolist()
    reranker.fit(X, groups=groups, scores=scores)
    assert not hasattr(reranker, "feature_names_in_")
    with pytest.warns(TunesmithWarning, match="fitted without feature names, but X has them"):
        reranker.predict(frame)
    with pytest.raises(InputError, match="some names of columns are texts and some are not"):
        reranker.predict(frame.rename(columns={"lm": 0}))


def test_other_lists_that_are_numbered_from_zero_too_are_not_taken_for_torn_ones() -> None:
    X, groups, scores = planted()
    fitted = Reranker("pl").fit(X, groups=groups, scores=scores)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted.score(X, groups=groups, scores=scores[::-1])
        some = np.random.default_rng(1).random(len(groups)) < np.where(groups % 2, 0.5, 1.1)
        fitted.score(X[some], groups=groups[some], scores=scores[some] + 1)


def test_lists_that_a_splitter_tears_apart_are_reported() -> None:
    X, groups, scores = planted()
    target = np.column_stack([groups, scores])
    with pytest.warns(TunesmithWarning, match=r"of \d+ groups, such as .* split by group, with GroupKFold"):
        cross_val_score(Reranker("pl"), X, target, cv=KFold(3, shuffle=True, random_state=1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cross_validate(Reranker("pl"), X, target, groups=groups, cv=GroupKFold(3), return_train_score=True)
        order = np.random.default_rng(3).permutation(len(X))
        fitted = Reranker("pl").fit(X, groups=groups, scores=scores)
        shuffled = fitted.score(X[order], groups=groups[order], scores=scores[order])
    assert shuffled == fitted.score(X, groups=groups, scores=scores)


def test_scoring_groups_of_one_row_is_reported() -> None:
    X, groups, scores = planted()
    fitted = Reranker("pl").fit(X, groups=groups, scores=scores)
    with pytest.warns(TunesmithWarning, match="every group has one row only: there is nothing to choose"):
        fitted.score(X[:3], groups=["a", "b", "c"], scores=scores[:3])


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array, lambda X: pd.DataFrame(X).add_prefix("x")])
def test_missing_values_are_refused_or_count_as_asked(make) -> None:
    X, groups, scores = planted()
    X = np.abs(X) + 1
    gaps = X.copy()
    gaps[5, 2] = np.nan
    with pytest.raises(
        InputError, match=r"X: feature '[fx]2' has no value in row 5, one of 1 without a value"
    ):
        Reranker("pl").fit(make(gaps), groups=groups, scores=scores)
    known = np.delete(X[:, 2], 5)
    for rule in ("worst", "mean"):
        none = make(np.where(np.arange(4) == 2, np.nan, X))
        with pytest.raises(InputError, match=r"feature '[fx]2' has no value in row 0, one of 480"):
            Reranker("pl", missing=rule).fit(none, groups=groups, scores=scores)
    for rule, value in (("worst", known.min()), ("mean", known.mean()), ("absent", 0.0), (0.25, 0.25)):
        reranker = Reranker("pl", missing=rule).fit(make(gaps), groups=groups, scores=scores)
        filled = X.copy()
        filled[5, 2] = value
        same = Reranker("pl").fit(make(filled), groups=groups, scores=scores)
        np.testing.assert_allclose(reranker.coef_, same.coef_)
        assert reranker.predict(make(gaps[5:6]))[0] == pytest.approx(filled[5] @ same.coef_)


def test_pandas_objects_of_other_rows_are_refused_instead_of_taken_by_place() -> None:
    X, groups, scores = planted(groups=5)
    frame = pd.DataFrame(X, columns=["am", "lm", "tm", "length"])
    frame["id"], frame["score"] = groups, scores
    features = frame[["am", "lm", "tm", "length"]]
    order = np.random.default_rng(0).permutation(len(frame))
    shuffled = frame.score.iloc[order]
    fitted = Reranker("mira").fit(features, groups=frame.id, scores=frame.score)
    said = r"scores: its rows have other labels than those of X, .*align them: scores\.loc\[X\.index\]"
    for call in (fitted.fit, fitted.score):
        with pytest.raises(InputError, match=said):
            call(features, groups=frame.id, scores=shuffled)
        with pytest.raises(InputError, match="scores: its rows have other labels than those of groups"):
            call(X, groups=frame.id, scores=shuffled)
        with pytest.raises(InputError, match="y: its rows have other labels"):
            call(features, frame[["id", "score"]].set_axis(["group", "score"], axis=1).iloc[order])
    expected = fitted.score(features, groups=frame.id, scores=frame.score)
    aligned = shuffled.loc[features.index]
    assert fitted.score(features, groups=frame.id, scores=aligned) == expected
    assert fitted.score(features, groups=groups, scores=scores) == expected
    Reranker("mira").fit(features, groups=frame.id, scores=shuffled.to_numpy())


def test_columns_of_a_target_frame_are_taken_by_name() -> None:
    X, groups, scores = planted(groups=20)
    frame = pd.DataFrame({"score": scores, "group": groups})
    by_place = Reranker("mira").fit(X, np.column_stack([groups, scores]))
    for target in (frame, frame[["group", "score"]], pd.DataFrame(np.column_stack([groups, scores]))):
        assert np.array_equal(Reranker("mira").fit(X, target).coef_, by_place.coef_)
    with pytest.raises(InputError, match="expected the columns 'group' and 'score', found 'score', 'id'"):
        Reranker("mira").fit(X, frame.rename(columns={"group": "id"}))
    with pytest.raises(InputError, match="expected the columns 'group' and 'score'"):
        by_place.score(X, frame.rename(columns={"group": "id"}))
