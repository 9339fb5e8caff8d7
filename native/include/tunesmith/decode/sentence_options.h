// The options of a request that asks for more than a translation.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tunesmith/corpus/word_lattice.h"
#include "tunesmith/decode/option_chart.h"
#include "tunesmith/decode/option_source.h"
#include "tunesmith/decode/target_constraint.h"
#include "tunesmith/extract/phrases/leave_one_out.h"

namespace tunesmith::decode {

/// A translation of some columns that the input itself gives. Its log probability is spread evenly over the
/// scores of the first table, as Moses does.
struct RequiredPhrase {
  Range range;
  std::string target;
  float probability = 1;
};

/// What a request says of the options of its sentence.
struct OptionDemands {
  std::vector<RequiredPhrase> phrases;  // several of one range are alternatives; else they must not overlap
  bool is_exclusive = true;             // no other option may touch their columns
  std::optional<extract::phrases::LeaveOneOut> leave_one_out;
  std::optional<size_t> table_limit;  // in place of the tables' own; 0 is without limit
  bool drops_words = false;           // every source word may be dropped, at the price of an unknown one

  bool is_plain() const { return phrases.empty() && !leave_one_out && !table_limit && !drops_words; }
};

/// How many target words some columns give, by the number of columns: never more, never less.
struct TargetBounds {
  std::vector<double> most, least;
};

/// Options by a request. Where the whole target is known, options that are no part of it are left out, so
/// that the outlook of hypotheses is that of what can still be used. A limit of the table counts all
/// translations of a source phrase, in the target or not. The request must outlive it.
class SentenceOptions : public OptionSource {
 public:
  /// `target` is the whole required target, where there is one.
  SentenceOptions(const WeightedModel& model, const corpus::WordLattice& input, const OptionDemands& demands,
                  const std::string* target);

  std::shared_ptr<const OptionList> options(size_t table, uint32_t node, Range range) override;
  bool admits_unknown(Range range, std::string_view target) override;
  void add_words(NameTable& passed) override;
  void add_dropped(TextColumn& passed) override;
  std::vector<PlacedOptions> further(const TargetWords& names, const std::vector<char>& is_dropped) override;
  /// False where no search can find the whole target.
  bool may_reach_target(const OptionChart& chart) const;
  /// Each option gives a share of its words to each of its columns. So many columns have at most the sum of
  /// so many of the largest shares, and at least that of the smallest.
  static TargetBounds bounds(const OptionChart& chart);

 private:
  void check() const;
  bool is_taken(Range range) const;
  std::span<const int32_t> words(size_t table, uint32_t pair) const;
  void revise(OptionList& list, size_t table, Range range) const;
  std::shared_ptr<const OptionList> limited(size_t table, uint32_t node, Range range, size_t limit);

  const WeightedModel& model_;
  const corpus::WordLattice& input_;
  const OptionDemands& demands_;
  const std::string* target_text_;
  RequiredTarget target_;
  std::unordered_set<std::string_view> target_words_;
  std::vector<int32_t> source_;  // words by number, equal ones alike
  std::optional<extract::phrases::OwnCounts> own_;
  mutable std::vector<int32_t> renamed_;                 // scratch
  std::vector<std::shared_ptr<const OptionList>> kept_;  // what filtered lists view
  Rows<int32_t> given_;                                  // the words of given phrases
  size_t first_dropped_ = 0;                             // among the passed words
};

}  // namespace tunesmith::decode
