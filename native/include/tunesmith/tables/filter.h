// Smaller phrase tables from larger ones: only what a text needs, only what is frequent or likely enough.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/sentences.h"
#include "tunesmith/tables/phrase_sink.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::tables {

/// Calls choose(node, pairs, kept) for each source phrase, and sends the pairs that it put into `kept`, in
/// the numbers of the table's words. Source phrases keep their order.
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

/// The numbers that a vocabulary's words have in another, -1 where it lacks them.
std::vector<int32_t> translate_words(const Texts& words, const corpus::VocabularyView& to);

/// Keeps the pairs whose source phrase occurs in the sentences, of which word i is words[i].
void filter_table(const PhraseTable& table, const corpus::Sentences& sentences, const Texts& words,
                  PhraseSink& sink);

struct PruneOptions {
  float min_count = 0;  // of the pair
  float threshold = 0;  // of the score by which pairs are sorted, p(e|f)
  size_t top = 0;       // pairs a source phrase, those of the highest such score; 0 keeps all
};

void prune_table(const PhraseTable& table, const PruneOptions& options, PhraseSink& sink);

}  // namespace tunesmith::tables
