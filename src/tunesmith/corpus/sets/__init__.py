"""Evaluation sets of NIST and WMT in SGML and XML: sources, references and translations by document."""

from tunesmith.corpus.sets.evaluation_set import EvaluationSet, Segment, SegmentName
from tunesmith.corpus.sets.parse import parse_set
from tunesmith.corpus.sets.read import (
    check_same_segments,
    read_output,
    read_reference_texts,
    read_references,
    read_set,
    read_texts,
)
from tunesmith.corpus.sets.write import write_output

__all__ = [
    "EvaluationSet",
    "Segment",
    "SegmentName",
    "check_same_segments",
    "parse_set",
    "read_output",
    "read_reference_texts",
    "read_references",
    "read_set",
    "read_texts",
    "write_output",
]
