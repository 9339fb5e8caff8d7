"""All methods by name, whatever they learn from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from tunesmith.errors import OptionError, suggest
from tunesmith.tuning.forest_recipe import FOREST_RECIPES, ForestRecipe
from tunesmith.tuning.recipe import RECIPES, Recipe

__all__ = ["AnyRecipe", "all_methods", "configured", "method_named", "of_forests", "of_lists"]

AnyRecipe: TypeAlias = Recipe | ForestRecipe


def all_methods() -> dict[str, type[AnyRecipe]]:
    """Return the methods of candidate lists, then those of forests."""
    return {**RECIPES, **FOREST_RECIPES}


def method_named(name: str) -> type[AnyRecipe]:
    """Return a method of either kind; an unknown name is an OptionError with a suggestion from both."""
    if name in RECIPES:
        return RECIPES[name]
    if name in FOREST_RECIPES:
        return FOREST_RECIPES[name]
    raise OptionError(f"unknown method {name!r}{suggest(name, all_methods())}")


def configured(method: str | AnyRecipe, options: Mapping[str, object]) -> AnyRecipe:
    """Return a method with its options, which a method that is given as such has already."""
    if isinstance(method, str):
        return method_named(method).configure(options)
    if options:
        raise OptionError(f"options {sorted(options)} are given twice: set them on the recipe")
    return method


def of_lists(recipe: AnyRecipe) -> Recipe:
    """Return a method that learns from candidate lists; another is an OptionError."""
    if isinstance(recipe, Recipe):
        return recipe
    raise OptionError(
        f"method {recipe.name!r} learns from forests: see `tunesmith tune forests` and `tunesmith tune model`"
    )


def of_forests(recipe: AnyRecipe) -> ForestRecipe:
    """Return a method that learns from forests; another is an OptionError."""
    if isinstance(recipe, ForestRecipe):
        return recipe
    raise OptionError(
        f"method {recipe.name!r} learns from candidate lists: see `tunesmith tune nbest` and"
        " `tunesmith forest nbest`, which makes lists of forests"
    )
