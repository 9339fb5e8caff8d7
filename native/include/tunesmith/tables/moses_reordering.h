// Lexicalized reordering tables in Moses' text format, looked up by phrase pair.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/base/sequence_pool.h"

namespace tunesmith::tables {

/// Parses lines `source ||| target ||| probabilities`, or `source ||| probabilities` if the model is not
/// conditioned on the target, in any order. Keys are 64-bit hashes of the words: 16 bytes per line, plus each
/// distinct row once. With 40 million lines the probability of a collision is 1 in 20,000; it is an
/// InputError.
class MosesReordering : public LineParser {
 public:
  /// The probabilities of a pair; empty if unknown.
  std::span<const float> find(std::string_view source, std::string_view target) const;

  /// Number of probabilities per line.
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
