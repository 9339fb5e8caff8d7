"""Glue grammars, which string translations together, and rules that pass unknown words through."""

from __future__ import annotations

from collections.abc import Iterable

from tunesmith.errors import InputError
from tunesmith.extract.rules import GrammarFormat, check_format
from tunesmith.files import PathLike, open_write

__all__ = ["glue_grammar", "pass_through_rules", "write_glue_grammar"]

_MOSES = (
    "<s> [X] ||| <s> [S] ||| 1 ||| 0-0 ||| 0 ||| |||",
    "[X][S] </s> [X] ||| [X][S] </s> [S] ||| 1 ||| 0-0 1-1 ||| 0 ||| |||",
    "[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.718 ||| 0-0 1-1 ||| 0 ||| |||",
)
"""S -> <s>, S -> S </s> and S -> S X: Moses' decoder parses sentence marks too; 2.718 counts glue rules."""

_CDEC = (
    "[S] ||| [X,1] ||| [1] ||| Glue=0",
    "[S] ||| [S,1] [X,2] ||| [1] [2] ||| Glue=1",
)
"""S -> X and S -> S X (Chiang 2007, equations 14 and 15); a sequence of n parts has n - 1 glue rules."""


def glue_grammar(format_: GrammarFormat = "cdec") -> str:
    """Return the glue grammar as text, a rule a line."""
    return "".join(line + "\n" for line in (_MOSES if check_format(format_) == "moses" else _CDEC))


def write_glue_grammar(path: PathLike, format_: GrammarFormat = "cdec") -> None:
    """Write the glue grammar to a file."""
    text = glue_grammar(format_)
    with open_write(path) as stream:
        stream.write(text.encode())


def pass_through_rules(words: Iterable[str]) -> str:
    """Return cdec rules that translate each word as itself, a rule a line, for words that no rule covers.

    Decoders add such rules by themselves; they are written where a grammar must be complete.
    """
    lines = []
    for word in dict.fromkeys(words):
        if not word or " " in word or "|||" in word or (word.startswith("[") and word.endswith("]")):
            raise InputError(
                f"{word!r} cannot be a word of a grammar; expected one token, not in square brackets"
            )
        lines.append(f"[X] ||| {word} ||| {word} ||| PassThrough=1 ||| 0-0\n")
    return "".join(lines)
