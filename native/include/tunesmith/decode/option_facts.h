// What is known about translation options without weights: computed once, scored under any weights.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/base/held_bytes.h"
#include "tunesmith/base/kept_lists.h"
#include "tunesmith/decode/feature.h"
#include "tunesmith/grammar/rule_trie.h"

namespace tunesmith::decode {

/// The columns of the values in facts: those of dense features that need no context, and those of the
/// context-free estimates of stateful features. A value's slot is its place in a row.
struct FactColumns {
  std::vector<uint32_t> scores, estimates;            // model columns
  std::vector<uint32_t> score_slots, estimate_slots;  // by model column; kNoNumber for others
};

/// A value of a sparse feature. Its name is not kept: where a derivation is output, it is computed again.
struct KeyedValue {
  uint64_t key;
  float value;
};

/// The unweighted values of the options of one source side; the score of an option is their product with the
/// weights. 30 to 60 bytes per option, and 16 per sparse value.
struct OptionFacts {
  std::vector<float> scores;          // one row of dense values per option, by slot
  std::vector<float> estimates;       // of context-free estimates, likewise
  Rows<KeyedValue> sparse;            // of pair features and sparse scores
  Rows<KeyedValue> sparse_estimates;  // of context-free estimates
  Rows<FeatureValue> stored;          // Option::pair_values
  std::vector<uint32_t> pairs;        // of a table; empty for rules
  std::vector<grammar::Symbol> source;
  grammar::RuleRows rules;  // of a grammar, by the decoder's numbers; empty for a table

  size_t count() const { return stored.size(); }
  size_t bytes() const;
  /// For KeptLists: memory in units of 64 bytes.
  size_t size() const { return bytes() / 64 + 1; }
};

/// Facts by table or grammar, and node of its trie.
using KeptFacts = KeptLists<OptionFacts, size_t{1} << 16>;  // at most 128 MB

/// Adds the values of one option after another to facts.
class FactSink : public FeatureSink {
 public:
  FactSink(const FactColumns& columns, OptionFacts& facts) : columns_(columns), facts_(facts) {}

  void begin_option();
  /// The values that follow are of a feature whose column 0 is `first`; `is_estimate` if they are of its
  /// estimate.
  void begin(size_t first, bool is_estimate) {
    first_ = static_cast<uint32_t>(first);
    is_estimate_ = is_estimate;
  }
  void add(size_t column, float value) override;
  using FeatureSink::add;
  void add(const weights::FeatureName& name, float value) override { add_key(name.key, value); }
  void add_key(uint64_t key, float value);
  void end_option();

 private:
  const FactColumns& columns_;
  OptionFacts& facts_;
  uint32_t first_ = 0;
  bool is_estimate_ = false;
};

}  // namespace tunesmith::decode
