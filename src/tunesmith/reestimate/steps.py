"""The build steps of a re-estimated model: counts, language models, phrase table, word lists."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Protocol

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.extract.bilingual import bilingual_tokens
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import PhraseCounts
from tunesmith.model.parts.language_model import Estimation, write_lm
from tunesmith.model.parts.names import BILINGUAL_LM, LEXICON, PHRASES
from tunesmith.model.parts.word_lists import WORD_LISTS
from tunesmith.model.steps import BuildStep, Progress, Workshop
from tunesmith.reestimate.baseline import Baseline
from tunesmith.reestimate.counting import count_uses
from tunesmith.reestimate.interpolation import fit_weight, interpolate_with, pairs_of
from tunesmith.reestimate.options import ReestimateOptions
from tunesmith.reestimate.oracle_lm import OracleLm, oracle_lm_step
from tunesmith.reestimate.oracle_text import OracleText
from tunesmith.reestimate.records import MIXTURE, USED, USES, read_record, write_record
from tunesmith.reestimate.rule_baseline import RuleBaseline
from tunesmith.reestimate.rule_steps import rule_steps
from tunesmith.reestimate.table import reestimated_table, replaced_scores

__all__ = ["MIXTURE", "USED", "Derivations", "Reestimation", "read_record", "reestimation_steps"]

ORIENTATIONS = "orientation-counts.bin"
_LISTS = ("classes.*.txt", *WORD_LISTS)


class Derivations(Protocol):
    """Finished files of derivations, and what is known about how they were made."""

    @property
    def files(self) -> list[Path]:
        """The files, in order."""

    @property
    def record(self) -> Mapping[str, Any]:
        """Numbers of the report, such as `sentences`, all of the text."""


@dataclass(frozen=True)
class Reestimation:
    """What the steps need.

    `derivations` makes files of derivations, or finds those that are there; `made_by` is all that they depend
    on. `tune` are the two sides of the tuning text, to which the weight of the mixture is fitted, or a given
    one compared. With `restart` what is made of the derivations is made again.
    """

    baseline: Baseline
    options: ReestimateOptions
    derivations: Callable[[Progress], Derivations]
    made_by: Mapping[str, Any]
    tune: tuple[Path, Path] | None = None
    tune_alignment: Path | None = None
    threads: int | None = None
    restart: bool = False
    references: tuple[Path, ...] = ()
    """All references of the tuning text, for the mixture of language models."""

    @property
    def compares(self) -> bool:
        """Whether a weight is fitted to the tuning text, or a given one compared."""
        aligned = self.tune_alignment is not None or self.baseline.has_aligner
        compared = self.options.weight is not None and self.tune is not None and aligned
        return self.options.table_weight == "em" or compared

    def tuning_inputs(self) -> dict[str, Path]:
        """Return the files that this reads; a missing word aligner is an error before all work."""
        if not self.compares or self.tune is None:
            return {}
        inputs = {"tune source": self.tune[0], "tune references": self.tune[1]}
        if self.tune_alignment is None:
            self.baseline.aligner()
            return inputs
        return {**inputs, "tune alignment": self.tune_alignment}


def reestimation_steps(plan: Reestimation) -> list[BuildStep]:
    """Return the steps, in order."""
    mixed = [] if plan.options.oracle_lm == "none" else [_oracle_lm(plan)]
    if isinstance(plan.baseline, RuleBaseline):
        return [*rule_steps(plan, plan.baseline), *mixed, *_word_lists(plan)]
    bilingual = [_bilingual_lm(plan)] if plan.options.bilingual_lm else []
    return [_counts(plan), *bilingual, *mixed, _table(plan), *_word_lists(plan)]


def _counts(plan: Reestimation) -> BuildStep:
    """Return the step from derivations to counts of pairs and orientations, and to a lexicon if asked for."""
    extracted = plan.options.orientations == "extraction" and bool(plan.baseline.table.reordering_models)
    outputs = (USES, *((ORIENTATIONS,) if extracted else ()), *((LEXICON,) if plan.options.relex else ()))

    def run(shop: Workshop) -> None:
        made = plan.derivations(shop.progress)
        found = count_uses(
            made.files,
            shop[USES],
            shop[ORIENTATIONS] if extracted else None,
            nbest_weight=plan.options.nbest_weight,
            max_length=plan.baseline.max_phrase_length,
            orientation_events=plan.baseline.orientation_events,
            threads=plan.threads,
            progress=shop.progress,
        )
        if plan.options.relex:
            text = OracleText.read(made.files, untabled=False)
            Lexicon.estimate(text.bitext, text.alignments, threads=plan.threads).save(shop[LEXICON])
        write_record(shop[USED], {**made.record, **asdict(found)})

    options = {
        **plan.made_by,
        "nbest_weight": plan.options.nbest_weight,
        "orientations": plan.options.orientations,
        "max_phrase_length": plan.baseline.max_phrase_length,
        **({"orientation_events": plan.baseline.orientation_events} if extracted else {}),
    }
    return BuildStep("counts", (*outputs, USED), run, options=options, again=plan.restart)


def _bilingual_lm(plan: Reestimation) -> BuildStep:
    """Return the step that trains the bilingual language model on the best derivations."""
    _, part = plan.baseline.bilingual_lm()

    def run(shop: Workshop) -> None:
        text = OracleText.read(plan.derivations(shop.progress).files)
        tokens = Sentences.of(bilingual_tokens(text.bitext, text.alignments))
        shared = Estimation(True, "2G", shop.scratch, plan.threads, shop.progress)
        write_lm(tokens, shop[BILINGUAL_LM], shared, order=part.order)

    options = {**plan.made_by, "order": part.order}
    return BuildStep("bilingual language model", (BILINGUAL_LM,), run, options=options, again=plan.restart)


def _oracle_lm(plan: Reestimation) -> BuildStep:
    """Return the step that mixes the language model with one of the best derivations."""

    def files(progress: Progress) -> list[Path]:
        return plan.derivations(progress).files

    weight = plan.options.oracle_lm_weight
    mixing = OracleLm(plan.baseline.model, plan.references, weight, plan.threads)
    return oracle_lm_step(mixing, files, plan.made_by, again=plan.restart)


def _table(plan: Reestimation) -> BuildStep:
    """Return the step from counts to the phrase table, alone or in a mixture with the baseline's."""
    chosen, baseline = plan.options, plan.baseline
    relex = chosen.relex
    orientations = chosen.orientations == "extraction" and bool(baseline.table.reordering_models)
    keeps = chosen.orientations == "keep"
    smoothing = baseline.scoring.get("smoothing")

    def run(shop: Workshop) -> None:
        alone = chosen.table_weight == "none"
        table = reestimated_table(
            PhraseCounts.open(shop[USES]),
            baseline.table,
            shop[PHRASES] if alone else shop.scratch / PHRASES,
            orientations=PhraseCounts.open(shop[ORIENTATIONS]) if orientations else None,
            keep_reordering=keeps,
            lexicon=Lexicon.open(shop[LEXICON]) if relex else None,
            smoothing=smoothing,
            scratch=shop.scratch,
            threads=plan.threads,
        )
        record: dict[str, Any] = {"reestimated_pairs": len(table), "weight": chosen.weight}
        if plan.compares:
            fit = fit_weight(_tuning_pairs(plan, shop), table, baseline.table, chosen.weight)
            record |= asdict(fit)
            shop.progress(f"the weight of the re-estimated table is {fit.weight:.3f}")
        if not alone:
            shop.progress("interpolating with the table of the model")
            replaced = replaced_scores(relex=relex)
            interpolate_with(table, baseline.table, shop[PHRASES], record["weight"], replaced)
        write_record(shop[MIXTURE], record)

    needs = (USES, *((ORIENTATIONS,) if orientations else ()), *((LEXICON,) if relex else ()))
    inputs = {"baseline table": baseline.table_path, **plan.tuning_inputs()}
    options = {"table_weight": chosen.table_weight, "relex": relex, "smoothing": smoothing}
    options |= {"reordering": "kept"} if keeps else {}
    return BuildStep("phrase table", (PHRASES, MIXTURE), run, inputs=inputs, needs=needs, options=options)


def _tuning_pairs(plan: Reestimation, shop: Workshop) -> Any:
    assert plan.tune is not None
    bitext = Bitext.read(*plan.tune)
    shared: dict[str, Any] = {"max_length": plan.baseline.max_phrase_length, "threads": plan.threads}
    if plan.tune_alignment is not None:
        return pairs_of(bitext, Alignments.read(plan.tune_alignment, bitext), shop.scratch, **shared)
    aligner, symmetrize = plan.baseline.aligner()
    return pairs_of(bitext, aligner, shop.scratch, symmetrize=symmetrize, **shared)


def _word_lists(plan: Reestimation) -> list[BuildStep]:
    """Return the step that copies the lists that templates look for, if the model has any."""
    there = sorted(path for path in plan.baseline.model.directory.iterdir() if path.is_file())
    found = {path.name: path for path in there if any(fnmatch(path.name, each) for each in _LISTS)}

    def run(shop: Workshop) -> None:
        for name, path in found.items():
            shutil.copyfile(path, shop[name])

    inputs = {name: path.absolute() for name, path in found.items()}
    return [BuildStep("word lists", tuple(found), run, inputs=inputs)] if found else []
