"""What of a Moses model cannot be imported: named one by one, and left out only on request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.files import PathLike
from tunesmith.model.moses_binary import refuse_binary_table
from tunesmith.model.moses_ini import MosesFeature, MosesIni
from tunesmith.model.moses_kinds import (
    ARGUMENTS,
    FIXED,
    LANGUAGE_MODELS,
    PENALTIES,
    PHRASES,
    REORDERING,
    WITHOUT_EFFECT,
)
from tunesmith.model.moses_mapping import read_mapping
from tunesmith.model.moses_sections import OF_SEARCH, full_name, is_without_effect, why_refused
from tunesmith.model.moses_settings import check_search, is_chart, tables_of
from tunesmith.model.moses_sparse_reordering import SparseArguments
from tunesmith.tables.foreign import BINARY_TABLES

__all__ = ["PreparedIni", "prepare_ini"]


@dataclass(frozen=True)
class PreparedIni:
    """An ini reduced to what is imported, with the full names of sections.

    `ignored` are the names of what was left out on request; `notes` say so, and what has no effect.
    """

    ini: MosesIni
    ignored: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Refusal:
    """A section `name`, a feature `NAME` or an argument `NAME.key`; features also go by their kind."""

    name: str
    reason: str
    alias: str = ""

    def matches(self, pattern: str) -> bool:
        return any(fnmatchcase(name, pattern) for name in (self.name, self.alias) if name)


def prepare_ini(path: PathLike, given: MosesIni, ignore: Iterable[str] = ()) -> PreparedIni:
    """Reduce an ini to what is imported.

    Everything else that changes translations is an InputError, which names it, unless a pattern of `ignore`
    matches: the name of a section, the name or kind of a feature, or `FEATURE.ARGUMENT`; `*` and `?` are as
    in the shell. A pattern that matches nothing of this kind is an OptionError.
    """
    sections = _named_in_full(path, given.sections)
    ini = replace(given, sections={name: lines for name, lines in sections.items() if lines})
    check_search(path, ini)
    _check_files(path, ini)
    unused = [name for name, lines in ini.sections.items() if is_without_effect(path, name, lines)]
    tables = [each.name for each in ini.features if _is_table(each)]
    graphs = read_mapping(path, ini.sections, tables) if tables else {}
    refusals = [*_refusals(ini, unused), *_unmapped(ini, graphs)]
    patterns = [pattern.removeprefix("[").removesuffix("]") for pattern in ignore]
    _check_patterns(patterns, refusals)
    left = [each for each in refusals if not any(map(each.matches, patterns))]
    if left:
        raise InputError(
            "uses what cannot be imported, and would translate differently without it:\n  {what}\nTo import"
            " it without all of this, name each in {}: {names}",
            "ignore",
            what="\n  ".join(f"{each.name}: {each.reason}" for each in left),
            names=" ".join(each.name for each in left),
            path=path,
        )
    ignored = tuple(each.name for each in refusals)
    # By name: numbers count tables that are left out.
    mapping = tuple(f"{graph} {name}" for name, graph in graphs.items() if name not in ignored)
    reduced = _without(ini, {*ignored, *unused})
    notes = _notes(given, ini, unused, ignored)
    return PreparedIni(
        replace(reduced, sections={**reduced.sections, "mapping": mapping}), ignored, tuple(notes)
    )


def _named_in_full(path: PathLike, sections: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    named: dict[str, tuple[str, ...]] = {}
    for name, lines in sections.items():
        if full_name(name) in named:
            raise InputError(f"has the section [{full_name(name)}] twice, once as [{name}]", path=path)
        named[full_name(name)] = lines
    return named


def _check_files(path: PathLike, ini: MosesIni) -> None:
    """Refuse binary tables, factors, and features with several values that have one here."""
    for feature in ini.features:
        if feature.kind in BINARY_TABLES:
            named, scores = feature.arguments.get("path", ""), feature.arguments.get("num-features", "4")
            raise refuse_binary_table(path, feature.kind, feature.name, named, scores)
        for key in ("input-factor", "output-factor", "factor"):
            if feature.kind in ARGUMENTS and feature.arguments.get(key, "0") != "0":
                raise InputError(
                    f"{feature.name!r} has {key}={feature.arguments[key]}; expected 0: factored models cannot"
                    " be imported",
                    path=path,
                )
        if feature.kind in (*LANGUAGE_MODELS, *PENALTIES) and len(ini.weights[feature.name]) != 1:
            count = len(ini.weights[feature.name])
            raise InputError(
                f"{feature.name!r} ({feature.kind}) has {count} values; expected one: a second value, such as"
                " a language model's count of unknown words, cannot be imported",
                path=path,
            )


def _is_table(feature: MosesFeature) -> bool:
    """Return whether numbers of `[mapping]` count the feature."""
    return feature.kind.startswith("PhraseDictionary")


def _refusals(ini: MosesIni, unused: Iterable[str]) -> Iterator[_Refusal]:
    for section in ini.sections:
        reason = why_refused(section)
        if reason is not None and section not in unused:
            yield _Refusal(section, f"a section; {reason}")
    chart = is_chart(ini)
    for feature in ini.features:
        if feature.kind not in ARGUMENTS:
            yield _Refusal(feature.name, f"the feature {feature.kind!r} is not supported", feature.kind)
        elif chart and feature.kind in (REORDERING, "Distortion"):
            reason = f"a hierarchical model has no {feature.kind!r} here"
            yield _Refusal(feature.name, reason, feature.kind)
        else:
            yield from _refused_arguments(feature)


def _unmapped(ini: MosesIni, graphs: Mapping[str, int]) -> Iterator[_Refusal]:
    for table in tables_of(ini):
        if table.name not in graphs:
            yield _Refusal(table.name, "a table that no line of [mapping] uses", PHRASES)


def _refused_arguments(feature: MosesFeature) -> Iterator[_Refusal]:
    for key, value in feature.arguments.items():
        if key in WITHOUT_EFFECT or value == FIXED.get(key) or (key in ARGUMENTS[feature.kind] - set(FIXED)):
            continue
        if feature.kind == "TargetBigramFeature" and (key, value) == ("path", "*"):
            continue  # all words
        if key.startswith("sparse-") and feature.kind == REORDERING:
            continue
        reason = f"an argument of {feature.kind}, which is not known here"
        if key in FIXED:
            reason = f"expected {FIXED[key]}, found {value}"
        yield _Refusal(f"{feature.name}.{key}", reason, key)
    if sparse := SparseArguments.of(feature):
        for key, reason in sparse.refusals():
            yield _Refusal(f"{feature.name}.{key}", reason, key)


def _check_patterns(patterns: Iterable[str], refusals: list[_Refusal]) -> None:
    for pattern in patterns:
        if not any(each.matches(pattern) for each in refusals):
            raise OptionError(
                "{} names {pattern!r}, but nothing that cannot be imported has this name{hint}",
                "ignore",
                pattern=pattern,
                hint=suggest(pattern, [each.name for each in refusals]),
            )


def _without(ini: MosesIni, names: set[str]) -> MosesIni:
    """Return the ini without sections, features and arguments (`FEATURE.ARGUMENT`)."""
    features = tuple(
        replace(
            each,
            arguments={
                key: value for key, value in each.arguments.items() if f"{each.name}.{key}" not in names
            },
        )
        for each in ini.features
        if each.name not in names
    )
    return MosesIni(
        features,
        {name: row for name, row in ini.weights.items() if name not in names},
        {name: lines for name, lines in ini.sections.items() if name not in names},
    )


def _notes(given: MosesIni, ini: MosesIni, unused: list[str], ignored: tuple[str, ...]) -> Iterator[str]:
    if empty := [f"[{name}]" for name, lines in given.sections.items() if not lines]:
        yield f"without a value, so without effect, as in Moses: {', '.join(empty)}"
    idle = [f"[{name}]" for name in unused]
    for feature in ini.features:
        if feature.name not in ignored:
            idle += [f"{feature.name}.{key}" for key in feature.arguments if key in WITHOUT_EFFECT]
    if idle:
        yield f"not used, without effect on translations: {', '.join(idle)}"
    if effort := [f"[{name}]" for name in OF_SEARCH if name in ini.sections]:
        yield f"noted in the model; decoding has options and defaults of its own for {', '.join(effort)}"
    if ignored:
        yield f"left out, as asked; the model translates differently: {', '.join(ignored)}"
