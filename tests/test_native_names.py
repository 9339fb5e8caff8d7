"""Names of the native library."""

from __future__ import annotations

import re
from pathlib import Path

HEADERS = Path(__file__).resolve().parents[1] / "native" / "include" / "tunesmith"
TYPE = re.compile(
    r"^(?:class|struct|enum class)\s+(?:alignas\(\d+\)\s+)?(?!std\b)(\w+)[^;\n]*\{", re.MULTILINE
)
FUNCTION = re.compile(r"^(?:inline|constexpr)\b[^\n(=]*?\b(\w+\([^)]*\))", re.MULTILINE)


def test_no_two_native_headers_define_the_same_name() -> None:
    # The linker keeps one of two inline definitions and says nothing.
    places: dict[str, set[str]] = {}
    for header in HEADERS.glob("*.h"):
        text = header.read_text(encoding="utf-8")
        for name in {*TYPE.findall(text), *FUNCTION.findall(text)}:
            places.setdefault(name, set()).add(header.name)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
