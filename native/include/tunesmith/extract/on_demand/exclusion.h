// Exclusion of sentences from on-demand extraction: those of a fold, or the sentence to translate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::extract::on_demand {

/// A set of sentences as ranges of text positions.
class ExcludedText {
 public:
  ExcludedText() = default;
  /// Sentence i is text[starts[i], starts[i + 1]). Throws InputError if a sentence number is out of range.
  ExcludedText(std::span<const uint32_t> starts, std::span<const int64_t> sentences);

  bool empty() const { return ranges_.empty(); }
  /// O(log excluded).
  bool contains(uint32_t position) const;
  /// The union of both sets.
  ExcludedText joined(const ExcludedText& other) const;

 private:
  struct Range {
    uint32_t begin, end;
  };
  void normalize();

  std::vector<Range> ranges_;  // sorted, disjoint
};

}  // namespace tunesmith::extract::on_demand
