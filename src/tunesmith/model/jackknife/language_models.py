"""The steps that train the language models of a model again, without a fold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tunesmith.checksums import checksum
from tunesmith.corpus import Sentences
from tunesmith.corpus.side import side_of
from tunesmith.corpus.truecase import Truecaser
from tunesmith.errors import InputError
from tunesmith.extract.bilingual import bilingual_tokens
from tunesmith.extract.classes import WordClasses
from tunesmith.files import PathLike
from tunesmith.model.jackknife.left_out import LeftOut
from tunesmith.model.model import LanguageModelPart
from tunesmith.model.parts.language_model import Estimation, in_classes, prepare_more, write_lm
from tunesmith.model.parts.names import ALIGNED, SOURCE, TARGET, TRUECASERS
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["lm_step"]


def lm_step(part: LanguageModelPart, left_out: LeftOut) -> BuildStep:
    """Return the step for a language model of words, bilingual tokens or classes.

    Order, pruning and further text (`lm_text`) are those of training.
    """
    name = part.path or ""
    record = left_out.record(name)
    texts = _further_texts(part, record.inputs, left_out)
    skip_marks = left_out.record(SOURCE).options["skip_marks"]

    def run(shop: Workshop) -> None:
        shared = Estimation(skip_marks, left_out.memory, shop.scratch, left_out.threads, shop.progress)
        text = _text(part, left_out, texts, shop.scratch)
        prune = record.options.get("prune", ())
        write_lm(text, shop[name], shared, order=record.options["order"], prune=prune)

    files = (TARGET, *((part.classes,) if part.classes else ()))
    wanted = left_out.wanted(ALIGNED if part.tokens == "bilingual" else files, record.options)
    return BuildStep(f"language model {name}", (name,), run, options=wanted | {"texts": _sums(record.inputs)})


def _text(
    part: LanguageModelPart, left_out: LeftOut, texts: tuple[Path, ...], folder: Path
) -> list[PathLike] | Sentences:
    if part.tokens == "bilingual":
        return Sentences.of(bilingual_tokens(*left_out.remaining_pairs(folder)))
    target = left_out.remaining_text(TARGET, folder)
    if part.classes:
        return in_classes(Sentences.read(target), WordClasses.read(left_out[part.classes]))
    text = left_out.model.text
    side = side_of(text, "target")
    if texts and side.case == "true":
        side = replace(side, truecaser=Truecaser.load(left_out.model.text_file(TRUECASERS[1])))
    more = [
        prepare_more(path, folder / f"text.{number}", side, left_out.threads)
        for number, path in enumerate(texts)
    ]
    return [target, *more]


def _sums(inputs: dict[str, str]) -> list[str]:
    """Return the checksums of the further texts that a language model was trained on, in order."""
    return [inputs[label] for label in sorted(inputs, key=_number) if label.startswith("text ")]


def _number(label: str) -> int:
    last = label.rpartition(" ")[2]
    return int(last) if last.isdigit() else -1


def _further_texts(part: LanguageModelPart, inputs: dict[str, str], left_out: LeftOut) -> tuple[Path, ...]:
    """Return the given further texts of a model of words; they must be those of training."""
    sums = _sums(inputs)
    if not sums:
        return ()
    given = left_out.lm_text
    if len(given) != len(sums):
        raise InputError(
            "{name} was trained on {found} further texts: name them by {}, in the same order, or turn off {}"
            " to use it as it is",
            "lm_text",
            "jackknife_lm",
            name=part.name,
            found=len(sums),
            path=left_out.model.directory,
        )
    for path, expected in zip(given, sums, strict=True):
        if checksum(path) != expected:
            raise InputError(f"is not the text that {part.name} was trained on", path=path)
    return given
