"""Sections of moses.ini: which are imported, which cannot change a translation, and which are refused.

Moses reads a section by its name or an abbreviation. Sections that are in none of the tables are refused.
"""

from __future__ import annotations

from tunesmith.errors import InputError
from tunesmith.files import PathLike

__all__ = [
    "BEAM",
    "EARLY_DISTORTION",
    "IMPORTED",
    "OF_SEARCH",
    "SETTINGS",
    "WEIGHT_FILE",
    "full_name",
    "is_on",
    "is_without_effect",
    "why_refused",
]

EARLY_DISTORTION, WEIGHT_FILE = "early-distortion-cost", "weight-file"

SETTINGS = {
    "distortion-limit": "distortion_limit",
    "cube-pruning-pop-limit": "pop_limit",
    "stack": "stack_size",
    EARLY_DISTORTION: "early_distortion_cost",
}
"""Sections that are settings of the model, and their names there."""
OF_SEARCH = ("cube-pruning-pop-limit", "stack")
"""Settings of how much is searched, which decoders do not take from the model."""
BEAM = "beam-threshold"
"""Pruning of hypotheses by a ratio of probabilities: how much is searched, too. Decoders have an option for
it, and prune none by default."""

IMPORTED = frozenset(
    {"mapping", "search-algorithm", "max-chart-span", "non-terminals", BEAM, WEIGHT_FILE, *SETTINGS}
)
"""Sections with a meaning for the imported model, besides `[feature]` and `[weight]`."""

_ABBREVIATIONS = {
    "dl": "distortion-limit",
    "cbp": "cube-pruning-pop-limit",
    "s": "stack",
    "edc": EARLY_DISTORTION,
    "wf": WEIGHT_FILE,
    "th": "threads",
    "v": "verbose",
    "i": "input-file",
    "f": "config",
    "b": "beam-threshold",
    "du": "drop-unknown",
    "mu": "mark-unknown",
    "mbr": "minimum-bayes-risk",
    "lmbr": "lminimum-bayes-risk",
    "con": "consensus-decoding",
    "xi": "xml-input",
    "xb": "xml-brackets",
    "t": "report-segmentation",
    "tt": "report-segmentation-enriched",
    "T": "translation-details",
    "Tall": "translation-all-details",
    "osg": "output-search-graph",
    "osgx": "output-search-graph-extended",
    "owg": "output-word-graph",
    "sd": "stack-diversity",
    "cbd": "cube-pruning-diversity",
    "cbls": "cube-pruning-lazy-scoring",
    "mp": "monotone-at-punctuation",
    "dpb": "decoding-graph-backoff",
    "fd": "factor-delimiter",
}


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_RUNNING = _names("""
    threads verbose config input-file description show-weights start-translation-id
    use-persistent-cache persistent-cache-size clean-lm-cache no-cache minphr-memory minlexr-memory cache-path
    server server-port server-log serial session-timeout session-cache-size server-maxconn
    server-maxconn-backlog server-keepalive-maxconn server-keepalive-timeout server-timeout
    cpu-affinity-offset cpu-affinity-increment time-out segment-time-out parsing-algorithm
    s2t-parsing-algorithm cube-pruning-deterministic-search factor-delimiter references text-type mira
""")
"""How Moses is run: resources, caches, logs."""

_OUTPUT = _names("""
    n-best-list n-best-factor n-best-trees distinct-nbest labeled-n-best-list lattice-samples
    include-segmentation-in-n-best print-alignment-info-in-n-best print-alignment-info report-all-factors
    report-all-factors-in-n-best report-segmentation report-segmentation-enriched report-sparse-features
    alignment-output-file sort-word-alignment translation-details translation-all-details
    tree-translation-details output-unknowns output-hypo-score output-word-graph output-search-graph
    output-search-graph-extended output-search-graph-slf output-search-graph-hypergraph
    output-search-graph-pb unpruned-search-graph include-lhs-in-search-graph print-all-derivations print-id
    print-passthrough print-passthrough-in-n-best recover-input-path
""")
"""What Moses prints besides the translation."""

_INPUT = _names("inputtype xml-input xml-brackets")
"""The form of the input, which every command is given anew."""

_OF_CONSENSUS = _names("""
    mbr-size mbr-scale lmbr-p lmbr-r lmbr-thetas lmbr-map-weight lmbr-pruning-factor lattice-hypo-set
""")
"""Numbers that only minimum Bayes risk decoding reads: its own section is refused."""

_WITHOUT_EFFECT = _RUNNING | _OUTPUT | _INPUT | _OF_CONSENSUS

_DEFAULTS = {
    "input-factors": "0",
    "output-factors": "0",
    "stack-diversity": "0",
    "cube-pruning-diversity": "0",
    "decoding-graph-backoff": "0",
    "link-param-count": "1",
    "source-label-overlap": "0",
}
"""Sections without effect if all their lines have this value."""

_REFUSED = {
    "input-factors": "factored models cannot be imported",
    "output-factors": "factored models cannot be imported",
    "drop-unknown": "it drops unknown words, which is an option of decoding here (unknown words: drop)",
    "mark-unknown": "it marks unknown words",
    "minimum-bayes-risk": "it chooses translations by consensus, which is an option of decoding here",
    "lminimum-bayes-risk": "it chooses translations by consensus, which is an option of decoding here",
    "consensus-decoding": "it chooses translations by consensus, which is an option of decoding here",
    "stack-diversity": "it keeps hypotheses of every coverage",
    "cube-pruning-diversity": "it makes hypotheses of every coverage",
    "cube-pruning-lazy-scoring": "it scores hypotheses later",
    "monotone-at-punctuation": "it forbids reordering over punctuation",
    "max-phrase-length": "it limits source phrases",
    "max-trans-opt-per-coverage": "it limits translations per range of words",
    "max-partial-trans-opt": "it limits translations per range of words",
    "translation-option-threshold": "it prunes translations of phrases",
    "early-discarding-threshold": "it prunes hypotheses",
    "disable-discarding": "it keeps more hypotheses",
    "phrase-drop-allowed": "it lets words be dropped",
    "lmodel-oov-feature": "it adds a feature of unknown words to language models",
    "decoding-graph-backoff": "it uses later tables only for words that are unknown to the first",
    "rule-limit": "it limits rules per range of words",
    "unknown-lhs": "it names labels of unknown words",
    "constraint": "it forces translations",
    "weight-overwrite": "it changes weights",
    "weight-add": "it adds weights",
    "feature-overwrite": "it changes features",
    "feature-add": "it adds features",
    "alternate-weight-setting": "it has other weights for some input",
    "link-param-count": "it gives arcs of lattices several values",
}
_SWITCHES = _names("""
    drop-unknown mark-unknown minimum-bayes-risk lminimum-bayes-risk consensus-decoding disable-discarding
    cube-pruning-lazy-scoring monotone-at-punctuation phrase-drop-allowed lmodel-oov-feature
""")
"""Refused sections that have no effect if their value is false."""

_ON, _OFF = ("yes", "y", "true", "1"), ("no", "n", "false", "0")


def full_name(section: str) -> str:
    """Return the name of a section that may be given by its abbreviation."""
    return _ABBREVIATIONS.get(section, section)


def is_on(path: PathLike, section: str, lines: tuple[str, ...]) -> bool:
    """Return the value of a switch; one without a value is off, as in Moses."""
    if not lines:
        return False
    if (text := lines[0].lower()) not in _ON + _OFF:
        raise InputError(f"{section} is {lines[0]!r}; expected true or false", path=path)
    return text in _ON


def is_without_effect(path: PathLike, section: str, lines: tuple[str, ...]) -> bool:
    """Return whether a section cannot change a translation: it is a default, or of another concern."""
    if section in _WITHOUT_EFFECT:
        return True
    if section in _SWITCHES:
        return not is_on(path, section, lines)
    return section in _DEFAULTS and set(lines) == {_DEFAULTS[section]}


def why_refused(section: str) -> str | None:
    """Return why a section with an effect is refused; None if it is imported."""
    return None if section in IMPORTED else _REFUSED.get(section, "it is not known here")
