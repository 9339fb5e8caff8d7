"""docs/references.md: every citation has an entry, every entry is cited, and its files exist."""

from __future__ import annotations

import re
from functools import cache

import pytest
from tests.citations import REFERENCES, ROOT, Citation, citations, cited, entries

FILE = re.compile(r"`([\w/]+\.(?:h|cpp|py))`")


@cache
def _paths() -> list[str]:
    folders = ("src", "native")
    return [f"/{path.relative_to(ROOT)}" for folder in folders for path in (ROOT / folder).rglob("*.*")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(Och 2003)", {Citation(("och",), "2003")}),
        ("Popović (2015, 2017)", {Citation(("popovic",), year) for year in ("2015", "2017")}),
        ("after Hopkins and May (2011), PRO", {Citation(("hopkins", "may"), "2011")}),
        ("/// of Auli, Galley\n/// and Gao (2014)", {Citation(("auli", "galley", "gao"), "2014")}),
        ("Brown et al.'s (1992)", {Citation(("brown",), "1992", and_others=True)}),
        ("Dyer's (2009) model; kept 2000 words; Table 2003", {Citation(("dyer",), "2009")}),
    ],
)
def test_citations_are_found_in_all_the_ways_they_are_written(text, expected):
    assert citations(text) == expected


def test_every_citation_has_an_entry():
    known = [entry for entry, _ in entries()]
    missing = {
        str(citation): places
        for citation, places in cited().items()
        if not any(citation.means(entry) for entry in known)
    }
    assert missing == {}


def test_every_entry_is_cited_or_says_that_it_is_background():
    seen = cited()
    unused = [
        str(entry)
        for entry, text in entries()
        if "(background)" not in text and not any(citation.means(entry) for citation in seen)
    ]
    assert unused == []


def test_every_item_is_an_entry_that_says_what_is_implemented():
    items = re.findall(r"^- ", REFERENCES.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(items) == len(entries()) > 50
    assert [str(entry) for entry, text in entries() if "\n  Here: " not in text] == []


@pytest.mark.parametrize(
    "page", [REFERENCES, ROOT / "GLOSSARY.md", *sorted((ROOT / "docs/design").glob("*.md"))]
)
def test_files_that_a_page_names_exist(page):
    named = set(FILE.findall(page.read_text(encoding="utf-8")))
    assert sorted(name for name in named if not any(path.endswith(f"/{name}") for path in _paths())) == []
