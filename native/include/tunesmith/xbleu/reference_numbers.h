// Words of a sentence as numbers of the words of its reference.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tunesmith::xbleu {

/// Numbers the different words of a reference from 0.
class ReferenceNumbers {
 public:
  explicit ReferenceNumbers(std::span<const uint32_t> reference) {
    for (const uint32_t word : reference)
      numbers_.push_back(known_.emplace(word, static_cast<int32_t>(known_.size())).first->second);
  }

  /// The reference itself.
  const std::vector<int32_t>& numbers() const { return numbers_; }
  /// Appends the numbers of words; -1 for those that are not in the reference.
  void append(std::span<const uint32_t> words, std::vector<int32_t>& numbers) const {
    for (const uint32_t word : words) {
      const auto found = known_.find(word);
      numbers.push_back(found == known_.end() ? -1 : found->second);
    }
  }

 private:
  std::unordered_map<uint32_t, int32_t> known_;
  std::vector<int32_t> numbers_;
};

}  // namespace tunesmith::xbleu
