// Escaped words, feature names and values of a forest for text formats.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// The words of a forest, escaped as by Moses: `|`, and brackets around a word. Throws InputError if a word
/// in use is empty or has a space or line break, which text formats cannot represent.
std::vector<std::string> escaped_words(const Forest& forest);

/// Throws InputError unless feature names are words without spaces or quotes, and without `|||`.
void check_feature_names(const Forest& forest);

/// Formats the features of edges. The forest must outlive it.
class FeatureSpeller {
 public:
  explicit FeatureSpeller(const Forest& forest);

  /// Appends `name=value name=value` for the features of an edge and its rule, summed by name.
  /// O(features of the edge).
  void append(uint32_t edge, std::string& out);

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  const Forest& forest_;
  std::vector<size_t> slots_;  // of each column, in `sums_`
  std::vector<std::pair<uint32_t, double>> sums_;
};

/// Appends the shortest decimal that parses to the same float, even if it is parsed as a double first.
void append_float(float value, std::string& out);

}  // namespace tunesmith::forest
