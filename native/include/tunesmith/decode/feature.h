// Features of derivations: what a decoder asks of them, and what they are told.
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

namespace tunesmith::decode {

class ColumnSink;
class DecoderModel;

/// The score of what must not be, or cannot be.
inline constexpr float kForbiddenScore = -std::numeric_limits<float>::infinity();

/// Weights by name, for features that are too many to have columns.
class SparseWeights {
 public:
  void set(std::string_view name, float weight);
  float operator[](std::string_view name) const {
    const int32_t found = names_.find(name);
    return found == NameTable::kUnknown ? 0 : values_[static_cast<size_t>(found)];
  }
  size_t size() const { return values_.size(); }

 private:
  NameTable names_;
  std::vector<float> values_;
};

/// The weights of one feature: those of its columns, and all that go by name.
struct FeatureWeights {
  std::span<const float> dense;
  const SparseWeights& sparse;
};

/// Takes what a feature says of a step, unweighted.
class FeatureSink {
 public:
  virtual ~FeatureSink() = default;
  /// The value of one of the feature's own columns, counted from 0.
  virtual void add(size_t column, float value) = 0;
  virtual void add(std::string_view name, float value) = 0;
};

/// A phrase pair or a rule that may be used: its words, and what is known of it before it has a place in a
/// hypothesis. Where a rule has gaps, these are symbols among the words of both sides (see rule.h).
struct Option {
  static constexpr int64_t kUnknownWord = -1;
  static constexpr int64_t kGiven = -2;   // by the input; its scores are in the columns of the first table
  static constexpr int64_t kBorder = -3;  // of no option: what forests have for the start and the end

  int64_t rule = kUnknownWord;  // the pair's number: 2^32 * table + pair; grammars count after tables
  const grammar::RuleTrie* grammar = nullptr;  // that has the rule; null for pairs of tables
  std::span<const int32_t> source;             // words of the source vocabulary of its table or grammar
  std::span<const int32_t> words;              // target words, in the numbers of the decoder
  std::span<const corpus::Link> alignment;     // of positions within the phrases, gaps counted
  std::span<const float> scores;               // probabilities, as the table has them
  std::span<const float> reordering;  // probabilities of all reordering models; none for an unknown word
  uint32_t phrase = 0;                // equal numbers mean equal words
  uint32_t reordering_row = 0;        // equal numbers mean equal probabilities
  grammar::Border border = grammar::Border::kNone;
  bool is_counted = true;  // by penalties of phrases; and its marks of the sentence by those of words
  std::span<const FeatureValue> pair_values;  // what features of pairs said, by columns of the model
  std::span<float> prepared;                  // what features wrote down in `prepare`
  float score = 0;                            // of all that needs no context, weighted
  float lead = 0;  // the score, and what features that need context expect to add; options are sorted by it
  float estimate = 0;  // the same, and what features expect that are asked again when a place is known
};

/// An option at its place: applied to a hypothesis, or to pieces that a chart decoder found.
struct Step {
  const Option& option;
  Range range;
  Coverage coverage;  // before the step
};

/// Target words by number: those of the tables, and after them words of the input that are passed through.
struct TargetWords {
  Texts table;
  Texts passed;

  std::string_view operator[](int32_t word) const {
    const auto number = static_cast<size_t>(word);
    return number < table.size() ? table[number] : passed[number - table.size()];
  }
};

/// What a feature may know of the input before the search begins.
struct DecoderInput {
  uint32_t columns = 0;
  TargetWords words;
  std::span<const std::string_view> source;  // the words, one a column; empty for a lattice
  std::string_view target = {};              // what the translation must be, or begin with
  bool is_constrained = false;
  bool is_prefix = false;
  std::span<const double> most_words =
      {};  // that so many columns can give, by their number; empty if not known
  std::span<const double> least_words = {};
};

/// What an option adds to a score, and the state after it.
struct Transition {
  float score;
  uint32_t state;
};

/// A feature at work on one thread. States are numbers that it gives out, equal for hypotheses that it cannot
/// tell apart. `tails` has one state in a phrase decoder, whose words come after it, and as many as a rule
/// has gaps in a chart decoder, where words may come before and between them. In a chart a derivation begins
/// with a piece in the state `start`, to which everything else is added, and `finish` ends it.
class FeatureSession {
 public:
  virtual ~FeatureSession() = default;
  /// Forgets the states of the last sentence.
  virtual void begin(const DecoderInput& input) = 0;
  virtual uint32_t start() = 0;
  /// kForbiddenScore forbids the step.
  virtual Transition apply(std::span<const uint32_t> tails, const Step& step) = 0;
  /// What `apply` will score, as far as can be told at once. Only asked if the feature `foresees`.
  virtual float foresee(std::span<const uint32_t>, const Step&) { return 0; }
  /// The score of the end of the sentence.
  virtual float finish(uint32_t) { return 0; }

  virtual void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) = 0;
  virtual void final_values(uint32_t, FeatureSink&) {}

  /// Memory that it holds for the sentence. Asked often: O(1).
  virtual size_t bytes() const { return 0; }
};

/// Memory that features hold for the sentence.
inline size_t bytes_of(std::span<const std::unique_ptr<FeatureSession>> sessions) {
  size_t sum = 0;
  for (const auto& session : sessions) sum += session->bytes();
  return sum;
}

/// A feature whose value depends on what is around an option. It is shared by threads and never changes.
class StatefulFeature {
 public:
  virtual ~StatefulFeature() = default;
  /// The names of its columns; features by name need none.
  virtual std::vector<std::string> names() const = 0;
  /// Whether `foresee` tells the exact score at little cost: such scores order the search before `apply` is
  /// called.
  virtual bool foresees() const { return false; }
  /// So many numbers are kept with each option for it.
  virtual size_t prepared_size() const { return 0; }
  /// Fills them, and returns what the option is expected to score where its context is not known.
  virtual float prepare(const Option&, const TargetWords&, const FeatureWeights&, std::span<float>) const {
    return 0;
  }
  /// The most that `prepare` returns of any option: options that cannot be among the best need not be asked.
  virtual float most_expected(const FeatureWeights&) const { return std::numeric_limits<float>::infinity(); }
  /// How much better than `prepare` expects an option may well score in its place. The search asks those
  /// first that might turn out best: with more of it, it errs less and asks more.
  virtual float optimism(const FeatureWeights&) const { return 0; }
  /// `offset` is where its numbers begin in `Option::prepared`.
  virtual std::unique_ptr<FeatureSession> session(const FeatureWeights& weights, size_t offset) const = 0;
  /// The same for a chart decoder; null if the feature makes no sense in a chart.
  virtual std::unique_ptr<FeatureSession> chart_session(const FeatureWeights& weights, size_t offset) const {
    return session(weights, offset);
  }
};

/// A feature of phrase pairs alone: computed once a pair.
class PairFeature {
 public:
  virtual ~PairFeature() = default;
  virtual std::vector<std::string> names() const = 0;
  /// Whether it has something to say of words that are passed through, too.
  virtual bool sees_unknown_words() const { return false; }
  /// Where a rule has gaps, the texts of these are empty. Rules of the borders of a sentence are not asked
  /// for.
  virtual void values(const Option& option, std::span<const std::string_view> source,
                      const TargetWords& words, FeatureSink& sink) const = 0;
};

/// A feature of scores under given weights. Threads share it. It is asked of pairs of tables and rules of
/// grammars only.
class WeightedScores {
 public:
  virtual ~WeightedScores() = default;
  virtual float score(const Option& option) const = 0;
  /// The same unweighted, under the columns of the model.
  virtual void values(const Option& option, ColumnSink& sink) const = 0;
};

/// A feature that follows from what an option has anyway: its scores, and how long it is. It may have very
/// many values an option, so that nothing of them is kept with options: they are told where a derivation or a
/// forest needs them.
class ScoreFeature {
 public:
  virtual ~ScoreFeature() = default;
  /// `model` outlives the result.
  virtual std::unique_ptr<const WeightedScores> under(const DecoderModel& model,
                                                      const SparseWeights& weights) const = 0;
};

}  // namespace tunesmith::decode
