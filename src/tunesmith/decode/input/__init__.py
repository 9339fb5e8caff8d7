"""Input formats of decoders: one module per format."""

from tunesmith.decode.input.base import INPUT_FORMATS, InputFormat
from tunesmith.decode.input.read import read_requests

__all__ = ["INPUT_FORMATS", "InputFormat", "read_requests"]
