"""Binary tables of Moses: how to recognize them, and how to get their text."""

from __future__ import annotations

from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.text_beside import text_beside

__all__ = ["BINARY_TABLES", "check_no_binary_table"]

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

_BY_SUFFIX = {".minphr": "PhraseDictionaryCompact", ".binphr": "PhraseDictionaryBinary"}
_REORDERING = {".minlexr": "processLexicalTableMin -in", ".binlexr": "processLexicalTable -in"}
_BY_FILE = {"Misc.dat": "PhraseDictionaryOnDisk", "TargetColl.dat": "ProbingPT"}
_SCORES = "4"


def check_no_binary_table(path: PathLike) -> None:
    """Raise InputError for a binary table of Moses: a file or a folder, recognized by its names."""
    file = Path(path)
    for suffix, program in _REORDERING.items():
        if suffix in file.suffixes and file.exists():
            raise InputError(
                f"is a binary reordering table, made by `{program} reordering-table.gz -out ...`, and nothing"
                f" turns it back; name the text that it was made from{text_beside(file, file.name)}",
                path=file,
            )
    kind = next((kind for suffix, kind in _BY_SUFFIX.items() if suffix in file.suffixes), "")
    if file.is_dir():
        kind = next((kind for name, kind in _BY_FILE.items() if (file / name).exists()), "")
    if not kind or not file.exists():
        return
    made, query = (text.format(scores=_SCORES, path=file) for text in BINARY_TABLES[kind])
    lost = f"; if the text is lost, {query}" if query else ""
    beside = text_beside(file, file.name)
    raise InputError(
        f"is {made}; only its text can be read: name that, such as phrase-table.gz{beside}{lost}", path=file
    )
