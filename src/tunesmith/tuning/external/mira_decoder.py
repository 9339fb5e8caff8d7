"""The decoder's side of Mr. MIRA's protocol: Tunesmith's decoders, driven by any learner that speaks it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from tunesmith.candidates.pool import Pool
from tunesmith.corpus.clean import space_lines
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.input.base import detect
from tunesmith.decode.request import Request
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.forest.kbest import kbest_pool
from tunesmith.texts import Texts
from tunesmith.tuning.external.feature_bytes import decode_features
from tunesmith.tuning.external.mira_lines import MiraCandidate

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
    translation = decoder.translate(request, forest=True)
    if not translation.found or translation.forest is None:
        return ["0"]
    pool = kbest_pool([translation.forest], decoder.weights, size, unique=True, missing=0.0, threads=1)
    name = str(number) if request.id is None else request.id
    return [str(pool.n_candidates), *_lines(pool, name, request)]


def _change_weights(decoder: AnyDecoder, delta: str) -> None:
    changes = decode_features(delta)
    if not changes:
        return
    weights = dict(decoder.weights)
    for name, change in changes.items():
        weights[name] = weights.get(name, 0.0) + change
    dense = frozenset(decoder.feature_names)
    decoder.weights = {name: value for name, value in weights.items() if value != 0.0 or name in dense}


def _lines(pool: Pool, name: str, request: Request) -> Iterator[str]:
    assert pool.texts is not None
    assert pool.totals is not None
    rows = pool.features
    for row, (text, score) in enumerate(zip(pool.texts, pool.totals.tolist(), strict=True)):
        entries = slice(rows.offsets[row], rows.offsets[row + 1])
        columns, values = rows.columns[entries].tolist(), rows.values[entries].tolist()
        features = {rows.names[column]: value for column, value in zip(columns, values, strict=True)}
        yield MiraCandidate(name, request.columns, text, features, score).line()
