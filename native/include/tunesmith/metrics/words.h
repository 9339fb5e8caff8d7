// Word ids for metrics: two words have the same id if and only if they are equal.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tunesmith/base/text.h"
#include "tunesmith/base/texts.h"

namespace tunesmith::metrics {

/// Word ids, numbered from 0 and valid until the next `clear`, which is cheap.
class WordIds {
 public:
  void clear(size_t most_words) {
    slots_.assign(std::bit_ceil(2 * most_words + 2), -1);
    words_.clear();
  }

  /// Returns the id of a word; adds it, or returns -1 if it is new and `add` is false.
  int32_t find(std::string_view word, bool add) {
    const size_t mask = slots_.size() - 1;
    size_t slot = hash_bytes(word) & mask;
    for (; slots_[slot] >= 0; slot = (slot + 1) & mask)
      if (words_[slots_[slot]] == word) return slots_[slot];
    if (!add) return -1;
    slots_[slot] = static_cast<int32_t>(words_.size());
    words_.push_back(word);
    return slots_[slot];
  }

  void find_all(const std::vector<std::string_view>& words, bool add, std::vector<int32_t>& ids) {
    ids.clear();
    for (std::string_view word : words) ids.push_back(find(word, add));
  }

 private:
  std::vector<int32_t> slots_;
  std::vector<std::string_view> words_;
};

/// The references of one list as word ids; hypotheses are mapped to the same ids.
class ReferenceWords {
 public:
  void read(const std::vector<Texts>& references, size_t list) {
    words_.resize(references.size());
    ids_.resize(references.size());
    total_ = 0;
    for (size_t r = 0; r < references.size(); ++r) {
      split_words(references[r][list], words_[r]);
      total_ += words_[r].size();
    }
    vocabulary_.clear(total_);
    for (size_t r = 0; r < references.size(); ++r) vocabulary_.find_all(words_[r], true, ids_[r]);
  }

  /// The word ids of a hypothesis, -1 for words that are in no reference; valid until the next call.
  const std::vector<int32_t>& find(std::string_view hypothesis) {
    split_words(hypothesis, hypothesis_words_);
    vocabulary_.find_all(hypothesis_words_, false, hypothesis_);
    return hypothesis_;
  }

  const std::vector<std::vector<int32_t>>& ids() const { return ids_; }
  size_t total() const { return total_; }
  double mean_length() const { return double(total_) / double(ids_.size()); }

 private:
  std::vector<std::vector<std::string_view>> words_;
  std::vector<std::vector<int32_t>> ids_;
  size_t total_ = 0;
  WordIds vocabulary_;
  std::vector<std::string_view> hypothesis_words_;
  std::vector<int32_t> hypothesis_;
};

}  // namespace tunesmith::metrics
