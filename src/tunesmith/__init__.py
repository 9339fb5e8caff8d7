"""Tunesmith trains, tunes and runs feature-rich log-linear translation models.

Public names load on first use, so that `import tunesmith` and the command line start fast.
"""

# Ctrl-C is handled before anything else is imported.
try:
    from tunesmith.interrupts import end_quietly

    end_quietly()
except KeyboardInterrupt:  # just now
    from tunesmith.interrupts import end_command_line

    end_command_line()
    raise

from typing import TYPE_CHECKING

from tunesmith.lazy import load_on_use

if TYPE_CHECKING:
    from tunesmith.align import Aligner, align_corpus
    from tunesmith.candidates import Pool
    from tunesmith.candidates.rerank import rerank
    from tunesmith.consensus import consensus_rule
    from tunesmith.corpus import Alignments, Bitext, Sentences
    from tunesmith.decode import ChartDecoder, PhraseDecoder, open_decoder
    from tunesmith.errors import DegenerateError, InputError, OptionError, TunesmithError
    from tunesmith.forest import Forest, ForestPool, read_forests
    from tunesmith.lm import LanguageModel
    from tunesmith.lm.estimate import estimate
    from tunesmith.metrics import Metric, compare_systems, evaluate, function_metric, get_metric
    from tunesmith.model import Model, train
    from tunesmith.model.exporting import export_model
    from tunesmith.model.importing import import_model
    from tunesmith.passes.decode_file import decode_file
    from tunesmith.passes.decoding import Decoding
    from tunesmith.tables import PhraseTable
    from tunesmith.tuning import LoopResult, Reranker, TuneResult, tune, tune_model
    from tunesmith.version import __version__
    from tunesmith.weights import Weights

__getattr__, __dir__ = load_on_use(
    __name__,
    {
        "tunesmith.align": "Aligner align_corpus",
        "tunesmith.candidates": "Pool",
        "tunesmith.candidates.rerank": "rerank",
        "tunesmith.consensus": "consensus_rule",
        "tunesmith.corpus": "Alignments Bitext Sentences",
        "tunesmith.decode": "ChartDecoder PhraseDecoder open_decoder",
        "tunesmith.errors": "DegenerateError InputError OptionError TunesmithError",
        "tunesmith.forest": "Forest ForestPool read_forests",
        "tunesmith.lm": "LanguageModel",
        "tunesmith.lm.estimate": "estimate",
        "tunesmith.metrics": "Metric compare_systems evaluate function_metric get_metric",
        "tunesmith.model": "Model train",
        "tunesmith.model.exporting": "export_model",
        "tunesmith.model.importing": "import_model",
        "tunesmith.passes.decode_file": "decode_file",
        "tunesmith.passes.decoding": "Decoding",
        "tunesmith.tables": "PhraseTable",
        "tunesmith.tuning": "LoopResult Reranker TuneResult tune tune_model",
        "tunesmith.version": "__version__",
        "tunesmith.weights": "Weights",
    },
)

__all__ = [
    "Aligner",
    "Alignments",
    "Bitext",
    "ChartDecoder",
    "Decoding",
    "DegenerateError",
    "Forest",
    "ForestPool",
    "InputError",
    "LanguageModel",
    "LoopResult",
    "Metric",
    "Model",
    "OptionError",
    "PhraseDecoder",
    "PhraseTable",
    "Pool",
    "Reranker",
    "Sentences",
    "TuneResult",
    "TunesmithError",
    "Weights",
    "__version__",
    "align_corpus",
    "compare_systems",
    "consensus_rule",
    "decode_file",
    "estimate",
    "evaluate",
    "export_model",
    "function_metric",
    "get_metric",
    "import_model",
    "open_decoder",
    "read_forests",
    "rerank",
    "train",
    "tune",
    "tune_model",
]
