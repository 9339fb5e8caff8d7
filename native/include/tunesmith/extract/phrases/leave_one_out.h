// Phrase scores without what a sentence pair itself contributed (Wuebker, Mauser and Ney 2010).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tunesmith/corpus/alignment.h"
#include "tunesmith/tables/phrase_sink.h"

namespace tunesmith::extract::phrases {

/// How a sentence pair of the training text is taken out of the counts of the first table.
struct LeaveOneOut {
  std::vector<corpus::Link> alignment;  // that phrases were extracted by
  int max_length = 7;                   // of these phrases
  float singleton = 0;                  // the log probability of pairs that no other sentence pair has ...
  bool by_length = true;                // ... for each of their words, source and target; else at all
  size_t inverse_column = 0;            // of p(f|e) among the scores
  size_t direct_column = 2;             // of p(e|f)
};

/// The phrase pairs of one sentence pair, counted.
class OwnCounts {
 public:
  /// Words may be numbered in any way, if equal words have equal numbers. A link outside of the sentences is
  /// an InputError.
  OwnCounts(std::span<const int32_t> source, std::span<const int32_t> target, const LeaveOneOut& options);

  /// Writes p(f|e) = (c(f,e) - own) / (c(e) - own) and p(e|f) alike into a copy of the pair's scores. The
  /// pair must have counts, and these must hold the own ones, else it is an InputError: the sentence pair is
  /// not of the text that was counted.
  void revise(std::span<const int32_t> source, std::span<const int32_t> target,
              const tables::ScoredPhrase& pair, std::span<float> scores) const;

 private:
  using Key = std::vector<int32_t>;
  static float count(const std::map<Key, uint32_t>& counts, const Key& key);

  const LeaveOneOut& options_;
  std::map<Key, uint32_t> joint_, source_, target_;
};

}  // namespace tunesmith::extract::phrases
