"""Outputs of decoders: one module per kind of output."""

from tunesmith.decode.output.base import Decoded, Output
from tunesmith.decode.output.outputs import DecodeOutputs

__all__ = ["DecodeOutputs", "Decoded", "Output"]
