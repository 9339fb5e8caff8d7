"""How much of a reranker's loss is length: BLEU and length ratio, as learned and with a bonus a word.

Run `python -m experiments.pl.lengths` after figure1, with the same options. The bonus is the one of 0, 0.02,
..., 1 that gives the best BLEU on the training lists; held-out lists have no say in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from experiments.pl.figure1 import add_options, learner_of
from experiments.pl.lists import chosen_features, decoded, dense_features, with_features
from experiments.pl.setting import TESTS, TUNING, arguments, setting_of
from tunesmith.candidates import Pool
from tunesmith.candidates.pool import first_maximum
from tunesmith.metrics import Bleu
from tunesmith.model import Model
from tunesmith.types import FloatArray
from tunesmith.weights import Weights

BONUSES = np.arange(51) / 50


@dataclass(frozen=True)
class Measured:
    """Candidate lists with the length of each candidate; all that choosing by scores needs."""

    pool: Pool
    lengths: FloatArray
    reference: int

    @classmethod
    def of(cls, pool: Pool) -> Measured:
        assert pool.texts is not None
        lengths = np.array([len(text.split()) for text in pool.texts], dtype=np.float64)
        return cls(pool, lengths, sum(len(text.split()) for text in pool.references[0]))

    def choice(self, scores: FloatArray, bonus: float = 0.0) -> tuple[float, float]:
        """Return BLEU and the length ratio of the best candidates."""
        best = first_maximum(scores + bonus * self.lengths, self.pool.offsets)
        bleu = Bleu()
        score = float(bleu.score(self.pool.stats(bleu)[best].sum(axis=0)))
        return score, float(self.lengths[best].sum()) / self.reference


def row(name: str, weights: Weights, train: Measured, held_out: Measured) -> str:
    """Return a line of the table."""
    vector = np.array([weights.get(feature, 0.0) for feature in train.pool.feature_names])
    scores = [each.pool.features.dot(vector) for each in (train, held_out)]
    bonus = max(BONUSES, key=lambda each: train.choice(scores[0], each)[0])
    cells = []
    for added in (0.0, float(bonus)):
        for each, own in zip((train, held_out), scores, strict=True):
            bleu, ratio = each.choice(own, added)
            cells.append(f"{100 * bleu:.2f} ({ratio:.3f})")
    return f"| {name} | {cells[0]} | {cells[1]} | {bonus:.2f} | {cells[2]} | {cells[3]} |"


def main() -> None:
    """Print the table for all that was learned."""
    parser = arguments(__doc__)
    add_options(parser)
    given = parser.parse_args()
    setting, learner = setting_of(given), learner_of(given)
    model = setting.out / "hiero"
    pools = [decoded(setting, part, model, None) for part in (TUNING, TESTS[0])]
    names = chosen_features(pools[0], dense_features(model, pools[0]), learner.sparse)
    train, held_out = (Measured.of(with_features(pool, names)) for pool in pools)
    print("| | train | held out | bonus a word | train, with it | held out, with it |")
    print("|---|---|---|---|---|---|")
    print(row("start weights", Weights(Model.open(model).weights), train, held_out))
    folder = setting.out / "figure1" / learner.folder
    for path in sorted(folder.glob("*.weights.json"), key=lambda path: (len(path.name), path.name)):
        print(row(path.name.partition(".")[0], Weights.read(path), train, held_out), flush=True)


if __name__ == "__main__":
    main()
