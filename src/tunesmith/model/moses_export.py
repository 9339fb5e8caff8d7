"""Export to Moses: text tables and a moses.ini."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.folders import make_folder
from tunesmith.model.model import LanguageModelPart, Model, PhrasePart, ReorderingPart
from tunesmith.model.moses_ini import MosesFeature, MosesIni, dense_names
from tunesmith.model.moses_kinds import PENALTIES, PHRASES, REORDERING, TEMPLATE_KINDS
from tunesmith.model.moses_sections import SETTINGS, WEIGHT_FILE
from tunesmith.model.moses_template_export import ExportedTemplates
from tunesmith.tables import write_moses_table
from tunesmith.weights import Weights

__all__ = ["export_moses"]

HEADER = "# written by Tunesmith; paths are relative to this folder\n\n"

SPARSE_WEIGHTS = "weights.sparse"
INPUT = {"num-features": "1", "num-input-features": "1", "real-word-count": "0"}
"""Arguments without which Moses does not read the values of lattices."""
FACTORS = {"input-factor": "0", "output-factor": "0"}

WriteArpa = Callable[[LanguageModelPart, Path], None]
"""Called with a language model and the name of the ARPA file to write."""


def export_moses(
    model: Model,
    directory: PathLike,
    *,
    weights: Weights | None = None,
    write_arpa: WriteArpa | None = None,
    progress: Callable[[str], None] | None = None,
) -> Path:
    """Write the model's tables as gzipped text, and a moses.ini; return the path of the latter.

    `weights` (such as tuned ones) replace the model's own, which are the default for missing features; those
    of sparse scores of the tables and of the model's templates become Moses' weight file.
    Without `write_arpa` the ini refers to the original ARPA file of a language model.
    """
    tell = progress or (lambda line: None)
    _check_exportable(model)
    reordering = map(_reordering_feature, model.reordering)
    templates = ExportedTemplates.of(model.own_templates(), reordering, model.directory)
    if len(model.phrase_tables) > 1 and model.reordering:
        raise InputError(
            "has several phrase tables and a reordering model; merge the tables first", path=model.directory
        )
    used = weights or model.weights
    sparse = Weights({**_sparse_weights(model, used), **templates.renamed(used)})
    folder = Path(directory)
    make_folder(folder)
    features = [
        MosesFeature(kind, name, INPUT if kind == "InputFeature" else {})
        for name, kind in model.penalties.items()
    ]
    for number, part in enumerate(model.phrase_tables):
        table = model.phrase_table(number)
        feature = _phrase_feature(part)
        output = folder / feature.arguments["path"]
        write_moses_table(table, output, [folder / _reordering_file(each) for each in model.reordering])
        tell(f"{output}: {len(table)} pairs")
        features.append(feature)
    templates.write_lists(folder)
    features += templates.features()
    for language in model.language_models:
        path = language.arpa
        if write_arpa is not None:
            path = f"{language.name}.arpa.gz"
            write_arpa(language, folder / path)
        if path is None:
            raise InputError(f"the language model {language.name} has no text form", path=model.directory)
        arguments = {"factor": "0", "path": path, "order": str(language.order)}
        features.append(MosesFeature("KENLM", language.name, arguments))
    sections = _sections(model)
    if sparse:
        sparse.write(folder / SPARSE_WEIGHTS)
        sections[WEIGHT_FILE] = (SPARSE_WEIGHTS,)
        tell(f"{folder / SPARSE_WEIGHTS}: {len(sparse)} weights of sparse features")
    ini = MosesIni(tuple(features), _weights(model, features, used), sections)
    with open_write(folder / "moses.ini") as stream:
        stream.write((HEADER + ini.format()).encode())
    return folder / "moses.ini"


def _check_exportable(model: Model) -> None:
    """Refuse features that Moses does not have."""
    foreign = [name for name, kind in model.penalties.items() if kind not in PENALTIES]
    foreign += [part.name for part in model.rules]
    foreign += [
        part.name for part in model.language_models if part.tokens != "words" or part.classes is not None
    ]
    if foreign:
        raise InputError(
            f"cannot be exported: Moses has no counterpart of {', '.join(foreign)}", path=model.directory
        )


def _phrase_feature(part: PhrasePart) -> MosesFeature:
    arguments = {"num-features": str(part.width), "path": f"phrase-table.{part.name}.gz"}
    return MosesFeature(PHRASES, part.name, arguments | FACTORS | {"table-limit": str(part.table_limit)})


def _reordering_feature(part: ReorderingPart) -> MosesFeature:
    width = part.columns[1] - part.columns[0]
    arguments = {"num-features": str(width), "type": f"{part.type}-allff", "path": _reordering_file(part)}
    return MosesFeature(REORDERING, part.name, arguments | FACTORS)


def _reordering_file(part: ReorderingPart) -> str:
    return f"reordering-table.{part.name}.{part.type}.gz"


def _sections(model: Model) -> dict[str, tuple[str, ...]]:
    steps = tuple(f"{number} T {number}" for number in range(len(model.phrase_tables)))
    sections = {"input-factors": ("0",), "mapping": steps}
    names = {ours: section for section, ours in SETTINGS.items()}
    sections |= {names[name]: (str(value),) for name, value in model.settings.items()}
    return sections


def _sparse_weights(model: Model, given: Weights) -> Weights:
    known = model.sparse_names()
    return Weights({name: value for name, value in given.items() if name in known})


def _weights(model: Model, features: list[MosesFeature], given: Weights) -> dict[str, tuple[float, ...]]:
    rows = {}
    for feature in features:
        if feature.kind in TEMPLATE_KINDS:
            continue
        names = dense_names(feature.name, int(feature.arguments.get("num-features", "1")))
        missing = [name for name in names if name not in given and name not in model.weights]
        if missing:
            raise InputError(f"there is no weight for {missing[0]!r}", path=model.directory)
        rows[feature.name] = tuple(given.get(name, model.weights.get(name, 0.0)) for name in names)
    return rows
