"""The build steps of a re-estimated model of rules: counts, and a table, alone or mixed."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.rules import extract_rules
from tunesmith.model.parts.names import RULES
from tunesmith.model.steps import BuildStep, Workshop
from tunesmith.reestimate.interpolation import MixtureFit, fit_rows
from tunesmith.reestimate.records import MIXTURE, USED, USES, write_record
from tunesmith.reestimate.rule_baseline import RuleBaseline
from tunesmith.reestimate.rule_counting import count_rule_uses

if TYPE_CHECKING:
    from tunesmith.reestimate.steps import Reestimation

__all__ = ["rule_steps"]


def rule_steps(plan: Reestimation, baseline: RuleBaseline) -> list[BuildStep]:
    """Return the steps, in order."""
    return [_counts(plan, baseline), _table(plan, baseline)]


def _counts(plan: Reestimation, baseline: RuleBaseline) -> BuildStep:
    """Return the step from derivations to counts of rules."""
    columns = baseline.columns

    def run(shop: Workshop) -> None:
        made = plan.derivations(shop.progress)
        found = count_rule_uses(
            made.files,
            shop[USES],
            columns,
            nbest_weight=plan.options.nbest_weight,
            relex=plan.options.relex,
            threads=plan.threads,
            progress=shop.progress,
        )
        write_record(shop[USED], {**made.record, **asdict(found)})

    options = {
        **plan.made_by,
        "nbest_weight": plan.options.nbest_weight,
        "relex": plan.options.relex,
        "columns": list(columns.names),
    }
    return BuildStep("counts", (USES, USED), run, options=options, again=plan.restart)


def _table(plan: Reestimation, baseline: RuleBaseline) -> BuildStep:
    """Return the step from counts to the table of rules, alone or in a mixture with the baseline's."""
    chosen, columns, relex = plan.options, baseline.columns, plan.options.relex
    alone = chosen.table_weight == "none"

    def run(shop: Workshop) -> None:
        only = RuleTable.open(shop[USES]) if alone else None
        every = baseline.rule_table(shop.scratch, plan.threads, shop.progress, only=only)
        output = shop[RULES] if alone else shop.scratch / RULES
        replaced = columns.from_counts(relex=relex)
        _native.write_reestimated_rules(str(shop[USES]), str(every.path), replaced, str(output), "{}")
        table = RuleTable.open(output)
        record: dict[str, Any] = {
            "reestimated_pairs": len(table),
            "weight": chosen.weight,
            "baseline_rules": len(every),
            "baseline_bytes": baseline.path.stat().st_size,
            "baseline": baseline.part.source,
        }
        if plan.compares:
            fit = _fit(plan, baseline, table, every, shop)
            record |= asdict(fit)
            shop.progress(f"the weight of the re-estimated table is {fit.weight:.3f}")
        if not alone:
            shop.progress("interpolating with the table of all rules")
            kinds = columns.kinds(relex=relex)
            _native.interpolate_rules(
                str(table.path), str(every.path), record["weight"], kinds, str(shop[RULES]), "{}"
            )
        write_record(shop[MIXTURE], record)

    inputs = {**baseline.inputs, **plan.tuning_inputs()}
    options = {"table_weight": chosen.table_weight, "relex": relex, "rules": asdict(baseline.rule_options)}
    return BuildStep("rule table", (RULES, MIXTURE), run, inputs=inputs, needs=(USES,), options=options)


def _fit(
    plan: Reestimation, baseline: RuleBaseline, table: RuleTable, every: RuleTable, shop: Workshop
) -> MixtureFit:
    """Fit or compare the weight of the mixture by the rules that are extracted from the tuning text."""
    assert plan.tune is not None
    bitext = Bitext.read(*plan.tune)
    if plan.tune_alignment is not None:
        links = Alignments.read(plan.tune_alignment, bitext)
    else:
        aligner, symmetrize = baseline.aligner()
        links = aligner.align(bitext, symmetrize, threads=plan.threads)
    rules = extract_rules(
        bitext, links, baseline.rule_options, threads=plan.threads, temporary=shop.scratch
    ).save(shop.scratch / "tune-rules.bin")
    column, kind = baseline.columns.direct
    both = [str(table.path), str(every.path)]
    rows = _native.matched_rule_scores(str(rules.path), both, column, kind)
    return fit_rows(rows, plan.options.weight, "rules")
