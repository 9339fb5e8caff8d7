"""`tunesmith reestimate` (models): Re-estimate a model from translations of its training text.

Examples:

    tunesmith reestimate model --weights tuned/weights.json --tune-source dev.de --tune-references dev.en \\
      -o model2

    tunesmith reestimate model --weights tuned/weights.json --tune-source dev.de --tune-references dev.en \\
      --table-weight none -o small-model

    tunesmith reestimate model --weights tuned/weights.json --tune-source dev.de --tune-references dev.en \\
      --bilingual-lm --oracle-lm em -o model4

    tunesmith reestimate model --weights tuned/weights.json --tune-source dev.de --tune-references dev.en \\
      --method forced --nbest 100 -o model3

Each sentence of the training text is translated, and its oracle is found: among all translations that the
search kept, the one with the best mean of BLEU and model score. The phrase pairs of the oracles are counted;
the new model has their relative frequencies, mixed with those of the model, and reordering models of the same
translations. In a hierarchical model rules are counted, and the new model has a table of rules even if the
old one had an index. With `--method forced`, for phrases only, the references themselves are derived, by
default in up to 100 ways. All texts are tokenized and cased as the model's text.

With `--executor spark` derivations are found by Spark, in pieces of 500 sentences; everything else runs on
this machine.

The model is not tuned: its start weights are those of --weights. Its other parts are those of the model,
which must stay where it is. A killed run resumes when the same command is given again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.console import errors, output, print_json
from tunesmith.cli.flags import Given, Spells
from tunesmith.cli.opened_decoding import opened_decoding
from tunesmith.cli.options import Json, Quiet, Threads, WeightsFile
from tunesmith.cli.search_options import Search
from tunesmith.distribute.options import ExecutorOptions
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes, own_folder_of
from tunesmith.model.jackknife.options import JackknifeOptions
from tunesmith.reestimate.forced import ForcedDerivationOptions
from tunesmith.reestimate.options import ReestimateOptions
from tunesmith.reestimate.oracle_options import OracleOptions

if TYPE_CHECKING:
    from tunesmith.reestimate.reestimated_model import Reestimated


_NO_TABLE = {
    "phrase pairs": "phrases of no table",
    "rules": "words or rules of no table; glue is not counted",
}
_LACKING = {
    "phrase pairs": "their source phrase, or both the pair",
    "rules": "their source side, or both the rule",
}
_NBEST = f"{OracleOptions.nbest}; forced: {ForcedDerivationOptions.nbest}"


def run(
    model: Annotated[
        Path, typer.Argument(help="Directory of a phrase-based, hierarchical or ITG model."), Reads()
    ],
    *,
    directory: Annotated[
        Path,
        typer.Option("-o", "--output", help="Directory for the new model."),
        Writes(is_folder=own_folder_of),
    ],
    tune_source: Annotated[
        Path, typer.Option(help="Source of a tuning text, which sets the scale of BLEU."), Reads()
    ],
    tune_references: Annotated[list[Path], typer.Option(help="Its reference; may be repeated."), Reads()],
    weights: WeightsFile = None,
    method: Annotated[
        str,
        typer.Option(help="Derivations of oracle translations (oracle), or of the references (forced)."),
    ] = "oracle",
    source: Annotated[
        Path | None, typer.Option(help="Text to translate [default: the model's training text]."), Reads()
    ] = None,
    target: Annotated[Path | None, typer.Option(help="Its translation, line by line."), Reads()] = None,
    alignment: Annotated[
        Path | None, typer.Option(help="Its word alignment, for --method forced with leave-one-out."), Reads()
    ] = None,
    tune_alignment: Annotated[
        Path | None,
        typer.Option(
            help="Word alignment of the tuning text, to fit or compare weights of mixtures"
            " [default: by the model's aligner]."
        ),
        Reads(),
    ] = None,
    derivations: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the derivations, which are kept; models of the same derivations can share it."
        ),
        Spells("derivation_folder"),
        Writes(is_folder=own_folder_of),
    ] = None,
    add_derivations: Annotated[
        list[Path] | None,
        typer.Option(
            help="Folder of finished derivations by the same model and weights, such as those of the other"
            " method, that are counted as well; may be repeated.",
        ),
        Spells("added"),
        Reads(),
    ] = None,
    options: ReestimateOptions,
    found: Annotated[
        dict[str, Any], Given(OracleOptions, ForcedDerivationOptions, defaults={"nbest": _NBEST})
    ],
    folds: Annotated[dict[str, Any], Given(JackknifeOptions, omit=("jackknife", "fold_file"))],
    search: Search,
    where: ExecutorOptions,
    threads: Threads = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Re-estimate a model."""
    from tunesmith.reestimate.finding import derivation_options
    from tunesmith.reestimate.reestimation import reestimate

    if folds and not found.get("jackknife"):
        raise OptionError("{} needs {}", next(iter(folds)), "jackknife")
    jackknife = JackknifeOptions(jackknife=True, **folds) if folds else None
    with opened_decoding(
        where, search, weights=weights, jackknife=jackknife, threads=threads, quiet=quiet
    ) as decoding:
        made = reestimate(
            model,
            directory,
            tune_source=tune_source,
            tune_references=tune_references,
            options=options,
            derivations=derivation_options(method, found),
            derivation_folder=derivations,
            added=add_derivations or (),
            source=source,
            target=target,
            alignment=alignment,
            tune_alignment=tune_alignment,
            decoding=decoding,
        )
    if json_:
        print_json(made.record)
    elif not quiet:
        _show(made)


def _show(made: Reestimated) -> None:
    from rich.table import Table

    from tunesmith.model.steps import show_bytes

    table = Table("", "before", "after", "share", title=f"re-estimated model {made.trained.directory}")
    known = made.sizes[0].entries_before, made.mixture["reestimated_pairs"]
    table.add_row(f"{made.unit} in derivations", *(f"{count:,}" for count in known), _share(*known))
    for size in made.sizes:
        counts = size.entries_before, size.entries_after
        table.add_row(f"{size.part}, entries", *(f"{count:,}" for count in counts), _share(*counts))
        sizes = size.bytes_before, size.bytes_after
        is_index = size is made.sizes[0] and made.mixture.get("baseline") == "index"
        share = "" if is_index else _share(*sizes)  # an index and a table are not to be compared
        table.add_row(f"{size.part}, size", *map(show_bytes, sizes), share)
    sentences = made.used["text_sentences"], made.used["sentences"]
    label = "sentences with derivations" + (", once per run" if made.used.get("added") else "")
    table.add_row(label, *(f"{count:,}" for count in sentences), _share(*sentences))
    output.print(table)
    for line in _lines(made):
        errors.print(line, markup=False, soft_wrap=True)


def _share(before: int, after: int) -> str:
    return f"{100 * after / max(before, 1):.2f}%"


def _lines(made: Reestimated) -> list[str]:
    """Return what else the report has, as text."""
    lm = made.language_model
    of_lm = [] if lm is None else [_lm_line(lm)]
    return [*_derivation_lines(made), *of_lm, *_mixture_lines(made)]


def _derivation_lines(made: Reestimated) -> list[str]:
    used = made.used
    lines = [
        f"{used['derivations']:,} derivations use {used['pairs']:,} different {made.unit} {used['uses']:,}"
        f" times, and {used['untabled']:,} {_NO_TABLE[made.unit]}"
    ]
    if "oracle_bleu" in used:
        lines.append(
            f"BLEU {100 * used['best_bleu']:.2f} of the best translations, {100 * used['oracle_bleu']:.2f} of"
            f" the oracles; model scores are multiplied by {used['scale']:.4g}"
        )
    lines += (
        f"counted as well: {each['derivations']:,} derivations ({each['method']}) of"
        f" {each['sentences']:,} of {each['text_sentences']:,} sentences in {each['folder']}"
        for each in used.get("added", ())
    )
    if "loss" in used:
        lines.append(used["loss"])
    if used.get("posterior_scale"):
        lines.append(
            f"derivations of a sentence count in proportion to exp({used['posterior_scale']:.4g} h.w)"
        )
    return lines


def _lm_line(lm: dict[str, Any]) -> str:
    (old, new), mixed = lm["alone"], lm["written"]
    return (
        f"the language model of the translations has the weight {lm['weight']:.3f} in the mixture with"
        f" the model's; perplexity of the {lm['common']:,} of {lm['tokens']:,} tokens of the tuning"
        f" references that both have: {new['of_common_words']:.2f} alone, {old['of_common_words']:.2f} of"
        f" the model's, {mixed['of_common_words']:.2f} of the mixture; unknown words: {new['unknown']:,},"
        f" {old['unknown']:,} and {mixed['unknown']:,}"
    )


def _mixture_lines(made: Reestimated) -> list[str]:
    """Return how the table of the derivations and that of the model are mixed."""
    mixture, lines = made.mixture, list[str]()
    if mixture.get("baseline") == "index":
        which = "with one of the used source sides" if mixture["weight"] is None else "of the text"
        lines.append(
            "the model has an index, not a table: the column 'before' has the size of the index file, and the"
            f" number of rules {which}"
        )
    if mixture["weight"] is None:
        return [*lines, "the re-estimated table stands alone"]
    lines.append(
        f"{mixture['reestimated_pairs']:,} re-estimated {made.unit.split()[-1]} have the weight"
        f" {mixture['weight']:.3f} in the mixture with the table of the model"
    )
    if mixture.get("curve"):
        curve = ", ".join(f"{weight}: {value:.3f}" for weight, value in mixture["curve"].items())
        lines.append(
            f"perplexity of the {made.unit} of the tuning text by weight: {curve}; {mixture['missing']:,.0f}"
            f" of {mixture['instances']:,.0f} do not count, as a table lacks {_LACKING[made.unit]}"
        )
    return lines
