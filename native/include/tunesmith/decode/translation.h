// What a decoder is asked, and what it answers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tunesmith/decode/sentence_options.h"
#include "tunesmith/forest/forest.h"
#include "tunesmith/grammar/use.h"

namespace tunesmith::decode {

/// A grammar that serves one sentence.
struct SentenceRules {
  std::shared_ptr<const grammar::RuleTrie> trie;
  grammar::GrammarLimits limits;
};

/// What is to be translated, and what the translation must be.
struct DecoderRequest {
  std::shared_ptr<const corpus::WordLattice> input;  // shared, since lattices keep all distances
  std::optional<std::string> target;                 // the translation, or with `is_prefix` how it begins
  bool is_prefix = false;
  OptionDemands demands;
  std::vector<SentenceRules> grammars;  // beside those of the model; for chart decoders
};

/// A phrase of a translation, or a rule with all that fills its gaps: where its words come from and where
/// they stand.
struct TranslatedPhrase {
  Range source;
  Range target;
  int64_t rule;
  uint32_t arity = 0;         // of a rule: its gaps are filled by the next rules, in target order
  std::string category = {};  // that a rule makes; empty for a phrase
};

struct Translation {
  bool found = false;  // false where no derivation reaches the required target
  std::string text;
  double score = 0;
  std::vector<TranslatedPhrase> phrases;  // in target order; of rules, each before those in its gaps
  std::vector<corpus::Link> alignment;    // of source columns and target words, sorted
  Rows<FeatureValue> steps;  // what each phrase added, and then (but for charts) the end, by columns
  std::shared_ptr<const forest::Forest> forest;
  std::vector<std::string> node_categories;  // of the nodes of a chart's forest; empty for phrases
  uint64_t nodes = 0, edges = 0;
  uint64_t bytes = 0;  // that the search held
  double seconds = 0;  // of decoding; for logs, nothing depends on it
};

}  // namespace tunesmith::decode
