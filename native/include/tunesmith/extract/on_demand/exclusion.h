// Sentences whose text must not be seen: those of a fold, or the sentence that is to be translated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::extract::on_demand {

/// A set of sentences as ranges of their text.
class ExcludedText {
 public:
  ExcludedText() = default;
  /// Sentence i is text[starts[i], starts[i + 1]). Throws InputError where a sentence is outside of them.
  ExcludedText(std::span<const uint32_t> starts, std::span<const int64_t> sentences);

  bool empty() const { return ranges_.empty(); }
  /// O(log excluded).
  bool contains(uint32_t position) const;
  /// Both sets.
  ExcludedText joined(const ExcludedText& other) const;

 private:
  struct Range {
    uint32_t begin, end;
  };
  void normalize();

  std::vector<Range> ranges_;  // sorted, apart
};

}  // namespace tunesmith::extract::on_demand
