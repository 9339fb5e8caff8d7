"""Effect of compound splitting on translation: Multi30k German-English, default weights, nothing tuned.

python -m benchmarks.compound_translation
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import sacrebleu

from benchmarks.machine import SHARED
from tunesmith.corpus import Alignments, Bitext
from tunesmith.corpus.compounds import LatticeWriter, WordCounts, train_splitter
from tunesmith.decode import Lattice, PhraseDecoder
from tunesmith.extract.compound_guide import CompoundGuide
from tunesmith.extract.lexicon import Lexicon
from tunesmith.files import read_lines
from tunesmith.model import train

LATTICE_WEIGHT = 0.3
"""Not tuned: about the size of the other weights."""

TESTS = ("test_2016", "test_2017")


def bleu(decoder: PhraseDecoder, inputs: Sequence[str | Lattice], references: list[str]) -> float:
    texts = [translation.text for translation in decoder.translate_all(inputs)]
    return sacrebleu.corpus_bleu(texts, [references], tokenize="none", force=True).score


def train_decoder(folder: Path, source: list[str], target: Path) -> PhraseDecoder:
    folder.mkdir()
    (folder / "train.de").write_text("\n".join(source) + "\n", encoding="utf-8")
    train(folder / "train.de", target, folder / "model")
    return PhraseDecoder.open(folder / "model")


def main() -> None:
    data = SHARED / "data"
    if not data.is_dir():
        print("the shared data is not beside this checkout: nothing was measured")
        return
    target = data / "multi30k.train.en.xz"
    bitext = Bitext.read(data / "multi30k.train.de.xz", target)
    links = Alignments.read(data / "moses" / "aligned.grow-diag-final-and.gz", bitext)
    guide = CompoundGuide(bitext, Lexicon.estimate(bitext, links))
    lines = read_lines(data / "multi30k.train.de.xz")
    tests = {
        name: tuple(read_lines(data / f"multi30k.{name}.{side}.xz") for side in ("de", "en"))
        for name in TESTS
    }
    print(f"| BLEU | {' | '.join(TESTS)} |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        plain = train_decoder(Path(folder) / "plain", lines, target)
        scores = [bleu(plain, source, reference) for source, reference in tests.values()]
        print(f"| whole words | {' | '.join(f'{score:.2f}' for score in scores)} |", flush=True)
        for name, given in (("", None), (", guided", guide)):
            splitter = train_splitter(WordCounts.of(bitext.source), guide=given)
            split = train_decoder(Path(folder) / f"split{name}", list(splitter.segment(lines)), target)
            scores = [bleu(split, list(splitter.segment(de)), en) for de, en in tests.values()]
            print(f"| best split{name} | {' | '.join(f'{score:.2f}' for score in scores)} |", flush=True)
            weights = {**split.weights, "InputFeature0": LATTICE_WEIGHT}
            weighing = PhraseDecoder.open(Path(folder) / f"split{name}" / "model", weights)
            write = LatticeWriter(splitter, "posterior")
            scores = [bleu(weighing, [*map(Lattice, write.lattices(de))], en) for de, en in tests.values()]
            print(f"| lattice{name} | {' | '.join(f'{score:.2f}' for score in scores)} |", flush=True)


if __name__ == "__main__":
    main()
