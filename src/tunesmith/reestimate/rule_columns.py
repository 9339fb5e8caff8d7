"""The probabilities among the features of a rule table, and how they are stored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.rule_features import GRAMMAR_FEATURES, MOSES_SCORES

__all__ = ["RuleColumns"]

_COST, _LOG, _OTHER = _native.RuleScore.COST, _native.RuleScore.LOG, _native.RuleScore.OTHER
_DIRECT = {"EgivenFCoherent": _COST, "EgivenF": _COST, "TargetGivenSource": _LOG}
_INVERSE = {"FgivenE": _COST, "SourceGivenTarget": _LOG}
_LEXICAL = {
    "MaxLexEgivenF": _COST,
    "MaxLexFgivenE": _COST,
    "LexicalTargetGivenSource": _LOG,
    "LexicalSourceGivenTarget": _LOG,
}
_KINDS = _DIRECT | _INVERSE | _LEXICAL
_SAME = {"EgivenF": "EgivenFCoherent"}


@dataclass(frozen=True)
class RuleColumns:
    """The names of the features of a table, in order.

    Those of cdec's grammars are costs, -log10 p; those of Moses' tables are natural logs.
    """

    names: tuple[str, ...]

    @classmethod
    def extracted(cls) -> RuleColumns:
        """Return the columns of extracted rules."""
        return cls(tuple(feature.name for feature in GRAMMAR_FEATURES))

    @classmethod
    def of(cls, table: RuleTable) -> RuleColumns:
        """Return the columns of a table; without p(f|e) and p(e|f) it is an InputError."""
        for wanted, known in (("p(e|f)", _DIRECT), ("p(f|e)", _INVERSE)):
            if not any(name in table.names for name in known):
                raise InputError(
                    f"has no feature of {wanted}, which is re-estimated: expected"
                    f" {' or '.join(map(repr, known))}, found {', '.join(table.names) or 'none'}",
                    path=table.path,
                )
        return cls(table.names)

    @property
    def are_moses(self) -> bool:
        """Whether they are the scores of a Moses table."""
        return "TargetGivenSource" in self.names

    @property
    def counted_names(self) -> list[str]:
        """The names of the features that counted rules are given."""
        return [feature.name for feature in (MOSES_SCORES if self.are_moses else GRAMMAR_FEATURES)]

    def replaced(self, *, relex: bool) -> Collection[str]:
        """Return the features that are re-estimated; all others are kept."""
        known = _KINDS if relex else _DIRECT | _INVERSE
        return tuple(name for name in self.names if name in known)

    def from_counts(self, *, relex: bool) -> list[int]:
        """Return, for each feature, its number among those of counted rules, or -1 if it is kept."""
        replaced, counted = self.replaced(relex=relex), self.counted_names
        return [counted.index(_SAME.get(name, name)) if name in replaced else -1 for name in self.names]

    def kinds(self, *, relex: bool) -> list[_native.RuleScore]:
        """Return how each re-estimated feature stores its probability; OTHER for those that are kept."""
        replaced = self.replaced(relex=relex)
        return [_KINDS[name] if name in replaced else _OTHER for name in self.names]

    @property
    def direct(self) -> tuple[int, _native.RuleScore]:
        """The number of the feature of p(e|f), and how it stores it."""
        (name,) = [name for name in self.names if name in _DIRECT][:1]
        return self.names.index(name), _DIRECT[name]
