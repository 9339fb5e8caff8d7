"""Settings of an ini besides its features: the decoder and its limits."""

from __future__ import annotations

import warnings

from tunesmith.errors import InputError, Message, TunesmithWarning
from tunesmith.files import PathLike
from tunesmith.model.moses_ini import MosesFeature, MosesIni
from tunesmith.model.moses_kinds import PHRASES
from tunesmith.model.moses_mapping import read_mapping
from tunesmith.model.moses_sections import BEAM, EARLY_DISTORTION, SETTINGS, is_on

__all__ = [
    "check_search",
    "is_chart",
    "settings_of",
    "span_limits",
    "tables_of",
    "warn_of_beam",
    "whole_number",
]

CHART_SECTIONS = ("non-terminals", "max-chart-span")
CHART_ALGORITHM = "3"

SPAN_LIMIT = 20
"""Moses' default for the maximum number of source words that a rule covers."""
NO_LIMIT = 1000
"""Span limits from here on mean unlimited: inis use them for the glue grammar."""


def is_chart(ini: MosesIni) -> bool:
    """Return whether the model is one of rules, for moses_chart."""
    algorithm = ini.sections.get("search-algorithm", ())[:1]
    return algorithm == (CHART_ALGORITHM,) or any(name in ini.sections for name in CHART_SECTIONS)


def check_search(path: PathLike, ini: MosesIni) -> None:
    """Refuse other searches, and labels of unknown words."""
    algorithm = (ini.sections.get("search-algorithm") or ("1",))[0]
    if algorithm not in ("0", "1", CHART_ALGORITHM):
        raise InputError(f"has the search algorithm {algorithm}; expected 0, 1 or 3", path=path)
    if ini.sections.get("non-terminals", ("X",)) != ("X",):
        labels = " ".join(ini.sections["non-terminals"])
        raise InputError(f"has the non-terminals {labels!r} for unknown words; expected X", path=path)


def tables_of(ini: MosesIni) -> list[MosesFeature]:
    """Return the phrase tables, or rule tables, in order."""
    return [feature for feature in ini.features if feature.kind == PHRASES]


def span_limits(path: PathLike, ini: MosesIni) -> dict[str, int]:
    """Return the maximum number of source words that rules of each table cover, 0 if unlimited.

    `[max-chart-span]` has one line per graph of `[mapping]`.
    """
    spans = [whole_number(path, "max-chart-span", text) for text in ini.sections.get("max-chart-span", ())]
    limits = {}
    for name, graph in read_mapping(path, ini.sections, [each.name for each in tables_of(ini)]).items():
        limit = spans[graph] if graph < len(spans) else SPAN_LIMIT
        limits[name] = 0 if limit >= NO_LIMIT else limit
    return limits


def settings_of(path: PathLike, ini: MosesIni) -> dict[str, int]:
    """Return the settings of the search under Tunesmith's names; a switch is there if it is on."""
    settings: dict[str, int] = {}
    for section, name in SETTINGS.items():
        lines = ini.sections.get(section, ())
        if section == EARLY_DISTORTION:
            settings |= {name: 1} if is_on(path, section, lines) else {}
        elif lines:
            settings[name] = whole_number(path, section, lines[0])
    return settings


def warn_of_beam(path: PathLike, ini: MosesIni) -> None:
    """Issue a TunesmithWarning if the ini prunes hypotheses by a beam, which decoders do only if asked."""
    if values := " ".join(ini.sections.get(BEAM, ())):
        text = Message(
            "{path}: [{section}] {values} is not used: decoding prunes no hypotheses by a beam,"
            " unless {} is given",
            "beam_threshold",
            path=path,
            section=BEAM,
            values=values,
        )
        warnings.warn(text, TunesmithWarning, stacklevel=2)


def whole_number(path: PathLike, what: str, text: str) -> int:
    """Parse a number of the ini; InputError if malformed."""
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{what} is {text!r}; expected a whole number", path=path) from None
