"""What `extract phrases` reads: aligned text with weights and folds, or phrase pairs that Moses extracted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tunesmith.cli.aligned_text import read_aligned_text
from tunesmith.errors import InputError, OptionError

if TYPE_CHECKING:
    from tunesmith.corpus import Alignments, Bitext
    from tunesmith.extract import Lexicon, MosesLexicon
    from tunesmith.types import FloatArray, Int32Array

__all__ = ["Extraction", "ExtractionFiles", "blaming", "read_extraction"]


@dataclass(frozen=True)
class ExtractionFiles:
    """The input files, as the command line names them."""

    source: Path | None
    target: Path | None
    alignment: Path | None
    extract: Path | None
    extract_orientations: Path | None
    lexicon: Path | None
    instance_weights: Path | None
    fold_file: Path | None

    def check(self, lexicon_output: Path | None, exclude_fold: int | None = None) -> None:
        """Raise OptionError unless the files go together, and a fold can be excluded if one is to be."""
        if exclude_fold is not None and self.fold_file is None:
            raise OptionError(f"--exclude-fold: there is no fold {exclude_fold} without --fold-file")
        text = [self.source, self.target, self.alignment]
        if (self.extract is None or any(text)) and not all(text):
            raise OptionError("expected --source, --target and --alignment, or --extract with --lexicon")
        if self.extract is None:
            if self.extract_orientations is not None:
                raise OptionError("--extract-orientations needs --extract")
        else:
            if self.lexicon is None and not all(text):
                raise OptionError("--extract needs --lexicon, or a text with --alignment to estimate it from")
            for name in ("instance_weights", "fold_file"):
                if getattr(self, name) is not None:
                    flag = "--" + name.replace("_", "-")
                    raise OptionError(f"{flag} is for text; lines of --extract have weights of their own")
        if self.lexicon is not None and lexicon_output is not None:
            raise OptionError("--lexicon and --lexicon-output exclude each other: nothing is estimated")
        if self.lexicon is not None and exclude_fold is not None:
            raise OptionError("--exclude-fold needs the counts of a lexicon; Moses' --lexicon has none")


@dataclass(frozen=True)
class Extraction:
    """Aligned text, or one phrase pair per line, with their lexicon."""

    bitext: Bitext
    alignments: Alignments
    folds: Int32Array | None
    weights: FloatArray | None
    orientations: Int32Array | None
    lexicon: Lexicon | MosesLexicon


def read_extraction(
    files: ExtractionFiles, reordering: tuple[str, ...], exclude_fold: int | None, threads: int | None
) -> Extraction:
    """Read the files; estimate the lexicon unless it is given."""
    from tunesmith.extract import Lexicon, ReorderingSpec, read_moses_extract, read_moses_lexicon

    given = None if files.lexicon is None else read_moses_lexicon(files.lexicon)
    text = None
    if files.source is not None and files.target is not None and files.alignment is not None:
        text = _read_text(files, files.source, files.target, files.alignment, exclude_fold)
    if files.extract is None:
        assert text is not None  # by check
        bitext, alignments, folds, weights = text
        if given is not None:
            given.warn_of_missing(bitext, alignments)
        words = given or Lexicon.estimate(bitext, alignments, folds, weights=weights, threads=threads)
        return Extraction(bitext, alignments, folds, weights, None, words)
    extracted = read_moses_extract(files.extract, files.extract_orientations)
    extracted.check(ReorderingSpec.listed(reordering))
    if given is None:
        assert text is not None  # by check
        lexicon: Lexicon | MosesLexicon = Lexicon.estimate(text[0], text[1], threads=threads)
    else:
        given.warn_of_missing(extracted.bitext, extracted.alignments)
        lexicon = given
    return Extraction(
        extracted.bitext, extracted.alignments, None, extracted.weights, extracted.orientations, lexicon
    )


def _read_text(
    files: ExtractionFiles, source: Path, target: Path, alignment: Path, exclude_fold: int | None
) -> tuple[Bitext, Alignments, Int32Array | None, FloatArray | None]:
    from tunesmith.extract.folds import check_excluded, fold_numbers, read_folds
    from tunesmith.extract.instance_weights import counted_weights, read_instance_weights

    bitext, alignments = read_aligned_text(source, target, alignment)
    if len(alignments.links) == 0:
        raise InputError("has no links, so there are no phrase pairs to extract", path=alignment)
    with blaming(files.fold_file):
        folds = None if files.fold_file is None else fold_numbers(read_folds(files.fold_file), len(bitext))
    if folds is not None:
        check_excluded(exclude_fold, int(folds.max(initial=0)) + 1)
    weights = None
    if files.instance_weights is not None:
        with blaming(files.instance_weights):
            weights = read_instance_weights(files.instance_weights)
            counted_weights(weights, len(bitext))
    return bitext, alignments, folds, weights


@contextmanager
def blaming(path: Path | None) -> Iterator[None]:
    """Add the file to errors that name none."""
    try:
        yield
    except InputError as error:
        raise InputError(error.message, path=error.path or path, line=error.line) from None
