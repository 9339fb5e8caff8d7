"""Arithmetic over the scores of metrics: value, derivatives and text form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tunesmith.types import FloatArray

__all__ = ["Expression", "Number", "Operation", "Part", "evaluate", "linear", "render", "replace_parts"]


@dataclass(frozen=True)
class Number:
    """A constant."""

    value: float


@dataclass(frozen=True)
class Part:
    """The score of part `index`."""

    index: int


@dataclass(frozen=True)
class Operation:
    """`left operator right`, the operator one of + - * /."""

    operator: str
    left: Expression
    right: Expression


Expression: TypeAlias = Number | Part | Operation


def evaluate(expression: Expression, scores: Sequence[FloatArray]) -> tuple[FloatArray, list[FloatArray]]:
    """Return the value and its derivative by each score; 0 / 0 is 0 with gradient 0, for harmonic means."""
    if isinstance(expression, Number):
        return np.full_like(scores[0], expression.value), [np.zeros_like(score) for score in scores]
    if isinstance(expression, Part):
        slopes = [np.full_like(score, float(i == expression.index)) for i, score in enumerate(scores)]
        return scores[expression.index], slopes
    a, da = evaluate(expression.left, scores)
    b, db = evaluate(expression.right, scores)
    pairs = list(zip(da, db, strict=True))
    if expression.operator == "+":
        return a + b, [x + y for x, y in pairs]
    if expression.operator == "-":
        return a - b, [x - y for x, y in pairs]
    if expression.operator == "*":
        return a * b, [x * b + a * y for x, y in pairs]
    empty = (a == 0) & (b == 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(empty, 0.0, a / b)
        return ratio, [np.where(empty, 0.0, (x - ratio * y) / b) for x, y in pairs]


def linear(expression: Expression, parts: int) -> tuple[float, list[float]] | None:
    """Return (constant, weight of each part) if the expression is their weighted sum, else None."""
    if isinstance(expression, Number):
        return expression.value, [0.0] * parts
    if isinstance(expression, Part):
        return 0.0, [float(index == expression.index) for index in range(parts)]
    left, right = linear(expression.left, parts), linear(expression.right, parts)
    if left is None or right is None:
        return None
    if expression.operator in "+-":
        sign = 1.0 if expression.operator == "+" else -1.0
        return left[0] + sign * right[0], [x + sign * y for x, y in zip(left[1], right[1], strict=True)]
    if expression.operator == "*" and not any(left[1]):
        left, right = right, left
    if any(right[1]):
        return None
    factor = right[0] if expression.operator == "*" else 1.0 / right[0]
    return left[0] * factor, [x * factor for x in left[1]]


def render(expression: Expression, names: Sequence[str]) -> str:
    """Format the expression with the fewest parentheses."""
    if isinstance(expression, Number):
        text = repr(expression.value).removesuffix(".0")
        return f"({text})" if expression.value < 0 else text
    if isinstance(expression, Part):
        return names[expression.index]
    strength = _strength(expression)
    left, right = render(expression.left, names), render(expression.right, names)
    if _strength(expression.left) < strength:
        left = f"({left})"
    # a - (b - c), a / (b * c): equal precedence on the right needs them too, unless associative.
    closed = expression.operator in "-/"
    if _strength(expression.right) < strength or (closed and _strength(expression.right) == strength):
        right = f"({right})"
    space = " " if expression.operator in "+-" else ""
    return f"{left}{space}{expression.operator}{space}{right}"


def replace_parts(expression: Expression, change: Callable[[int], int]) -> Expression:
    """Return the expression with other part indices."""
    if isinstance(expression, Part):
        return Part(change(expression.index))
    if isinstance(expression, Operation):
        left, right = (replace_parts(side, change) for side in (expression.left, expression.right))
        return Operation(expression.operator, left, right)
    return expression


def _strength(expression: Expression) -> int:
    if not isinstance(expression, Operation):
        return 3
    return 1 if expression.operator in "+-" else 2
