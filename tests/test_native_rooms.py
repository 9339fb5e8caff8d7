"""The rooms of the native library: includes point down, names are unique, namespaces follow folders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

NATIVE = Path(__file__).resolve().parents[1] / "native"
HEADERS = NATIVE / "include" / "tunesmith"

ROOMS = (
    ("xbleu", "reestimate"),
    ("decode/phrase", "decode/chart"),
    ("decode/features",),
    ("decode",),
    ("optimizers",),
    ("objectives/forests",),
    ("objectives",),
    ("extract/on_demand",),
    ("extract/rules",),
    ("extract/phrases", "extract/classes"),
    ("align",),
    ("tables",),
    ("forest/formats", "forest/oracles"),
    ("forest",),
    ("grammar",),
    ("candidates", "lm"),
    ("corpus", "metrics"),
    ("weights",),
    ("base",),
)
"""From the top down; rooms on one level do not include each other."""

LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
TYPE = re.compile(
    r"^(?:class|struct|enum class)\s+(?:alignas\(\d+\)\s+)?(?!std\b)(\w+)[^;\n]*\{", re.MULTILINE
)
FUNCTION = re.compile(r"^(?:inline|constexpr)\b[^\n(=]*?\b(\w+\([^)]*\))", re.MULTILINE)


def files(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the room, the path and the text of every file of a folder."""
    for path in sorted(folder.rglob("*.*")):
        place = path.relative_to(folder)
        yield place.parent.as_posix(), place.as_posix(), path.read_text(encoding="utf-8")


def test_every_file_is_in_a_room() -> None:
    for folder in (HEADERS, NATIVE / "src"):
        assert {room for room, _, _ in files(folder)} <= set(LEVEL)


def test_includes_point_down() -> None:
    wrong = [
        f"{path} includes {included}"
        for folder in (HEADERS, NATIVE / "src")
        for room, path, text in files(folder)
        for included in re.findall(r'#include "tunesmith/([\w/]+)\.h"', text)
        if (other := included.rpartition("/")[0]) != room and LEVEL[other] <= LEVEL[room]
    ]
    assert wrong == []


def test_a_file_is_in_the_namespace_of_its_room() -> None:
    for folder in (HEADERS, NATIVE / "src"):
        for room, path, text in files(folder):
            inside = "" if room == "base" else "::" + room.replace("/", "::")
            assert set(re.findall(r"^namespace (tunesmith[\w:]*) \{", text, re.MULTILINE)) == {
                f"tunesmith{inside}"
            }, path


def test_sources_and_tests_stand_beside_their_headers() -> None:
    headers = {path.removesuffix(".h") for _, path, _ in files(HEADERS)}
    assert {room for room, path, _ in files(NATIVE / "test") if path.endswith("_test.cpp")} <= set(LEVEL)
    assert {path.removesuffix(".cpp") for _, path, _ in files(NATIVE / "src")} <= headers | {
        "align/mixture_decoding",  # the second half of mixture.h
        "decode/weighted_facts",  # the second half of weighted_model.h
        "xbleu/forest_learning",  # the second half of learner.h
    }


def test_no_two_native_headers_define_the_same_name() -> None:
    # One word means one thing, and the linker keeps one of two inline definitions and says nothing.
    places: dict[str, set[str]] = {}
    for _, path, text in files(HEADERS):
        for name in {*TYPE.findall(text), *FUNCTION.findall(text)}:
            places.setdefault(name, set()).add(path)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
