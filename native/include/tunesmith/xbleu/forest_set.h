// Forests compiled for one feature set: what a learner passes over, in one scratch file.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/scratch.h"
#include "tunesmith/xbleu/event_features.h"
#include "tunesmith/xbleu/forest_file.h"

namespace tunesmith::xbleu {

/// Linear BLEU of a derivation: constant + (length x words + sum over n of matches[n - 1] x (n-grams of the
/// reference, not clipped)) / words of the reference (Tromble et al. 2008).
struct LinearBleu {
  double constant = 0;
  double length = 0;
  std::array<double, kMatchedOrder> matches{};
};

/// A compiled forest; satisfies `forest::Hypergraph`. An edge's score is base + the weights of the features
/// of its event, and its gain a part of linear BLEU.
template <class Number>
struct TrainingForest {
  static constexpr uint32_t kNone = UINT32_MAX;

  std::span<const uint32_t> edge_offsets;    // of nodes
  std::span<const uint32_t> edge_tails;      // kNone: it begins the sentence
  std::span<const uint32_t> events;          // by edge; kNone: without features
  std::span<const float> base, gains;        // by edge
  std::span<const uint16_t> feature_counts;  // by event
  const Number* features;
  std::span<const uint32_t> best;  // edges of the derivation with the largest gain, of equal ones the best
  double log_derivations;          // log of the number of derivations
  double constant;                 // of the gain of a derivation, to which its edges add
  bool is_even;                    // no derivation has a larger gain than another
  // Of sets for evaluation: the n-gram matches of edges, the words of edges by their numbers in the
  // reference, -1 if they are not in it, and the reference in these numbers.
  std::span<const std::array<uint8_t, kMatchedOrder>> matches;
  std::span<const uint32_t> word_offsets;
  std::span<const int32_t> words, reference;

  size_t node_count() const { return edge_offsets.size() - 1; }
  size_t edge_count() const { return edge_tails.size(); }
  size_t event_count() const { return feature_counts.size(); }
  uint32_t first_edge(uint32_t node) const { return edge_offsets[node]; }
  uint32_t last_edge(uint32_t node) const { return edge_offsets[node + 1]; }
  std::span<const uint32_t> tails(uint32_t edge) const {
    return edge_tails.subspan(edge, edge_tails[edge] == kNone ? 0 : 1);
  }
};

/// What forests became.
struct ForestSetCounts {
  uint64_t nodes = 0;
  uint64_t edges = 0;
  uint64_t events = 0;    // different events of the forests
  uint64_t groups = 0;    // events of the compiled forests: with different features
  uint64_t features = 0;  // of compiled events
};

/// Compiled forests in one file of the folder that has no name, so that it cannot be left behind; it is
/// mapped: the system holds in memory what fits. Forests follow each other in blocks.
class ForestSet {
 public:
  /// Forests per block: what is shuffled at once and read ahead.
  static constexpr size_t kBlock = 1000;

  /// `is_small`: features are numbered by 16 bits. `has_words`: what evaluation needs is kept.
  ForestSet(const std::string& folder, bool is_small, bool has_words);

  /// Appends a forest. The texts are those of its file, which must be open in `features`.
  /// O(edges + events x features).
  void add(const EventForest& forest, const EventTexts& texts, const LinearBleu& gain,
           EventFeatures& features);
  /// Maps the file; nothing may be added after it.
  void seal();

  size_t size() const { return offsets_.size() - 1; }
  size_t blocks() const { return (size() + kBlock - 1) / kBlock; }
  bool is_small() const { return is_small_; }
  bool has_words() const { return has_words_; }
  size_t bytes() const { return offsets_.back(); }
  /// Largest number of edges, nodes or compiled events of a forest.
  size_t widest() const { return widest_; }
  const ForestSetCounts& counts() const { return counts_; }
  /// Throws InputError unless the set is sealed and there is a weight for every feature of its forests.
  void check(size_t weights) const;

  /// `Number` is uint16_t if `is_small`, else uint32_t. The set must be sealed.
  template <class Number>
  TrainingForest<Number> list(size_t number) const;
  /// The bytes of a block.
  std::span<const char> block(size_t number) const;

 private:
  template <class T>
  void append(const std::vector<T>& values);

  Scratch scratch_;
  bool is_small_, has_words_;
  std::vector<uint64_t> offsets_{0};
  std::string_view data_;
  size_t widest_ = 0;
  size_t least_weights_ = 0;  // one more than the largest number of a feature
  bool is_sealed_ = false;
  ForestSetCounts counts_;
};

}  // namespace tunesmith::xbleu
