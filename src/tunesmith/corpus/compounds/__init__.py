"""Compounds: a trained splitter, 1-best segmentations of text, and lattices of segmentations in PLF."""

from tunesmith.corpus.compounds.file import open_splitter, save_splitter
from tunesmith.corpus.compounds.lattices import WordLattices
from tunesmith.corpus.compounds.linkers import PRESETS, Linker
from tunesmith.corpus.compounds.options import CompoundOptions
from tunesmith.corpus.compounds.plf import LatticeWriter
from tunesmith.corpus.compounds.splitter import METHODS, CompoundSplitter, SplitArc, check_method
from tunesmith.corpus.compounds.training import Guide, train_splitter
from tunesmith.corpus.compounds.words import WordCounts

__all__ = [
    "METHODS",
    "PRESETS",
    "CompoundOptions",
    "CompoundSplitter",
    "Guide",
    "LatticeWriter",
    "Linker",
    "SplitArc",
    "WordCounts",
    "WordLattices",
    "check_method",
    "open_splitter",
    "save_splitter",
    "train_splitter",
]
