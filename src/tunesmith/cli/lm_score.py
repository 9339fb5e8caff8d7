"""`tunesmith lm score`: Score tokenized text with a language model, binary or ARPA.

Examples:

    tunesmith lm score lm.bin < text

    tunesmith lm score lm.arpa.gz text --words

Prints one line per sentence: log10 probability, tab, number of unknown words. With `--words`, one line per
word: word, log10 probability, length of the matched n-gram, and `unknown` if it is. Totals and perplexities
go to standard error.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.console import errors, print_json
from tunesmith.cli.finite import finite
from tunesmith.cli.options import Json, Quiet, Threads, UnknownScore
from tunesmith.file_roles import Reads

if TYPE_CHECKING:
    from tunesmith.corpus import Sentences
    from tunesmith.lm import Perplexity, TextScores


LN10 = math.log(10.0)


def run(
    model: Annotated[str, typer.Argument(help="Language model: a binary or an ARPA file.")],
    text: Annotated[str, typer.Argument(help="Tokenized text, one sentence per line; `-` is stdin.")] = "-",
    words: Annotated[bool, typer.Option("--words", help="Print one line per word.")] = False,
    begin: Annotated[bool, typer.Option("--bos/--no-bos", help="Start each sentence with `<s>`.")] = True,
    end: Annotated[bool, typer.Option("--eos/--no-eos", help="Score `</s>` after each sentence.")] = True,
    class_file: Annotated[
        Path | None,
        typer.Option(help="Class-based model: words and their classes, one pair per line."),
        Reads(),
    ] = None,
    unknown: UnknownScore = -100.0,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Score text."""
    from tunesmith.corpus import Sentences
    from tunesmith.lm import LanguageModel

    opened = LanguageModel.open(model, class_file=class_file, unknown=unknown)
    sentences = Sentences.read(text)
    scores = opened.score_text(sentences, begin=begin, end=end, threads=threads)
    total = _total(scores.perplexity())
    if json:
        records = {"sentences": _records(sentences, scores, words, end), "total": total}
        print_json(finite(records))
        return
    if words:
        _print_words(sentences, scores, end)
    else:
        rows = zip(
            (scores.sentence_scores() / LN10).tolist(), scores.sentence_unknown().tolist(), strict=True
        )
        sys.stdout.writelines(f"{value:.6f}\t{missing}\n" for value, missing in rows)
    if not quiet:
        for name, value in total.items():
            errors.print(f"{name.replace('_', ' ')}: {_show(value)}", markup=False)


def _total(perplexity: Perplexity) -> dict[str, float | int]:
    return {
        "sentences": perplexity.sentences,
        "tokens": perplexity.tokens,
        "unknown": perplexity.unknown,
        "log10_probability": perplexity.score / LN10,
        "perplexity_including_unknown": perplexity.including_unknown,
        "perplexity_excluding_unknown": perplexity.excluding_unknown,
    }


def _show(value: float | int) -> str:
    if isinstance(value, float):
        return "none" if math.isnan(value) else f"{value:.4f}"
    return str(value)


def _tokens(sentences: Sentences, index: int, end: bool) -> list[str]:
    return [sentences.vocabulary[int(word)] for word in sentences[index]] + ["</s>"] * end


def _print_words(sentences: Sentences, scores: TextScores, end: bool) -> None:
    for index in range(len(scores)):
        for token, word in zip(_tokens(sentences, index, end), scores.words(index), strict=True):
            note = "\tunknown" if word.unknown else ""
            sys.stdout.write(f"{token}\t{word.score / LN10:.6f}\t{word.order}{note}\n")
        sys.stdout.write("\n")


def _records(sentences: Sentences, scores: TextScores, words: bool, end: bool) -> list[dict[str, Any]]:
    rows = zip((scores.sentence_scores() / LN10).tolist(), scores.sentence_unknown().tolist(), strict=True)
    records: list[dict[str, Any]] = [
        {"log10_probability": value, "unknown": missing} for value, missing in rows
    ]
    if words:
        for index, record in enumerate(records):
            record["words"] = [
                {
                    "word": token,
                    "log10_probability": word.score / LN10,
                    "order": word.order,
                    "unknown": word.unknown,
                }
                for token, word in zip(_tokens(sentences, index, end), scores.words(index), strict=True)
            ]
    return records
