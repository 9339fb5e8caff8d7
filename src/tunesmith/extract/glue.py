"""Small grammars: glue, which concatenates translations, ITG, and rules for unknown words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.extract.rules import GrammarFormat, check_format
from tunesmith.files import PathLike, open_write

__all__ = [
    "ItgForm",
    "glue_grammar",
    "itg_grammar",
    "pass_through_rules",
    "sentence_glue",
    "write_glue_grammar",
]

ItgForm: TypeAlias = Literal["plain", "normal"]

_MOSES = (
    "<s> [X] ||| <s> [S] ||| 1 ||| 0-0 ||| 0 ||| |||",
    "[X][S] </s> [X] ||| [X][S] </s> [S] ||| 1 ||| 0-0 1-1 ||| 0 ||| |||",
    "[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.718 ||| 0-0 1-1 ||| 0 ||| |||",
)
"""S -> <s>, S -> S </s> and S -> S X: Moses' decoder parses sentence markers; 2.718 counts glue rules."""

_CDEC = (
    "[S] ||| [X,1] ||| [1] ||| Glue=0",
    "[S] ||| [S,1] [X,2] ||| [1] [2] ||| Glue=1",
)
"""S -> X and S -> S X (Chiang 2007, equations 14 and 15); a sequence of n parts has n - 1 glue rules."""

_SENTENCE = (
    "[S] ||| <s> ||| <s>",
    "[S] ||| [S,1] [X,2] ||| [1] [2] ||| Glue=1",
    "[S] ||| [S,1] </s> ||| [1] </s>",
)

_STRAIGHT, _INVERTED = "[1] [2] ||| Straight0=1", "[2] [1] ||| Inverted0=1"

_PLAIN = (("X", "X", "X", _STRAIGHT), ("X", "X", "X", _INVERTED))

_NORMAL = (
    *(("A", left, right, _STRAIGHT) for left in "XAI" for right in "XI"),
    *(("I", left, right, _INVERTED) for left in "XAI" for right in "XA"),
)


def glue_grammar(format_: GrammarFormat = "cdec") -> str:
    """Return the glue grammar as text, one rule per line."""
    return "".join(line + "\n" for line in (_MOSES if check_format(format_) == "moses" else _CDEC))


def write_glue_grammar(path: PathLike, format_: GrammarFormat = "cdec") -> None:
    """Write the glue grammar to a file."""
    text = glue_grammar(format_)
    with open_write(path) as stream:
        stream.write(text.encode())


def sentence_glue() -> str:
    """Return the glue grammar of Tunesmith's chart decoder, one rule per line in cdec's format.

    S spans from the sentence marker `<s>` to `</s>`: S -> <s>, S -> S X, S -> S </s>. Glue counts the parts,
    one more than in cdec's grammar; an empty sentence has none.
    """
    return "".join(line + "\n" for line in _SENTENCE)


def itg_grammar(form: ItgForm = "normal") -> str:
    """Return the grammar that joins phrase pairs X, straight or inverted (Wu 1997), one rule per line.

    The "plain" form is X -> [X X] | <X X>: n monotone phrases have Catalan(n - 1) derivations, one per binary
    tree, with the same words and features. They do not change the best translation; but they fill k-best
    lists, and expectations over a forest count a translation of n phrases up to 4^n times. The "normal" form,
    the default, has one derivation per segmentation and order: a node with straight top rule (A) is no right
    child of a straight rule, nor an inverted one (I) of an inverted rule. It has three categories per span
    instead of one.

    B is `<s>`, before the first word; M is all but `</s>`. An empty sentence is B `</s>`.
    """
    if form not in get_args(ItgForm):
        hint = suggest(form, get_args(ItgForm))
        raise OptionError("itg: {} cannot be {form!r}{hint}", "form", form=form, hint=hint)
    joined, whole = (_PLAIN, "X") if form == "plain" else (_NORMAL, "XAI")
    lines = [f"[{top}] ||| [{left},1] [{right},2] ||| {rest}" for top, left, right, rest in joined]
    lines.append("[B] ||| <s> ||| <s>")
    lines += [f"[M] ||| [B,1] [{part},2] ||| [1] [2]" for part in whole]
    lines += [f"[S] ||| [{all_but_end},1] </s> ||| [1] </s>" for all_but_end in "MB"]
    return "".join(line + "\n" for line in lines)


def pass_through_rules(words: Iterable[str]) -> str:
    """Return cdec rules that translate each word as itself, one per line, for words that no rule covers.

    Decoders add such rules by themselves; they are needed only if a grammar must be complete.
    """
    lines = []
    for word in dict.fromkeys(words):
        if not word or " " in word or "|||" in word or (word.startswith("[") and word.endswith("]")):
            raise InputError(
                f"{word!r} cannot be a word of a grammar; expected one token, not in square brackets"
            )
        lines.append(f"[X] ||| {word} ||| {word} ||| PassThrough=1 ||| 0-0\n")
    return "".join(lines)
