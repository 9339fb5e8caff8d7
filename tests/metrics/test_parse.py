from __future__ import annotations

import re

import pytest

from tunesmith.errors import OptionError
from tunesmith.metrics import Bleu, Chrf, Combined, Precomputed, Ter, get_metric, get_metrics, parse_metric


def test_a_name_is_the_plain_metric() -> None:
    assert parse_metric("bleu") == Bleu()
    assert parse_metric(" ( ter ) ") == Ter()
    assert parse_metric("chrf++") == Chrf(word_order=2)


def test_options_stand_in_parentheses() -> None:
    text = "bleu(order=2, tokenize='13a', lowercase=True)"
    assert parse_metric(text) == Bleu(order=2, tokenize="13a", lowercase=True)
    assert parse_metric('precomputed("comet")') == Precomputed("comet")
    assert parse_metric("bleu(smooth='floor', smooth_value=1e-2)") == Bleu(smooth="floor", smooth_value=0.01)
    assert parse_metric("chrf++(beta=1)") == Chrf(word_order=2, beta=1)


def test_values_of_named_options_need_no_quotes() -> None:
    words = "bleu(order=2, tokenize = 13a, sentence=add-one-all, lowercase=true)"
    assert parse_metric(words) == Bleu(order=2, tokenize="13a", sentence="add-one-all", lowercase=True)
    assert parse_metric("1 - wer(tokenize=intl)") == 1 - parse_metric("wer(tokenize='intl')")
    assert parse_metric("bleu(smooth=floor,smooth_value=1e-2)") == Bleu(smooth="floor", smooth_value=0.01)
    assert get_metrics("bleu(tokenize=13a), ter") == [Bleu(tokenize="13a"), Ter()]


def test_quoted_values_stay_as_they_are() -> None:
    assert parse_metric("precomputed(column='a=b, (c=13a)')") == Precomputed("a=b, (c=13a)")
    assert parse_metric(r"precomputed(column='it\'s=x,')") == Precomputed("it's=x,")


def test_operators_on_metrics_say_the_same_as_text() -> None:
    assert parse_metric("0.5*bleu + 0.5*(1-ter)") == 0.5 * Bleu() + 0.5 * (1 - Ter())
    assert parse_metric("-ter/2") == -Ter() / 2
    assert parse_metric("2*3*bleu - 1/4") == 6 * Bleu() - 0.25
    assert parse_metric("+chrf++ + bleu") == Chrf(word_order=2) + Bleu()


def test_a_metric_passes_through() -> None:
    metric = 1 - Ter()
    assert get_metric(metric) is metric


@pytest.mark.parametrize(
    "text",
    ["bleu", "chrf++", "0.5*bleu + 0.5*(1 - ter)", "precomputed(column='x')", "chrf(word_order=2, beta=1.0)"],
)
def test_a_label_can_be_read_back(text: str) -> None:
    assert parse_metric(text).label == text
    assert parse_metric(parse_metric(text).label) == parse_metric(text)


def test_several_metrics_are_separated_by_commas() -> None:
    assert get_metrics("bleu, chrf(char_order=4, beta=1), ter") == [Bleu(), Chrf(char_order=4, beta=1), Ter()]
    assert get_metrics("bleu") == get_metrics(["bleu"]) == get_metrics(Bleu()) == [Bleu()]
    assert get_metrics([Bleu(), "1 - ter"]) == [Bleu(), 1 - Ter()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("blue", "did you mean 'bleu'"),
        ("comet", "unknown metric 'comet'"),
        ("bleu(ordr=2)", "did you mean 'order'"),
        ("bleu(order=2, order=3)", "once"),
        ("bleu(2, order=3)", "given twice"),
        ("ter(True, True, True, True, True)", "5 values for 4 options"),
        ("bleu(order=n)", "whole number, not 'n'"),
        ("bleu(order=2-1)", "whole number"),
        ("bleu(2-1)", "not a literal"),
        ("bleu(tokenize=13b)", "did you mean '13a'"),
        ("bleu(tokenize=13a", "in quotes on a command line"),
        ("bleu(**{'order': 2})", "name=value"),
        ("bleu(*[2])", "not a literal"),
        ("precomputed(comet)", "quotes"),
        ("bleu ** 2", "not allowed"),
        ("bleu if ter else chrf", "not allowed"),
        ("bleu.order", "not allowed"),
        ("[bleu]", "not allowed"),
        ("'bleu'", "not allowed"),
        ("True * bleu", "not allowed"),
        ("__import__('os').system('true')", "not allowed"),
        ("0.5*bleu +", "cannot read"),
        ("bleu; ter", "cannot read"),
        ("bleu, ter", "not allowed"),
        ("bleu\0", "cannot read"),
        ("3 + 4", "is a number"),
        ("", "expected a metric"),
        ("bleu / (1 - 1)", "divides by zero"),
        ("1 / 0 * bleu", "/ 0"),
        ("bleu(order={[]})", "not a literal"),
        ("bleu({{}: 1})", "not a literal"),
        ("9" * 400 + " * bleu", "the number 99999999999999999999... in a metric is too large"),
        ("1 / " + "9" * 400 + " * bleu", "too large"),
        ("9" * 5000 + " * bleu", "cannot read '999"),
        ("1e400 * bleu", "too large"),
        ("chrf(beta=1e308)", "beta must be more than 0, at most 1e6"),
        ("bleu(order=" + "9" * 400 + ")", "at most 64 bits"),
        ("-" * 200 + "bleu", "nested too deeply"),
        ("bleu" + " + bleu" * 2000, "nested too deeply"),
        ("(" * 5000 + "bleu" + ")" * 5000, "cannot read"),
        ("bleu(tokenize='" + "x" * 5000 + "')", "tokenize"),
    ],
)
def test_what_is_not_a_metric_is_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)) as error:
        get_metric(text)
    assert len(str(error.value)) < 500
    with pytest.raises(OptionError):
        get_metrics(text, tokenize="13a") if text != "bleu, ter" else get_metric(text)


@pytest.mark.parametrize(
    "text", ["bleu + ter", "bleu - chrf", "bleu - bleu", "bleu*ter", "1 / (bleu - chrf)"]
)
def test_parts_that_pull_in_different_directions_are_refused(text: str) -> None:
    with pytest.raises(OptionError, match="is not a metric"):
        get_metric(text)


@pytest.mark.parametrize(
    ("text", "higher"),
    [("bleu - ter", True), ("ter + wer", False), ("-bleu", False), ("bleu*(1-ter)", True), ("1/ter", True)],
)
def test_the_parts_decide_whether_more_is_better(text: str, higher: bool) -> None:
    metric = get_metric(text)
    assert isinstance(metric, Combined)
    assert metric.higher_is_better is higher
