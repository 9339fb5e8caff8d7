// Leave-one-out phrase scores: without the counts of the sentence pair itself (Wuebker, Mauser and Ney 2010).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tunesmith/corpus/alignment.h"
#include "tunesmith/tables/phrase_sink.h"

namespace tunesmith::extract::phrases {

/// How to remove a sentence pair of the training text from the counts of the first table.
struct LeaveOneOut {
  std::vector<corpus::Link> alignment;  // used in the extraction
  int max_length = 7;                   // of extracted phrases
  float singleton = 0;                  // log probability of pairs that no other sentence pair has ...
  bool by_length = true;                // ... per source and target word; else per pair
  size_t inverse_column = 0;            // of p(f|e) among the scores
  size_t direct_column = 2;             // of p(e|f)
};

/// Counts of the phrase pairs of one sentence pair.
class OwnCounts {
 public:
  /// Any numbering of words will do in which equal words have equal numbers. Throws InputError if a link is
  /// outside of the sentences.
  OwnCounts(std::span<const int32_t> source, std::span<const int32_t> target, const LeaveOneOut& options);

  /// Writes p(f|e) = (c(f,e) - own) / (c(e) - own) and p(e|f) likewise into `scores`, a copy of the pair's
  /// scores. Throws InputError if the pair has no counts, or fewer than this sentence pair: then it is not of
  /// the text that was counted.
  void revise(std::span<const int32_t> source, std::span<const int32_t> target,
              const tables::ScoredPhrase& pair, std::span<float> scores) const;

 private:
  using Key = std::vector<int32_t>;
  static float count(const std::map<Key, uint32_t>& counts, const Key& key);

  const LeaveOneOut& options_;
  std::map<Key, uint32_t> joint_, source_, target_;
};

}  // namespace tunesmith::extract::phrases
