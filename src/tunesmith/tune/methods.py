"""All methods by name, whatever they learn from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeVar

from tunesmith.errors import OptionError, suggest
from tunesmith.tune.forest_recipe import FOREST_RECIPES, ForestRecipe
from tunesmith.tune.method import Method
from tunesmith.tune.recipe import RECIPES, Recipe

__all__ = ["AnyRecipe", "all_methods", "configured", "method_named"]

AnyRecipe: TypeAlias = Recipe | ForestRecipe
MethodT = TypeVar("MethodT", bound=Method)


def all_methods() -> dict[str, type[AnyRecipe]]:
    """Return the methods of candidate lists, then those of forests."""
    return {**RECIPES, **FOREST_RECIPES}


def method_named(name: str) -> type[AnyRecipe]:
    """Return a method of either kind; an unknown name is an OptionError with a suggestion from both."""
    known = all_methods()
    if name not in known:
        raise OptionError(f"unknown method {name!r}{suggest(name, known)}")
    return known[name]


def configured(
    method: str | MethodT, options: Mapping[str, object], kind: type[MethodT] | tuple[type[MethodT], ...]
) -> MethodT:
    """Return a method with its options; one that learns from something else than `kind` is an OptionError."""
    if not isinstance(method, str):
        if options:
            raise OptionError(f"options {sorted(options)} are given twice: set them on the recipe")
        return method
    found = method_named(method)
    if not issubclass(found, kind):
        needed = "forests" if issubclass(found, ForestRecipe) else "candidate lists"
        raise OptionError(f"method {method!r} learns from {needed}: tune on these, or by the decoder's loop")
    return found.configure(options)  # type: ignore[return-value]
