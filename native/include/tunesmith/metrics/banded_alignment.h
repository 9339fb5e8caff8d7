// Banded edit distance, with the path from which TER reads its alignment.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::metrics {

/// Aligns a hypothesis with a reference within a band of less than 25 words around the pseudo-diagonal
/// (reference / hypothesis words per row). Ties prefer match or substitution, then skipping a hypothesis
/// word, then skipping a reference word.
class BandedAlignment {
 public:
  /// The edit distance within the band; O(hypothesis * band). Exact if at most `kExactUpTo`: a path of d
  /// edits is never more than d cells away from the pseudo-diagonal.
  int32_t operator()(std::span<const int32_t> hypothesis, std::span<const int32_t> reference);
  static constexpr size_t kExactUpTo = 24;

  /// Backtraces the last alignment into `aligned`: for each reference word, the position of its hypothesis
  /// word, or of the word before it (-1 at the start) if the reference word is skipped. Words without a match
  /// are marked in the two arrays of errors.
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
