"""Consensus (MBR) decoding: choosing by the model's whole distribution, from forests and from lists."""

from tunesmith.consensus.base import CONSENSUS, Chosen, ConsensusRule, consensus_rule
from tunesmith.consensus.choice import ConsensusTrial, ConsensusTrials, recorded_consensus, try_consensus
from tunesmith.consensus.fast import FastConsensus
from tunesmith.consensus.linear import LinearConsensus
from tunesmith.consensus.mbr import MbrConsensus
from tunesmith.consensus.ngram_posteriors import NgramPosteriors
from tunesmith.consensus.scale import scores_by_scale
from tunesmith.consensus.variational import VariationalConsensus

__all__ = [
    "CONSENSUS",
    "Chosen",
    "ConsensusRule",
    "ConsensusTrial",
    "ConsensusTrials",
    "FastConsensus",
    "LinearConsensus",
    "MbrConsensus",
    "NgramPosteriors",
    "VariationalConsensus",
    "consensus_rule",
    "recorded_consensus",
    "scores_by_scale",
    "try_consensus",
]
