"""Word classes of Multi30k's English side (29,000 sentences, 10,210 words): time and mutual information.

python -m benchmarks.classes
"""

from __future__ import annotations

import time

from benchmarks.machine import SHARED
from tunesmith.corpus import Sentences
from tunesmith.extract.classes import train_classes


def main() -> None:
    text = SHARED / "data" / "multi30k.train.en.xz"
    if not text.exists():
        print("the shared data is not beside this checkout: nothing was measured")
        return
    sentences = Sentences.read(text)
    print("| classes | threads | wall s | passes | mutual information, nats |\n|---|---|---|---|---|")
    for classes, threads in ((20, 2), (50, 2), (80, 1), (80, 2), (200, 2)):
        start = time.perf_counter()
        trained = train_classes(sentences, classes, threads=threads)
        wall = time.perf_counter() - start
        print(f"| {classes} | {threads} | {wall:.2f} | {trained.epochs} | {trained.mutual_information:.4f} |")
    print("\nThe bar is 60 s for 80 classes.")


if __name__ == "__main__":
    main()
