// Context and matches of edges in an oracle search, computed once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/forest/reference_ngrams.h"

namespace tunesmith::forest::oracles {

/// What an edge adds to items of its tails.
struct OracleJoin {
  uint32_t context;  // of the result
  size_t words;      // of the edge itself
  std::vector<uint32_t> matches;
};

/// Caches joins by the rule of the edge, the ends that its head needs, and the contexts of its tails: edges
/// with one rule, such as a phrase after many hypotheses, share them.
class OracleJoins {
 public:
  OracleJoins(const Forest& forest, const ReferenceNgrams& references, const ContextNeeds& needs)
      : forest_(forest), references_(references), needs_(needs) {}

  /// The join of an in-edge of a node; `tails` has the contexts of its tails, those of other joins. Valid
  /// until the next call.
  const OracleJoin& of(uint32_t node, uint32_t edge, std::span<const int32_t> tails) {
    const uint32_t number = find(node, edge, tails);
    return number < joins_.size() ? joins_[number] : add(node, edge, tails);
  }

 private:
  /// The number of a join; that of a new one is the number of joins.
  uint32_t find(uint32_t node, uint32_t edge, std::span<const int32_t> tails) {
    const auto next = static_cast<uint32_t>(joins_.size());
    const uint64_t rule =
        uint64_t{forest_.rule(edge)} * 4 + (needs_.left[node] ? 2 : 0) + (needs_.right[node] ? 1 : 0);
    if (tails.size() < 2 && rule <= UINT32_MAX) {
      const uint32_t context = tails.empty() ? UINT32_MAX : static_cast<uint32_t>(tails[0]);
      return simple_.insert(rule << 32 | context, next).value;
    }
    sequence_.assign(tails.begin(), tails.end());
    sequence_.push_back(static_cast<int32_t>(rule));
    sequence_.push_back(static_cast<int32_t>(rule >> 32));
    const uint32_t known = others_.intern(sequence_);
    if (known == other_numbers_.size()) other_numbers_.push_back(next);
    return other_numbers_[known];
  }

  const OracleJoin& add(uint32_t node, uint32_t edge, std::span<const int32_t> tails) {
    OracleJoin join{0, references_.own_words(forest_.target(edge)), {}};
    yield_.read(
        forest_.target(edge), [&](grammar::Symbol word) { return references_.words(word); },
        [&](size_t i) { return contexts_[static_cast<uint32_t>(tails[i])]; });
    references_.matches(yield_, [&](uint32_t ngram) { join.matches.push_back(ngram); });
    yield_.shorten(references_.order() - 1, needs_.left[node], needs_.right[node], context_);
    references_.cut(context_);
    join.context = contexts_.intern(context_);
    return joins_.emplace_back(std::move(join));
  }

  const Forest& forest_;
  const ReferenceNgrams& references_;
  const ContextNeeds& needs_;
  SequencePool<int32_t> contexts_;
  std::vector<OracleJoin> joins_;
  FlatMap<uint32_t> simple_;      // of edges with one tail or none
  SequencePool<int32_t> others_;  // of other edges
  std::vector<uint32_t> other_numbers_;
  YieldSequence yield_;
  std::vector<int32_t> context_, sequence_;
};

}  // namespace tunesmith::forest::oracles
