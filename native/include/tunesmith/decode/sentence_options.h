// The options of a sentence under the constraints of its request.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tunesmith/corpus/word_lattice.h"
#include "tunesmith/decode/option_source.h"
#include "tunesmith/decode/source_options.h"
#include "tunesmith/decode/target_constraint.h"

namespace tunesmith::decode {

/// Upper and lower bounds of the number of target words that n columns give, by n.
struct TargetBounds {
  std::vector<double> most, least;
};

/// If the whole target is known, options that do not occur in it are left out, so that future costs are made
/// of usable options only. A table limit counts all translations of a source phrase, in the target or not.
/// The request must outlive it.
class SentenceOptions : public OptionSource {
 public:
  /// `target` is the whole required target; null if there is none.
  SentenceOptions(const WeightedModel& model, const corpus::WordLattice& input,
                  const PhraseConstraints& constraints, const std::string* target);

  std::shared_ptr<const OptionList> options(size_t table, uint32_t node, Range range) override;
  bool admits_unknown(Range range, std::string_view target) override;
  void add_words(NameTable& passed) override;
  void add_dropped(TextColumn& passed) override;
  std::vector<PlacedOptions> further(const TargetWords& names, const std::vector<char>& is_dropped) override;
  size_t bytes() const override { return held_bytes(source_) + held_bytes(kept_) + kept_bytes_; }
  /// False if no search can find the whole target.
  bool may_reach_target(const SourceOptions& options) const;
  /// Each option gives an equal share of its words to each of its columns. n columns have at most the sum of
  /// the n largest shares, and at least the sum of the n smallest.
  static TargetBounds bounds(const SourceOptions& options);

 private:
  void check() const;
  bool is_taken(Range range) const;
  std::span<const int32_t> words(size_t table, uint32_t pair) const;
  std::vector<uint32_t> pairs_in_target(size_t table, uint32_t node) const;
  void revise(OptionList& list, size_t table, Range range) const;
  std::shared_ptr<const OptionList> limited(size_t table, uint32_t node, Range range, size_t limit);
  void keep(std::shared_ptr<const OptionList> list);

  const WeightedModel& model_;
  const corpus::WordLattice& input_;
  const PhraseConstraints& constraints_;
  const std::string* target_text_;
  RequiredTarget target_;
  std::unordered_set<std::string_view> target_words_;
  std::vector<uint32_t> target_keys_;  // of the phrases in it
  std::vector<int32_t> source_;        // numbers of the words, equal for equal words
  std::optional<extract::phrases::OwnCounts> own_;
  mutable std::vector<int32_t> renamed_;                 // scratch
  std::vector<std::shared_ptr<const OptionList>> kept_;  // viewed by filtered lists
  size_t kept_bytes_ = 0;                                // of the kept lists
  Rows<int32_t> given_;                                  // the words of given phrases
  size_t first_dropped_ = 0;                             // among the passed words
};

}  // namespace tunesmith::decode
