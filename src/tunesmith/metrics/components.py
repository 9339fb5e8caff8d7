"""What a score is made of: length ratio, brevity penalty and precisions of BLEU, edits of TER, and so on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, Union

__all__ = ["Components", "check_components", "show_components"]

Components: TypeAlias = Mapping[str, Union[int, float, Sequence[float], "Components"]]
"""By name: counts (int), ratios (float), fractions of each order, or the components of a part."""


_LARGEST = 1 << 63


def check_components(found: object) -> None:
    """Raise ValueError unless a value is components, as a record of them was read."""
    if not isinstance(found, Mapping):
        raise ValueError(f"expected components of a score by name, found {found!r:.60}")
    for name, value in found.items():
        if isinstance(value, Mapping):
            check_components(value)
        elif not all(_is_number(each) for each in (value if isinstance(value, list | tuple) else [value])):
            raise ValueError(
                f"the component {name!r:.60} is {value!r:.60}; expected a number or a list of them"
            )


def _is_number(value: object) -> bool:
    return isinstance(value, float) or (type(value) is int and abs(value) < _LARGEST)


def show_components(components: Components) -> str:
    """Return the components as a line: `length ratio 0.982, precisions 62.1/35.0/21.3/13.2`.

    Ratios have three decimals; fractions of orders are times 100.
    """
    return ", ".join(f"{name.replace('_', ' ')} {_shown(value)}" for name, value in components.items())


def _shown(value: int | float | Sequence[float] | Components) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, Mapping):
        return f"({show_components(value)})"
    return "/".join(f"{100 * fraction:.1f}" for fraction in value)
