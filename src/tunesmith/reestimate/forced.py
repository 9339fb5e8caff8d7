"""Forced decoding of a text, and writing the derivations of its targets (Wuebker et al. 2010)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from tunesmith.corpus import Alignments
from tunesmith.decode.forced import STAGES, ForcedOptions
from tunesmith.decode.made_by import made_by
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.model.extracted import check_sentence_counts
from tunesmith.model.model import Model
from tunesmith.model.parts.names import ALIGNMENT
from tunesmith.options import check_options, option, same_option
from tunesmith.passes.decoding import Decoding
from tunesmith.passes.run import Written
from tunesmith.passes.text import PassText
from tunesmith.reestimate.counted_parts import phrase_decoder
from tunesmith.reestimate.derivation_pass import DerivationPass
from tunesmith.reestimate.derivation_text import derivation_text
from tunesmith.reestimate.forced_product import ForcedDerivations
from tunesmith.reestimate.store import DerivationStore, settings_of

__all__ = ["ForcedDerivationOptions", "forced_pass", "no_folds", "write_forced"]


@dataclass(frozen=True)
class ForcedDerivationOptions:
    """Which derivations of the targets of the training text are found."""

    panels: ClassVar[Mapping[str, str | None]] = {"*": "With --method forced", "nbest": None, "restart": None}

    nbest: int = option(100, help="Derivations per sentence, all of the target.", least=1, most=10_000)
    leave_one_out: bool = option(
        True,
        help="Score each pair by all counts, also those of the sentence itself.",
        flag="--no-leave-one-out",
    )
    singleton: float = same_option(ForcedOptions, "singleton")
    drop_words: bool = same_option(ForcedOptions, "drop_words")
    stages: int = option(
        len(STAGES) - 1,
        help="Searches tried in turn: the first has the usual limits, others larger stacks and longer jumps,"
        " which take most of the time.",
        least=1,
        most=len(STAGES) - 1,
    )
    longest_free: int = option(
        40, help="Longest sentence, in words, that is searched with unlimited distortion.", least=0
    )
    restart: bool = option(
        False, help="Delete the derivations in the folder and start anew.", flag="--restart", matters=False
    )

    def __post_init__(self) -> None:
        check_options(self, "forced")

    @property
    def forced(self) -> ForcedOptions:
        """The options of forced decoding: all pairs of the table in each stage, as the target selects them.

        To find the best 20 of each source phrase by scores without one sentence takes longer than to search.
        """
        return ForcedOptions(
            stages=STAGES[1 : 1 + self.stages],
            longest_free=self.longest_free,
            drop_words=self.drop_words,
            leave_one_out=self.leave_one_out,
            singleton=self.singleton,
        )


def write_forced(
    model: PathLike,
    output: PathLike,
    options: ForcedDerivationOptions | None = None,
    decoding: Decoding | None = None,
    *,
    source: PathLike | None = None,
    target: PathLike | None = None,
    alignments: PathLike | None = None,
) -> Written[DerivationStore]:
    """Write the n best derivations of each target of a model's training text, or of other tokenized text.

    Limits are relaxed stage by stage until the target is reached (`tunesmith.decode.forced`). If one is left
    out, pairs are scored without the counts of the sentence itself, whose word alignment is that of the
    model, or `alignments` of other text. The files are those of `write_oracles`: pieces of 500 sentences,
    continued by the same call. All derivations of a sentence have one string; the value is the model score.
    """
    chosen, how = options or ForcedDerivationOptions(), decoding or Decoding()
    return forced_pass(model, chosen, how, source, target, alignments).write(output)


def forced_pass(
    model: PathLike,
    options: ForcedDerivationOptions,
    decoding: Decoding,
    source: PathLike | None = None,
    target: PathLike | None = None,
    alignments: PathLike | None = None,
) -> DerivationPass:
    """Open and check what `write_forced` needs."""
    if decoding.jackknife is not None:
        raise no_folds()
    directory = Path(model).absolute()
    decoder = phrase_decoder(decoding.open(directory), directory)
    decoding.progress("reading the text")
    text = derivation_text(directory, source, target)
    if options.leave_one_out:
        text = replace(text, links=_links(text, decoder, alignments))
    files = {} if alignments is None else {"alignment": alignments}
    return DerivationPass(
        "forced",
        decoding,
        decoder,
        None,
        text,
        made_by(decoder, text, settings_of(options), files=files),
        lambda files, decoders: ForcedDerivations(options.forced, options.nbest),
        restart=options.restart,
    )


def no_folds() -> OptionError:
    """Return the error of options of folds."""
    return OptionError(
        "{} forced scores each sentence without its own counts, and leaves out no folds: omit {}",
        "method",
        "jackknife",
    )


def _check_leave_one_out(text: PassText, model: Model, alignments: PathLike | None) -> None:
    """Raise InputError unless the counts of a sentence can be subtracted from those of the model."""
    check_sentence_counts(model, "score pairs by all counts ({})")
    if alignments is None and text.is_other:
        raise InputError(
            "is not the training text of the model, so that leave-one-out needs its word alignment: name it"
            " by {}, or score pairs by all counts ({})",
            "alignments",
            "leave_one_out",
            path=text.source,
        )


def _links(text: PassText, decoder: PhraseDecoder, alignments: PathLike | None) -> Alignments:
    """Read the word alignment from which the phrases of the text were extracted."""
    _check_leave_one_out(text, decoder.model, alignments)
    path = decoder.model.home / ALIGNMENT if alignments is None else Path(alignments)
    links = Alignments.read(path)
    lines = text.counts.lines
    if len(links) != lines:
        raise InputError(f"has {len(links)} lines, but {text.source} has {lines}", path=path)
    return links
