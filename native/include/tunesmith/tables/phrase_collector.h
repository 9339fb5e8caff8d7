// Phrase pairs collected as arrays, for small tables and for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/tables/phrase_sink.h"

namespace tunesmith::tables {

/// Pair i is of the source phrase source_of[i]; the words and links of phrases are runs of flat arrays.
class PhraseCollector : public PhraseSink {
 public:
  void begin_source(std::span<const int32_t> source) override;
  void add(const ScoredPhrase& phrase) override;

  std::vector<int32_t> source_words, target_words;
  std::vector<int64_t> source_offsets{0}, target_offsets{0};
  std::vector<int64_t> source_of;
  std::vector<corpus::Link> links;
  std::vector<int64_t> link_offsets{0};
  std::vector<float> scores, reordering;  // a row a pair
  std::vector<float> counts;              // target, source, joint
};

}  // namespace tunesmith::tables
