"""Build steps of a model: run in order, recorded when finished, skipped if nothing has changed."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from tunesmith.checksums import checksum
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.folders import make_folder
from tunesmith.leftovers import is_temporary
from tunesmith.locks import LOCK, locked_folder
from tunesmith.model.manifest import MANIFEST, BuildRecord, FileRecord, Manifest, this_version
from tunesmith.named_files import own_file

__all__ = [
    "BuildReport",
    "BuildStep",
    "Progress",
    "Workshop",
    "are_done",
    "run_steps",
    "show_bytes",
]

Progress: TypeAlias = Callable[[str], None]

SCRATCH = ".scratch"
LOG = "log.jsonl"
_BUSY = "another run is building this model; wait for it, or name another folder"
_PAUSE = 2.0
"""Minimum seconds between progress lines of a running step."""


@dataclass(frozen=True)
class Workshop:
    """The environment of a running step: the model's directory, a scratch folder, a progress callback."""

    directory: Path
    scratch: Path
    progress: Progress

    def __getitem__(self, name: str) -> Path:
        return self.directory / name


@dataclass(frozen=True)
class BuildStep:
    """A step with named output files.

    `inputs` are files from outside, by label; `needs` are outputs of earlier steps; `options` is everything
    else that the result depends on (so not threads or memory). Options that are decided by outputs of earlier
    steps are a function of the directory, called when the step is due: only these values matter then, not the
    outputs. `version` increases when the code gives another result for the same input. With `again` it runs
    even if it was done before.
    """

    name: str
    outputs: tuple[str, ...]
    run: Callable[[Workshop], None]
    inputs: Mapping[str, Path] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    options: Mapping[str, Any] | Callable[[Path], Mapping[str, Any]] = field(default_factory=dict)
    version: int = 1
    again: bool = False

    def options_in(self, directory: Path) -> Mapping[str, Any]:
        """Return the options, in a directory where all earlier steps are done."""
        return self.options(directory) if callable(self.options) else self.options


@dataclass(frozen=True)
class BuildReport:
    """Time and output size of a step."""

    name: str
    seconds: float
    bytes: int
    skipped: bool


def run_steps(
    directory: PathLike,
    kind: str,
    steps: Sequence[BuildStep],
    progress: Progress = lambda line: None,
    *,
    origin: str = "training",
) -> list[BuildReport]:
    """Run the steps that are not yet done, or whose inputs or options have changed, and record each.

    A step is done if its fingerprint (name, version, options, checksums of all inputs) and the checksums of
    its files are those of the manifest. The record of a step is removed before the step runs: a killed run
    loses that step, and the model is not complete until all are done.
    """
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot create the model's folder: {error.strerror}", path=folder) from None
    with locked_folder(folder, _BUSY, partial(_check_own, kind=kind, origin=origin)):
        manifest = _start(folder, Manifest(kind, origin=origin), steps)
        reports = []
        for number, step in enumerate(steps, 1):
            where = f"[{number}/{len(steps)}] {step.name}"
            options, inputs, fingerprint = _fingerprint(step, manifest, folder)
            known = manifest.steps.get(step.name)
            same = known is not None and known.fingerprint == fingerprint and not step.again
            if known is not None and same and _present(folder, known):
                progress(f"{where}: done before, nothing has changed")
                reports.append(BuildReport(step.name, 0.0, _bytes(known), True))
                continue
            progress(f"{where}: started")
            start = time.monotonic()
            rest = {name: record for name, record in manifest.steps.items() if name != step.name}
            manifest = replace(manifest, steps=rest, complete=False)
            manifest.write(folder)
            outputs = _run(folder, step, _within(where, progress))
            record = BuildRecord(fingerprint, options, inputs, outputs)
            manifest = replace(manifest, steps=manifest.steps | {step.name: record})
            manifest.write(folder)
            reports.append(BuildReport(step.name, time.monotonic() - start, _bytes(record), False))
            _log(folder, reports[-1])
            progress(f"{where}: {reports[-1].seconds:.1f} s, {show_bytes(reports[-1].bytes)}")
        in_order = {step.name: manifest.steps[step.name] for step in steps}
        replace(manifest, steps=in_order, complete=True).write(folder)
    return reports


def are_done(directory: PathLike, steps: Sequence[BuildStep]) -> bool:
    """Return whether the manifest of a directory records all steps, with their current inputs and options.

    Unlike `run_steps`, it does not read the outputs.
    """
    if not (Path(directory) / MANIFEST).is_file():
        return False
    manifest = Manifest.read(directory)
    if not manifest.complete or set(manifest.steps) != {step.name for step in steps}:
        return False
    prints = {step.name: _fingerprint(step, manifest, Path(directory))[2] for step in steps}
    return all(manifest.steps[name].fingerprint == found for name, found in prints.items())


def _within(where: str, progress: Progress) -> Progress:
    """Pass on the progress of a step, at most one line per `_PAUSE`."""
    last = time.monotonic()

    def tell(line: str) -> None:
        nonlocal last
        if time.monotonic() - last >= _PAUSE:
            last = time.monotonic()
            progress(f"{where}: {line}")

    return tell


def show_bytes(count: float) -> str:
    """Return a human-readable size."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} GB"


def _check_own(folder: Path, kind: str, origin: str) -> None:
    """Raise InputError unless a folder has a model of this kind and origin, or nothing."""
    if not (folder / MANIFEST).exists():
        names = (path.name for path in folder.iterdir())
        strangers = sorted(name for name in names if name != LOCK and not is_temporary(name))
        if strangers:
            message = f"is not empty and not a model (it contains {strangers[0]!r}); name a new folder"
            raise InputError(message, path=folder)
        return
    known = Manifest.read(folder)
    if (known.kind, known.origin) != (kind, origin):
        raise InputError(
            f"contains a model of kind {known.kind!r} from {known.origin}, not of kind {kind!r} from"
            f" {origin}; name another folder, or remove this one",
            path=folder,
        )


def _start(folder: Path, wanted: Manifest, steps: Sequence[BuildStep]) -> Manifest:
    """Return the manifest to resume from: that of the folder, without obsolete steps."""
    if not (folder / MANIFEST).exists():
        return replace(wanted, tunesmith=this_version())
    known = Manifest.read(folder)
    names = {step.name for step in steps}
    kept = {name: record for name, record in known.steps.items() if name in names}
    made = {name for step in steps for name in step.outputs}
    for name in sorted(set(known.files) - made):  # outputs of obsolete steps
        own_file(folder, name, path=folder / MANIFEST).unlink(missing_ok=True)
    return replace(
        known, steps=kept, tunesmith=this_version(), complete=known.complete and kept == known.steps
    )


def _fingerprint(
    step: BuildStep, manifest: Manifest, folder: Path
) -> tuple[dict[str, Any], dict[str, str], str]:
    files = manifest.files
    inputs = {label: checksum(path) for label, path in step.inputs.items()}
    inputs |= {name: files[name].sha256 for name in step.needs}
    options = json.loads(json.dumps(dict(step.options_in(folder))))  # as read back from the manifest
    parts = [step.name, step.version, sorted(step.outputs), options, inputs]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return options, inputs, hashlib.sha256(text.encode()).hexdigest()


def _present(folder: Path, record: BuildRecord) -> bool:
    return all(
        (folder / name).is_file()
        and (folder / name).stat().st_size == file.bytes
        and FileRecord.of(folder / name) == file
        for name, file in record.outputs.items()
    )


def _run(folder: Path, step: BuildStep, progress: Progress) -> dict[str, FileRecord]:
    scratch = folder / SCRATCH
    _sweep(folder, step)
    make_folder(scratch, may_exist=False)
    try:
        step.run(Workshop(folder, scratch, progress))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return {name: FileRecord.of(folder / name) for name in step.outputs}


def _sweep(folder: Path, step: BuildStep) -> None:
    """Remove the scratch files of a killed run, and links in the places of outputs."""
    shutil.rmtree(own_file(folder, SCRATCH), ignore_errors=True)
    for name in step.outputs:
        own_file(folder, name)


def _bytes(record: BuildRecord) -> int:
    return sum(file.bytes for file in record.outputs.values())


def _log(folder: Path, report: BuildReport) -> None:
    """Log the time of a step, which the manifest does not contain."""
    with own_file(folder, LOG).open("a", encoding="utf-8") as stream:
        line = {"step": report.name, "seconds": round(report.seconds, 2), "bytes": report.bytes}
        stream.write(json.dumps(line) + "\n")
