"""Binary tables that a moses.ini names: how to recognize them, and what to import instead.

Decoders are mostly deployed with binary files. They are made from text, are private to their programs, and
only some can be turned back. Those of language models are recognized by content (`lm.foreign`).
"""

from __future__ import annotations

from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.tables.foreign import BINARY_TABLES
from tunesmith.text_beside import text_beside

__all__ = ["refuse_binary_reordering", "refuse_binary_table"]


def refuse_binary_table(ini: PathLike, kind: str, name: str, named: str, scores: str) -> InputError:
    """Return the error for a feature of a binary phrase table."""
    made, query = (text.format(scores=scores, path=named or "FILE") for text in BINARY_TABLES[kind])
    lost = f" If the text is lost, {query}." if query else ""
    return InputError(
        f"{name!r} is {made}; only its text can be imported: write `PhraseDictionaryMemory` instead of"
        f" `{kind}`, and the text that it was made from after path={text_beside(ini, named)}.{lost}",
        path=ini,
    )


def refuse_binary_reordering(ini: PathLike, name: str, named: str) -> InputError | None:
    """Return the error for a reordering model that exists only as a binary file; None if it does not."""
    base = Path(ini).parent
    for folder in (base, Path()):
        for suffix, program in (
            (".minlexr", "processLexicalTableMin -in"),
            (".binlexr.idx", "processLexicalTable -in"),
        ):
            path = folder / (named.removesuffix(".minlexr") + suffix)
            if path.is_file():
                return InputError(
                    f"is a binary reordering table of {name!r}, made by `{program} reordering-table.gz -out"
                    " ...`, and nothing turns it back; name the text that it was made from after path="
                    f"{text_beside(ini, named)}",
                    path=path,
                )
    return None
