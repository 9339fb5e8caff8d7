// Reordering tables in Moses' text form, looked up by phrase pair.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/base/sequence_pool.h"

namespace tunesmith::tables {

/// Reads `source ||| target ||| probabilities`, or `source ||| probabilities` where the model does not see
/// the target, in any order. Keys are 64-bit hashes of the words: 16 bytes a line and each distinct row once.
/// At 40 million lines two of them fall together with a probability of 1 in 20,000, and are refused then.
class MosesReordering : public LineParser {
 public:
  /// The row of a pair, empty where there is none.
  std::span<const float> find(std::string_view source, std::string_view target) const;

  /// How many probabilities a line has.
  size_t width() const { return width_; }
  size_t size() const { return count_; }

 protected:
  void parse_line(std::string_view line) override;

 private:
  struct Slot {
    uint64_t key;
    uint32_t row;
  };
  size_t slot(uint64_t key) const;
  void grow();

  std::vector<Slot> slots_;  // open addressing; a power of two, at most three quarters full
  SequencePool<float> rows_;
  std::vector<std::string_view> fields_;
  std::vector<float> row_;
  size_t width_ = 0, columns_ = 0, count_ = 0;
};

}  // namespace tunesmith::tables
