"""Import of Moses models: moses.ini and the tables it names, to a directory of mapped files."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.extract.grammar import import_rules
from tunesmith.extract.rule_features import MOSES_SCORES
from tunesmith.files import COMPRESSIONS, PathLike, read_chunks
from tunesmith.folders import make_folder
from tunesmith.lm.foreign import refuse_binary_lm
from tunesmith.model.model import LanguageModelPart, Model, PhrasePart, ReorderingPart, RulePart
from tunesmith.model.moses_binary import refuse_binary_reordering, refuse_binary_table
from tunesmith.model.moses_ini import MosesFeature, MosesIni, dense_names
from tunesmith.model.moses_kinds import LANGUAGE_MODELS, PENALTIES, PHRASES, REORDERING
from tunesmith.model.moses_refusals import prepare_ini
from tunesmith.model.moses_rules import FirstRules, copy_rules
from tunesmith.model.moses_sections import WEIGHT_FILE
from tunesmith.model.moses_settings import (
    is_chart,
    settings_of,
    span_limits,
    tables_of,
    warn_of_beam,
    whole_number,
)
from tunesmith.model.moses_templates import MosesTemplates
from tunesmith.model.moses_weights import check_weight_file, read_weight_file, sparse_weights
from tunesmith.tables import read_moses_table
from tunesmith.text_beside import text_beside
from tunesmith.weights import Weights

__all__ = ["MosesFiles", "import_moses", "model_files"]

GOAL = "S"
TABLE_LIMIT = "20"
"""Moses' default number of translations per source phrase."""

CompileLm = Callable[[Path, Path], None]
"""Called with an ARPA file and the path of its compiled form."""
Progress = Callable[[str], None]


def import_moses(
    ini: PathLike,
    directory: PathLike,
    *,
    compile_lm: CompileLm | None = None,
    ignore: Iterable[str] = (),
    progress: Progress | None = None,
) -> Model:
    """Read the model of an ini and write it into a directory, which may exist.

    Files are looked up relative to the ini, then to the current folder, with or without a compression suffix.
    Reordering tables are joined into the phrase tables. Rule tables with four scores are mapped; those with
    other scores, or labels other than X, such as glue, are copied as text. A language model is compiled by
    `compile_lm`; without it the model refers to the original ARPA file. Whatever changes translations and
    cannot be imported is an InputError, unless its name is in `ignore` (see `prepare_ini`).
    """
    prepared = prepare_ini(ini, MosesIni.read(ini), ignore)
    given = prepared.ini
    folder = Path(directory)
    source = _Source(ini, folder, progress or (lambda line: None))
    source.check(given)
    for note in prepared.notes:
        source.tell(f"{ini}: {note}")
    warn_of_beam(ini, given)
    make_folder(folder)
    reordering = [feature for feature in given.features if feature.kind == REORDERING]
    tables, rules = [], []
    if is_chart(given):
        limits = span_limits(ini, given)
        rules = [source.rules(feature, given, limits[feature.name]) for feature in tables_of(given)]
    else:
        tables = [source.phrases(feature, reordering) for feature in tables_of(given)]
    languages = [source.language(f, compile_lm) for f in given.features if f.kind in LANGUAGE_MODELS]
    model = Model(
        folder,
        tuple(tables),
        _reordering_parts(reordering, given.weights),
        tuple(languages),
        {feature.name: feature.kind for feature in given.features if feature.kind in PENALTIES},
        settings_of(ini, given),
        given.dense_weights(),
        tuple(rules),
        templates=MosesTemplates.of(given.features).records(),
    )
    MosesTemplates.of(given.features).write_files(source.find_file, ini, folder)
    model = replace(model, weights=source.all_weights(model, given))
    model.write()
    return model


@dataclass(frozen=True)
class MosesFiles:
    """The kind of model, its input files by feature, and the files that an import writes."""

    kind: str
    inputs: dict[str, Path]
    outputs: tuple[str, ...]
    ignored: tuple[str, ...]


def model_files(ini: PathLike, ignore: Iterable[str] = ()) -> MosesFiles:
    """Return the files that an import will read and write, and what it leaves out."""
    prepared = prepare_ini(ini, MosesIni.read(ini), ignore)
    given = prepared.ini
    source = _Source(ini, Path(), lambda line: None)
    named = [f for f in given.features if f.kind in (PHRASES, REORDERING, *LANGUAGE_MODELS)]
    chart = is_chart(given)
    outputs = [source.rule_file(f) if chart else f"{f.name}.phrases" for f in tables_of(given)]
    outputs += [f"{feature.name}.lm" for feature in named if feature.kind in LANGUAGE_MODELS]
    inputs = {feature.name: source.find(feature) for feature in named}
    if weights := source.weight_file(given):
        inputs[WEIGHT_FILE] = weights
    lists = MosesTemplates.of(given.features).files(source.find_file, ini)
    outputs += list(lists)
    inputs |= {name: path for name, path in lists.items() if path is not None}
    return MosesFiles("hiero" if chart else "phrase", inputs, tuple(outputs), prepared.ignored)


@dataclass(frozen=True)
class _Source:
    """An ini, and the folder of the imported model."""

    ini: PathLike
    folder: Path
    tell: Progress

    def find(self, feature: MosesFeature) -> Path:
        """Return the file that a feature names."""
        named = feature.arguments.get("path", "")
        if not named:
            raise InputError(f"the feature {feature.name!r} has no path=", path=self.ini)
        path, binary = self.find_file(named), None
        if feature.kind == REORDERING and (path is None or path.suffix == ".minlexr"):
            binary = refuse_binary_reordering(self.ini, feature.name, named)
        elif feature.kind == PHRASES and path is not None and path.suffix == ".minphr":
            scores = feature.arguments.get("num-features", "4")
            binary = refuse_binary_table(self.ini, "PhraseDictionaryCompact", feature.name, named, scores)
        if path is not None and binary is None:
            return path
        raise binary or InputError(
            f"the file {named!r} of {feature.name!r} is neither beside the ini nor in the current folder"
            + text_beside(self.ini, named),
            path=self.ini,
        )

    def find_file(self, named: str) -> Path | None:
        """Return a file beside the ini or in the current folder, with or without a compression suffix."""
        for base in (Path(self.ini).parent, Path()):
            for suffix in ("", *sorted(COMPRESSIONS)):
                path = base / (named + suffix)
                if path.is_file():
                    return path
        return None

    def weight_file(self, given: MosesIni) -> Path | None:
        """Return the file of sparse weights, if the ini names one."""
        named = check_weight_file(self.ini, given.sections.get(WEIGHT_FILE, ()))
        if named is None:
            return None
        if (path := self.find_file(named)) is None:
            raise InputError(
                f"the weight file {named!r} is neither beside the ini nor in the current folder",
                path=self.ini,
            )
        return path

    def all_weights(self, model: Model, given: MosesIni) -> Weights:
        """Return the weights of the ini, and those of its weight file."""
        dense, path, known = given.dense_weights(), self.weight_file(given), model.sparse_names()
        if clash := sorted(known & set(dense)):
            raise InputError(f"a sparse score has the name of another feature, {clash[0]!r}", path=self.ini)
        if path is None:
            if known or MosesTemplates.of(given.features):
                self.tell(f"{self.ini}: the sparse features have no weights, and so no effect")
            return dense
        templates, opened = MosesTemplates.of(given.features), model.own_templates()

        def renamed(weights: Mapping[str, float]) -> dict[str, float]:
            named = templates.renamed(weights).items()
            return {name: value for name, value in named if any(each.admits(name) for each in opened)}

        sparse, notes = sparse_weights(path, known, renamed)
        for note in notes:
            self.tell(note)
        scores = len(known.intersection(sparse))
        if known:
            self.tell(f"{path}: {scores} weights of {len(known)} sparse features")
        if templates:
            self.tell(f"{path}: {len(sparse) - scores} weights of features of templates")
        return Weights({**dense, **sparse})

    def check(self, given: MosesIni) -> None:
        """Check numbers, and that files fit the weights, before anything is written."""
        settings_of(self.ini, given)
        for feature in given.features:
            for key in ("order", "table-limit"):
                whole_number(self.ini, key, feature.arguments.get(key, "0"))
            if feature.kind in LANGUAGE_MODELS:
                arpa = self.find(feature)
                if b"\\data\\" not in (start := next(iter(read_chunks(arpa)), b"")):
                    raise refuse_binary_lm(arpa, start)
            elif feature.kind in (PHRASES, REORDERING):
                width, weights = _table_width(self.find(feature)), len(given.weights[feature.name])
                if width not in (None, weights):
                    raise InputError(
                        f"{feature.name!r} has {weights} weights, but its table {width} values per pair",
                        path=self.ini,
                    )
        if path := self.weight_file(given):
            read_weight_file(path, silent=True)
        if not tables_of(given):
            raise InputError(f"names no phrase table; expected a {PHRASES}", path=self.ini)
        if is_chart(given):
            self.check_rules(given)

    def check_rules(self, given: MosesIni) -> None:
        """Refuse tables without rules, and models without rules that cover whole sentences."""
        span_limits(self.ini, given)
        peeks = [FirstRules.peek(self.find(feature)) for feature in tables_of(given)]
        if not any(GOAL in each.tops for each in peeks):
            raise InputError(
                f"names no glue grammar: no table has rules of [{GOAL}]; write one by `tunesmith extract"
                f" rules --format moses --glue` and add a {PHRASES} with num-features=1 and a weight for it",
                path=self.ini,
            )

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
            feature.name, output.name, len(table.score_names), whole_number(self.ini, "table-limit", limit)
        )

    def rule_file(self, feature: MosesFeature) -> str:
        """Return the file name of rules: a mapped table if it can represent them, else a text."""
        first = FirstRules.peek(self.find(feature))
        mapped = first.hierarchical and first.scores == len(MOSES_SCORES)
        return feature.name + (".rules" if mapped else ".grammar")

    def rules(self, feature: MosesFeature, given: MosesIni, span_limit: int) -> RulePart:
        """Read a rule table or a glue grammar; all rules of Moses count in its penalties."""
        path, output = self.find(feature), self.folder / self.rule_file(feature)
        names = dense_names(feature.name, len(given.weights[feature.name]))
        mapped = output.suffix == ".rules"
        count = len(import_rules(path, output)) if mapped else copy_rules(path, output, names)
        self.tell(f"{output.name}: {count} rules")
        return RulePart(
            feature.name,
            output.name,
            "table" if mapped else "text",
            names,
            whole_number(self.ini, "table-limit", feature.arguments.get("table-limit", TABLE_LIMIT)),
            span_limit,
            counted=True,
        )

    def language(self, feature: MosesFeature, compile_lm: CompileLm | None) -> LanguageModelPart:
        """Find a language model, and compile it if there is a compiler."""
        arpa = self.find(feature)
        order = whole_number(self.ini, "order", feature.arguments.get("order", "0"))
        path = None
        if compile_lm is not None:
            path = f"{feature.name}.lm"
            compile_lm(arpa, self.folder / path)
        else:
            self.tell(f"{feature.name}: stays at {arpa}")
        return LanguageModelPart(feature.name, order, str(arpa.resolve()), path)


def _reordering_type(feature: MosesFeature) -> str:
    return feature.arguments.get("type", feature.name).removesuffix("-allff")


def _table_width(path: Path) -> int | None:
    """Return the number of values in the first line of a table, None if malformed."""
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
