"""Decoders: text in, translations and forests out."""

from tunesmith.decode.demands import GivenPhrase, LeaveOneOut, Relaxation
from tunesmith.decode.forced import ForcedOptions, forced_decode
from tunesmith.decode.input import INPUT_FORMATS, read_requests
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.markup import parse_markup
from tunesmith.decode.output import DecodeOutputs
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.reached import ForcedResult, Reached
from tunesmith.decode.request import Request
from tunesmith.decode.run import DecodeSummary, decode_file
from tunesmith.decode.settings import SearchOptions
from tunesmith.decode.translation import Phrase, Translation

__all__ = [
    "INPUT_FORMATS",
    "DecodeOutputs",
    "DecodeSummary",
    "ForcedOptions",
    "ForcedResult",
    "GivenPhrase",
    "Lattice",
    "LeaveOneOut",
    "Phrase",
    "PhraseDecoder",
    "Reached",
    "Relaxation",
    "Request",
    "SearchOptions",
    "Translation",
    "decode_file",
    "forced_decode",
    "parse_markup",
    "read_requests",
]
