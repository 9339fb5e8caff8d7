"""Models without one fold each, built when they are needed and removed when they are not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from pathlib import Path

from tunesmith.corpus.folds import read_folds
from tunesmith.errors import InputError
from tunesmith.extract.folds import check_excluded
from tunesmith.files import PathLike
from tunesmith.folders import has_content
from tunesmith.locks import LOCK, shared_lock
from tunesmith.model.extracted import has_extracted_tables
from tunesmith.model.jackknife.left_out import LeftOut
from tunesmith.model.jackknife.options import JackknifeOptions
from tunesmith.model.jackknife.parts import fold_steps
from tunesmith.model.manifest import Manifest
from tunesmith.model.model import Model
from tunesmith.model.parts.names import FOLDS
from tunesmith.model.steps import BuildStep, Progress, are_done, run_steps
from tunesmith.types import IntArray

__all__ = ["FoldModels"]

ORIGIN = "jackknife"
"""The origin that the manifests of fold models record."""
_FOLDER = "folds"
"""Folder of the fold models, in that of the model."""


@dataclass(frozen=True)
class FoldModels:
    """The models that a model would be if one fold of its training text had not been there.

    Tables, lexicon, reordering models and, with `lm`, all language models are without the fold; aligner, word
    classes, truecasers, trained reordering models and weights are those of the whole text. Each is a model
    directory of its own, `folder`/N for fold N, which refers to the unchanged files of the model. A model
    that adds parts to a trained one has the folds of that one. Only paths and options are stored here, so
    that an object is cheap to send to another process.

    If `confined`, phrase tables have only what can translate the sentences of the fold itself, which takes a
    third of the time; models of whole tables are used, and kept, where they exist.
    """

    model: Path
    lm: bool = True
    keep: bool = False
    folder: Path | None = None
    lm_text: tuple[Path, ...] = ()
    threads: int | None = None
    memory: str = "2G"
    confined: bool = False

    @classmethod
    def of(
        cls, model: PathLike, options: JackknifeOptions | None = None, *, threads: int | None = None
    ) -> FoldModels:
        """Return the fold models of a directory; an InputError if they cannot be built."""
        chosen = options or JackknifeOptions(jackknife=True)
        made = cls(
            Path(model).absolute(),
            chosen.jackknife_lm,
            chosen.keep_fold_tables,
            None if chosen.fold_folder is None else chosen.fold_folder.absolute(),
            tuple(path.absolute() for path in chosen.lm_text),
            threads,
        )
        made._steps(0)
        return made

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def fold_of_pairs(self) -> IntArray:
        """The fold of each pair of the training text."""
        path = self.home / FOLDS
        if not path.is_file():
            raise InputError(
                "was not trained with folds, so that none can be left out: train it with {}, such as 10",
                "folds",
                path=self.model,
            )
        return read_folds(path)

    @contextmanager
    def open(self, fold: int | None, progress: Progress = lambda line: None) -> Iterator[Path]:
        """Yield the directory of the model without a fold; None and -1 are the whole model.

        It is built first, unless it exists. Several processes may have it open; the last one removes it,
        unless fold models are kept, or it was there before. Files that are mapped stay readable.
        """
        if fold is None or fold == -1:
            yield self.model
            return
        if self.confined:
            whole = replace(self, confined=False, keep=True)
            if are_done(whole.directory(fold), whole._steps(fold)):
                with whole.open(fold, progress) as directory:
                    yield directory
                return
        directory = self._place(fold)
        lock = directory.with_name(f".{directory.name}{LOCK}")
        steps = self._steps(fold)
        kind = Manifest.read(self.model).kind
        with shared_lock(
            lock,
            is_ready=partial(are_done, directory, steps),
            is_there=partial(has_content, directory),
            prepare=partial(run_steps, directory, kind, steps, progress, origin=ORIGIN),
            finish=None if self.keep else partial(_remove, directory),
        ):
            yield directory

    def directory(self, fold: int) -> Path:
        """Return the directory in which the model without a fold is built."""
        name = f"{fold}{'' if self.lm else '.whole-lm'}{'.confined' if self.confined else ''}"
        return (self.folder or self.model / _FOLDER) / name

    def _place(self, fold: int) -> Path:
        """Return the directory of the model without a fold, in a folder that exists; links are refused."""
        directory = self.directory(fold)
        for path in (directory, *([] if self.folder else [directory.parent])):
            if path.is_symlink():
                raise InputError(
                    "is a link; expected a folder: remove the link, or name the folder by {}",
                    "fold_folder",
                    path=path,
                )
        try:
            directory.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"cannot create the folder of fold models: {error.strerror}; name another by {{}}",
                "fold_folder",
                path=directory.parent,
            ) from None
        return directory

    @cached_property
    def home(self) -> Path:
        """The directory of the trained model: another one if this model only adds parts to it."""
        return Model.read(self.model).home

    @property
    def messages(self) -> list[str]:
        """What a user should know: parts that have learned from the references of all folds."""
        names = ", ".join(part.name for part in Model.read(self.model).trained_reordering)
        if not names:
            return []
        return [
            f"the trained reordering model of {self.model} ({names}) was trained on all folds, and is not"
            " without any of them: it has seen the references of these sentences, so that they are not quite"
            " like new text"
        ]

    def _steps(self, fold: int) -> list[BuildStep]:
        model = Model.open(self.model)
        if not has_extracted_tables(model):
            table = "phrase table" if model.phrase_tables else "rule table"
            raise InputError(
                f"has a re-estimated {table}, whose counts are not known by fold, so that none can be"
                f" left out; only the trained model has folds, {model.home}",
                path=self.model,
            )
        if model.base:
            added = model.anchored()
            model = replace(
                Model.open(model.base), weights=added.weights, trained_reordering=added.trained_reordering
            )
        check_excluded(fold, int(self.fold_of_pairs.max()) + 1)
        return fold_steps(
            LeftOut(
                model,
                Manifest.read(self.home),
                fold,
                self.fold_of_pairs,
                self.lm,
                self.lm_text,
                self.threads,
                self.memory,
                self.model,
                self.confined,
            )
        )


def _remove(directory: Path) -> None:
    """Remove a model without a fold, also a half-made one, if its record says that it is one."""
    if directory.is_symlink() or not directory.is_dir():
        return
    if has_content(directory, besides=(LOCK,)):
        try:
            if Manifest.read(directory).origin != ORIGIN:
                return
        except InputError:
            return
    shutil.rmtree(directory, ignore_errors=True)
