"""The steps that build a model without a fold, from what training kept."""

from __future__ import annotations

import shutil
from dataclasses import replace
from fnmatch import fnmatch

from tunesmith.checksums import checksum
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import PhraseCounts
from tunesmith.extract.rules import RuleOptions, extract_rules
from tunesmith.extract.tables import build_table
from tunesmith.memory import parse_bytes
from tunesmith.model.jackknife.language_models import lm_step
from tunesmith.model.jackknife.left_out import LeftOut
from tunesmith.model.model import FEATURES_FILE, START_FILE, WEIGHTS_FILE, Model
from tunesmith.model.parts.names import ALIGNED, COUNTS, FOLDS, LEXICON, is_given
from tunesmith.model.parts.word_lists import WORD_LISTS
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["fold_steps"]

_CLASSES = "classes.*.txt"


def fold_steps(left_out: LeftOut) -> list[BuildStep]:
    """Return the steps: phrase tables, rules, language models, word lists, and the list of parts.

    A phrase table is a sum of the counts by fold; a table of rules and language models are estimated from
    the remaining text with the options of training. Language models that training was given stay. An index of
    rules stays, and its fold is masked. What the fold does not change is referred to in the model's
    directory; lists of words and classes, which templates look for beside the other parts, are copied.
    """
    model = left_out.model
    steps = [_phrase_table(part.path, left_out) for part in model.phrase_tables]
    steps += [_rule_table(part.path, left_out) for part in model.rules if part.source == "table"]
    if left_out.lm:
        steps += [lm_step(part, left_out) for part in model.language_models if not is_given(part.path or "")]
    if left_out.lm_text and not any(step.options_in(model.directory).get("texts") for step in steps):
        raise OptionError("jackknife: {} is given, but no language model is trained on it", "lm_text")
    return [*steps, *_word_lists(left_out), _features(left_out)]


def _phrase_table(name: str, left_out: LeftOut) -> BuildStep:
    options = left_out.record(name).options

    def run(shop: Workshop) -> None:
        counts, lexicon = PhraseCounts.open(left_out[COUNTS]), Lexicon.open(left_out[LEXICON])
        build_table(
            counts,
            lexicon,
            shop[name],
            exclude_fold=left_out.fold,
            only=left_out.own_sentences(counts.source_vocabulary) if left_out.confined else None,
            threads=left_out.threads,
            **options,
        )

    confined = {"confined": True} if left_out.confined else {}
    wanted = left_out.wanted((COUNTS, LEXICON), {**options, **confined})
    return BuildStep(f"table {name}", (name,), run, options=wanted)


def _rule_table(name: str, left_out: LeftOut) -> BuildStep:
    options = left_out.record(name).options

    def run(shop: Workshop) -> None:
        bitext, alignments = left_out.remaining_pairs(shop.scratch)
        extract_rules(
            bitext,
            alignments,
            RuleOptions(**options),
            threads=left_out.threads,
            memory=parse_bytes(left_out.memory),
            temporary=shop.scratch,
            progress=shop.progress,
        ).save(shop[name])

    return BuildStep(f"rules {name}", (name,), run, options=left_out.wanted(ALIGNED, options))


def _word_lists(left_out: LeftOut) -> list[BuildStep]:
    """Return the step that copies lists of words and classes, if the model has any: they are of all text."""
    there = sorted(path.name for path in left_out.model.directory.iterdir() if path.is_file())
    names = tuple(name for name in there if name in WORD_LISTS or fnmatch(name, _CLASSES))

    def run(shop: Workshop) -> None:
        for name in names:
            shutil.copyfile(left_out[name], shop[name])

    sums = {name: checksum(left_out[name]) for name in names}  # `extract words` may have written them
    return [BuildStep("word lists", names, run, options={"files": sums})] if names else []


def _features(left_out: LeftOut) -> BuildStep:
    """Return the step that lists the parts; tuned weights of the model are copied.

    Files of the model that the fold does not change are inputs: only recorded ones may be read from outside.
    """
    model = _without_fold(left_out)
    tuned = (left_out.weights / WEIGHTS_FILE).is_file()
    weights = left_out.weights / (WEIGHTS_FILE if tuned else START_FILE)

    def run(shop: Workshop) -> None:
        replace(model, directory=shop.directory).write()
        if tuned:
            shutil.copyfile(weights, shop[WEIGHTS_FILE])

    outputs = (FEATURES_FILE, START_FILE, *((WEIGHTS_FILE,) if tuned else ()))
    wanted = {"features": model.record, "weights": checksum(weights)}
    return BuildStep("features", outputs, run, inputs=model.outside(), options=wanted)


def _without_fold(left_out: LeftOut) -> Model:
    """Return the model with the parts of the fold model, and absolute paths of all others.

    Scores of the pairs of the whole tables are not those of the fold's: pairs are scored by their words.
    """
    whole, anchored = left_out.model, left_out.model.anchored()
    if not (whole.phrase_tables or whole.rules):
        raise InputError("has no phrases or rules", path=whole.directory)
    folds = str(left_out[FOLDS].resolve())
    rules = []
    for own, far in zip(whole.rules, anchored.rules, strict=True):
        if own.source == "index":
            rules.append(replace(far, folds=folds, exclude_fold=left_out.fold))
        else:
            rules.append(replace(far, path=own.path) if own.source == "table" else far)
    models = anchored.language_models
    if left_out.lm:
        models = tuple(
            far if is_given(own.path or "") else replace(far, path=own.path, arpa=None)
            for own, far in zip(whole.language_models, models, strict=True)
        )
    return replace(
        anchored,
        phrase_tables=whole.phrase_tables,
        language_models=models,
        rules=tuple(rules),
        trained_reordering=tuple(replace(part, rows=()) for part in anchored.trained_reordering),
        base="",
    )
