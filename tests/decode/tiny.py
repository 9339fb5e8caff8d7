"""Tiny models with random numbers, and all derivations of short sentences, one by one."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

from tunesmith.corpus import Sentences
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.lm import estimate
from tunesmith.model.importing import import_model

Phrases = tuple[tuple[int, int, str], ...]

SOURCE, TARGET = "abcd", "WXYZ"
INI = """[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
Distortion
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=phrases table-limit=0
KENLM name=LM0 path=lm.arpa order=3
{features}
[distortion-limit]
6
[weight]
UnknownWordPenalty0= 1
WordPenalty0= -0.3
PhrasePenalty0= 0.2
Distortion0= 0.15
LM0= 0.4
TranslationModel0= 0.2 0.1 0.3 0.1
{weights}
"""
"""What Moses is told of a phrase model, with room for features of one's own."""
REORDERING = "LexicalReordering name=LexicalReordering0 num-features={width} type={kind} path=reordering"


def write_random_lm(path: Path, draw: random.Random, sentences: int) -> None:
    """Write a language model of random text."""
    text = [" ".join(draw.choices(TARGET, k=draw.randint(2, 7))) for _ in range(sentences)]
    estimate(Sentences.of(text), order=3, discount_fallback=True).write_arpa(path)


def write_model(
    folder: Path, seed: int, reordering: str = "hier-mslr-bidirectional-fe", width: int = 8
) -> Path:
    """Write a model of Moses with random phrase pairs of up to two words, and import it."""
    random_number = random.Random(seed)
    folder.mkdir()
    spans = [(word,) for word in SOURCE[:-1]] + list(itertools.permutations(SOURCE, 2))
    pairs, moves = [], []
    for span in spans:
        targets = {tuple(random_number.choices(TARGET, k=random_number.randint(1, 2))) for _ in range(2)}
        for target in sorted(targets):
            sides = f"{' '.join(span)} ||| {' '.join(target)} |||"
            scores = " ".join(f"{random_number.uniform(0.05, 1):.4f}" for _ in range(4))
            pairs.append(f"{sides} {scores} ||| 0-0 ||| 1 1 1 |||\n")
            moves.append(
                f"{sides} {' '.join(f'{random_number.uniform(0.05, 1):.4f}' for _ in range(width))}\n"
            )
    (folder / "phrases").write_text("".join(pairs))
    (folder / "reordering").write_text("".join(moves))
    write_random_lm(folder / "lm.arpa", random_number, 60)
    weights = " ".join(f"{random_number.uniform(0, 0.4):.3f}" for _ in range(width))
    feature = REORDERING.format(width=width, kind=reordering)
    (folder / "moses.ini").write_text(INI.format(features=feature, weights=f"LexicalReordering0= {weights}"))
    import_model(folder / "moses.ini", folder / "model")
    return folder / "model"


def write_sparse_scores(folder: Path, seed: int) -> None:
    """Write `phrases` whose pairs have sparse scores, and a random language model."""
    draw, lines = random.Random(seed), []
    for source in [*"abc", *(" ".join(pair) for pair in itertools.permutations("abc", 2))]:
        for target in sorted({" ".join(draw.choices(TARGET, k=draw.randint(1, 2))) for _ in range(2)}):
            scores = " ".join(f"{draw.uniform(0.05, 1):.4f}" for _ in range(4))
            names = draw.sample(["dom_x", "dom_y", "free"], draw.randint(0, 3))
            row = " ".join(f"{name} {draw.choice([1, -0.5, 2])}" for name in names)
            lines.append(f"{source} ||| {target} ||| {scores} ||| 0-0 ||| 1 1 1 ||| {row} |||\n")
    (folder / "phrases").write_text("".join(lines))
    write_random_lm(folder / "lm.arpa", draw, 40)


def derivations(
    decoder: PhraseDecoder, sentence: str, *, limit: int = -1, early_discard: bool = True
) -> Iterator[Phrases]:
    """Yield every derivation: phrases (begin, end, target) in the order of the target."""
    words = sentence.split()
    table = decoder.model.phrase_table()
    options: dict[tuple[int, int], list[str]] = {}
    for begin, end in itertools.combinations(range(len(words) + 1), 2):
        pairs = table.lookup(" ".join(words[begin:end]))
        options[begin, end] = [pair.target for pair in pairs]
        if end == begin + 1 and not pairs:
            options[begin, end] = [words[begin]]

    def extend(covered: frozenset[int], last: int, done: Phrases) -> Iterator[Phrases]:
        if len(covered) == len(words):
            yield done
            return
        gap = min(set(range(len(words))) - covered)
        for (begin, end), targets in options.items():
            span = set(range(begin, end))
            if span & covered or (limit >= 0 and abs(begin - last) > limit):
                continue
            if early_discard and limit >= 0 and begin != gap and end - gap > limit:
                continue
            for target in targets:
                yield from extend(covered | span, end, (*done, (begin, end, target)))

    yield from extend(frozenset(), 0, ())


def score(decoder: PhraseDecoder, sentence: str, phrases: Phrases) -> float:
    """Return the model score of a derivation, by replay."""
    return sum(
        decoder.weights[name] * value
        for step in decoder.replay(sentence, phrases)
        for name, value in step.items()
    )
