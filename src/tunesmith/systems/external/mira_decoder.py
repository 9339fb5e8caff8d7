"""The decoder's side of Mr. MIRA's protocol: Tunesmith's decoders, driven by any learner that speaks it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from tunesmith.corpus.clean import space_lines
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.input.base import detect
from tunesmith.decode.kbest import KBest
from tunesmith.decode.request import Request
from tunesmith.decode.weight_names import LARGEST_WEIGHT
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.systems.external.feature_bytes import decode_features
from tunesmith.systems.external.mira_lines import MiraCandidate
from tunesmith.texts import Texts
from tunesmith.weights import Weights, WeightStore

__all__ = ["answer_mira", "serve_mira"]


def serve_mira(
    decoder: AnyDecoder, requests: BinaryIO, answers: BinaryIO, size: int, *, path: PathLike | None = None
) -> int:
    """Answer lines until they end, each before the next is read; return their number.

    `path` names the input in errors.
    """
    number = 0
    for number, line in enumerate(requests, 1):
        try:
            text = line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
            answer = answer_mira(decoder, text, number - 1, size)
        except UnicodeDecodeError as error:
            raise InputError(f"not UTF-8: byte 0x{line[error.start]:02x}", path=path, line=number) from None
        except InputError as error:
            raise InputError(error.message, path=path, line=number) from None
        answers.write("".join(f"{part}\n" for part in answer).encode())
        answers.flush()
    return number


def answer_mira(decoder: AnyDecoder, line: str, number: int, size: int) -> list[str]:
    """Add a line's delta to the decoder's weights and return the answer: a count, and `size` candidates.

    They are distinct, best first, with all features that are not zero; without a translation there
    are none. A sentence without an id gets its `number`. Plain text and lattices need no delta.
    """
    request = detect(line).parse(line)
    _change_weights(decoder, request.attributes.get("delta", ""))
    if request.lattice is None:
        (spaced,) = space_lines(Texts.of([request.source]))[0]
        request = replace(request, source=spaced)
    found = decoder.kbest(request, size)
    name = str(number) if request.id is None else request.id
    return [str(len(found)), *_lines(found, name, request)]


def _change_weights(decoder: AnyDecoder, delta: str) -> None:
    """Add changes to the weights, in place if the decoder knows the features: O(changes)."""
    changes = decode_features(delta)
    if not changes:
        return
    store = decoder.weights
    if not isinstance(store, WeightStore):
        store = decoder.weights = WeightStore.of(store)
    sums = {name: store.get(name, 0.0) + change for name, change in changes.items()}
    new = [name for name in sums if name not in store]
    if all(_is_sparse(decoder, name) for name in new) and max(map(abs, sums.values())) <= LARGEST_WEIGHT:
        store.set(sums, list(sums.values()))
        decoder.refresh()
    else:
        decoder.weights = Weights({**store, **sums})  # refused, or a feature that the model has to add


def _is_sparse(decoder: AnyDecoder, name: str) -> bool:
    return any(template.owns(name) for template in decoder.templates) or name in decoder.model.sparse_names()


def _lines(found: KBest, name: str, request: Request) -> Iterator[str]:
    for row, (text, score) in enumerate(zip(found.texts, found.scores.tolist(), strict=True)):
        vector = found.features(row)
        features = dict(zip(vector.names(), vector.values.tolist(), strict=True))
        yield MiraCandidate(name, request.columns, text, features, score).line()
