"""The options that can be tried, and combinations of their values."""

from __future__ import annotations

import pytest

from tunesmith.errors import OptionError
from tunesmith.metrics import get_metric
from tunesmith.tuning.tried_options import check_methods, parse_tries, parted


def test_values_are_combined_and_read_by_the_types_of_the_options() -> None:
    assert parse_tries(["distortion-limit=6,12"]) == [{"distortion_limit": 6}, {"distortion_limit": 12}]
    assert parse_tries(["--pop-limit=50 100", "early_discard=true,false", "pop-limit=50"]) == [
        {"pop_limit": pops, "early_discard": early} for pops in (50, 100) for early in (True, False)
    ]


def test_methods_their_options_and_those_of_the_loop_can_be_tried() -> None:
    assert parse_tries(["method=mira,mert", "standardize=dense,none"]) == [
        {"method": method, "standardize": which} for method in ("mira", "mert") for which in ("dense", "none")
    ]
    tries = parse_tries(["optimizer-iterations=5,9", "iterations=3", "k=2", "span-limit=7"], "pl")
    assert tries == [
        {"method_optimizer_iterations": each, "iterations": 3, "method_k": 2, "span_limit": 7}
        for each in (5, 9)
    ]
    assert parted(tries[0]) == (
        {"span_limit": 7},
        {"method_optimizer_iterations": 5, "iterations": 3, "method_k": 2},
    )


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("distortion-limit", "try 'distortion-limit': expected an option and values"),
        ("distortion-limit=", "expected an option and values, such as"),
        ("distortion-limits=6,12", "no such option: distortion-limits; did you mean 'distortion-limit'"),
        ("distortion-limit=6", "at least two values"),
        ("distortion-limit=6,x", "distortion-limit: expected a whole number or none, found 'x'"),
        ("distortion-limit=6,-7", "distortion_limit must be at least -1, not -7"),
        ("memory=1G,2G", "no such option: memory"),
        ("arc-features=a,b", "no such option: arc-features"),
        ("seed=1,2", "no such option: seed"),
        ("select=metric,objective", "no such option: select"),
        ("standardise=dense,none", "no such option: standardise; did you mean 'standardize'"),
        ("standardize=dens,none", "standardize cannot be 'dens'; did you mean 'dense'"),
        ("method=mira,mertt", "unknown method 'mertt'; did you mean 'mert'"),
        ("decays=0.9,1", "no such option: decays; did you mean 'decay'"),
        ("k=3,5", "no such option: k"),  # of pl, and mira is in use
        ("iterations=0,5", "loop: iterations must be at least 1, not 0"),
        ("interpolate=0,1", "interpolate must be above 0"),
        ("l1=-1,1", "l1 must be"),
    ],
)
def test_what_cannot_be_tried_is_an_error_before_any_work(given: str, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        parse_tries([given])


@pytest.mark.parametrize(
    ("texts", "given", "complaint"),
    [
        (["method=mira,mert", "decay=0.9,1"], {}, "no such option: decay of mert"),
        (["method=mira,mert"], {"method_c": 0.1}, "no such option: c of mert"),
        (["method-c=-1,1"], {}, "mira: c must be a positive number, not -1"),
        (["method=mira,forest-mert"], {"standardize": True}, "standardize is for methods of candidate lists"),
        (["method=mira,pl", "standardize=mean"], {}, "standardize cannot be 'mean' for pl, only for mira"),
        (["standardize=dense,mean"], {"l2": 0.1}, "standardize cannot be 'mean' with a penalty"),
        (["l1=0,0.1"], {"standardize": "mean"}, "standardize cannot be 'mean' with a penalty"),
        (["nbest=50,100", "method=forest-mert"], {}, "nbest is for methods of candidate lists; forest-mert"),
        (["nbest=50", "method=mira,forest-mert"], {}, "nbest is for methods of candidate lists"),
        (["forest-density=50,200"], {}, "forest_density is for methods that merge the forests .*; mira does"),
        (
            ["forest-density=50,200", "method=forest-risk"],
            {},
            "forest_density is for .*; forest-risk does not",
        ),
        (["method=mira,cobleu", "context=1"], {}, "cobleu needs context to be at least 3, not 1"),
    ],
)
def test_methods_that_cannot_use_the_other_options_are_errors(
    texts: list[str], given: dict[str, object], complaint: str
) -> None:
    with pytest.raises(OptionError, match=complaint):
        check_methods(parse_tries(texts), "mira", given, get_metric("bleu"))


def test_methods_that_cannot_use_the_metric_or_the_search_are_errors() -> None:
    tries = parse_tries(["method=mira,cobleu"])
    with pytest.raises(OptionError, match="ter"):
        check_methods(tries, "mira", {}, get_metric("ter"))
    with pytest.raises(OptionError, match="cobleu needs context to be at least 3, not 2"):
        check_methods(tries, "mira", {}, get_metric("bleu"), {"context": 2})
    check_methods(parse_tries(["forest-density=50,200"]), "forest-mert", {}, get_metric("bleu"))
    check_methods(tries, "mert", {"nbest": 10}, get_metric("bleu"), {"context": 3})
