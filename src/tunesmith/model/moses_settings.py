"""Settings of an ini besides its features: the decoder, limits, and what cannot be imported."""

from __future__ import annotations

from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.model.moses_ini import MosesFeature, MosesIni

__all__ = [
    "LANGUAGE_MODELS",
    "PENALTIES",
    "PHRASES",
    "REORDERING",
    "SETTINGS",
    "check_supported",
    "is_chart",
    "settings_of",
    "span_limits",
    "tables_of",
    "whole_number",
]

LANGUAGE_MODELS = ("KENLM", "SRILM", "IRSTLM")
PENALTIES = ("Distortion", "WordPenalty", "PhrasePenalty", "UnknownWordPenalty")
PHRASES, REORDERING = "PhraseDictionaryMemory", "LexicalReordering"
CHART_SECTIONS = ("non-terminals", "max-chart-span")
CHART_ALGORITHM = "3"
SETTINGS = {
    "distortion-limit": "distortion_limit",
    "cube-pruning-pop-limit": "pop_limit",
    "stack": "stack_size",
    "s": "stack_size",
}

SPAN_LIMIT = 20
"""Moses' default for the maximum number of source words that a rule covers."""
NO_LIMIT = 1000
"""Span limits from here on mean unlimited: inis use them for the glue grammar."""


def is_chart(ini: MosesIni) -> bool:
    """Return whether the model is one of rules, for moses_chart."""
    algorithm = ini.sections.get("search-algorithm", ())[:1]
    return algorithm == (CHART_ALGORITHM,) or any(name in ini.sections for name in CHART_SECTIONS)


def check_supported(path: PathLike, ini: MosesIni) -> None:
    """Refuse what would be lost: factored models, unknown labels and features."""
    algorithm = ini.sections.get("search-algorithm", ("1",))[0]
    if algorithm not in ("0", "1", CHART_ALGORITHM):
        raise InputError(f"has the search algorithm {algorithm}; expected 0, 1 or 3", path=path)
    if ini.sections.get("non-terminals", ("X",)) != ("X",):
        labels = " ".join(ini.sections["non-terminals"])
        raise InputError(f"has the non-terminals {labels!r} for unknown words; expected X", path=path)
    known = {PHRASES, REORDERING, *LANGUAGE_MODELS, *PENALTIES}
    found = "has"
    if is_chart(ini):
        known -= {REORDERING, "Distortion"}
        found = "is a hierarchical model with"
    for feature in ini.features:
        if feature.kind not in known:
            raise InputError(
                f"{found} the feature {feature.kind!r}; expected only {', '.join(sorted(known))}", path=path
            )
        for key in ("input-factor", "output-factor", "factor"):
            if feature.arguments.get(key, "0") != "0":
                value = feature.arguments[key]
                raise InputError(
                    f"{feature.name!r} has {key}={value}; expected 0: factored models cannot be imported",
                    path=path,
                )
    for step in ini.sections.get("mapping", ()):
        if step.split()[1:2] != ["T"]:
            raise InputError(f"has the mapping step {step!r}; expected translation steps (T) only", path=path)


def tables_of(ini: MosesIni) -> list[MosesFeature]:
    """Return the phrase tables, or rule tables, in order."""
    return [feature for feature in ini.features if feature.kind == PHRASES]


def span_limits(path: PathLike, ini: MosesIni) -> dict[str, int]:
    """Return the maximum number of source words that rules of each table cover, 0 if unlimited.

    `[max-chart-span]` has one line per graph; `[mapping]` numbers them, one step `GRAPH T TABLE` per line.
    """
    spans = [whole_number(path, "max-chart-span", text) for text in ini.sections.get("max-chart-span", ())]
    steps = [step.split() for step in ini.sections.get("mapping", ())]
    graphs = {
        step[2]: whole_number(path, "a mapping step's graph", step[0]) for step in steps if len(step) > 2
    }
    limits = {}
    for number, feature in enumerate(tables_of(ini)):
        graph = graphs.get(str(number), number)
        limit = spans[graph] if 0 <= graph < len(spans) else SPAN_LIMIT
        limits[feature.name] = 0 if limit >= NO_LIMIT else limit
    return limits


def settings_of(path: PathLike, ini: MosesIni) -> dict[str, int]:
    """Return the settings of the search under Tunesmith's names."""
    settings = {}
    for section, name in SETTINGS.items():
        if ini.sections.get(section):
            settings[name] = whole_number(path, section, ini.sections[section][0])
    return settings


def whole_number(path: PathLike, what: str, text: str) -> int:
    """Parse a number of the ini; InputError if malformed."""
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{what} is {text!r}; expected a whole number", path=path) from None
