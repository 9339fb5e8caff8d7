"""Online learning: sentences per second, for one and two processes, with templates and without, from 100-best
lists and from forests.

    python -m benchmarks.online

Our phrase model of Multi30k German-English (29,000 pairs, aligned by HMM), 200 sentences of the validation
set in 4 shards, two iterations of 100-best lists at pop limit 200, after a first translation that is not
counted. An iteration is decoding, statistics of all candidates, steps, and mixing; the score after it is not
included. Forests are searched with a beam of 16. "second / first" is the time of an iteration whose rates,
weights and caches are warm.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.machine import SHARED
from tunesmith.features.base import TEMPLATES
from tunesmith.files import read_lines
from tunesmith.model import train
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.tuning.online.tune import tune_online

SENTENCES = 200
NBEST = 100
PYTHON_ONLY = ("border-bigrams",)
"""Templates without a native twin: they measure Python."""


def main() -> None:
    data = SHARED / "data"
    if not (data / "multi30k.val.de.xz").exists():
        print("skipped: the shared data is not beside this checkout")
        return
    names = [name for name in TEMPLATES if TEMPLATES[name]().twin() is not None and name not in PYTHON_ONLY]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for side in ("de", "en"):
            for part, most in (("train", None), ("val", SENTENCES)):
                lines = read_lines(data / f"multi30k.{part}.{side}.xz")[:most]
                (folder / f"{part}.{side}").write_text(
                    "".join(f"{line.lower()}\n" for line in lines), encoding="utf-8"
                )
        train(folder / "train.de", folder / "train.en", folder / "model", lm_order=4)
        print(
            "| templates | hope and fear | processes | sentences/s, iteration 1 | iteration 2 | features"
            " | second / first |"
        )
        print("|---|---|---|---|---|---|---|")
        for chosen in ([], names):
            setup = ModelSetup.of(
                folder / "model",
                folder / "val.de",
                [folder / "val.en"],
                templates=[TEMPLATES[name]() for name in chosen],
            )
            for source, processes in (("nbest", 1), ("nbest", 2), ("forest", 1)):
                output = folder / f"{len(chosen)}-{source}-{processes}"
                result = tune_online(
                    setup,
                    output=output,
                    shards=4,
                    epochs=2,
                    hope_fear=source,
                    nbest=NBEST,
                    threads=processes,
                    score_tuning=False,
                )
                first, second = (record["seconds_learn"] for record in result.history[1:])
                cells = [", ".join(chosen) or "none", source, str(processes)]
                cells += [f"{SENTENCES / seconds:.1f}" for seconds in (first, second)]
                cells += [f"{result.record['features']:,}", f"{second / first:.2f}"]
                print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
