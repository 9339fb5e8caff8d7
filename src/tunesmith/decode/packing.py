"""One folder with all that a model needs to translate, which can be moved and given to others."""

from __future__ import annotations

import hashlib
import os
import shutil
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tunesmith.decode.opening import open_decoder
from tunesmith.decode.recorded import Recorded
from tunesmith.errors import InputError, UnusedWeightWarning
from tunesmith.files import PathLike, open_regular
from tunesmith.folders import make_folder, temporary_folder
from tunesmith.model.manifest import PACKED, BuildRecord, FileRecord, Manifest, this_version
from tunesmith.model.model import FEATURES_FILE, START_FILE, WEIGHTS_FILE, Model
from tunesmith.model.packed_files import PackedFiles, programs_of
from tunesmith.weights import Weights, WeightStore
from tunesmith.weights.writing import write_store

__all__ = ["Packed", "pack_model"]


@dataclass(frozen=True)
class Packed:
    """What was packed: the folder, its files with their sizes, and those that lay outside of the model.

    `programs` are the commands that prepare text: whoever uses the folder needs them, too. `notes` say what
    else comes with the input. `tuned` is False if the model has only the weights to start tuning from.
    """

    directory: Path
    files: dict[str, int]
    outside: tuple[str, ...]
    programs: tuple[str, ...]
    notes: tuple[str, ...]
    tuned: bool

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "directory": str(self.directory),
            "files": self.files,
            "bytes": sum(self.files.values()),
            "outside": list(self.outside),
            "programs": list(self.programs),
            "notes": list(self.notes),
            "tuned": self.tuned,
        }


def pack_model(
    model: PathLike,
    output: PathLike,
    *,
    weights: Mapping[str, float] | PathLike | None = None,
    link: bool = False,
    progress: Callable[[str], None] = lambda line: None,
) -> Packed:
    """Copy a model into a new folder, with all files that it refers to elsewhere, and open it there.

    `weights`, a mapping, a store or a file, become its own [default: those of the model], with what they
    record of how to decode. The text that the model was trained on, and what it counted there, stay behind:
    the folder translates, bit for bit as the model does, and is tuned, but not re-estimated. With `link`,
    large files are hard links, where the file system allows it: then nobody may write into them. The folder
    appears complete or not at all; one that is not empty is an InputError.
    """
    target = Path(output).absolute()
    _check_target(target)
    opened = Model.open(model, verify=True)
    given = _given(opened, weights)
    _check_whitelists(opened, given)
    if given is not None:
        open_decoder(model, given)  # before much is copied: errors and warnings name the user's file
    files = PackedFiles.of(opened)
    make_folder(target.parent)
    with temporary_folder(f".{target.name}.", target.parent) as made:
        folder = Path(made) / "model"
        folder.mkdir()
        for name, source in files.sources.items():
            progress(f"{name}: from {source}" if name in files.outside else name)
            _copy(source, folder / name, link=link)
        start = Weights.read(opened.directory / START_FILE)
        replace(files.model, directory=folder, weights=start).write()
        if given is not None:
            write_store(given, folder / WEIGHTS_FILE, "json")
        manifest = _manifest(Manifest.read(model), folder)
        manifest.write(folder)
        _check_opens(folder)
        _check_target(target)
        folder.replace(target)
    inputs = [part.name for part in opened.rules if part.source == "input"]
    return Packed(
        Path(output),
        {name: record.bytes for name, record in manifest.files.items()},
        files.outside,
        tuple(programs_of(opened)),
        tuple(f"the rules {name} come with the input: give their files, too" for name in inputs),
        given is not None,
    )


def _check_opens(folder: Path) -> None:
    """Open the packed model once; of weights that it does not use, the user has been told."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnusedWeightWarning)
        open_decoder(folder, verify=True)


def _check_target(target: Path) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise InputError("exists and is not a folder; expected a new folder", path=target)
    if target.is_dir() and any(target.iterdir()):
        raise InputError("is not empty; name a new folder", path=target)


def _given(model: Model, weights: Mapping[str, float] | PathLike | None) -> WeightStore | None:
    """Return the weights of the packed model besides its start weights; None if it has no others."""
    own = model.directory / WEIGHTS_FILE
    if weights is None:
        return WeightStore.open(own) if own.exists() else None
    if isinstance(weights, WeightStore):
        return weights
    return WeightStore.of(weights) if isinstance(weights, Mapping) else WeightStore.open(weights)


def _check_whitelists(model: Model, weights: WeightStore | None) -> None:
    """Refuse templates whose whitelist is a file that the command line named."""
    recorded = () if weights is None else Recorded.of(weights).templates
    for record in (*model.templates, *recorded):
        only = record.get("options", {}).get("only")
        if only:
            raise InputError(
                f"has the template {record['name']} with the whitelist {only!r}, a file elsewhere, which"
                " cannot be packed; give weights of a template without it",
                path=model.directory if weights is None else weights.path or model.directory,
            )


def _copy(source: Path, target: Path, *, link: bool) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if link:
        try:
            os.link(os.path.realpath(source), target)
        except OSError:
            pass  # of another file system, or one without links
        else:
            return
    try:
        with open_regular(source) as stream, target.open("xb") as copy:
            shutil.copyfileobj(stream, copy, 1 << 20)
    except OSError as error:
        raise InputError(f"cannot be copied: {error.strerror or error}", path=source) from None


def _manifest(of_model: Manifest, folder: Path) -> Manifest:
    """Return the manifest of a folder: one step, whose outputs are all of its files."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    outputs = {name: FileRecord.of(folder / name) for name in names}
    assert FEATURES_FILE in outputs
    digest = hashlib.sha256("".join(record.sha256 for record in outputs.values()).encode()).hexdigest()
    step = BuildRecord(digest, {"origin": of_model.origin}, {}, outputs)
    return Manifest(of_model.kind, {"pack": step}, this_version(), PACKED, complete=True)
