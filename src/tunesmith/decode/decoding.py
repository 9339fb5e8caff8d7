"""Requests in, translations out, in batches; errors name lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tunesmith.consensus import ConsensusRule
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.consensus import choose_translations
from tunesmith.decode.output import Decoded
from tunesmith.decode.request import Request
from tunesmith.errors import InputError
from tunesmith.files import PathLike

__all__ = ["decoded_batches"]


def decoded_batches(
    decoder: AnyDecoder,
    batches: Iterable[Sequence[Request]],
    path: PathLike,
    consensus: ConsensusRule | None,
    *,
    forest: bool,
    threads: int | None,
) -> Iterator[list[Decoded]]:
    """Yield translated batches: those that were read, or smaller ones if there are forests.

    `path` is what errors call the input.
    """
    for batch in batches:
        requests = iter(batch)
        try:
            for found in decoder.translate_batches(batch, forest=forest, threads=threads):
                best = choose_translations(decoder, consensus, found, threads) if consensus else found
                yield [Decoded(next(requests), translation) for translation in best]
        except InputError as error:
            if error.path is not None:
                raise
            raise InputError(error.message, path=path, line=error.line) from None
