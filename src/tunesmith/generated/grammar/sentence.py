"""Sentences: clauses joined, asked or ordered, and how they begin and end."""

from __future__ import annotations

from tunesmith.generated.draw import Choice, Draw
from tunesmith.generated.grammar.clause import CONJUNCTION, Clause
from tunesmith.generated.grammar.english_clause import say_english
from tunesmith.generated.grammar.german_clause import say_final, say_first, say_second, say_zu
from tunesmith.generated.grammar.tokens import Tokens
from tunesmith.generated.lexicon.entries import Expression, Words

__all__ = [
    "Coordinated",
    "Imperative",
    "Purpose",
    "Question",
    "Saying",
    "Sentence",
    "Statement",
    "Subordinated",
]


class Sentence:
    """What can be said as a whole; `mark` ends it."""

    __slots__ = ()
    mark = "."

    def german(self, out: Tokens) -> None:
        """Say it in German, without the mark."""
        raise NotImplementedError

    def english(self, out: Tokens, draw: Draw) -> None:
        """Say it in English, without the mark."""
        raise NotImplementedError


class Statement(Sentence):
    """One main clause."""

    __slots__ = ("clause",)

    def __init__(self, clause: Clause) -> None:
        self.clause = clause

    def german(self, out: Tokens) -> None:
        say_second(self.clause, out)

    def english(self, out: Tokens, draw: Draw) -> None:
        say_english(self.clause, "statement", out, draw)


class Question(Sentence):
    """Verb first, or a question word first."""

    __slots__ = ("clause", "wh")
    mark = "?"

    def __init__(self, clause: Clause, wh: bool) -> None:
        self.clause = clause
        self.wh = wh

    def german(self, out: Tokens) -> None:
        (say_second if self.wh else say_first)(self.clause, out)

    def english(self, out: Tokens, draw: Draw) -> None:
        say_english(self.clause, "question", out, draw)


class Imperative(Sentence):
    """A polite order: `Geben Sie mir bitte das Buch !`."""

    __slots__ = ("clause", "please")
    mark = "!"
    _LAST = 0.3

    def __init__(self, clause: Clause, please: int | None) -> None:
        self.clause = clause
        self.please = please
        """The anchor of `bitte`, if it is said."""
        clause.particle = "bitte" if please is not None else ""

    def german(self, out: Tokens) -> None:
        say_first(self.clause, out)
        if self.please is not None:
            out.anchors[out.words.index("bitte")] = self.please

    def english(self, out: Tokens, draw: Draw) -> None:
        last = self.please is not None and draw() < self._LAST
        if self.please is not None and not last:
            out.put("please", self.please)
        say_english(self.clause, "imperative", out, draw)
        if self.please is not None and last:
            out.comma()
            out.put("please", self.please)


class Coordinated(Sentence):
    """Two sentences joined by `und`, `aber`, ..."""

    __slots__ = ("anchor", "comma", "conjunction", "english_conjunction", "first", "second")

    def __init__(
        self, first: Sentence, second: Sentence, conjunction: tuple[str, bool, Choice[Words]], anchor: int
    ) -> None:
        self.first = first
        self.second = second
        self.conjunction, self.comma, self.english_conjunction = conjunction
        self.anchor = anchor

    def german(self, out: Tokens) -> None:
        self.first.german(out)
        if self.comma:
            out.comma()
        out.put(self.conjunction, self.anchor)
        self.second.german(out)

    def english(self, out: Tokens, draw: Draw) -> None:
        self.first.english(out, draw)
        if self.comma:
            out.comma()
        out.put_all(self.english_conjunction(draw), self.anchor)
        self.second.english(out, draw)


class Subordinated(Sentence):
    """A main clause with a clause of reason, time or condition, before or after it."""

    __slots__ = ("conjunction", "english_conjunction", "fronted", "main", "sub")
    _REORDER = 0.15

    def __init__(
        self, main: Clause, sub: Clause, conjunction: tuple[str, Choice[Words]], fronted: bool
    ) -> None:
        self.main = main
        self.sub = sub
        self.conjunction, self.english_conjunction = conjunction
        self.fronted = fronted

    def german(self, out: Tokens) -> None:
        if self.fronted:
            self._sub(out)
            say_first(self.main, out)
        else:
            say_second(self.main, out)
            out.comma()
            self._sub(out)

    def _sub(self, out: Tokens) -> None:
        out.put(self.conjunction, self.sub.anchor + CONJUNCTION)
        say_final(self.sub, out)
        out.comma()

    def english(self, out: Tokens, draw: Draw) -> None:
        fronted = self.fronted
        # A pronoun that takes up the subject of the main clause should not come before it.
        if fronted and draw() < self._REORDER:
            fronted = False
        if not fronted:
            say_english(self.main, "statement", out, draw)
        words = self.english_conjunction(draw)
        # `since he died` would be taken for a time.
        while words == ("since",) and self.sub.tense != "present":
            words = self.english_conjunction(draw)
        out.put_all(words, self.sub.anchor + CONJUNCTION)
        say_english(self.sub, "statement", out, draw)
        if fronted:
            out.comma()
            say_english(self.main, "statement", out, draw)


class Purpose(Sentence):
    """A main clause with `um ... zu`, `ohne ... zu`, `statt ... zu`."""

    __slots__ = ("conjunction", "english_conjunction", "gerund", "main", "sub")

    def __init__(self, main: Clause, sub: Clause, conjunction: tuple[str, Choice[Words], bool]) -> None:
        self.main = main
        self.sub = sub
        self.conjunction, self.english_conjunction, self.gerund = conjunction

    def german(self, out: Tokens) -> None:
        say_second(self.main, out)
        out.comma()
        out.put(self.conjunction, self.sub.anchor + CONJUNCTION)
        say_zu(self.sub, out)

    def english(self, out: Tokens, draw: Draw) -> None:
        say_english(self.main, "statement", out, draw)
        words = self.english_conjunction(draw)
        # `to` is said by the infinitive itself.
        out.put_all(words if self.gerund else words[:-1], self.sub.anchor + CONJUNCTION)
        say_english(self.sub, "gerund" if self.gerund else "to", out, draw)


class Saying(Sentence):
    """A sentence that is translated as a whole; its mark is part of it."""

    __slots__ = ("anchor", "expression")
    mark = ""

    def __init__(self, expression: Expression, anchor: int) -> None:
        self.expression = expression
        self.anchor = anchor

    def german(self, out: Tokens) -> None:
        out.put_aligned(self.expression.german, self.anchor)

    def english(self, out: Tokens, draw: Draw) -> None:
        out.put_aligned(self.expression.english(draw)[0], self.anchor)
