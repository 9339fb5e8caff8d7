"""Splitters as files."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from tunesmith.container import Container, write_container
from tunesmith.corpus.compounds.options import CompoundOptions
from tunesmith.corpus.compounds.splitter import CompoundSplitter
from tunesmith.corpus.compounds.words import WordCounts
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.texts import Texts

__all__ = ["open_splitter", "save_splitter"]

_KIND, _VERSION = "compound", 1


def save_splitter(splitter: CompoundSplitter, path: PathLike) -> None:
    """Write a binary file; the same splitter gives the same bytes."""
    forms = Texts.of(splitter.words.forms)
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "forms.blob": forms.blob,
        "forms.offsets": forms.offsets,
        "counts": splitter.words.counts,
        "supports": splitter.supports,
    }
    meta = {"options": dataclasses.asdict(splitter.options), "weights": dict(splitter.weights)}
    write_container(path, _KIND, _VERSION, arrays, meta)


def open_splitter(path: PathLike, *, verify: bool = False) -> CompoundSplitter:
    """Read a file that `save_splitter` wrote; one that is foreign, truncated or damaged is an InputError."""
    container = Container.open(path, _KIND, _VERSION, verify=verify)
    try:
        arrays = container.arrays
        forms = Texts.stored(arrays["forms.blob"], arrays["forms.offsets"], "words")
        words = WordCounts(tuple(forms), np.asarray(arrays["counts"]))
        options = CompoundOptions(**container.meta["options"])
        weights = {str(name): float(value) for name, value in container.meta["weights"].items()}
        return CompoundSplitter(words, options, weights, arrays["supports"])
    except KeyError as error:
        raise InputError(f"is damaged: it has no {error}", path=path) from None
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(f"is damaged: {error}", path=path) from None
