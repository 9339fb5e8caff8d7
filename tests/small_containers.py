"""A small file of every kind of container, and all that its reader reads from it, as a value to compare."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tests.decode import tiny
from tests.extract.aligned_texts import generated_text
from tests.random_pools import random_pool
from tests.reestimate.made_derivations import write_made
from tests.toy_forests import random_forest_pool
from tests.xbleu.made_forests import derivations_of, made_forests
from tests.xbleu.made_lists import made_lists, read_list
from tests.xbleu.toy_lists import toy_lists, write_lists, write_word_lists

from tunesmith import _native
from tunesmith.align import Aligner
from tunesmith.align.train import train_aligner
from tunesmith.candidates.mapped import read_mapped, write_mapped
from tunesmith.corpus import Sentences
from tunesmith.corpus.compounds import WordCounts, open_splitter, save_splitter, train_splitter
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.extract import Lexicon, PhraseCounts, build_table, count_phrases, score_phrases
from tunesmith.extract.grammar import RuleTable, import_rules
from tunesmith.extract.grammar_file import GrammarFile
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.extract.write_grammars import write_grammar_file
from tunesmith.features import SparseHRMLocal, SparseReordering
from tunesmith.forest.file import ForestFile, ForestWriter
from tunesmith.generated import generate
from tunesmith.lm import LanguageModel, estimate
from tunesmith.reestimate.derivation_file import DerivationFile
from tunesmith.tables import PhraseTable
from tunesmith.weights import WeightStore
from tunesmith.xbleu.list_file import ListFile

TEXT = generated_text(25)
GRAMMAR = """\
das [X][X] [X] ||| the [X][X] [X] ||| 0.5 0.25 0.5 0.125 ||| 0-0 1-1 ||| 4 2 2
das haus [X] ||| the house [X] ||| 1 0.5 0.25 1 ||| 0-0 1-1 ||| 1 1 1
haus [X] ||| house [X] ||| 0.5 1 0.5 0.5 ||| 0-0 ||| 2 2 1
"""


class Kind(NamedTuple):
    """How a file is made, and what is read from it."""

    make: Callable[[Path], object]
    read: Callable[[Path], object]


def _counts(path: Path) -> PhraseCounts:
    return count_phrases(TEXT.bitext, TEXT.alignments, path=path, max_length=3, threads=1)


def _lexicon() -> Lexicon:
    return Lexicon.estimate(TEXT.bitext, TEXT.alignments, threads=1)


def _make_table(path: Path) -> None:
    counts = path.with_name("table.counts")
    reordering = ("hier-mslr-bidirectional-fe",)
    build_table(_counts(counts), _lexicon(), path, reordering=reordering, threads=1)
    counts.unlink()


def _make_lm(path: Path) -> None:
    text = Sentences.of(TEXT.target)
    estimate(text, order=3, discount_fallback=True, threads=1).write_binary(path)


def _make_rules(path: Path) -> None:
    text = path.with_name("grammar")
    text.write_text(GRAMMAR)
    import_rules(text, path)
    text.unlink()


def _make_forests(path: Path) -> None:
    with ForestWriter(path) as writer:
        for forest in random_forest_pool(1, sentences=4).forests:
            writer.add(forest)


def _plain(value: Any) -> Any:
    """Return arrays as bytes with their type, so that values are compared to the bit."""
    return (value.dtype.str, value.tobytes()) if isinstance(value, np.ndarray) else value


def _read_table(path: Path) -> object:
    table = PhraseTable.open(path)
    found = [(pair, table.spans(pair.source)) for pair in table]
    return repr((found, table.meta, table.longest_source))


def _read_lm(path: Path) -> object:
    model = LanguageModel.open(path)
    scores = [model.full_scores(line) for line in [*TEXT.target, "unseen words"]]
    return repr((scores, model.counts, list(model.vocabulary)))


def _read_rules(path: Path) -> object:
    table = RuleTable.open(path)
    found = _native.TableGrammar(str(path)).rules(["das", "haus"])
    return repr((list(table), table.rules("das haus"), found, table.meta))


def _read_suffixes(path: Path) -> object:
    index = SuffixIndex.open(path)
    grammars = [grammar.lines("cdec") for grammar in index.grammars(TEXT.source[:4], threads=1)]
    return repr((index.occurrences("der [X] .").tolist(), [list(lines) for lines in grammars]))


def _make_grammars(path: Path) -> None:
    text = path.with_name("grammars.suffix")
    index = SuffixIndex.build(TEXT.bitext, TEXT.alignments, text, threads=1)
    write_grammar_file(index, TEXT.source[:4], path, threads=1)
    text.unlink()


def _read_grammars(path: Path) -> object:
    file = GrammarFile.open(path)
    sentences = [TEXT.source[number].split() for number in range(len(file))]
    return repr([file.trie(number).rules(words) for number, words in enumerate(sentences)])


def _read_counts(path: Path) -> object:
    sink = _native.PhraseCollector()
    score_phrases(PhraseCounts.open(path), _lexicon(), sink)
    return {name: _plain(array) for name, array in sink.take().items()}


def _read_lexicon(path: Path) -> object:
    lexicon = Lexicon.open(path)
    columns = [_plain(array) for array in lexicon.probabilities().columns()]
    return columns, list(lexicon.source_vocabulary.words()), list(lexicon.target_vocabulary.words())


def _read_pool(path: Path) -> object:
    pool = read_mapped(path, verify=False)
    arrays = pool.offsets, pool.features.offsets, pool.features.columns, pool.features.values
    texts = [list(column) for column in (pool.texts or [], *pool.references)]
    return [_plain(array) for array in arrays], texts, pool.ids, pool.feature_names


def _read_forests(path: Path) -> object:
    file = ForestFile(path)
    return file.ids, [repr([forest.edge(edge) for edge in range(forest.edge_count)]) for forest in file]


def _read_splitter(path: Path) -> object:
    splitter = open_splitter(path)
    words = splitter.words
    return words.forms, _plain(words.counts), _plain(splitter.supports), splitter.options, splitter.weights


def _read_aligner(path: Path) -> object:
    aligner = Aligner.open(path)
    links = [each.tolist() for each in aligner.align(TEXT.bitext, threads=1)]
    return links, aligner.history


def _make_weights(path: Path) -> None:
    store = WeightStore.of(
        {name: 0.5 - number for number, name in enumerate(["LM0", "Größe_a_b", "", "x y"])}
    )
    numbers = np.arange(len(store), dtype=np.uint32)
    store.native.set_memory(numbers, 1.5 + numbers, -0.25 * numbers, numbers.astype(np.int64))
    store.save(path, about={"templates": [{"name": "phrase-length"}], "seed": 1})


def _read_weights(path: Path) -> object:
    store = WeightStore.open(path)
    native = store.native
    columns = native.keys(), native.rates(), native.drifts(), native.last_steps()
    return repr((list(store.items()), store.about)), [_plain(column) for column in columns]


def _make_keyed(path: Path) -> None:
    _native.write_mapped_weights(_oriented_weights().native, str(path))


def _read_keyed(path: Path) -> object:
    weights = _native.MappedWeights(str(path))
    return len(weights), [weights[name] for name in (*_oriented_weights(), "unseen")]


def _oriented_weights() -> WeightStore:
    return WeightStore.of({f"SparseReordering_source_{word}_swap": 0.25 for word in TEXT.source[0].split()})


def _make_rows(path: Path) -> None:
    table, weights = path.with_name("rows.table"), path.with_name("rows.weights")
    _make_table(table)
    _make_keyed(weights)
    parts = SparseReordering(identities=True).native_parts()
    _native.write_local_scores(
        parts, _native.MappedWeights(str(weights)), PhraseTable.open(table).native, 1, str(path)
    )
    table.unlink()
    weights.unlink()


def _read_rows(path: Path) -> object:
    rows = _native.PairScores(str(path))
    return rows.width, [rows.row(pair) for pair in range(len(rows))]


def _make_lists(path: Path) -> None:
    model = tiny.write_model(path.with_name("tiny"), seed=5)
    decoder = PhraseDecoder.open(model)
    made_lists(decoder, ["a b c d", "d c a"], ["W X Y", "Z d"], path, nbest=5)
    shutil.rmtree(path.with_name("tiny"))


def _read_lists(path: Path) -> object:
    file = ListFile.open(path)
    return repr([(read_list(file, number), file.sentences[number]) for number in range(len(file))])


def _make_training_lists(path: Path) -> None:
    folder = path.with_name("words")
    folder.mkdir()
    write_word_lists(folder)
    features = _native.EventFeatures(SparseHRMLocal().with_lists(folder).twin())
    lists, nothing = (_native.TrainingSet(str(folder), features.is_small, True) for _ in range(2))
    file = write_lists(toy_lists(3, candidates=4), folder / "lists")
    gains = np.linspace(0, 1, file.candidate_count, dtype=np.float32)
    _native.compile_lists(file, gains, np.zeros(3, dtype=np.uint8), features, lists, nothing)
    lists.seal()
    lists.write(str(path), 0, 3)
    shutil.rmtree(folder)


def _read_training_lists(path: Path) -> object:
    lists = _native.TrainingSet.open(str(path))
    objective = _native.ListObjective.EXPECTED_GAIN
    learner = _native.ReorderingLearner(1 << 16, objective=objective, gamma=1.0, rate=0.1)
    learner.learn(lists, 1, 1)
    return lists.candidates, lists.events, lists.bytes, repr(learner.weights().tobytes())


def _make_event_forests(path: Path) -> None:
    model = tiny.write_model(path.with_name("tiny"), seed=5)
    decoder = PhraseDecoder.open(model)
    made_forests(decoder, ["a b c d", "d c a"], ["W X Y", "Z d"], path, density=5)
    shutil.rmtree(path.with_name("tiny"))


def _read_event_forests(path: Path) -> object:
    file = _native.EventForestFile(str(path))
    return repr([(derivations_of(file, i), file.forest(i)[4:]) for i in range(len(file))]), repr(
        file.sentences()
    )


def _read_derivations(path: Path) -> object:
    file = DerivationFile.open(path)
    return [(list(file.found(number)), file.sentences[number]) for number in range(len(file))]


KINDS = {
    "phrases": Kind(_make_table, _read_table),
    "ngramlm": Kind(_make_lm, _read_lm),
    "rules": Kind(_make_rules, _read_rules),
    "suffix": Kind(
        lambda path: SuffixIndex.build(TEXT.bitext, TEXT.alignments, path, threads=1), _read_suffixes
    ),
    "grammars": Kind(_make_grammars, _read_grammars),
    "phrcount": Kind(_counts, _read_counts),
    "lexicon": Kind(lambda path: _lexicon().save(path), _read_lexicon),
    "pool": Kind(lambda path: write_mapped(random_pool(), path), _read_pool),
    "forests": Kind(_make_forests, _read_forests),
    "compound": Kind(
        lambda path: save_splitter(
            train_splitter(WordCounts.of(pair.source for pair in generate(100, seed=1))), path
        ),
        _read_splitter,
    ),
    "weights": Kind(_make_weights, _read_weights),
    "aligner": Kind(lambda path: train_aligner(TEXT.bitext, threads=1).save(path), _read_aligner),
    "xbleu": Kind(_make_lists, _read_lists),
    "xbleuset": Kind(_make_training_lists, _read_training_lists),
    "xforests": Kind(_make_event_forests, _read_event_forests),
    "derivats": Kind(write_made, _read_derivations),
    "keyed": Kind(_make_keyed, _read_keyed),
    "pairrows": Kind(_make_rows, _read_rows),
}
