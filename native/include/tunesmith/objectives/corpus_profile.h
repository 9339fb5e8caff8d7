// Exact corpus gain along a line in weight space, which is piecewise constant: MERT's line search (Och 2003).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tunesmith/candidates/lists.h"
#include "tunesmith/forest/envelope.h"
#include "tunesmith/metrics/scorer.h"
#include "tunesmith/objectives/gain_profile.h"

namespace tunesmith::objectives {

/// Line search over one pool. `scores` are the candidates' model scores at the start of the line; they belong
/// to the caller, so that one object serves concurrent searches.
class CorpusProfile {
 public:
  CorpusProfile(candidates::CandidateLists lists, MatrixView stats,
                std::shared_ptr<const metrics::Scorer> scorer, int threads);

  /// Along the axis of a feature, given each list's current winner. O(lists) plus the candidates of the lists
  /// in which the feature occurs, whose lines were sorted once by the constructor.
  Profile along_axis(std::span<const double> scores, std::span<const int64_t> winners, size_t feature) const;

  /// Along any direction, given each candidate's slope. O(candidates * winners per list).
  Profile along(std::span<const double> scores, std::span<const double> slopes) const;

  /// Scores after a step along the axis of a feature, times `scale`. O(candidates), not O(entries).
  std::vector<double> moved(std::span<const double> scores, size_t feature, double length,
                            double scale) const;

  /// The candidate of each list with the highest score; the first of equal ones.
  std::vector<int64_t> winners(std::span<const double> scores) const;

  /// Gain of the chosen candidates, one per list.
  double gain(std::span<const int64_t> winners) const;

 private:
  /// The candidates of a list that have a feature, from `begin` to that of the feature's next list.
  struct ColumnRange {
    int32_t list;
    int64_t begin;
  };

  /// Sorts the candidates of a feature within their lists; returns the range of each list.
  std::vector<ColumnRange> sort_column(size_t column);
  /// The lines that may win somewhere along the axis, by increasing slope.
  void find_rivals(std::span<const double> scores, int64_t winner, size_t feature, ColumnRange range,
                   int64_t end, std::vector<forest::Line>& lines) const;
  /// The first candidate with the highest score among those of a list without the feature, all of slope zero;
  /// -1 if there are none.
  int64_t best_idle(std::span<const double> scores, ColumnRange range, int64_t end) const;
  /// Value of a feature of a candidate; null if it has none.
  const double* value_of(int64_t row, size_t feature) const;
  void check(std::span<const double> scores) const;
  void check_feature(size_t feature) const;
  void check_winners(std::span<const int64_t> winners) const;

  candidates::CandidateLists lists_;
  MatrixView stats_;
  std::shared_ptr<const metrics::Scorer> scorer_;
  // The candidates that have a feature, by list, value and row; and their values.
  std::vector<int64_t> column_offsets_;
  std::vector<int32_t> rows_;
  std::vector<double> values_;
  std::vector<int64_t> range_offsets_;  // by feature
  std::vector<ColumnRange> ranges_;
  std::vector<int32_t> list_of_row_;
};

}  // namespace tunesmith::objectives
