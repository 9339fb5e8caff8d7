// The translation options of the source spans of a sentence, and the future cost of spans (Koehn 2004).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/corpus/word_lattice.h"
#include "tunesmith/decode/option_source.h"
#include "tunesmith/decode/placed_features.h"
#include "tunesmith/decode/translation.h"

namespace tunesmith::decode {

/// The options of one path through a range.
struct OptionEntry {
  Range range;
  std::span<const Option> options;  // by sort_score, best first
  float input_score = 0;            // weighted, of the arcs
};

/// All options that match somewhere in a sentence or lattice, those of unknown words, and future costs.
class SourceOptions {
 public:
  /// A sentence whose options take more bytes than the memory limit, if not 0, is an InputError.
  SourceOptions(const WeightedModel& model, const corpus::WordLattice& input, UnknownWords unknown,
                int32_t distortion_limit, OptionSource* source = nullptr, size_t memory_limit = 0);

  /// Sets the required translation or prefix of it, for features that read it from `decoder_input`.
  void constrain(std::string_view target, bool is_prefix, std::span<const double> most_words = {},
                 std::span<const double> least_words = {});

  const corpus::WordLattice& input() const { return input_; }
  uint32_t columns() const { return input_.columns(); }
  const std::vector<OptionEntry>& entries() const { return entries_; }
  /// The entries whose range begins at a column.
  std::span<const uint32_t> beginning_at(uint32_t column) const { return by_begin_[column]; }
  /// The column where a source word of an entry's options begins.
  uint32_t column(uint32_t entry, int32_t position) const {
    const auto word = static_cast<uint32_t>(position);
    return input_.is_sentence() || word == 0 ? entries_[entry].range.begin + word
                                             : paths_[entry][word - 1]->end;
  }
  /// The arcs of an entry; none for a sentence, whose words have no features.
  std::span<const corpus::LatticeArc* const> path(uint32_t entry) const {
    return input_.is_sentence() ? std::span<const corpus::LatticeArc* const>() : paths_[entry];
  }
  /// The future cost of a range: the best sum of estimates and input scores of a sequence of options over it.
  float future_cost(Range range) const;
  const DecoderInput& decoder_input() const { return decoder_input_; }
  /// The unweighted values of the placed features of an entry's option.
  void placed_values(uint32_t entry, const Option& option, ModelSink& sink) const {
    placed_features_->values(option, {entries_[entry].range}, sink);
  }
  /// Memory that the sentence holds: its entries, future costs, and each list of options once.
  size_t bytes() const;
  /// Throws InputError if `bytes`, those of a search included, exceeds the memory limit.
  void check_memory(size_t bytes) const;

 private:
  void collect(size_t table);
  /// The options of a source phrase; those of a phrase that occurred before are the same list.
  std::shared_ptr<const OptionList> shared_options(size_t table, uint32_t node);
  /// The list, which counts as memory of the sentence from now on.
  std::shared_ptr<const OptionList> counted(std::shared_ptr<const OptionList> list);
  /// `score` is the weighted score of the arcs.
  void add(Range range, std::span<const corpus::LatticeArc* const> path,
           std::shared_ptr<const OptionList> list, float score);
  void add_unknown_words(UnknownWords unknown);
  void place_options();
  void estimate(int32_t distortion_limit);

  const WeightedModel& model_;
  const corpus::WordLattice& input_;
  OptionSource* option_source_;  // null if the options are those of the tables
  std::vector<OptionEntry> entries_;
  Rows<const corpus::LatticeArc*> paths_;  // by entry; none for a sentence
  Rows<uint32_t> by_begin_;
  std::vector<std::shared_ptr<const OptionList>> lists_;  // by entry
  FlatMap<uint32_t> first_entries_;                       // of shared lists, by table and node
  size_t list_bytes_ = 0;                                 // of the distinct lists
  size_t memory_limit_;
  std::vector<std::string_view> source_;
  TextColumn passed_;
  DecoderInput decoder_input_;
  std::optional<PlacedFeatures> placed_features_;
  std::vector<std::vector<Option>> placed_;  // the options of entries with placed scores
  uint32_t band_ = 0;                        // longest range in the table of future costs
  std::vector<float> future_costs_;          // by begin and size
  std::vector<float> suffixes_;              // from a column to the end
};

}  // namespace tunesmith::decode
