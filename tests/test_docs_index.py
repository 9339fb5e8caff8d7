"""docs/README.md is the index of all pages, and links between documents lead to pages and headings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.documents import ROOT

INDEX = ROOT / "docs" / "README.md"
PAGES = sorted((ROOT / "docs").rglob("*.md"))
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *PAGES]
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
