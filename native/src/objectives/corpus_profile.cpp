#include "tunesmith/objectives/corpus_profile.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/lanes.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::objectives {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void add_events(const std::vector<forest::Segment>& segments, std::vector<GainEvent>& events) {
  for (size_t i = 1; i < segments.size(); ++i)
    events.push_back({segments[i].from, segments[i - 1].candidate, segments[i].candidate});
}

}  // namespace

CorpusProfile::CorpusProfile(candidates::CandidateLists lists, MatrixView stats,
                             std::shared_ptr<const metrics::Scorer> scorer, int threads)
    : lists_(lists), stats_(stats), scorer_(std::move(scorer)) {
  const Csr& features = lists_.features;
  if (stats_.rows() != features.rows() || stats_.width != scorer_->width())
    throw InputError("the statistics do not fit the candidates or the metric");
  if (features.rows() > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    throw InputError("more than 2^31 candidates in one pool");

  list_of_row_.resize(features.rows());
  for (size_t list = 0; list < lists_.size(); ++list)
    std::fill(list_of_row_.begin() + lists_.offsets[list], list_of_row_.begin() + lists_.offsets[list + 1],
              static_cast<int32_t>(list));

  // Transpose to columns, then sort each column within its lists.
  column_offsets_.assign(features.width + 1, 0);
  for (int32_t column : features.columns) ++column_offsets_[column + 1];
  std::partial_sum(column_offsets_.begin(), column_offsets_.end(), column_offsets_.begin());
  rows_.resize(features.values.size());
  values_.resize(features.values.size());
  std::vector<int64_t> next(column_offsets_.begin(), column_offsets_.end() - 1);
  for (size_t row = 0; row < features.rows(); ++row)
    for (int64_t k = features.offsets[row]; k < features.offsets[row + 1]; ++k) {
      const int64_t place = next[features.columns[k]]++;
      rows_[place] = static_cast<int32_t>(row);
      values_[place] = features.values[k];
    }
  std::vector<std::vector<ColumnRange>> ranges(features.width);
  parallel_chunks(features.width, 1, threads,
                  [&](size_t column, size_t, size_t) { ranges[column] = sort_column(column); });
  range_offsets_.push_back(0);
  for (const std::vector<ColumnRange>& own : ranges) {
    ranges_.insert(ranges_.end(), own.begin(), own.end());
    range_offsets_.push_back(static_cast<int64_t>(ranges_.size()));
  }
}

std::vector<CorpusProfile::ColumnRange> CorpusProfile::sort_column(size_t column) {
  std::vector<ColumnRange> ranges;
  std::vector<std::pair<double, int32_t>> sorted;
  const int64_t end = column_offsets_[column + 1];
  for (int64_t begin = column_offsets_[column]; begin < end;) {
    const int32_t list = list_of_row_[rows_[begin]];
    ranges.push_back({list, begin});
    sorted.clear();
    int64_t stop = begin;
    for (; stop < end && rows_[stop] < lists_.offsets[list + 1]; ++stop)
      sorted.emplace_back(values_[stop], rows_[stop]);
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [value, row] : sorted) {
      values_[begin] = value;
      rows_[begin] = row;
      ++begin;
    }
  }
  return ranges;
}

Profile CorpusProfile::along_axis(std::span<const double> scores, std::span<const int64_t> winners,
                                  size_t feature) const {
  check(scores);
  check_winners(winners);
  check_feature(feature);
  std::vector<double> base(stats_.width, 0.0);
  std::vector<GainEvent> events;
  std::vector<forest::Line> lines;
  std::vector<forest::Segment> segments;
  const auto add_to_base = [&](int64_t row) {
    for (size_t s = 0; s < stats_.width; ++s) base[s] += stats_.row(row)[s];
  };
  size_t list = 0;
  const int64_t last = range_offsets_[feature + 1];
  for (int64_t at = range_offsets_[feature]; at < last; ++at) {
    const ColumnRange range = ranges_[at];
    const int64_t end = at + 1 < last ? ranges_[at + 1].begin : column_offsets_[feature + 1];
    // Lists without the feature do not change.
    for (; list < static_cast<size_t>(range.list); ++list) add_to_base(winners[list]);
    find_rivals(scores, winners[list], feature, range, end, lines);
    forest::envelope_of_sorted(lines, segments);
    add_to_base(segments.front().candidate);
    add_events(segments, events);
    ++list;
  }
  for (; list < lists_.size(); ++list) add_to_base(winners[list]);
  return gain_profile(stats_, *scorer_, std::move(base), events);
}

void CorpusProfile::find_rivals(std::span<const double> scores, int64_t winner, size_t feature,
                                ColumnRange range, int64_t end, std::vector<forest::Line>& lines) const {
  // Left of the start only a line that is higher here than all of smaller slope can win, right of it one that
  // is higher than all of larger slope: a few of hundreds.
  lines.clear();
  double best = 0;
  const auto consider = [&](double slope, int64_t row) {
    const double score = scores[row];
    const bool is_parallel = !lines.empty() && lines.back().slope == slope;
    if (score == best && !(is_parallel && row < lines.back().candidate)) return;
    best = score;
    if (is_parallel)
      lines.back() = {slope, score, row};
    else
      lines.push_back({slope, score, row});
  };
  const auto values_end = values_.begin() + end;
  const auto place_of = [&](double slope, bool after) {
    const auto begin = values_.begin() + range.begin;
    return (after ? std::upper_bound(begin, values_end, slope) : std::lower_bound(begin, values_end, slope)) -
           values_.begin();
  };
  const auto from_below = [&](int64_t begin, int64_t stop) {
    for (int64_t k = begin; k < stop; ++k)
      if (!(scores[rows_[k]] < best)) consider(values_[k], rows_[k]);
  };
  const auto from_above = [&](int64_t begin, int64_t stop) {
    for (int64_t k = stop; k-- > begin;)
      if (!(scores[rows_[k]] < best)) consider(values_[k], rows_[k]);
  };

  const double* own = value_of(winner, feature);
  const double slope = own == nullptr ? 0.0 : *own;
  const int64_t idle = own == nullptr ? -1 : best_idle(scores, range, end);
  const int64_t zero = place_of(0.0, false);
  const int64_t left = place_of(slope, false), right = place_of(slope, true);

  best = -kInfinity;
  if (idle >= 0 && slope > 0) {
    from_below(range.begin, zero);
    if (!(scores[idle] < best)) consider(0.0, idle);
    from_below(zero, left);
  } else {
    from_below(range.begin, left);
  }
  lines.push_back({slope, scores[winner], winner});
  const auto middle = static_cast<std::ptrdiff_t>(lines.size());
  best = -kInfinity;
  if (idle >= 0 && slope < 0) {
    from_above(zero, end);
    if (!(scores[idle] < best)) consider(0.0, idle);
    from_above(right, zero);
  } else {
    from_above(right, end);
  }
  std::reverse(lines.begin() + middle, lines.end());
}

int64_t CorpusProfile::best_idle(std::span<const double> scores, ColumnRange range, int64_t end) const {
  const int64_t first = lists_.offsets[range.list], stop = lists_.offsets[range.list + 1];
  if (end - range.begin == stop - first) return -1;
  thread_local std::vector<double> left;  // scores of the candidates of the list without the feature
  left.assign(scores.begin() + first, scores.begin() + stop);
  for (int64_t k = range.begin; k < end; ++k) left[rows_[k] - first] = -kInfinity;
  const double best = maximum(left);
  return first + (std::find(left.begin(), left.end(), best) - left.begin());
}

const double* CorpusProfile::value_of(int64_t row, size_t feature) const {
  const Csr& features = lists_.features;
  const auto begin = features.columns.begin() + features.offsets[row];
  const auto end = features.columns.begin() + features.offsets[row + 1];
  const auto found = std::lower_bound(begin, end, static_cast<int32_t>(feature));
  if (found == end || *found != static_cast<int32_t>(feature)) return nullptr;
  return features.values.data() + (found - features.columns.begin());
}

Profile CorpusProfile::along(std::span<const double> scores, std::span<const double> slopes) const {
  check(scores);
  check(slopes);
  std::vector<double> base(stats_.width, 0.0);
  std::vector<GainEvent> events;
  std::vector<forest::Segment> segments;
  for (size_t list = 0; list < lists_.size(); ++list) {
    const int64_t first = lists_.offsets[list];
    const auto size = static_cast<size_t>(lists_.offsets[list + 1] - first);
    forest::envelope_by_walking(slopes.subspan(first, size), scores.subspan(first, size), first, segments);
    const double* stats = stats_.row(segments.front().candidate);
    for (size_t s = 0; s < stats_.width; ++s) base[s] += stats[s];
    add_events(segments, events);
  }
  return gain_profile(stats_, *scorer_, std::move(base), events);
}

std::vector<double> CorpusProfile::moved(std::span<const double> scores, size_t feature, double length,
                                         double scale) const {
  check(scores);
  check_feature(feature);
  std::vector<double> result(scores.begin(), scores.end());
  for (int64_t k = column_offsets_[feature]; k < column_offsets_[feature + 1]; ++k)
    result[rows_[k]] += length * values_[k];
  for (double& score : result) score *= scale;
  return result;
}

std::vector<int64_t> CorpusProfile::winners(std::span<const double> scores) const {
  check(scores);
  std::vector<int64_t> result(lists_.size());
  for (size_t list = 0; list < lists_.size(); ++list) {
    const auto begin = scores.begin() + lists_.offsets[list], end = scores.begin() + lists_.offsets[list + 1];
    result[list] = std::max_element(begin, end) - scores.begin();
  }
  return result;
}

double CorpusProfile::gain(std::span<const int64_t> winners) const {
  check_winners(winners);
  std::vector<double> sum(stats_.width, 0.0);
  for (int64_t winner : winners) {
    const double* stats = stats_.row(winner);
    for (size_t s = 0; s < stats_.width; ++s) sum[s] += stats[s];
  }
  return scorer_->gain(sum.data());
}

void CorpusProfile::check(std::span<const double> scores) const {
  if (scores.size() != lists_.features.rows())
    throw InputError("expected a score for each of " + std::to_string(lists_.features.rows()) +
                     " candidates, found " + std::to_string(scores.size()));
}

void CorpusProfile::check_feature(size_t feature) const {
  if (feature >= lists_.features.width) throw InputError("no such feature: " + std::to_string(feature));
}

void CorpusProfile::check_winners(std::span<const int64_t> winners) const {
  if (winners.size() != lists_.size())
    throw InputError("expected a winner for each of " + std::to_string(lists_.size()) + " lists, found " +
                     std::to_string(winners.size()));
  for (int64_t winner : winners)
    if (winner < 0 || static_cast<size_t>(winner) >= lists_.features.rows())
      throw InputError("no such candidate: " + std::to_string(winner));
}

}  // namespace tunesmith::objectives
