// Filtering and pruning of phrase tables: by a text to translate, by count, by probability.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/sentences.h"
#include "tunesmith/tables/phrase_sink.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::tables {

/// Calls choose(node, pairs, kept) for each source phrase, and writes the pairs that it appends to `kept`, by
/// the table's word numbers. Source phrases keep their order.
template <class Choose>
void copy_pairs(const PhraseTable& table, PhraseSink& sink, Choose choose) {
  std::vector<uint32_t> kept;
  for (uint32_t node = 1; node < table.node_count(); ++node) {
    const PairRange pairs = table.pairs(node);
    if (pairs.empty()) continue;
    kept.clear();
    choose(node, pairs, kept);
    if (kept.empty()) continue;
    const auto source = table.source(node);
    sink.begin_source(source);
    for (const uint32_t pair : kept) sink.add(table.pair(pair, source.size()));
  }
}

/// Maps the words of one vocabulary to their numbers in another; -1 for unknown words.
std::vector<int32_t> translate_words(const Texts& words, const corpus::VocabularyView& to);

/// Keeps the pairs whose source phrase occurs in the sentences; words[i] is the text of word i.
void filter_table(const PhraseTable& table, const corpus::Sentences& sentences, const Texts& words,
                  PhraseSink& sink);

struct PruneOptions {
  float min_count = 0;  // of the pair
  float threshold = 0;  // of the score that pairs are sorted by, p(e|f)
  size_t top = 0;       // best pairs per source phrase by that score; 0 keeps all
};

/// Keeps the pairs that pass all of the options.
void prune_table(const PhraseTable& table, const PruneOptions& options, PhraseSink& sink);

}  // namespace tunesmith::tables
