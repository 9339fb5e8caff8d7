"""The interface of a decoder that a tuning loop can use."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.forest.forest import Forest
from tunesmith.texts import Texts
from tunesmith.weights import Weights

__all__ = ["Translator", "fingerprint_of"]


def fingerprint_of(details: Mapping[str, object]) -> str:
    """Return a digest of the details of a translator."""
    return hashlib.blake2b(json.dumps(details, sort_keys=True).encode(), digest_size=16).hexdigest()


class Translator(ABC):
    """Sentences, and a decoder that translates them under given weights.

    The same weights give the same translations, independent of earlier calls: so a loop can be resumed.
    """

    @property
    @abstractmethod
    def start(self) -> Weights:
        """The weights to start from: one per dense feature."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A digest of everything that translations depend on besides the weights."""

    @property
    def details(self) -> Mapping[str, object]:
        """The parts of the fingerprint by name, ready for JSON, so that messages can name what differs."""
        return {"decoder": self.fingerprint}

    @property
    def defaults(self) -> Mapping[str, object]:
        """The defaults of the options among the details; records of earlier runs lack newer options."""
        return {}

    def fitted(self, weights: Weights) -> Weights:
        """Return given start weights as the decoder names its features."""
        return weights

    @property
    def about(self) -> Mapping[str, object]:
        """What a file of tuned weights records of how to decode with them (`tunesmith.decode.recorded`)."""
        return {}

    @abstractmethod
    def nbest(self, weights: Weights, size: int) -> Pool:
        """Return the `size` best distinct translations of each sentence, best first, with their features.

        Lists are named by the number of their sentence, from 0; a sentence without a translation has none.
        """

    def nbest_parts(self, weights: Weights, size: int) -> Iterator[Pool]:
        """Yield the lists of `nbest` in parts, in order, so that not all are in memory at once."""
        yield self.nbest(weights, size)

    @abstractmethod
    def translate(self, weights: Weights) -> Texts:
        """Return the best translation of each sentence; an empty text if there is none."""

    @property
    def gives_forests(self) -> bool:
        """Whether `forests` is more than an error."""
        return type(self).forests is not Translator.forests

    def forests(self, weights: Weights, context: int) -> Iterator[Forest]:
        """Yield the forest of each sentence, in order; an OptionError if the decoder makes none.

        `context`: the number of boundary words that distinguish nodes, see `SearchOptions.context`.
        """
        raise OptionError("this decoder gives no forests; choose a method of candidate lists, such as mira")
