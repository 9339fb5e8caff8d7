"""Re-estimation of a model: derivations of a text, counts, tables, a new model directory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.named_files import own_folder
from tunesmith.passes.decoding import Decoding
from tunesmith.reestimate.finding import DerivationFinder, DerivationOptions, derivation_pass
from tunesmith.reestimate.options import ReestimateOptions
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.reestimated_model import Reestimated, write_reestimated_model
from tunesmith.reestimate.rule_baseline import RuleBaseline, open_baseline
from tunesmith.reestimate.steps import Reestimation
from tunesmith.reestimate.store import remove_derivations

__all__ = ["DERIVATIONS", "reestimate"]

DERIVATIONS = "derivations"
"""Folder of kept derivations in that of the new model."""
UNFINISHED = ".derivations"
"""Folder of derivations that are not kept, until the model is finished."""


def reestimate(
    model: PathLike,
    output: PathLike,
    options: ReestimateOptions | None = None,
    decoding: Decoding | None = None,
    *,
    tune_source: PathLike,
    tune_references: Sequence[PathLike],
    derivations: DerivationOptions | None = None,
    derivation_folder: PathLike | None = None,
    added: Sequence[PathLike] = (),
    source: PathLike | None = None,
    target: PathLike | None = None,
    alignment: PathLike | None = None,
    tune_alignment: PathLike | None = None,
) -> Reestimated:
    """Make a model directory whose phrase or rule table is re-estimated from derivations.

    The method is that of Dakwale and Monz (2016) for phrases; that it counts rules of charts is ours.

    With `OracleOptions`, the default, they are derivations of oracle translations of the training text (or of
    `source` and `target`); with `ForcedDerivationOptions` those of its references, whose word `alignment` is
    the model's unless the text is another. All texts are tokenized. The new model has the features of the old
    one, with the weights of `decoding`; parts that are not re-estimated are referred to. A killed run is
    continued by the same call; with other options, only what they change is done again. Derivations are kept
    in `derivation_folder`, if it is named: calls for several models whose derivations are the same share it.
    Finished derivations in the folders `added`, of the same model and weights, are counted as well.
    An executor finds them in pieces, with the same result; all else is done here.
    """
    chosen = options or ReestimateOptions()
    baseline = open_baseline(model)
    if isinstance(baseline, RuleBaseline):
        _check_options_of_rules(chosen)
    elif chosen.orientations != ReestimateOptions.orientations and not baseline.table.reordering_models:
        raise OptionError(
            "re-estimation: {} needs a model with a reordering model; {model} has none: omit it",
            "orientations",
            model=model,
        )
    if not tune_references:
        raise OptionError("re-estimation: give at least one {}", "tune_references")
    if tune_alignment is not None and chosen.table_weight == "none":
        raise OptionError(
            "re-estimation: {} is for mixtures; omit it with {} none", "tune_alignment", "table_weight"
        )
    directory, folder = Path(model).absolute(), Path(output)
    if folder.resolve() == directory.resolve():
        raise InputError("is the model that is re-estimated; name another folder", path=folder)
    found = derivations or OracleOptions()
    keep = chosen.keep_derivations or (isinstance(found, OracleOptions) and found.keep_forests)
    how = decoding or Decoding()
    finder = DerivationFinder(
        _place(folder, keep=keep) if derivation_folder is None else Path(derivation_folder),
        derivation_pass(directory, found, (tune_source, tune_references), how, source, target, alignment),
        tuple(map(Path, added)),
    )
    plan = Reestimation(
        baseline,
        chosen,
        finder,
        finder.made_by,
        (Path(tune_source), Path(tune_references[0])),
        None if tune_alignment is None else Path(tune_alignment),
        how.threads,
        found.restart,
        tuple(map(Path, tune_references)),
    )
    made = write_reestimated_model(plan, folder, baseline.weights(how.weights), progress=how.progress)
    if keep or derivation_folder is not None:
        finder(how.progress)  # a finished model was not made of them again
    elif finder.folder == folder / UNFINISHED and finder.folder.is_dir():
        remove_derivations(finder.folder)
        how.progress("removed the derivations, which were not to be kept")
    return made


def _check_options_of_rules(options: ReestimateOptions) -> None:
    """Refuse what only models of phrases have."""
    if options.bilingual_lm:
        raise OptionError(
            "re-estimation: {} is for phrase-based models, as others have no bilingual language model; omit"
            " it",
            "bilingual_lm",
        )
    if options.orientations != ReestimateOptions.orientations:
        raise OptionError(
            "re-estimation: {} is for phrase-based models, as others have no reordering model; omit it",
            "orientations",
        )


def _place(folder: Path, *, keep: bool) -> Path:
    """Return the folder of the derivations in that of a model: of kept ones, if they are or shall be kept."""
    kept, unfinished = own_folder(folder, DERIVATIONS), own_folder(folder, UNFINISHED)
    if not (keep or kept.is_dir()):
        return unfinished
    if unfinished.is_dir() and not kept.exists():  # of a killed run
        unfinished.rename(kept)
    return kept
