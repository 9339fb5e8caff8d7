"""The feature sets of sparse hierarchical reordering models of Auli, Galley and Gao (2014), as templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tunesmith.features.base import TEMPLATES
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.options import same_option

__all__ = ["SparseHRM", "SparseHRMBiPhrases", "SparseHRMLocal", "SparseHRMUncommon"]

_CLASSES = (20, 50, 80)


@TEMPLATES.register("sparse-hrm-local")
@dataclass(frozen=True)
class SparseHRMLocal(SparseReordering):
    """The first and the last words of phrases, with backward orientations (SparseHRMLocal of the paper)."""

    name: str = "SparseHRMLocal"
    classes: tuple[int, ...] = same_option(SparseReordering, "classes", _CLASSES)
    orientations: Literal["msd", "mslr", "mslrg"] = same_option(SparseReordering, "orientations", "mslrg")
    stack: Literal["previous", "block", "none"] = same_option(SparseReordering, "stack", "none")
    between: bool = same_option(SparseReordering, "between", False)


@TEMPLATES.register("sparse-hrm")
@dataclass(frozen=True)
class SparseHRM(SparseReordering):
    """Also those of the block on top of the stack, and the words in between (SparseHRM of the paper)."""

    name: str = "SparseHRM"
    classes: tuple[int, ...] = same_option(SparseReordering, "classes", _CLASSES)
    orientations: Literal["msd", "mslr", "mslrg"] = same_option(SparseReordering, "orientations", "mslrg")
    stack: Literal["previous", "block", "none"] = same_option(SparseReordering, "stack", "block")


@TEMPLATES.register("sparse-hrm-uncommon")
@dataclass(frozen=True)
class SparseHRMUncommon(SparseHRM):
    """Also all words of the training text (SparseHRM+UncommonWords of the paper)."""

    name: str = "SparseHRMUncommon"
    uncommon: bool = same_option(SparseReordering, "uncommon", True)


@TEMPLATES.register("sparse-hrm-biphrases")
@dataclass(frozen=True)
class SparseHRMBiPhrases(SparseHRM):
    """Also the identities of phrases and phrase pairs (SparseHRM+BiPhrases of the paper)."""

    name: str = "SparseHRMBiPhrases"
    identities: bool = same_option(SparseReordering, "identities", True)
