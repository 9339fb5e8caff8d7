"""A shell command with placeholders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tunesmith.errors import OptionError
from tunesmith.systems.external.weight_files import WEIGHT_FILES

__all__ = ["CommandLine"]

_NAMES = "|".join([*WEIGHT_FILES, "nbest", "size", "source"])
_PLACEHOLDER = re.compile(rf"\{{\{{({_NAMES})\}}\}}|\{{({_NAMES})\}}")


@dataclass(frozen=True)
class CommandLine:
    """`decoder -w {weights} -k {size}`: `{{weights}}` stands for `{weights}`, and all other braces stay."""

    text: str

    def __post_init__(self) -> None:
        if self.names.isdisjoint(WEIGHT_FILES):
            choices = ", ".join(f"{{{name}}}" for name in WEIGHT_FILES)
            raise OptionError(
                f"the command {self.text[:60]!r} takes no weights, so there is nothing to tune;"
                f" expected one of {choices} as the name of their file"
            )

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the placeholders in the command."""
        return frozenset(found[2] for found in _PLACEHOLDER.finditer(self.text) if found[2])

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the command with the values of placeholders."""
        return _PLACEHOLDER.sub(lambda found: values[found[2]] if found[2] else f"{{{found[1]}}}", self.text)
