"""Word alignment in both directions: IBM 1, diagonal IBM 2, HMM; symmetrization; alignment error rate."""

from tunesmith.align.aligner import Aligner, Direction
from tunesmith.align.error_rate import AlignmentError, alignment_error_rate, alignment_statistics
from tunesmith.align.model import ALIGNMENT_MODELS, AlignmentModel
from tunesmith.align.symmetrize import SYMMETRIZATIONS, symmetrize
from tunesmith.align.train import align_corpus, train_aligner
from tunesmith.align.training import Iteration

__all__ = [
    "ALIGNMENT_MODELS",
    "SYMMETRIZATIONS",
    "Aligner",
    "AlignmentError",
    "AlignmentModel",
    "Direction",
    "Iteration",
    "align_corpus",
    "alignment_error_rate",
    "alignment_statistics",
    "symmetrize",
    "train_aligner",
]
