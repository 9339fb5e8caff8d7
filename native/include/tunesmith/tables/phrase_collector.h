// Phrase sink that collects pairs in arrays, for small tables and tests.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/tables/phrase_sink.h"

namespace tunesmith::tables {

/// Pair i has the source phrase source_of[i]. Words and links are flat arrays with offsets.
class PhraseCollector : public PhraseSink {
 public:
  void begin_source(std::span<const int32_t> source) override;
  void add(const ScoredPhrase& phrase) override;

  std::vector<int32_t> source_words, target_words;
  std::vector<int64_t> source_offsets{0}, target_offsets{0};
  std::vector<int64_t> source_of;
  std::vector<corpus::Link> links;
  std::vector<int64_t> link_offsets{0};
  std::vector<float> scores, reordering;  // one row per pair
  std::vector<float> counts;              // target, source, joint per pair
};

}  // namespace tunesmith::tables
