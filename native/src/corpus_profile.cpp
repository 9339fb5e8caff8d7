#include "tunesmith/corpus_profile.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "tunesmith/errors.h"

namespace tunesmith {

namespace {

void add_events(const std::vector<Segment>& segments, std::vector<GainEvent>& events) {
  for (size_t i = 1; i < segments.size(); ++i)
    events.push_back({segments[i].from, segments[i - 1].candidate, segments[i].candidate});
}

}  // namespace

CorpusProfile::CorpusProfile(Lists lists, StatsMatrix stats, std::shared_ptr<const Scorer> scorer)
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

  // Transpose to columns, then sort each column's occurrences within their lists.
  column_offsets_.assign(features.width + 1, 0);
  for (int32_t column : features.columns) ++column_offsets_[column + 1];
  std::partial_sum(column_offsets_.begin(), column_offsets_.end(), column_offsets_.begin());
  occurrences_.resize(features.values.size());
  std::vector<int64_t> next(column_offsets_.begin(), column_offsets_.end() - 1);
  for (size_t row = 0; row < features.rows(); ++row)
    for (int64_t k = features.offsets[row]; k < features.offsets[row + 1]; ++k)
      occurrences_[next[features.columns[k]]++] = {features.values[k], static_cast<int32_t>(row)};
  for (size_t column = 0; column < features.width; ++column) {
    int64_t begin = column_offsets_[column];
    const int64_t end = column_offsets_[column + 1];
    while (begin < end) {
      const int64_t last_row = lists_.offsets[list_of_row_[occurrences_[begin].row] + 1];
      int64_t stop = begin;
      while (stop < end && occurrences_[stop].row < last_row) ++stop;
      std::sort(occurrences_.begin() + begin, occurrences_.begin() + stop,
                [](const Occurrence& a, const Occurrence& b) {
                  return a.value != b.value ? a.value < b.value : a.row < b.row;
                });
      begin = stop;
    }
  }
}

Profile CorpusProfile::along_axis(std::span<const double> scores, std::span<const int64_t> winners,
                                  size_t feature) const {
  check(scores);
  check_winners(winners);
  check_feature(feature);
  std::vector<double> base(stats_.width, 0.0);
  std::vector<GainEvent> events;
  std::vector<Line> lines;
  std::vector<Segment> segments;
  const auto add_to_base = [&](int64_t row) {
    for (size_t s = 0; s < stats_.width; ++s) base[s] += stats_.row(row)[s];
  };
  int64_t at = column_offsets_[feature];
  const int64_t end = column_offsets_[feature + 1];
  for (size_t list = 0; list < lists_.size(); ++list) {
    const int64_t first = lists_.offsets[list], stop = lists_.offsets[list + 1];
    if (at == end || occurrences_[at].row >= stop) {  // the feature does not occur in this list
      add_to_base(winners[list]);
      continue;
    }
    int64_t list_end = at;
    while (list_end < end && occurrences_[list_end].row < stop) ++list_end;

    // Of the candidates without the feature, all of slope zero, only the best can ever win.
    int64_t idle = -1;
    if (list_end - at < stop - first) {
      thread_local std::vector<char> has;
      has.assign(stop - first, 0);
      for (int64_t k = at; k < list_end; ++k) has[occurrences_[k].row - first] = 1;
      for (int64_t row = first; row < stop; ++row)
        if (!has[row - first] && (idle < 0 || scores[row] > scores[idle])) idle = row;
    }

    // Occurrences come by rising slope; of a run of equal slopes only the highest line counts.
    lines.clear();
    const auto add_line = [&](double slope, int64_t row) {
      if (!lines.empty() && lines.back().slope == slope) {
        Line& rival = lines.back();
        if (scores[row] > rival.intercept || (scores[row] == rival.intercept && row < rival.candidate))
          rival = {slope, scores[row], row};
      } else {
        lines.push_back({slope, scores[row], row});
      }
    };
    for (; at < list_end; ++at) {
      if (idle >= 0 && occurrences_[at].value >= 0) {
        add_line(0.0, idle);
        idle = -1;
      }
      add_line(occurrences_[at].value, occurrences_[at].row);
    }
    if (idle >= 0) add_line(0.0, idle);
    envelope_of_sorted(lines, segments);
    add_to_base(segments.front().candidate);
    add_events(segments, events);
  }
  return gain_profile(stats_, *scorer_, std::move(base), events);
}

Profile CorpusProfile::along(std::span<const double> scores, std::span<const double> slopes) const {
  check(scores);
  check(slopes);
  std::vector<double> base(stats_.width, 0.0);
  std::vector<GainEvent> events;
  std::vector<Segment> segments;
  for (size_t list = 0; list < lists_.size(); ++list) {
    const int64_t first = lists_.offsets[list];
    const auto size = static_cast<size_t>(lists_.offsets[list + 1] - first);
    envelope_by_walking(slopes.subspan(first, size), scores.subspan(first, size), first, segments);
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
    result[occurrences_[k].row] += length * occurrences_[k].value;
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

}  // namespace tunesmith
