// Words, names and values of a forest as text formats spell them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// The words of a forest, escaped as Moses does: `|`, and brackets around a word. A word that its rules use
/// and that is empty or holds a blank or a line end is an InputError, as no text format could tell it from
/// others.
std::vector<std::string> escaped_words(const Forest& forest);

/// Checks that names of features are words without blanks or quotes, and without `|||`.
void check_feature_names(const Forest& forest);

/// Spells out features of edges. The forest must outlive it.
class FeatureSpeller {
 public:
  explicit FeatureSpeller(const Forest& forest);

  /// Appends `name=value name=value` for the features of an edge, its rule's and its own, those of one name
  /// added up. O(features of the edge).
  void append(uint32_t edge, std::string& out);

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  const Forest& forest_;
  std::vector<size_t> places_;  // of each column, in `sums_`
  std::vector<std::pair<uint32_t, double>> sums_;
};

/// Appends the shortest decimal that reads back as the same float, even if it is read as a double first.
void append_float(float value, std::string& out);

}  // namespace tunesmith::forest
