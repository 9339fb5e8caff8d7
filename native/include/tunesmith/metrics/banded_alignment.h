// Edit distance within a band around the diagonal, with the path that TER reads an alignment from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::metrics {

/// Aligns a hypothesis with a reference, looking only at cells less than 25 words from the
/// pseudo-diagonal (reference / hypothesis words a row). Where paths cost the same it prefers match or
/// substitution, then skipping a hypothesis word, then skipping a reference word.
class BandedAlignment {
 public:
  /// The distance; O(hypothesis * band). It is exact if it is at most `kExactUpTo`: a path of d edits
  /// is never more than d cells away from the pseudo-diagonal.
  int32_t operator()(std::span<const int32_t> hypothesis, std::span<const int32_t> reference);
  static constexpr size_t kExactUpTo = 24;

  /// Reads off the last path. For each reference word: the position of the hypothesis word it is
  /// aligned with, or of the word before it (-1 at the start) if it is skipped.
  void trace();
  const std::vector<int32_t>& aligned() const { return aligned_; }
  const std::vector<char>& hypothesis_errors() const { return hypothesis_errors_; }
  const std::vector<char>& reference_errors() const { return reference_errors_; }

 private:
  enum class EditOp : uint8_t { match, substitute, skip_hypothesis, skip_reference };
  struct Cell {
    int32_t cost;
    EditOp op;
  };
  struct Row {
    size_t begin, end;  // columns
    size_t at;          // of the first cell
  };

  void add_row(size_t begin, size_t end);

  std::vector<Row> rows_;
  std::vector<Cell> cells_;
  std::vector<int32_t> aligned_;
  std::vector<char> hypothesis_errors_, reference_errors_;
};

}  // namespace tunesmith::metrics
