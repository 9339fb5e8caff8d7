"""Candidate lists with feature scores."""

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.rerank import Reranked, rerank

__all__ = ["Pool", "Reranked", "rerank"]
