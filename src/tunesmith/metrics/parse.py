"""Metrics from text: `bleu`, `bleu(order=2, tokenize=13a)`, `0.5*bleu + 0.5*(1-ter)`.

The grammar is that of Python expressions with + - * / and unary signs, parentheses, numbers, names
of metrics, and calls of them with literal options, in which the value of a named option may be a word without
quotes (`13a`, `add-one`). Only the syntax tree is read; nothing is executed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from tunesmith.errors import OptionError
from tunesmith.metrics.base import METRICS, Metric
from tunesmith.metrics.chrf import Chrf
from tunesmith.metrics.combined import combine
from tunesmith.metrics.function import function_metric
from tunesmith.metrics.options import configure
from tunesmith.metrics.tokenization import check_tokenizer
from tunesmith.options import LARGEST, option_types

__all__ = ["MetricSpec", "get_metric", "get_metrics", "parse_metric"]

_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_CHRF_PLUS_PLUS = "chrf_plus_plus"  # the spelling of `chrf++` as an identifier
# A text in quotes, or the word after an equals sign up to the next comma or parenthesis.
_VALUES = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|(?P<equals>=\s*)(?P<word>[\w.+-]+)(?=\s*[,)])""")
DEEPEST = 100
"""Levels of operations in each other; a sum of n terms has n of them."""

MetricSpec: TypeAlias = str | Metric | Callable[[str, Sequence[str]], Any]
"""A metric, a text that describes one, or a function of a hypothesis and its references."""


def get_metric(spec: MetricSpec) -> Metric:
    """Return the metric itself, the one that a text describes, or the mean of a function's scores."""
    if isinstance(spec, Metric):
        return spec
    if callable(spec) and not isinstance(spec, type):
        return function_metric(spec)
    return parse_metric(spec)  # type: ignore[arg-type]  # reports what is no text


def get_metrics(specs: MetricSpec | Iterable[MetricSpec], *, tokenize: str | None = None) -> list[Metric]:
    """Return several metrics, from a list or from a text such as `bleu, chrf, ter(normalized=True)`.

    `tokenize` is the tokenizer of those metrics in texts that have this option and do not set it; an
    OptionError if there are none.
    """
    given = [specs] if isinstance(specs, str | Metric) or callable(specs) else specs
    if tokenize is not None:
        return _tokenized(given, tokenize)
    if isinstance(specs, str):
        return [_metric(node, specs) for node in _nodes(specs)]
    return [get_metric(spec) for spec in given]


def _nodes(text: str) -> list[ast.expr]:
    tree = _tree(text)
    return tree.elts if isinstance(tree, ast.Tuple) else [tree]


def _tokenized(specs: Iterable[MetricSpec], tokenize: str) -> list[Metric]:
    """Return the metrics, with a tokenizer for each call in texts that could have one and names none."""
    check_tokenizer(tokenize)
    adding = _Tokenizing(tokenize)
    metrics: list[Metric] = []
    for spec in specs:
        if isinstance(spec, str):
            metrics += [_metric(adding.visit(node), spec) for node in _nodes(spec)]
        else:
            metrics.append(get_metric(spec))
    if not adding.used:
        raise OptionError(
            "no metric takes the {}: it is for metrics of words, such as bleu and wer", "tokenize"
        )
    return metrics


class _Tokenizing(ast.NodeTransformer):
    """Adds `tokenize="..."` to the metrics of a syntax tree."""

    def __init__(self, tokenize: str) -> None:
        self.tokenize, self.used = tokenize, False

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Turn `bleu` into a call."""
        return self.visit_Call(ast.Call(node, [], []))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Add the keyword unless it is there."""
        if not (isinstance(node.func, ast.Name) and node.func.id in METRICS):
            return node
        options = list(option_types(METRICS[node.func.id]))
        given = [*options[: len(node.args)], *(keyword.arg for keyword in node.keywords)]
        if "tokenize" not in options or "tokenize" in given:
            return node
        self.used = True
        keyword = ast.keyword("tokenize", ast.Constant(self.tokenize))
        return ast.Call(node.func, node.args, [*node.keywords, keyword])


def parse_metric(text: str) -> Metric:
    """Return the metric that a text describes; a misspelt name is an OptionError with a suggestion."""
    return _metric(_tree(text), text)


def _tree(text: str) -> ast.expr:
    if not isinstance(text, str) or not text.strip():
        raise OptionError(f"expected a metric such as 'bleu' or '0.5*bleu + 0.5*(1-ter)', found {text!r}")
    try:
        quoted = _VALUES.sub(_quote, text.strip())
        tree = ast.parse(quoted.replace("chrf++", _CHRF_PLUS_PLUS), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise OptionError(
            f"cannot read {text!r:.200} as an expression of metrics; expected one such as"
            " 'bleu(tokenize=13a)' or '0.5*bleu + 0.5*(1-ter)', in quotes on a command line"
        ) from None
    if _is_deep(tree):
        raise OptionError(
            f"the metric {text[:40]!r}... is nested too deeply; expected a depth of at most {DEEPEST}"
        )
    return tree


def _quote(found: re.Match[str]) -> str:
    """Return the value of an option in quotes if it is a word, not a number, True, False or None."""
    word = found["word"]
    if word is None:
        return found[0]
    if word in ("true", "false"):
        return f"{found['equals']}{word.title()}"
    try:
        ast.literal_eval(word)
    except (SyntaxError, ValueError):
        return f"{found['equals']}{word!r}"
    return found[0]


def _metric(node: ast.expr, text: str) -> Metric:
    value = _value(node)
    if isinstance(value, Metric):
        return value
    raise OptionError(f"{text!r:.200} is a number, not a metric")


def _is_deep(node: ast.AST) -> bool:
    level = [node]
    for _ in range(DEEPEST):
        level = [inner for each in level for inner in ast.iter_child_nodes(each)]
    return bool(level)


def _value(node: ast.expr) -> Metric | float:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _number(number)
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
    raise OptionError(
        f"{shown!r:.200} is not allowed in a metric; use names, numbers, + - * / and parentheses"
    )


def _number(number: float) -> float:
    if not abs(number) <= LARGEST:
        raise OptionError(f"the number {str(number)[:20]}... in a metric is too large")
    return float(number)


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
            raise OptionError(f"{shown!r:.200} is not allowed here; write each option once, as name=value")
        options[keyword.arg] = _literal(keyword.value)
    return options


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):  # TypeError: a key that is a list
        shown = ast.unparse(node)
        raise OptionError(f"option value {shown!r:.200} is not a literal; put texts in quotes") from None
