"""Indicators of whole rules."""

from __future__ import annotations

from dataclasses import dataclass

from tunesmith import _native
from tunesmith.features.base import TEMPLATES, Pair, PairTemplate, Values
from tunesmith.features.lexical import Lexical
from tunesmith.features.word_parts import GAPS

__all__ = ["RuleIdentity"]


@TEMPLATES.register("rule-identity")
@dataclass(frozen=True)
class RuleIdentity(Lexical, PairTemplate):
    """An indicator `Rule_f1_X1_~_X1_e1` of a phrase pair or rule: its symbols, joined by underscores."""

    name: str = "Rule"

    def admits_parts(self, parts: list[str]) -> bool:
        """Return whether there are the symbols of two sides."""
        if parts.count("~") != 1:
            return False
        border = parts.index("~")
        source, target = parts[:border], parts[border + 1 :]
        if target == [""]:
            target = []  # of a pair that deletes
        return (
            bool(source)
            and all(part in GAPS or self.is_source(part) for part in source)
            and all(part in GAPS or self.is_target(part) for part in target)
        )

    def values(self, pair: Pair) -> Values:
        """Return the one indicator of a rule."""
        source = "_".join(self.source_label(s) if isinstance(s, str) else f"X{-s}" for s in pair.source)
        target = "_".join(self.target_label(s) if isinstance(s, str) else f"X{-s}" for s in pair.target)
        return self.reduced({f"{self.name}_{source}_~_{target}": 1.0})

    def twin(self) -> _native.PairFeature:
        """Return the native feature."""
        return _native.RuleIdentityFeature(*self.native_parts())
