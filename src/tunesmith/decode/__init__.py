"""Decoders: text in, translations and forests out."""

from tunesmith.decode.base import Decoder
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.consensus import ConsensusTranslation, choose_translations
from tunesmith.decode.constraints import GivenPhrase, LeaveOneOut, Relaxation
from tunesmith.decode.events import DerivationEvents
from tunesmith.decode.forced import ForcedOptions, forced_decode
from tunesmith.decode.input import INPUT_FORMATS, read_requests
from tunesmith.decode.kbest import KBest
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.markup import parse_markup
from tunesmith.decode.opening import check_search, open_decoder
from tunesmith.decode.output import DecodeOutputs
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.preparation import model_side, prepared_bitext, readable_side
from tunesmith.decode.reached import ForcedResult, Reached
from tunesmith.decode.request import Request
from tunesmith.decode.rules import RuleApplication
from tunesmith.decode.scored_forest import ScoredForest
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.decode.summary import DecodeSummary
from tunesmith.decode.translation import Phrase, Translation

__all__ = [
    "INPUT_FORMATS",
    "ChartDecoder",
    "ChartOptions",
    "ConsensusTranslation",
    "DecodeOutputs",
    "DecodeSummary",
    "Decoder",
    "DerivationEvents",
    "ForcedOptions",
    "ForcedResult",
    "GivenPhrase",
    "KBest",
    "Lattice",
    "LeaveOneOut",
    "Phrase",
    "PhraseDecoder",
    "Reached",
    "Relaxation",
    "Request",
    "RuleApplication",
    "ScoredForest",
    "SearchOptions",
    "Translation",
    "check_search",
    "choose_translations",
    "forced_decode",
    "model_side",
    "open_decoder",
    "parse_markup",
    "prepared_bitext",
    "read_requests",
    "readable_side",
]
