"""How fast the rules of Multi30k are extracted, scored and written, compared with Moses.

    python -m benchmarks.rules [--threads 2]

Moses' settings on Moses' alignment, so that the work is the same: 4,965,525 rules. Moses took 161 s for
extraction and 449 s for scoring, two jobs on the machine that the shared data speaks of; the ratio is at
equal speed of the machines.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

from benchmarks.machine import SHARED, calibrate
from tunesmith.corpus import Alignments, Bitext
from tunesmith.extract.rules import RuleOptions, extract_rules

MOSES_SECONDS = 161.0 + 449.0
LIMIT_SECONDS = 120.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    data = SHARED / "data"
    speed = calibrate().speed or 1.0
    bitext = Bitext.read(data / "multi30k.train.de.xz", data / "multi30k.train.en.xz")
    alignments = Alignments.read(data / "moses/aligned.grow-diag-final-and.gz")
    titles = f"{'extract s':>10} {'write s':>8} {'CPU s':>6} {'MB':>6} {'Moses/ours':>11}"
    print(f"{'settings':10} {'rules':>9} {titles}")
    for name, settings in (("moses", RuleOptions.moses()), ("chiang", RuleOptions())):
        start, cpu = time.perf_counter(), time.process_time()
        rules = extract_rules(bitext, alignments, settings, threads=options.threads)
        extracted = time.perf_counter() - start
        with tempfile.TemporaryDirectory() as folder:
            rules.write(Path(folder) / "rules.gz", "moses")
        total, cpu = time.perf_counter() - start, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        ratio = f"{MOSES_SECONDS / speed / total:10.1f}x" if name == "moses" else f"{'':>11}"
        seconds = f"{extracted:10.1f} {total - extracted:8.1f} {cpu:6.1f}"
        late = "" if total <= LIMIT_SECONDS else f"  over {LIMIT_SECONDS:.0f} s"
        print(f"{name:10} {len(rules):9} {seconds} {peak:6.0f} {ratio}{late}")


if __name__ == "__main__":
    main()
