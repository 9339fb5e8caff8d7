"""Fuzzes the readers from Python with atheris: `python tests/fuzz/fuzz_readers.py -max_total_time=60`.

Whatever the bytes are, a reader raises InputError or returns a pool, and what is written of that
pool is read back as the same. Not collected by pytest: atheris is an extra of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["tunesmith"]):
    from tunesmith.candidates.readers.base import READERS
    from tunesmith.candidates.readers.read import read
    from tunesmith.candidates.writers.base import WRITERS
    from tunesmith.errors import InputError
    from tunesmith.weights import Weights

    # Asking a registry imports its modules: here, so that they are instrumented.
    # The parser of Parquet is pyarrow's, not ours.
    FORMATS = [None, *(name for name in READERS if name != "parquet" and WRITERS)]

FOLDER = Path(__file__).resolve().parents[2] / "build" / "fuzz-readers"
SEEDS = [
    b"0 ||| a b ||| LM= -1 TM= 1 2 ||| 3\n1 ||| c ||| LM= 0 TM= 1 1 ||| 2\n",
    b"0||| a ||| d: 0 1 lm: 2 ||| 3\n",
    b"0 ||| a ||| f=1 g=2 ||| 3\n0 ||| b ||| g=1 ||| 4\n",
    b"0 ||| a ||| 3 ||| f=1 g=2\n",
    b'{"id": 0, "references": ["r"], "hypotheses": [{"text": "\\u00e9", "features": {"f": 1e3}}]}\n',
    b"1\n2\n3\n",
]


def read_anything(data: bytes) -> None:
    """Read the bytes after the first as the format that the first byte chooses."""
    if not data:
        return
    kind = data[0] % (len(FORMATS) + 1)
    path = FOLDER / "input"
    path.write_bytes(data[1:])
    try:
        if kind == len(FORMATS):
            Weights.read(path)
            return
        options = {"features": {"f": path}, "size": 1} if FORMATS[kind] == "flat" else {}
        pool = read(path, format=FORMATS[kind], allow_missing=True, **options)
    except InputError:
        return
    pool.write(FOLDER / "again.jsonl")
    again = read(FOLDER / "again.jsonl")
    same = again.texts == pool.texts and again.ids == pool.ids and again.feature_names == pool.feature_names
    if not same or again.features.values.tobytes() != pool.features.values.tobytes():
        raise AssertionError("a pool does not survive writing and reading")


def main() -> None:
    """Start from the seeds, each in its own format."""
    corpus = FOLDER / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS):
        for kind in range(len(FORMATS) + 1):
            (corpus / f"{number}-{kind}").write_bytes(bytes([kind]) + seed)
    atheris.Setup([*sys.argv, f"-artifact_prefix={FOLDER}/", str(corpus)], read_anything)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
