// Phrase pairs that are consistent with a word alignment (Och and Ney 2004; Koehn et al. 2003).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/alignment.h"
#include "tunesmith/tables/orientation.h"

namespace tunesmith::extract::phrases {

/// The longest phrases whose inner alignment fits into 64 bits.
inline constexpr int kMaxPhraseLength = 8;

/// The links inside of a phrase pair as bits: bit (target * source_length + source).
using LinkBits = uint64_t;

/// Appends the links in the order of Link.
void unpack_links(LinkBits bits, int source_length, int target_length, std::vector<corpus::Link>& links);

struct PhraseInstance {
  tables::PhraseSpan span;
  LinkBits links;
  tables::OrientationSet orientations;
};

/// Takes sentence pairs one after another; it keeps its memory between them.
class PhraseExtractor {
 public:
  explicit PhraseExtractor(int max_length);

  /// All phrase pairs of at most max_length words a side that hold a link, and no link from inside to
  /// outside; unaligned words beside a source side extend it. O(target (source + target) + instances)
  /// time. The result holds until the next call.
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
  std::vector<int> source_links_, target_links_;  // links before each position
  std::vector<int> free_before_, free_after_;     // unaligned source words beside each position
  std::vector<std::vector<int>> sources_of_;      // the source words of each target word
};

}  // namespace tunesmith::extract::phrases
