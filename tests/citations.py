"""Citations such as `(Och 2003)` in code and documents, and the entries of docs/references.md."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REFERENCES = ROOT / "docs" / "references.md"
FOLDERS = ("src", "native", "docs", "experiments", "benchmarks")
SUFFIXES = (".py", ".h", ".cpp", ".md")

NOT_AUTHORS = frozenset({"Jahr", "Moses", "January", "September", "Table", "Figure"})
"""Capitalized words before a number that looks like a year."""

_NAME = r"[A-Z][^\W\d_]+(?:-[A-Z][^\W\d_]+)?"
_AUTHORS = rf"{_NAME}(?:, {_NAME})*(?:,? and {_NAME})?(?: et al\.)?"
_YEAR = r"(?:19|20)\d\d"
_CITATION = re.compile(rf"({_AUTHORS})(?:['’]s?)?,? \(?({_YEAR}[a-z]?(?:, {_YEAR})*)(?!\w|\.\d)")
_ENTRY = re.compile(
    rf"^- \*\*({_AUTHORS}) ({_YEAR})[a-z]?\.\*\* (.*?)(?=^- |^#|^\||\Z)", re.MULTILINE | re.DOTALL
)
_LINE_START = re.compile(r"\n\s*(?:///?|#|\*)?[ \t]*")


@dataclass(frozen=True, order=True)
class Citation:
    """Surnames in small letters without accents, as many as are written, and a year."""

    authors: tuple[str, ...]
    year: str
    and_others: bool = False

    def __str__(self) -> str:
        return f"{' '.join(self.authors)}{' et al.' if self.and_others else ''} {self.year}"

    def means(self, entry: Citation) -> bool:
        """Return whether a citation may stand for an entry, which names all authors or `et al.`."""
        if self.year != entry.year:
            return False
        if not self.and_others and not entry.and_others:
            return self.authors == entry.authors
        if entry.and_others:
            several = self.and_others or len(self.authors) > 2
            return several and self.authors[: len(entry.authors)] == entry.authors
        return len(entry.authors) > 2 and self.authors == entry.authors[: len(self.authors)]


def citations(text: str) -> set[Citation]:
    """Return what a text cites; citations may go over the ends of lines, comment signs and all."""
    found = set()
    for match in _CITATION.finditer(_LINE_START.sub(" ", text)):
        if match[1] not in NOT_AUTHORS:
            found |= {_citation(match[1], year) for year in re.findall(_YEAR, match[2])}
    return found


def entries() -> list[tuple[Citation, str]]:
    """Return the entries of the references with what they say."""
    text = REFERENCES.read_text(encoding="utf-8")
    return [(_citation(match[1], match[2]), match[3]) for match in _ENTRY.finditer(text)]


def cited() -> dict[Citation, list[str]]:
    """Return all citations of the project, and the files that have them."""
    places: dict[Citation, list[str]] = {}
    for path in _files():
        for citation in citations(path.read_text(encoding="utf-8")):
            places.setdefault(citation, []).append(str(path.relative_to(ROOT)))
    return places


def _files() -> list[Path]:
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    return [path for path in [*ROOT.glob("*.md"), *inside] if path != REFERENCES]


def _citation(names: str, year: str) -> Citation:
    split = re.split(r",? and |, ", names.removesuffix(" et al."))
    return Citation(tuple(_plain(name) for name in split), year, names.endswith(" et al."))


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
