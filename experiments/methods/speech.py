"""Candidate lists like those of a speech recognizer: log-probabilities in the thousands, and word errors."""

from __future__ import annotations

import numpy as np

from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.immutable import seal
from tunesmith.texts import Texts

WORDS = [f"w{number}" for number in range(60)]


def speech_pool(seed: int = 1, lists: int = 200, size: int = 30) -> Pool:
    """Lists with an acoustic score near -1000, a language model score near -50, and numbers of words.

    Each error costs some 8 of the acoustic score and 2 of the other, beside noise of 15 and 2: the best
    weight of the language model is some 14 times that of the acoustic score, as usual in recognition.
    """
    rng = np.random.default_rng(seed)
    texts, references, rows = [], [], []
    for _ in range(lists):
        reference = rng.choice(WORDS, int(rng.integers(6, 15))).tolist()
        references.append(" ".join(reference))
        frames = -100.0 * len(reference) - rng.normal(0, 50)
        for _ in range(size):
            errors = int(rng.binomial(len(reference), 0.25))
            hypothesis = _damaged(reference, errors, rng)
            texts.append(" ".join(hypothesis))
            acoustic = frames - 8.0 * errors + rng.normal(0, 15)
            model = -5.0 * len(hypothesis) - 2.0 * errors + rng.normal(0, 2)
            rows.append((acoustic, model, float(len(hypothesis))))
    features = Features.from_dense(np.array(rows), ("acoustic", "lm", "words"))
    offsets = seal(np.arange(lists + 1, dtype=np.int64) * size)
    ids = tuple(f"utterance-{number}" for number in range(lists))
    return Pool(ids, offsets, features, texts=Texts.of(texts), references=(Texts.of(references),))


def _damaged(reference: list[str], errors: int, rng: np.random.Generator) -> list[str]:
    """Return a copy with this many substitutions, deletions and insertions."""
    words = list(reference)
    for _ in range(errors):
        place, kind = int(rng.integers(len(words))), rng.random()
        if kind < 0.6:
            words[place] = str(rng.choice(WORDS))
        elif kind < 0.8 and len(words) > 1:
            del words[place]
        else:
            words.insert(place, str(rng.choice(WORDS)))
    return words
