"""Options of reading candidate lists, for all commands that do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tunesmith.cli.given_once import named_once
from tunesmith.errors import Message, OptionError, TunesmithError
from tunesmith.file_roles import Reads
from tunesmith.options import option

if TYPE_CHECKING:
    from tunesmith.candidates import Pool
    from tunesmith.types import IntArray

__all__ = ["ReaderFlags"]

_FLAGS = {
    "features": "--feature",
    "size": "--list-size",
    "scores": "--score-column",
    "format": "--format",
    "extra_keys": "--extra-keys",
    "allow_missing": "--allow-missing",
    "duplicates": "--duplicates",
    "missing": "--missing",
}
"""The flags of the options of readers."""


def _file_of_feature(text: str, values: Mapping[str, Any]) -> list[Path]:
    """Return the file of NAME=FILE."""
    return [Path(path)] if (path := text.partition("=")[2]) else []


@dataclass(frozen=True)
class ReaderFlags:
    """The options of `Pool.read` on the command line."""

    format: str | None = option(None, help="Format of the lists [default: detected from name and content].")
    feature_files: Annotated[tuple[str, ...], Reads(_file_of_feature)] = option(
        (), help="Format flat: score file of a feature, NAME=FILE; may be repeated.", flag="--feature"
    )
    list_size: int | None = option(
        None,
        help="Format flat: number of candidates per list [default: columns of the score files].",
    )
    score_columns: tuple[str, ...] = option(
        (),
        help="Formats parquet, csv, tsv: column that is a score, not a feature; may be repeated.",
        flag="--score-column",
    )
    extra_keys: str | None = option(
        None,
        help="Format jsonl: what to do with unknown keys: drop them, or keep those of hypotheses that are"
        " numbers as features [default: an error].",
        metavar="error|keep|drop",
    )
    allow_missing: bool = option(False, help="Skip sentences without candidates.", flag="--allow-missing")
    duplicates: str | None = option(
        None,
        help="Equal candidates of a list, with the same text and features: keep all, or drop all but the"
        " first [default: keep].",
        metavar="keep|drop",
    )

    missing: str | None = option(
        None,
        help="What a missing value of a feature counts as: the least value in its list (worst), the mean in"
        " its list, 0 as if the candidate lacked the feature (absent), or a number [default: error].",
        metavar="error|worst|mean|absent|NUMBER",
    )

    @property
    def is_flat(self) -> bool:
        """Whether options of the format flat are given, whose score files belong to one file of texts."""
        return bool(self.feature_files) or self.list_size is not None or self.format == "flat"

    def read(self, files: Iterable[Path], references: Iterable[Path] | None = None) -> Pool:
        """Read candidate lists; the reader refuses options of other formats."""
        from tunesmith.candidates import Pool

        options: dict[str, Any] = {}
        if self.feature_files:
            options["features"] = named_once("--feature", map(_feature_file, self.feature_files))
        given = {
            "size": self.list_size,
            "scores": self.score_columns or None,
            "extra_keys": self.extra_keys,
        }
        options |= {name: value for name, value in given.items() if value is not None}
        try:
            return Pool.read(
                [str(path) for path in files],
                references=[str(path) for path in references or ()],
                format=self.format,
                allow_missing=self.allow_missing,
                duplicates=self.duplicates,  # type: ignore[arg-type]
                missing=self.missing,  # type: ignore[arg-type]
                **options,
            )
        except TunesmithError as error:
            raise _with_flags(error) from None

    def line_order(self, pool: Pool, where: str) -> IntArray:
        """Return the lists in the order of their lines, as `tunesmith.candidates.references` does."""
        from tunesmith.candidates.references import line_order

        try:
            return line_order(pool, where, allow_missing=self.allow_missing)
        except TunesmithError as error:
            raise _with_flags(error) from None


def _with_flags(error: TunesmithError) -> TunesmithError:
    """Return the error with the flags of readers: another option of the command may have the same name."""
    error.message = Message(error.message.spelled(lambda name: _FLAGS.get(name, name)))
    return error


def _feature_file(text: str) -> tuple[str, str]:
    name, _, path = text.partition("=")
    if not (name and path):
        raise OptionError(f"--feature {text!r}: expected NAME=FILE, such as 'lm=lm.scores'")
    return name, path
