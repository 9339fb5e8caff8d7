// All phrase pairs that fit somewhere in a sentence, and what the rest of it is expected to score.
// Translation options per source span and the future cost of spans (Koehn 2004).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tunesmith/corpus/word_lattice.h"
#include "tunesmith/decode/option_source.h"
#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode {

/// The options of one way through a range.
struct OptionEntry {
  Range range;
  std::span<const Option> options;  // best lead first
  float input_score = 0;            // weighted, of the arcs
};

/// What becomes of words that no table has.
enum class UnknownWords { kPass, kDrop };

class OptionChart {
 public:
  OptionChart(const WeightedModel& model, const corpus::WordLattice& input, UnknownWords unknown,
              int32_t distortion_limit, OptionSource* source = nullptr);

  /// What the translation must be, or begin with; features that care read it from `decoder_input`.
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
                                             : ways_[entry][word - 1]->end;
  }
  /// The arcs of an entry; none for a sentence, whose words say nothing but themselves.
  std::span<const corpus::LatticeArc* const> way(uint32_t entry) const {
    return input_.is_sentence() ? std::span<const corpus::LatticeArc* const>() : ways_[entry];
  }
  /// The best score of any sequence of options over a range, without what depends on context and order.
  float future(Range range) const;
  const DecoderInput& decoder_input() const { return decoder_input_; }

 private:
  void collect(size_t table);
  /// `score` is that of the arcs.
  void add(Range range, std::span<const corpus::LatticeArc* const> way,
           std::shared_ptr<const OptionList> list, float score);
  void add_unknown_words(UnknownWords unknown);
  void estimate(int32_t distortion_limit);

  const WeightedModel& model_;
  const corpus::WordLattice& input_;
  OptionSource* option_source_;  // null where options are those of the tables
  std::vector<OptionEntry> entries_;
  Rows<const corpus::LatticeArc*> ways_;  // by entry; none for a sentence
  Rows<uint32_t> by_begin_;
  std::vector<std::shared_ptr<const OptionList>> lists_;
  std::vector<std::string_view> source_;
  TextColumn passed_;
  DecoderInput decoder_input_;
  uint32_t band_ = 0;            // ranges up to this size are in the table
  std::vector<float> futures_;   // by begin and size
  std::vector<float> suffixes_;  // from a column to the end
};

}  // namespace tunesmith::decode
