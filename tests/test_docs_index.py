"""The index of docs has all pages, links lead somewhere, lines of prose and the glossary are short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.documents import ROOT

INDEX = ROOT / "docs" / "README.md"
PAGES = sorted((ROOT / "docs").rglob("*.md"))
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *PAGES]
RESULTS = [*(ROOT / "benchmarks").glob("*.md"), *sorted((ROOT / "experiments").rglob("*.md"))]
LONGEST_LINE = 119
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    titles = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_is_in_the_index_once():
    text = INDEX.read_text(encoding="utf-8")
    listed = [
        (INDEX.parent / target).resolve()
        for target in re.findall(r"^- \[[^\]]+\]\(([^)]+)\): \S", text, re.M)
    ]
    assert len(set(listed)) == len(listed)
    assert [str(page.relative_to(ROOT)) for page in PAGES if page != INDEX and page not in listed] == []


def test_index_entries_are_one_line_each():
    items = [line for line in INDEX.read_text(encoding="utf-8").splitlines() if line.startswith(("- ", "  "))]
    assert [item for item in items if not item.startswith("- [") or not item.endswith(".")] == []


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_pages_and_headings(page):
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        linked = (page.parent / target).resolve() if target else page
        assert linked.exists(), f"link to {target}"
        if anchor:
            assert anchor in anchors(linked), f"link to {target}#{anchor}"


def long_lines(text: str) -> list[int]:
    """Return the numbers of lines of prose that do not end before column 120.

    Fenced code and tables may be wider, and so may an address, which cannot be broken.
    """
    inside, found = False, []
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        inside ^= fence
        free = inside or fence or line.lstrip().startswith("|")
        if not free and len(re.sub(r"https?://\S+", "", line)) > LONGEST_LINE:
            found.append(number)
    return found


@pytest.mark.parametrize("page", [*DOCUMENTS, *RESULTS], ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_of_prose_end_before_column_120(page):
    assert long_lines(page.read_text(encoding="utf-8")) == []


def test_code_tables_and_addresses_may_be_wider():
    wide = "x" * 120
    assert long_lines(f"{wide}\n```sh\n{wide}\n```\n| {wide} |\nhttps://{wide}\n  {wide}\n") == [1, 7]


def test_the_glossary_is_short_and_gives_nearly_every_word_one_meaning():
    rows = re.findall(r"^\| ([^|]+) \| (.+) \|$", (ROOT / "GLOSSARY.md").read_text(encoding="utf-8"), re.M)
    words = [word for word, _ in rows if word != "word"]
    assert words == sorted(set(words), key=str.lower), "each word once, in the order of the alphabet"
    assert len(words) < 90
    assert len([word for word, meaning in rows if "(2)" in meaning]) <= 5
    assert not [word for word, meaning in rows if "(3)" in meaning or re.search(r"\. Of ", meaning)]
