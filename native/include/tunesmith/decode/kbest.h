// The k best translations of a sentence, extracted from the graph of its search (Huang and Chiang 2005).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/decode/named_sink.h"
#include "tunesmith/decode/search_graph.h"
#include "tunesmith/forest/kbest.h"

namespace tunesmith::decode {

/// Computes the features of a derivation after its search is gone. It holds the options of the sentence, but
/// not the search. Used by one thread at a time; the model must outlive it.
class DerivationReplay {
 public:
  virtual ~DerivationReplay() = default;
  /// Adds the unweighted values of a derivation, given by edges of the search graph in preorder.
  virtual void add(std::span<const uint32_t> edges, ModelSink& sink) = 0;
};

/// Derivations by decreasing score. A score is the sum of the edges' scores in the search, in 32-bit steps:
/// the product of features and weights up to rounding. Features are computed for the derivations asked for,
/// never for whole lists: online learners need those of two or three candidates out of 500.
class Kbest {
 public:
  Kbest() = default;
  /// O(edges), and per derivation as LazyKbest. `replay` may be null if the graph is empty.
  Kbest(SearchGraph graph, const forest::KbestOptions& options, std::unique_ptr<DerivationReplay> replay);

  size_t size() const { return scores_.size(); }
  const TextColumn& texts() const { return texts_; }
  const std::vector<double>& scores() const { return scores_; }
  /// The features of a derivation by name: dense and sparse, unweighted. O(length of the derivation).
  weights::FeatureVector features(const DecoderModel& model, size_t derivation) const;

 private:
  TextColumn texts_;
  std::vector<double> scores_;
  Rows<uint32_t> edges_;  // of derivations
  std::unique_ptr<DerivationReplay> replay_;
};

}  // namespace tunesmith::decode
