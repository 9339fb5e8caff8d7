// The corpus gain along a line through weight space, exactly: it is piecewise constant (Och 2003).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tunesmith/candidates/lists.h"
#include "tunesmith/forest/envelope.h"
#include "tunesmith/metrics/scorer.h"
#include "tunesmith/objectives/gain_profile.h"

namespace tunesmith::objectives {

/// Line search over one pool. `scores` are the candidates' model scores at the point where the
/// line starts; they are the caller's, so that one searcher serves many searches at once.
class CorpusProfile {
 public:
  CorpusProfile(candidates::CandidateLists lists, MatrixView stats,
                std::shared_ptr<const metrics::Scorer> scorer, int threads);

  /// Along a feature's axis, given each list's standing winner. O(lists) plus the candidates of the
  /// lists in which the feature occurs, whose lines were sorted once, when the searcher was built.
  Profile along_axis(std::span<const double> scores, std::span<const int64_t> winners, size_t feature) const;

  /// Along any direction, given each candidate's slope. O(candidates * winners a list).
  Profile along(std::span<const double> scores, std::span<const double> slopes) const;

  /// The scores after a step along a feature's axis, times `scale`. O(candidates), not O(entries).
  std::vector<double> moved(std::span<const double> scores, size_t feature, double length,
                            double scale) const;

  /// The winner of each list where we stand: of equal scores the first candidate.
  std::vector<int64_t> winners(std::span<const double> scores) const;

  /// The gain of chosen candidates, one a list.
  double gain(std::span<const int64_t> winners) const;

 private:
  /// Where the candidates of a list that have a feature begin, until those of the feature's next list.
  struct Stretch {
    int32_t list;
    int64_t begin;
  };

  /// Sorts the candidates of a feature within their lists; returns where each list begins.
  std::vector<Stretch> sort_column(size_t column);
  /// The lines that may win somewhere along the axis, by rising slope.
  void find_rivals(std::span<const double> scores, int64_t winner, size_t feature, Stretch stretch,
                   int64_t end, std::vector<forest::Line>& lines) const;
  /// Of the candidates of a list without the feature, all of slope zero, the first with the highest score; -1
  /// if there are none.
  int64_t best_idle(std::span<const double> scores, Stretch stretch, int64_t end) const;
  /// A candidate's value of a feature; null if it does not have it.
  const double* value_of(int64_t row, size_t feature) const;
  void check(std::span<const double> scores) const;
  void check_feature(size_t feature) const;
  void check_winners(std::span<const int64_t> winners) const;

  candidates::CandidateLists lists_;
  MatrixView stats_;
  std::shared_ptr<const metrics::Scorer> scorer_;
  // The candidates that have a feature, by list, then by value, then by row; and their values.
  std::vector<int64_t> column_offsets_;
  std::vector<int32_t> rows_;
  std::vector<double> values_;
  std::vector<int64_t> stretch_offsets_;  // by feature
  std::vector<Stretch> stretches_;
  std::vector<int32_t> list_of_row_;
};

}  // namespace tunesmith::objectives
