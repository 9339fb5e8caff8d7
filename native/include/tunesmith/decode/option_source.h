// The interface through which a request changes the options that the tables have for its sentence.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode {

/// Options of a range of the input.
struct PlacedOptions {
  Range range;
  std::shared_ptr<const OptionList> list;
};

/// Stands between the tables and the SourceOptions of one sentence: it may leave options out, rescore them,
/// and add options that no table has. It must outlive the SourceOptions.
class OptionSource {
 public:
  virtual ~OptionSource() = default;
  /// The options of the source phrase that ends at a trie node of a table, for a range of the input; null if
  /// there are none.
  virtual std::shared_ptr<const OptionList> options(size_t table, uint32_t node, Range range) = 0;
  /// Whether a word that no table has may be translated by `target`: by itself, or by nothing.
  virtual bool admits_unknown(Range range, std::string_view target) = 0;
  /// Adds the target words of further options that the model does not know.
  virtual void add_words(NameTable& passed) = 0;
  /// Appends the source words of further options that drop a word: such an option is numbered by the position
  /// of its word, so that it differs from the option that passes the word.
  virtual void add_dropped(TextColumn& passed) = 0;
  /// Options that no table has. `names` includes the words that were added; `is_dropped` holds for each
  /// column whether an option already drops it.
  virtual std::vector<PlacedOptions> further(const TargetWords& names,
                                             const std::vector<char>& is_dropped) = 0;
  /// Memory that it holds for the sentence, besides the options that it has returned.
  virtual size_t bytes() const = 0;
};

}  // namespace tunesmith::decode
