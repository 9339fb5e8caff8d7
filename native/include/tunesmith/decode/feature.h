// The interface between decoders and features: translation options, steps, stateful and stateless features.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/corpus/alignment.h"
#include "tunesmith/decode/coverage.h"
#include "tunesmith/forest/forest.h"
#include "tunesmith/grammar/rule_trie.h"
#include "tunesmith/weights/store.h"

namespace tunesmith::decode {

class DecoderModel;
class ModelSink;

/// Score of a forbidden step: -inf.
inline constexpr float kForbiddenScore = -std::numeric_limits<float>::infinity();

/// The weights of one feature: the dense weights of its columns, and all sparse weights.
struct FeatureWeights {
  std::span<const float> dense;
  const weights::WeightStore& sparse;
};

/// Receives the unweighted feature values of a step.
class FeatureSink {
 public:
  virtual ~FeatureSink() = default;
  /// The value of one of the feature's own columns, counted from 0.
  virtual void add(size_t column, float value) = 0;
  /// The value of a sparse feature: one too numerous to have a column.
  virtual void add(const weights::FeatureName& name, float value) = 0;
  void add(std::string_view name, float value) {
    add(weights::FeatureName{{&name, 1}, weights::key_of(name)}, value);
  }
};

/// A translation option: a phrase pair or rule, with everything known about it before it is applied to a
/// hypothesis. The gaps of a rule are symbols among the words of both sides (see rule.h).
struct Option {
  static constexpr int64_t kUnknownWord = -1;
  static constexpr int64_t kGiven = -2;   // given by the input; its scores are in the first table's columns
  static constexpr int64_t kBorder = -3;  // no option: the start or end rule of a forest

  int64_t rule = kUnknownWord;  // number of the pair: 2^32 * table + pair; grammars count after tables
  const grammar::RuleTrie* grammar = nullptr;  // the rule's grammar; null for pairs of tables
  std::span<const int32_t> source;             // words of the source vocabulary of its table or grammar
  std::span<const int32_t> words;              // target words, numbered by the decoder
  std::span<const corpus::Link> alignment;     // of positions within the phrases, gaps counted
  std::span<const float> scores;               // probabilities of the table
  std::span<const float> reordering;  // probabilities of all reordering models; empty for an unknown word
  uint32_t phrase = 0;                // equal numbers mean equal words
  uint32_t reordering_row = 0;        // equal numbers mean equal probabilities
  grammar::Border border = grammar::Border::kNone;
  bool is_counted = true;                     // by phrase penalties; its sentence markers by word penalties
  std::span<const FeatureValue> pair_values;  // values of pair features, by model column
  std::span<float> prepared;                  // numbers that features stored in `prepare`
  float score = 0;                            // weighted, of everything that needs no context
  float sort_score =
      0;               // score plus context-free estimate of the costly stateful features (LM); the sort key
  float estimate = 0;  // sort_score plus the context-free estimate of the features with lookahead
};

/// An option applied to a hypothesis, or to the sub-derivations that fill its gaps in a chart decoder.
struct Step {
  const Option& option;
  Range range;
  Coverage coverage;  // before the step
};

/// Target words by number: those of the tables, followed by input words that are passed through.
struct TargetWords {
  Texts table;
  Texts passed;

  std::string_view operator[](int32_t word) const {
    const auto number = static_cast<size_t>(word);
    return number < table.size() ? table[number] : passed[number - table.size()];
  }
};

/// Properties of the input that features may use, known before the search begins.
struct DecoderInput {
  uint32_t columns = 0;
  TargetWords words;
  std::span<const std::string_view> source;  // the words, one per column; empty for a lattice
  std::string_view target = {};              // the required translation, or a prefix of it
  bool is_constrained = false;
  bool is_prefix = false;
  std::span<const double> most_words = {};  // target words that n columns can give, by n; empty if unknown
  std::span<const double> least_words = {};
};

/// The score that a step adds, and the state after it.
struct Transition {
  float score;
  uint32_t state;
};

/// A feature at work on one thread. It numbers its states: hypotheses with equal states are recombined.
/// `tails` has one state in a phrase decoder, which appends words, and one state per gap of the rule in a
/// chart decoder, where words may also stand before and between the gaps. A derivation in a chart begins with
/// a sub-derivation in the state `start`; everything else is added to it, and `finish` ends it.
class FeatureSession {
 public:
  virtual ~FeatureSession() = default;
  /// Forgets the states of the last sentence.
  virtual void begin(const DecoderInput& input) = 0;
  virtual uint32_t start() = 0;
  /// kForbiddenScore forbids the step.
  virtual Transition apply(std::span<const uint32_t> tails, const Step& step) = 0;
  /// The score that `apply` will return, computed cheaply. Called only if the feature `has_lookahead`.
  virtual float lookahead(std::span<const uint32_t>, const Step&) { return 0; }
  /// The score of the end of the sentence.
  virtual float finish(uint32_t) { return 0; }

  virtual void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) = 0;
  virtual void final_values(uint32_t, FeatureSink&) {}

  /// Memory that it holds for the sentence. Called often: O(1).
  virtual size_t bytes() const { return 0; }
};

/// Memory that features hold for the sentence.
inline size_t bytes_of(std::span<const std::unique_ptr<FeatureSession>> sessions) {
  size_t sum = 0;
  for (const auto& session : sessions) sum += session->bytes();
  return sum;
}

/// A feature whose value depends on the context of an option. Immutable, shared by threads.
class StatefulFeature {
 public:
  virtual ~StatefulFeature() = default;
  /// The names of its columns; sparse features have none.
  virtual std::vector<std::string> names() const = 0;
  /// Its name in messages.
  virtual std::string shown_name() const { return names().empty() ? "without a name" : names().front(); }
  /// Called before it joins a model that has all its tables and grammars; the model outlives it.
  virtual void attach(const DecoderModel&) {}
  /// Whether `lookahead` computes the exact score cheaply: such scores order the search before `apply` is
  /// called.
  virtual bool has_lookahead() const { return false; }
  /// Number of floats stored with each option for this feature.
  virtual size_t prepared_size() const { return 0; }
  /// Fills them, and returns the context-free estimate of the option's score.
  virtual float prepare(const Option&, const TargetWords&, const FeatureWeights&, std::span<float>) const {
    return 0;
  }
  /// Whether `estimate_values` gives the values whose product with the weights `prepare` returns. Then they
  /// are computed once per option, and not again when weights change.
  virtual bool has_estimate_values() const { return false; }
  virtual void estimate_values(const Option&, const TargetWords&, FeatureSink&) const {}
  /// Upper bound of what `prepare` returns: options that cannot be among the best need no estimate.
  virtual float most_expected(const FeatureWeights&) const { return std::numeric_limits<float>::infinity(); }
  /// How much better in context than the estimate of `prepare` an option may well score. It is added to the
  /// priority of cells that are not yet scored: larger values give fewer search errors and more evaluations.
  virtual float optimism(const FeatureWeights&) const { return 0; }
  /// `offset` is where its floats begin in `Option::prepared`.
  virtual std::unique_ptr<FeatureSession> session(const FeatureWeights& weights, size_t offset) const = 0;
  /// A session for a chart decoder; null if the feature is not defined in a chart.
  virtual std::unique_ptr<FeatureSession> chart_session(const FeatureWeights& weights, size_t offset) const {
    return session(weights, offset);
  }
};

/// A feature of phrase pairs alone: computed once per pair.
class PairFeature {
 public:
  virtual ~PairFeature() = default;
  virtual std::vector<std::string> names() const = 0;
  /// Called before it joins a model that has all its tables and grammars, with the model's target words.
  virtual void attach(Texts) {}
  /// Whether it is also computed for words that are passed through.
  virtual bool sees_unknown_words() const { return false; }
  /// Whether values are stored with the options. Otherwise options are scored without making columns, and
  /// `values` is called again where a derivation or a forest needs them: for sparse features of many names.
  virtual bool is_stored() const { return true; }
  /// The texts of a rule's gaps are empty. It is not called for rules of sentence markers.
  virtual void values(const Option& option, std::span<const std::string_view> source,
                      const TargetWords& words, FeatureSink& sink) const = 0;
};

/// Where an option is applied: the columns that it covers, and those of each gap of its source side, in
/// order.
struct Place {
  Range range;
  std::span<const Range> gaps = {};
};

/// A placed feature at work on one sentence and one thread.
class PlacedSession {
 public:
  virtual ~PlacedSession() = default;
  virtual void values(const Option& option, const Place& place, FeatureSink& sink) = 0;
};

/// A feature of an option and its place in the input, without state: asked once per option and range, before
/// the search, in a chart once per rule and ranges of its gaps. Immutable, shared by threads.
class PlacedFeature {
 public:
  virtual ~PlacedFeature() = default;
  virtual std::vector<std::string> names() const = 0;
  /// As of PairFeature.
  virtual void attach(Texts) {}
  /// Whether it is also asked about words that are passed through and phrases given by the input.
  virtual bool sees_unknown_words() const { return false; }
  /// The input outlives the session. It is not asked about rules of sentence markers.
  virtual std::unique_ptr<PlacedSession> session(const DecoderInput& input) const = 0;
};

/// A ScoreFeature under given weights. Threads share it. It is called for pairs of tables and rules of
/// grammars only.
class WeightedScores {
 public:
  virtual ~WeightedScores() = default;
  virtual float score(const Option& option) const = 0;
  /// The unweighted values, by model column.
  virtual void values(const Option& option, ModelSink& sink) const = 0;
  /// Replaces the weights by those of the store now. No thread may be using it.
  virtual void reweight(const weights::WeightStore& weights) = 0;
};

/// A feature that is a function of the scores and lengths of an option. It may have very many values per
/// option, so these are not stored: they are computed where a derivation or a forest needs them.
class ScoreFeature {
 public:
  virtual ~ScoreFeature() = default;
  /// `model` outlives the result.
  virtual std::unique_ptr<WeightedScores> under(const DecoderModel& model,
                                                const weights::WeightStore& weights) const = 0;
};

}  // namespace tunesmith::decode
