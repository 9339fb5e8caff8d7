// Extraction of phrase pairs consistent with a word alignment (Och and Ney 2004; Koehn et al. 2003).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/alignment.h"
#include "tunesmith/tables/orientation.h"

namespace tunesmith::extract::phrases {

/// Longest phrases for which the alignment within a pair fits into 64 bits.
inline constexpr int kMaxPhraseLength = 8;

/// The links within a phrase pair as bits: bit (target * source_length + source).
using LinkBits = uint64_t;

/// Appends the links, sorted as Link compares.
void unpack_links(LinkBits bits, int source_length, int target_length, std::vector<corpus::Link>& links);

struct PhraseInstance {
  tables::PhraseSpan span;
  LinkBits links;
  tables::OrientationSet orientations;
};

/// Extracts from one sentence pair at a time; reuses its memory.
class PhraseExtractor {
 public:
  explicit PhraseExtractor(int max_length,
                           tables::OrientationEvents events = tables::OrientationEvents::kBlocks);

  /// All phrase pairs of at most max_length words per side with at least one link inside and no link from
  /// inside to outside; adjacent unaligned words may extend a source side. O(target (source + target) +
  /// instances) time. The result is valid until the next call.
  std::span<const PhraseInstance> extract(int source_length, int target_length,
                                          std::span<const corpus::Link> links);

 private:
  void find_blocks(int source_length, int target_length, std::span<const corpus::Link> links);
  void add_instances(const tables::OrientationReader::Block& block);

  int max_length_;
  tables::OrientationReader orientations_;
  std::vector<tables::OrientationReader::Block> short_blocks_;
  std::vector<PhraseInstance> instances_;
  std::vector<int> first_link_, last_link_;       // of each target word
  std::vector<int> source_links_, target_links_;  // number of links before each position
  std::vector<int> free_before_, free_after_;     // number of unaligned source words before and after
  std::vector<std::vector<int>> sources_of_;      // the source words of each target word
};

}  // namespace tunesmith::extract::phrases
