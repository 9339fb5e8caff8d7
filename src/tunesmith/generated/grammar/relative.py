"""Relative clauses: verb-final between commas in German, plain in English."""

from __future__ import annotations

from tunesmith.generated.draw import Draw
from tunesmith.generated.grammar.clause import Clause
from tunesmith.generated.grammar.english_clause import say_english
from tunesmith.generated.grammar.german_clause import say_final
from tunesmith.generated.grammar.tokens import Tokens

__all__ = ["RelativeClause"]


class RelativeClause:
    """A clause whose gap is the relative pronoun."""

    __slots__ = ("clause",)

    def __init__(self, clause: Clause) -> None:
        self.clause = clause

    def german(self, out: Tokens) -> None:
        """Say it between commas."""
        out.comma()
        say_final(self.clause, out)
        out.comma()

    def english(self, out: Tokens, draw: Draw) -> None:
        """Say it right after its head."""
        say_english(self.clause, "statement", out, draw)
