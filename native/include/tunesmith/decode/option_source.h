// Where the options of one sentence come from, if they are not just what the tables have.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode {

/// Options at their place in the input.
struct PlacedOptions {
  Range range;
  std::shared_ptr<const OptionList> list;
};

/// Stands between the tables and the chart of one sentence: it may leave options out, score them anew, and
/// add options that no table has. It must outlive the chart.
class OptionSource {
 public:
  virtual ~OptionSource() = default;
  /// The options of the source phrase that ends at a node of a table, for a place of the input; null where
  /// there are none.
  virtual std::shared_ptr<const OptionList> options(size_t table, uint32_t node, Range range) = 0;
  /// Whether a word that no table has may be translated by `target`: by itself, or by nothing.
  virtual bool admits_unknown(Range range, std::string_view target) = 0;
  /// Adds the target words of further options that the model does not know.
  virtual void add_words(NameTable& passed) = 0;
  /// Appends the source words of further options that drop a word: such an option is known by the place of
  /// its word, and must not be taken for one that passes it.
  virtual void add_dropped(TextColumn& passed) = 0;
  /// Options that no table has. `names` has the words that were added; `is_dropped` tells of each column
  /// whether there is an option already that drops it.
  virtual std::vector<PlacedOptions> further(const TargetWords& names,
                                             const std::vector<char>& is_dropped) = 0;
};

}  // namespace tunesmith::decode
