"""Functions that split and join text, for tests of segmenters."""

from __future__ import annotations


def characters(lines: list[str]) -> list[str]:
    return [" ".join(line.replace(" ", "")) for line in lines]


def together(lines: list[str]) -> list[str]:
    return [line.replace(" ", "") for line in lines]


def too_few(lines: list[str]) -> list[str]:
    return lines[1:]
