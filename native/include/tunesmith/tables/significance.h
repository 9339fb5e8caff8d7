// Pruning of phrase tables by significance (Johnson et al. 2007).
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/corpus/sentences.h"
#include "tunesmith/tables/phrase_sink.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::tables {

/// How often two phrases occur, alone and together, among `total` sentence pairs.
struct Cooccurrence {
  int64_t source = 0;
  int64_t target = 0;
  int64_t joint = 0;
  int64_t total = 0;
};

/// -ln p of Fisher's exact test, one-sided: the probability that phrases that have nothing to do with each
/// other are together in at least `joint` of the sentence pairs,
///   p = sum_{k = joint}^{min(source, target)} C(source, k) C(total - source, target - k) / C(total, target).
/// Counts that cannot be (joint above source or target, or these above total) are an InputError.
double log_significance(const Cooccurrence& counts);

/// The sentence pairs that hold a phrase, each counted once, however often the phrase is in it.
struct PhraseCounts {
  std::vector<uint32_t> sources;  // by node
  std::vector<uint32_t> targets;  // by target phrase
  std::vector<uint32_t> pairs;
};

/// Counts the phrases of a table in a bitext; word i of its sides is source_words[i], target_words[i]. For
/// each sentence pair the source phrases in it meet the shorter of their own pairs and the target phrases in
/// it.
PhraseCounts count_phrases(const PhraseTable& table, const corpus::Sentences& source,
                           const Texts& source_words, const corpus::Sentences& target,
                           const Texts& target_words);

/// The sum of the pairs' counts: how many pairs were extracted for a table that holds them all.
int64_t count_instances(const PhraseTable& table);

/// Keeps the pairs whose -ln p is at least `threshold`. Counts are the table's own, or those given; a pair
/// that does not occur in the sentences is dropped.
void prune_significance(const PhraseTable& table, int64_t total, double threshold, const PhraseCounts* counts,
                        PhraseSink& sink);

}  // namespace tunesmith::tables
