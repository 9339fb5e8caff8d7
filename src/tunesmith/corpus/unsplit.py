"""Text of a script without spaces between words that nothing has split."""

from __future__ import annotations

import warnings

from tunesmith.corpus.segment import CHARACTERS
from tunesmith.corpus.side import Side, SideName
from tunesmith.errors import InputError, Message, TunesmithWarning
from tunesmith.files import PathLike
from tunesmith.texts import Texts
from tunesmith.unspaced_scripts import measure_unspaced

__all__ = ["check_split", "warn_of_unsplit_tokens"]

_WHY = (
    "this {script} text has no spaces between its words: {line:.1f} tokens per line, {token:.1f} characters"
    " per token, so that most tokens occur once"
)
_HOW = (
    f"split it by {{}} `{CHARACTERS}`, which makes each character a token, or by a program of yours that"
    " finds words (or `cat`, if these are the words)"
)


def check_split(tokens: Texts, side: Side, name: SideName, path: PathLike) -> None:
    """Refuse text without spaces that Moses' tokenizer left whole, and warn of it if nothing was to split it.

    A model of such text knows no word twice. With a segmenter, whatever it does, nothing is said.
    """
    found = None if side.segmenter is not None else measure_unspaced(tokens)
    if found is None or not found.is_unsplit:
        return
    facts = {"script": found.script, "line": found.per_line, "token": found.per_token, "path": path}
    if side.tokenizer is not None:
        text = f"{_WHY}; Moses' tokenizer does not split it; {_HOW}"
        raise InputError(Message(text, f"{name}_segmenter", **facts), path=path)
    text = f"{{path}}: {_WHY}; {_HOW}"
    warnings.warn(Message(text, f"{name}_segmenter", **facts), TunesmithWarning, stacklevel=2)


def warn_of_unsplit_tokens(tokens: Texts, path: PathLike) -> None:
    """Issue a TunesmithWarning if Moses' tokenizer alone left text without spaces whole."""
    found = measure_unspaced(tokens)
    if found is not None and found.is_unsplit:
        why = _WHY.format(script=found.script, line=found.per_line, token=found.per_token)
        how = f"`tunesmith corpus prepare` and `train` split it by `--source-segmenter {CHARACTERS}`"
        text = f"{path}: {why}; Moses' tokenizer does not split it; {how}"
        warnings.warn(text, TunesmithWarning, stacklevel=2)
