"""Import of Moses models: moses.ini and the tables it names, to a directory of mapped files."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import COMPRESSIONS, PathLike, read_chunks
from tunesmith.model.model import LanguageModelPart, Model, PhrasePart, ReorderingPart
from tunesmith.model.moses_ini import MosesFeature, MosesIni
from tunesmith.tables import read_moses_table

__all__ = ["MosesFiles", "import_moses", "model_files"]

LANGUAGE_MODELS = ("KENLM", "SRILM", "IRSTLM")
PENALTIES = ("Distortion", "WordPenalty", "PhrasePenalty", "UnknownWordPenalty")
PHRASES, REORDERING = "PhraseDictionaryMemory", "LexicalReordering"
CHART_SECTIONS = ("non-terminals", "max-chart-span")
SETTINGS = {
    "distortion-limit": "distortion_limit",
    "cube-pruning-pop-limit": "pop_limit",
    "stack": "stack_size",
    "s": "stack_size",
}
TABLE_LIMIT = "20"
"""Moses' number of translations a source phrase, where the ini does not say."""

CompileLm = Callable[[Path, Path], None]
"""Called with an ARPA file and the name under which its compiled form is wanted."""
Progress = Callable[[str], None]


def import_moses(
    ini: PathLike,
    directory: PathLike,
    *,
    compile_lm: CompileLm | None = None,
    progress: Progress | None = None,
) -> Model:
    """Read the model that an ini describes and write it into a directory, which may exist.

    Files are looked for beside the ini and then in the current folder, with or without a suffix of
    compression. Reordering tables are joined into the phrase tables. A language model is compiled by
    `compile_lm`; without it the model refers to the ARPA file where it is.
    """
    given = MosesIni.read(ini)
    _check_supported(ini, given)
    folder = Path(directory)
    source = _Source(ini, folder, progress or (lambda line: None))
    source.check(given)
    folder.mkdir(parents=True, exist_ok=True)
    reordering = [feature for feature in given.features if feature.kind == REORDERING]
    tables = [source.phrases(f, reordering) for f in given.features if f.kind == PHRASES]
    languages = [source.language(f, compile_lm) for f in given.features if f.kind in LANGUAGE_MODELS]
    model = Model(
        folder,
        tuple(tables),
        _reordering_parts(reordering, given.weights),
        tuple(languages),
        {feature.name: feature.kind for feature in given.features if feature.kind in PENALTIES},
        _settings(ini, given),
        given.dense_weights(),
    )
    model.write()
    return model


@dataclass(frozen=True)
class MosesFiles:
    """The files that an ini names, by feature, and the binary files that an import writes."""

    inputs: dict[str, Path]
    outputs: tuple[str, ...]


def model_files(ini: PathLike) -> MosesFiles:
    """Return what an import will read and write, before it does."""
    given = MosesIni.read(ini)
    _check_supported(ini, given)
    source = _Source(ini, Path(), lambda line: None)
    named = [f for f in given.features if f.kind in (PHRASES, REORDERING, *LANGUAGE_MODELS)]
    suffixes = {PHRASES: ".phrases"} | dict.fromkeys(LANGUAGE_MODELS, ".lm")
    outputs = [feature.name + suffixes[feature.kind] for feature in named if feature.kind in suffixes]
    return MosesFiles({feature.name: source.find(feature) for feature in named}, tuple(outputs))


@dataclass(frozen=True)
class _Source:
    """Where an ini is, and where its model goes."""

    ini: PathLike
    folder: Path
    tell: Progress

    def find(self, feature: MosesFeature) -> Path:
        """Return the file that a feature names."""
        named = feature.arguments.get("path", "")
        if not named:
            raise InputError(f"the feature {feature.name!r} has no path=", path=self.ini)
        for base in (Path(self.ini).parent, Path()):
            for suffix in ("", *sorted(COMPRESSIONS)):
                path = base / (named + suffix)
                if path.is_file():
                    return path
        raise InputError(
            f"the file {named!r} of {feature.name!r} is neither beside the ini nor in the current folder",
            path=self.ini,
        )

    def check(self, given: MosesIni) -> None:
        """Refuse, before anything is written, what is no number and files that do not fit the weights."""
        _settings(self.ini, given)
        for feature in given.features:
            for key in ("order", "table-limit"):
                _whole(self.ini, key, feature.arguments.get(key, "0"))
            if feature.kind in LANGUAGE_MODELS:
                arpa = self.find(feature)
                if b"\\data\\" not in next(iter(read_chunks(arpa)), b""):
                    raise InputError(
                        "is not an ARPA file; name the text file from which it was made", path=arpa
                    )
            elif feature.kind in (PHRASES, REORDERING):
                width, weights = _table_width(self.find(feature)), len(given.weights[feature.name])
                if width not in (None, weights):
                    raise InputError(
                        f"{feature.name!r} has {weights} weights, its table {width} values a pair",
                        path=self.ini,
                    )
        if not any(feature.kind == PHRASES for feature in given.features):
            raise InputError(f"names no phrase table; expected a {PHRASES}", path=self.ini)

    def phrases(self, feature: MosesFeature, reordering: list[MosesFeature]) -> PhrasePart:
        """Read a phrase table and the reordering tables."""
        output = self.folder / f"{feature.name}.phrases"
        table = read_moses_table(
            self.find(feature),
            output,
            reordering=[self.find(each) for each in reordering],
            reordering_types=[_reordering_type(each) for each in reordering],
            progress=self.tell,
        )
        limit = feature.arguments.get("table-limit", TABLE_LIMIT)
        return PhrasePart(
            feature.name, output.name, len(table.score_names), _whole(self.ini, "table-limit", limit)
        )

    def language(self, feature: MosesFeature, compile_lm: CompileLm | None) -> LanguageModelPart:
        """Find a language model, and compile it if somebody can."""
        arpa = self.find(feature)
        order = _whole(self.ini, "order", feature.arguments.get("order", "0"))
        path = None
        if compile_lm is not None:
            path = f"{feature.name}.lm"
            compile_lm(arpa, self.folder / path)
        else:
            self.tell(f"{feature.name}: stays at {arpa}")
        return LanguageModelPart(feature.name, order, str(arpa.resolve()), path)


def _check_supported(path: PathLike, ini: MosesIni) -> None:
    """Refuse what would be lost: hierarchical and factored models, and features that are not known here."""
    chart = any(name in ini.sections for name in CHART_SECTIONS)
    if chart or ini.sections.get("search-algorithm", ("1",))[0] not in ("0", "1"):
        raise InputError(
            "is a hierarchical model for moses_chart; only phrase-based models can be imported", path=path
        )
    known = {PHRASES, REORDERING, *LANGUAGE_MODELS, *PENALTIES}
    for feature in ini.features:
        if feature.kind not in known:
            raise InputError(
                f"has the feature {feature.kind!r}; expected only {', '.join(sorted(known))}", path=path
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


def _reordering_type(feature: MosesFeature) -> str:
    return feature.arguments.get("type", feature.name).removesuffix("-allff")


def _table_width(path: Path) -> int | None:
    """Return how many values the first line of a table has, None where it is no such line."""
    line = b""
    for chunk in read_chunks(path):
        line += chunk
        if b"\n" in chunk:
            break
    fields = line.partition(b"\n")[0].split(b"|||")
    return len(fields[2].split()) if len(fields) > 2 else None


def _reordering_parts(
    reordering: list[MosesFeature], weights: Mapping[str, tuple[float, ...]]
) -> tuple[ReorderingPart, ...]:
    borders = itertools.accumulate((len(weights[each.name]) for each in reordering), initial=0)
    return tuple(
        ReorderingPart(each.name, _reordering_type(each), columns)
        for each, columns in zip(reordering, itertools.pairwise(borders), strict=True)
    )


def _settings(path: PathLike, ini: MosesIni) -> dict[str, int]:
    settings = {}
    for section, name in SETTINGS.items():
        if ini.sections.get(section):
            settings[name] = _whole(path, section, ini.sections[section][0])
    return settings


def _whole(path: PathLike, what: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{what} is {text!r}; expected a whole number", path=path) from None
