// The request to a decoder and the translation that it returns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tunesmith/base/range.h"
#include "tunesmith/corpus/word_lattice.h"
#include "tunesmith/extract/phrases/leave_one_out.h"
#include "tunesmith/forest/forest.h"
#include "tunesmith/grammar/use.h"

namespace tunesmith::decode {

/// Treatment of words that no table or grammar has: pass them through, or drop them.
enum class UnknownWords { kPass, kDrop };

/// A translation of some columns that the input itself gives. Its log probability is spread evenly over the
/// scores of the first table, as in Moses.
struct GivenPhrase {
  Range range;
  std::string target;
  float probability = 1;
};

/// Constraints of a request on the phrase pairs of its translation.
struct PhraseConstraints {
  std::vector<GivenPhrase> phrases;  // alternatives if of one range; different ranges must not overlap
  bool is_exclusive = true;          // no other option may overlap with their columns
  std::optional<extract::phrases::LeaveOneOut> leave_one_out;
  std::optional<size_t> table_limit;  // replaces the limits of the tables; 0: no limit
  bool drops_words = false;           // every source word may be dropped, at the cost of an unknown word

  bool is_plain() const { return phrases.empty() && !leave_one_out && !table_limit && !drops_words; }
};

/// A grammar of one sentence.
struct SentenceRules {
  std::shared_ptr<const grammar::RuleTrie> trie;
  grammar::GrammarLimits limits;
};

/// The input to translate, and the constraints on its translation.
struct DecoderRequest {
  std::shared_ptr<const corpus::WordLattice> input;  // shared, since lattices store all distances
  std::optional<std::string> target;  // required translation, or with `is_prefix` a prefix of it
  bool is_prefix = false;
  PhraseConstraints constraints;
  std::vector<SentenceRules> grammars;  // in addition to those of the model; for chart decoders
};

/// A phrase of a translation, or a rule with its filled gaps: its source columns and its target words.
struct TranslatedPhrase {
  Range source;
  Range target;
  int64_t rule;
  uint32_t arity = 0;         // gaps of a rule, filled by the next rules, in target order
  std::string category = {};  // left-hand side of a rule; empty for a phrase
};

struct Translation {
  bool found = false;  // whether there is a derivation (of the required target, if any)
  std::string text;
  double score = 0;
  std::vector<TranslatedPhrase> phrases;  // in target order; rules in preorder
  std::vector<corpus::Link> alignment;    // of source columns and target words, sorted
  Rows<FeatureValue> steps;  // feature values of each phrase, and of the end (except in charts), by column
  std::shared_ptr<const forest::Forest> forest;
  std::vector<std::string> node_categories;  // of the nodes of a chart's forest; empty for phrases
  uint64_t nodes = 0, edges = 0;
  uint64_t bytes = 0;  // memory of the search
  double seconds = 0;  // decoding time; for logs, nothing depends on it
};

}  // namespace tunesmith::decode
