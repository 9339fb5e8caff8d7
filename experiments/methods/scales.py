"""What one feature of another scale costs: cross-validated BLEU on Moses' lists, with one feature divided.

Run `python -m experiments.methods.scales`.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator
from pathlib import Path

from experiments.commands import DATA
from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.tuning import tune
from tunesmith.tuning.standardize import spreads

FEATURE = "LM0"
DIVISORS = (1, 10, 30, 100, 1000)
METHODS = ("mira", "pl")
FOLDS = 5


def divided(pool: Pool, divisor: float) -> Pool:
    """Return the lists with the values of the feature divided."""
    rows, place = pool.features, pool.feature_names.index(FEATURE)
    values = rows.values.copy()
    values[rows.columns == place] /= divisor
    return dataclasses.replace(pool, features=Features(rows.names, rows.offsets, rows.columns, values))


def rows(pool: Pool, threads: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield (
        "| "
        + FEATURE
        + " divided by | largest / smallest deviation | "
        + " | ".join(f"{method}{how}" for method in METHODS for how in ("", " --standardize all"))
        + " |"
    )
    yield "|---" * (2 + 2 * len(METHODS)) + "|"
    for divisor in DIVISORS:
        lists = divided(pool, divisor)
        deviations = spreads(lists).deviations
        cells = [f"{divisor}", f"{deviations.max() / deviations.min():.3g}"]
        for method in METHODS:
            for standardize in (False, True):
                result = tune(lists, method, folds=FOLDS, standardize=standardize, threads=threads)
                assert result.cross_validation is not None
                cells.append(f"{100 * result.cross_validation.score:.2f}")
        yield "| " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the lists and references")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    lists = given.data / "moses" / "val.default.nbest100.gz"
    pool = Pool.read(lists, references=[given.data / "multi30k.val.en.xz"])
    for line in rows(pool, given.threads):
        print(line, flush=True)


if __name__ == "__main__":
    main()
