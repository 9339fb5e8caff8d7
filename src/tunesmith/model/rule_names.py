"""The names that a model gives to the features of the rules of its index."""

from __future__ import annotations

from tunesmith.errors import InputError
from tunesmith.extract.rule_features import GRAMMAR_FEATURES
from tunesmith.extract.suffix_array import GrammarExtractor
from tunesmith.model.model import Model, RulePart

__all__ = ["KNOWN_NAMES", "names_of_rules"]

KNOWN_NAMES = tuple(feature.name for feature in GRAMMAR_FEATURES)
"""All features of extracted rules, by the names of the extractor."""


def names_of_rules(model: Model, part: RulePart, extractor: GrammarExtractor) -> tuple[str, ...]:
    """Return the model's names of `extractor.feature_names`, which lack FgivenE without a target side."""
    if part.features and len(part.features) != len(KNOWN_NAMES):
        raise InputError(
            f"names {len(part.features)} features of the rules {part.name!r}; extracted rules have"
            f" {len(KNOWN_NAMES)}: {', '.join(KNOWN_NAMES)}",
            path=model.directory,
        )
    names = dict(zip(KNOWN_NAMES, part.features or KNOWN_NAMES, strict=True))
    return tuple(names[name] for name in extractor.feature_names)
