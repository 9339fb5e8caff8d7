// Significance pruning of phrase tables (Johnson et al. 2007).
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/corpus/sentences.h"
#include "tunesmith/tables/phrase_sink.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::tables {

/// Contingency counts: occurrences of two phrases, separately and jointly, among `total` sentence pairs.
struct Cooccurrence {
  int64_t source = 0;
  int64_t target = 0;
  int64_t joint = 0;
  int64_t total = 0;
};

/// -ln p of Fisher's exact test, one-sided: the probability that independent phrases co-occur in at least
/// `joint` sentence pairs,
///   p = sum_{k = joint}^{min(source, target)} C(source, k) C(total - source, target - k) / C(total, target).
/// Throws InputError for impossible counts (joint above source or target, or these above total).
double log_significance(const Cooccurrence& counts);

/// Number of sentence pairs with a phrase; repetitions within a sentence pair count once.
struct PhraseCounts {
  std::vector<uint32_t> sources;  // by node
  std::vector<uint32_t> targets;  // by target phrase
  std::vector<uint32_t> pairs;
};

/// Counts the phrases of a table in a bitext; source_words and target_words are the texts of its word
/// numbers. For each source phrase in a sentence pair, iterates over the fewer of its own pairs and the
/// target phrases present.
PhraseCounts count_phrases(const PhraseTable& table, const corpus::Sentences& source,
                           const Texts& source_words, const corpus::Sentences& target,
                           const Texts& target_words);

/// The sum of the pairs' counts: the number of extracted instances, if the table is unpruned.
int64_t count_instances(const PhraseTable& table);

/// Keeps the pairs with -ln p >= `threshold`, by the given counts or, without them, the table's own. Pairs
/// with a joint count of 0 are dropped.
void prune_significance(const PhraseTable& table, int64_t total, double threshold, const PhraseCounts* counts,
                        PhraseSink& sink);

}  // namespace tunesmith::tables
