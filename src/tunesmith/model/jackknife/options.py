"""The options of jackknifing, for all commands that decode."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tunesmith.errors import OptionError
from tunesmith.file_roles import InFolder, Reads
from tunesmith.options import check_options, option

__all__ = ["JackknifeOptions"]

_PANEL = "Jackknife"


@dataclass(frozen=True)
class JackknifeOptions:
    """How sentences of a model's training text are translated as if they were new text."""

    jackknife: bool = option(
        False,
        help="Translate each sentence of the model's training text without the fold that it is in.",
        flag="--jackknife/--no-jackknife",
        panel=_PANEL,
    )
    fold_file: Annotated[Path | None, Reads()] = option(
        None,
        help="Fold of each input sentence, one per line; `-` for sentences of other text"
        " [default: looked up in the training text].",
        panel=_PANEL,
    )
    jackknife_lm: bool = option(
        True,
        help="Leave the fold out of language models, too: they contain the references.",
        panel=_PANEL,
    )
    keep_fold_tables: bool = option(
        False,
        help="Keep the tables and language models of folds for later runs.",
        flag="--keep-fold-tables",
        matters=False,
        panel=_PANEL,
    )
    fold_folder: Annotated[Path | None, InFolder()] = option(
        None, help="Folder of the fold models [default: `folds` in the model's].", matters=False, panel=_PANEL
    )
    lm_text: Annotated[tuple[Path, ...], Reads()] = option(
        (),
        help="The --lm-text that the model was trained with; repeat for more.",
        matters=False,
        panel=_PANEL,
    )

    def __post_init__(self) -> None:
        check_options(self, "jackknife")
        object.__setattr__(self, "lm_text", tuple(map(Path, self.lm_text)))
        given = {
            "fold_file": self.fold_file is not None,
            "jackknife_lm": not self.jackknife_lm,
            "keep_fold_tables": self.keep_fold_tables,
            "fold_folder": self.fold_folder is not None,
            "lm_text": bool(self.lm_text),
        }
        for name, is_given in given.items():
            if is_given and not self.jackknife:
                raise OptionError("jackknife: {} needs {}", name, "jackknife")
