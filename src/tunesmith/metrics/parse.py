"""Metrics from text: `bleu`, `bleu(order=2, tokenize="13a")`, `0.5*bleu + 0.5*(1-ter)`.

The grammar is that of Python expressions with + - * / and unary signs, parentheses, numbers, names
of metrics, and calls of them with literal options. Only the syntax tree is read; nothing is executed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from tunesmith.errors import OptionError
from tunesmith.metrics.base import METRICS, Metric
from tunesmith.metrics.chrf import Chrf
from tunesmith.metrics.combined import combine
from tunesmith.metrics.function import function_metric
from tunesmith.metrics.options import configure

__all__ = ["MetricSpec", "get_metric", "get_metrics", "parse_metric"]

_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_CHRF_PLUS_PLUS = "chrf_plus_plus"  # the spelling of `chrf++` as an identifier


MetricSpec: TypeAlias = str | Metric | Callable[[str, Sequence[str]], Any]
"""A metric, a text that describes one, or a function of a hypothesis and its references."""


def get_metric(spec: MetricSpec) -> Metric:
    """Return the metric itself, the one that a text describes, or the mean of a function's scores."""
    if isinstance(spec, Metric):
        return spec
    if callable(spec) and not isinstance(spec, type):
        return function_metric(spec)
    return parse_metric(spec)  # type: ignore[arg-type]  # reports what is no text


def get_metrics(specs: MetricSpec | Iterable[MetricSpec]) -> list[Metric]:
    """Return several metrics, from a list or from a text such as `bleu, chrf, ter(normalized=True)`."""
    if isinstance(specs, str):
        tree = _tree(specs)
        nodes = tree.elts if isinstance(tree, ast.Tuple) else [tree]
        return [_metric(node, specs) for node in nodes]
    if isinstance(specs, Metric) or callable(specs):
        return [get_metric(specs)]
    return [get_metric(spec) for spec in specs]


def parse_metric(text: str) -> Metric:
    """Return the metric that a text describes; a misspelt name is an OptionError with a suggestion."""
    return _metric(_tree(text), text)


def _tree(text: str) -> ast.expr:
    if not isinstance(text, str) or not text.strip():
        raise OptionError(f"expected a metric such as 'bleu' or '0.5*bleu + 0.5*(1-ter)', found {text!r}")
    try:
        return ast.parse(text.strip().replace("chrf++", _CHRF_PLUS_PLUS), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise OptionError(f"cannot read {text!r} as an expression of metrics") from None


def _metric(node: ast.expr, text: str) -> Metric:
    try:
        value = _value(node)
    except RecursionError:
        raise OptionError(f"the metric {text[:40]!r}... is nested too deeply") from None
    if isinstance(value, Metric):
        return value
    raise OptionError(f"{text!r} is a number, not a metric")


def _value(node: ast.expr) -> Metric | float:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id=name):
            return _build(name, (), {})
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            return _build(name, tuple(_literal(argument) for argument in args), _keywords(keywords))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            return _apply(_OPERATORS[type(operator)], _value(left), _value(right))
    shown = ast.unparse(node).replace(_CHRF_PLUS_PLUS, "chrf++")
    raise OptionError(f"{shown!r} is not allowed in a metric; use names, numbers, + - * / and parentheses")


def _apply(operator: str, left: Metric | float, right: Metric | float) -> Metric | float:
    if isinstance(left, Metric) or isinstance(right, Metric):
        return combine(operator, left, right)
    if operator == "/":
        if right == 0:
            raise OptionError(f"{left} / 0 in a metric")
        return left / right
    return {"+": left + right, "-": left - right, "*": left * right}[operator]


def _build(name: str, values: tuple[object, ...], options: dict[str, object]) -> Metric:
    if name == _CHRF_PLUS_PLUS:
        return configure(Chrf, values, {"word_order": 2} | options)
    return configure(METRICS[name], values, options)


def _keywords(keywords: list[ast.keyword]) -> dict[str, object]:
    options: dict[str, object] = {}
    for keyword in keywords:
        if keyword.arg is None or keyword.arg in options:
            shown = ast.unparse(keyword)
            raise OptionError(f"{shown!r} is not allowed here; write each option once, as name=value")
        options[keyword.arg] = _literal(keyword.value)
    return options


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except ValueError:
        shown = ast.unparse(node)
        raise OptionError(f"option value {shown!r} is not a literal; put texts in quotes") from None
