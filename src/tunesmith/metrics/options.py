"""Options of metrics: the fields of their dataclass, and their text form."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from tunesmith.errors import OptionError, suggest
from tunesmith.options import option_types

if TYPE_CHECKING:
    from tunesmith.metrics.base import Metric

__all__ = ["configure", "describe_changes", "describe_options", "require"]

MetricT = TypeVar("MetricT", bound="Metric")


def require(metric: Metric, condition: bool, expectation: str) -> None:
    """Raise OptionError `<name>: <expectation>` unless the condition holds."""
    if not condition:
        raise OptionError(f"{metric.name}: {expectation}")


def describe_options(metric: Metric) -> str:
    """Return `|option:value` for every option; equal only for equal metrics."""
    return "".join(f"|{field}:{_text(kind, value)}" for field, kind, value in _options(metric))


def describe_changes(metric: Metric) -> str:
    """Return the non-default options as `(order=2, tokenize='13a')`, or ""."""
    defaults = {field.name: field.default for field in dataclasses.fields(metric)}  # type: ignore[arg-type]
    options = [f"{field}={value!r}" for field, _, value in _options(metric) if value != defaults[field]]
    return f"({', '.join(options)})" if options else ""


def configure(metric: type[MetricT], values: tuple[object, ...], options: Mapping[str, object]) -> MetricT:
    """Build a metric; an unknown, repeated or superfluous option is an error with a suggestion."""
    known = [field.name for field in dataclasses.fields(metric) if field.init]  # type: ignore[arg-type]
    if len(values) > len(known):
        raise OptionError(f"{metric.name}: {len(values)} values for {len(known)} options")
    named = dict(zip(known, values, strict=False))
    for option, value in options.items():
        if option not in known:
            raise OptionError(f"no such option: {option} of {metric.name}{suggest(option, known)}")
        if option in named:
            raise OptionError(f"{metric.name}: option {option!r} is given twice")
        named[option] = value
    return metric(**named)


def _options(metric: Metric) -> list[tuple[str, Any, Any]]:
    return [(option, kind, getattr(metric, option)) for option, kind in option_types(type(metric)).items()]


def _text(kind: Any, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "default"
    return f"{value:.15g}" if isinstance(value, float) or kind is float else str(value).replace("|", "||")
