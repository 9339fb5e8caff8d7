"""Decoders: text in, translations and forests out."""

from tunesmith.decode.input import INPUT_FORMATS, read_requests
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.output import DecodeOutputs
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.run import DecodeSummary, decode_file
from tunesmith.decode.settings import SearchOptions
from tunesmith.decode.translation import Phrase, Translation

__all__ = [
    "INPUT_FORMATS",
    "DecodeOutputs",
    "DecodeSummary",
    "Lattice",
    "Phrase",
    "PhraseDecoder",
    "Request",
    "SearchOptions",
    "Translation",
    "decode_file",
    "read_requests",
]
