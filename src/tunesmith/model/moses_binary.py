"""Binary files of Moses, KenLM and their like: how to recognize them, and what to import instead.

Decoders are mostly deployed with binary files. They are made from text, are private to their programs, and
only some can be turned back.
"""

from __future__ import annotations

from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import COMPRESSIONS, PathLike

__all__ = [
    "BINARY_TABLES",
    "refuse_binary_lm",
    "refuse_binary_reordering",
    "refuse_binary_table",
    "text_beside",
]

_PHRASES = (
    " writes the pairs of the source phrases that it reads, one per line (give it all sequences of up to 7"
    " words of the text to translate), without alignments; sort them by LC_ALL=C sort -u"
)
BINARY_TABLES = {
    "PhraseDictionaryCompact": (
        "a compact phrase table (.minphr), made by `processPhraseTableMin -in phrase-table.gz -out"
        " phrase-table`",
        "`queryPhraseTableMin -n {scores} -t {path} < phrases > phrase-table`" + _PHRASES,
    ),
    "PhraseDictionaryBinary": (
        "a binary phrase table (.binphr), made by `processPhraseTable -ttable 0 0 phrase-table -nscores"
        " {scores} -out phrase-table`",
        "`queryPhraseTable -n {scores} -t {path} < phrases > phrase-table`" + _PHRASES + ", drop empty lines",
    ),
    "PhraseDictionaryOnDisk": (
        "an on-disk phrase table, made by `CreateOnDiskPt 1 1 {scores} 100 2 phrase-table.gz folder`",
        "",
    ),
    "ProbingPT": (
        "a probing table, made by `CreateProbingPT2 --input-pt phrase-table.gz ...`, or by"
        " `binarize4moses2.perl --phrase-table phrase-table.gz --lex-ro reordering-table.gz ...`, which also"
        " adds the reordering table to it (name that by a LexicalReordering of its own)",
        "",
    ),
}
"""Kinds of features: what the file is and what made it; how to get pairs out of it, if there is a way."""

_BINARY_SUFFIXES = (".minphr", ".minlexr", ".binlexr", ".binphr", ".binary", ".bin", ".blm", ".klm", ".mmap")
_KENLM = b"mmap lm http://kheafield.com/code"
_LANGUAGE_MODELS = (
    (
        _KENLM,
        "is a binary file of KenLM, made by `build_binary lm.arpa lm.binary`; nothing turns it back: name the"
        " ARPA file it was made from, or estimate the model again from its text, by `tunesmith lm train` or"
        " lmplz",
    ),
    (
        b"blmt",
        "is a binary file of IRSTLM; write it as text by `compile-lm --text=yes lm.blm lm.arpa`, and name"
        " that",
    ),
    (
        b"SRILM_BINARY",
        "is a binary file of SRILM; write it as text by `ngram -order N -lm lm.bin -write-lm lm.arpa`, and"
        " name that",
    ),
)


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


def refuse_binary_lm(arpa: Path, start: bytes) -> InputError:
    """Return the error for a language model that is not an ARPA file, by its first bytes."""
    for magic, message in _LANGUAGE_MODELS:
        if magic in start[:64]:
            return InputError(message + text_beside(arpa, arpa.name), path=arpa)
    return InputError("is not an ARPA file; name the text file that it was made from", path=arpa)


def text_beside(ini: PathLike, named: str) -> str:
    """Return a note on files that look like the text form of a binary one."""
    path = Path(ini).parent / named
    stem = path.name
    for suffix in _BINARY_SUFFIXES:
        stem = stem.removesuffix(suffix)
    if not named or not path.parent.is_dir():
        return ""
    names = [f"{stem}{more}{suffix}" for more in ("", ".arpa", ".txt") for suffix in ("", *COMPRESSIONS)]
    found = [name for name in names if name != path.name and (path.parent / name).is_file()]
    return f" (perhaps {found[0]}, which is in the same folder)" if found else ""
