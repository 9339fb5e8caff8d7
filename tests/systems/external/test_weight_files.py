"""Weights in the forms that decoders read."""

from __future__ import annotations

import pytest

from tunesmith.errors import InputError
from tunesmith.systems.external.weight_files import WEIGHT_FILES, write_labels
from tunesmith.weights import Weights


@pytest.mark.parametrize(
    ("weights", "line"),
    [
        ({"LM0": 0.5, "TM0_0": 0.25, "TM0_1": -1.0}, "LM0= 0.5 TM0= 0.25 -1.0"),
        ({"TM0_0": 1.0, "LM0": 0.5, "TM0_1": 2.0}, "TM0= 1.0 2.0 LM0= 0.5"),
        ({"TM0_1": 2.0, "TM0_0": 1.0}, "TM0_1= 2.0 TM0= 1.0"),
        ({"TM0": 3.0, "TM0_0": 1.0}, "TM0= 3.0 TM0_0= 1.0"),
        ({"a_0_0": 1.0, "a_0_1": 2.0, "größe": 3.0}, "a_0= 1.0 2.0 größe= 3.0"),
    ],
)
def test_components_in_their_order_are_values_of_a_label(tmp_path, weights, line):
    write_labels(Weights(weights), tmp_path / "file")
    assert (tmp_path / "file").read_text(encoding="utf-8") == line + "\n"


def test_a_label_with_a_blank_is_refused(tmp_path):
    with pytest.raises(InputError, match="'a b' contains whitespace"):
        write_labels(Weights({"a b": 1.0}), tmp_path / "file")


def test_each_weight_is_either_dense_or_sparse(tmp_path):
    weights, dense = Weights({"lm": 1.0, "w_1": 2.0, "tm": 3.0}), frozenset(["lm", "tm", "absent"])
    for name in ("weights_moses", "weights_sparse"):
        WEIGHT_FILES[name].write(weights, dense, tmp_path / name)
    assert (tmp_path / "weights_moses").read_text() == "lm= 1.0 tm= 3.0\n"
    assert (tmp_path / "weights_sparse").read_text() == "w_1 2.0\n"


def test_plain_and_json_weights_are_read_back(tmp_path):
    weights = Weights({"lm": 0.1, "größe": -1e-30})
    for name in ("weights", "weights_json"):
        path = tmp_path / WEIGHT_FILES[name].name
        WEIGHT_FILES[name].write(weights, frozenset(), path)
        assert dict(Weights.read(path)) == dict(weights)
