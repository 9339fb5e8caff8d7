"""Options of consensus decoding, for `decode` and `rerank`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, get_origin

from tunesmith.cli.given_once import named_once
from tunesmith.errors import OptionError, suggest
from tunesmith.options import option, option_types, parse_option

if TYPE_CHECKING:
    from tunesmith.consensus import ConsensusRule

__all__ = ["ConsensusFlags"]


@dataclass(frozen=True)
class ConsensusFlags:
    """The options of consensus decoding on the command line."""

    panels: ClassVar[Mapping[str, str | None]] = {"*": "Consensus decoding"}

    consensus: bool = option(
        False,
        help="Consensus (MBR) decoding: choose the translation that agrees most with the model's whole"
        " distribution.",
    )
    rule: str | None = option(
        None,
        help="{tunesmith.consensus:CONSENSUS} [default: rule and scale that the weights record, as chosen by"
        " `tunesmith forest consensus`; else fast].",
        flag="--consensus-rule",
    )
    scale: float | None = option(
        None,
        help="p(d) ~ exp(scale x score) [default: per sentence, so that all have the same entropy per word].",
        flag="--consensus-scale",
    )
    size: int | None = option(
        None,
        help="Number of candidates, the best by the model, for the rules fast and mbr [default: all of a"
        " list, 100 of a forest]; mbr compares all pairs.",
        flag="--consensus-size",
    )
    metric: str | None = option(
        None,
        help="Metric to maximize [default: bleu]: for the rule mbr any metric of texts, for fast one of"
        " n-gram counts, such as precision.",
        flag="--consensus-metric",
    )
    others: tuple[str, ...] = option(
        (),
        help="Another option of the rule, such as order=3; may be repeated.",
        flag="--consensus-option",
        metavar="NAME=VALUE",
    )

    def chosen(self, weights: Path | None = None) -> ConsensusRule | None:
        """Return the rule that the command line names, None without `--consensus`.

        Without one, or with the same, it is the rule that a file of weights records, with its scale; None
        if the file records that none was better than Viterbi.
        """
        from tunesmith.cli.console import note
        from tunesmith.consensus import CONSENSUS, consensus_rule, recorded_consensus
        from tunesmith.consensus.choice import VITERBI

        given = {"scale": self.scale, "size": self.size, "metric": self.metric}
        named: dict[str, object] = {option: value for option, value in given.items() if value is not None}
        if not self.consensus:
            if self.rule is not None or named or self.others:
                raise OptionError("the options --consensus-... need --consensus")
            return None
        recorded: dict[str, Any] = {}
        if weights is not None:
            from tunesmith.weights import open_weights

            recorded = recorded_consensus(open_weights(weights))
        name = self.rule or recorded.get("rule", "fast")
        if self.rule is None and recorded:
            note(f"{weights} records how to choose translations: {_shown(recorded)}")
        if name == VITERBI:
            return None
        if name == recorded.get("rule") and recorded["scale"] is not None:
            named.setdefault("scale", recorded["scale"])
        others = self._others(name, option_types(CONSENSUS[name]))
        for twice in others:
            if given.get(twice) is not None:
                raise OptionError(f"--consensus-{twice} and --consensus-option {twice} both give {twice}")
        return consensus_rule(name, **(named | others))

    def _others(self, rule: str, kinds: Mapping[str, Any]) -> dict[str, object]:
        """Return the values of `--consensus-option` by name."""

        def parsed(text: str) -> tuple[str, object]:
            name, equals, value = text.partition("=")
            if not equals or name not in kinds:
                raise OptionError(
                    f"--consensus-option: expected NAME=VALUE with an option of {rule}, found {text!r}"
                    f"{suggest(name, kinds)}"
                )
            flag = f"--consensus-option {name}"
            is_row = get_origin(kinds[name]) is tuple  # of numbers: weights=0,0,1
            parts = [parse_option(flag, float, part) for part in value.split(",")] if is_row else []
            return name, tuple(parts) if is_row else parse_option(flag, kinds[name], value)

        return named_once("--consensus-option", map(parsed, self.others))


def _shown(recorded: dict[str, Any]) -> str:
    scale = recorded["scale"]
    return f"{recorded['rule']}{'' if scale is None else f' at scale {scale:g}'}"
