// The graph of a search without features, built node by node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/decode/feature.h"

namespace tunesmith::decode {

/// Builds a forest whose edges have scores instead of features. No feature is computed, and words are
/// numbered as they appear. O(edges + target words of the distinct options).
class SearchGraph {
 public:
  explicit SearchGraph(const TargetWords& words) : words_(words) {}

  /// The rule of a target side, which is the same for equal keys. A phrase follows the yield of its one tail.
  /// `id` is the number of its option, if known.
  uint32_t rule(uint64_t key, std::span<const int32_t> target, bool follows_tail, int64_t id = -1);
  void close_edge(std::span<const uint32_t> tails, uint32_t rule, double score, forest::SourceSpan span = {});
  /// Ends the in-edges of a node. Returns its number.
  uint32_t close_node();

  /// Edge scores, by edge of the forest; once.
  std::vector<double> take_scores() { return std::move(scores_); }
  /// The forest; nothing may be added after it.
  forest::Forest take();

 private:
  grammar::Symbol word(int32_t word);

  TargetWords words_;
  forest::ForestArrays arrays_;
  TextColumn texts_;
  FlatMap<uint32_t> numbers_;  // of words
  FlatMap<uint32_t> rules_;    // by key
  std::vector<double> scores_;
};

}  // namespace tunesmith::decode
