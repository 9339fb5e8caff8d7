#include "tunesmith/metrics/banded_alignment.h"

#include <algorithm>
#include <cmath>

namespace tunesmith::metrics {

namespace {

constexpr int64_t kBeam = 25;
constexpr int32_t kFar = 1 << 30;  // the cost of a cell outside the band

}  // namespace

void BandedAlignment::add_row(size_t begin, size_t end) {
  rows_.push_back({begin, end, cells_.size()});
  cells_.resize(cells_.size() + (end - begin));
}

int32_t BandedAlignment::operator()(std::span<const int32_t> hypothesis, std::span<const int32_t> reference) {
  const size_t height = hypothesis.size(), width = reference.size();
  rows_.clear();
  cells_.clear();
  add_row(0, width + 1);
  for (size_t j = 0; j <= width; ++j) cells_[j] = {int32_t(j), EditOp::skip_reference};

  const double slope = height == 0 ? 1 : double(width) / double(height);
  // A steep diagonal would jump out of the previous row's band.
  const int64_t beam = kBeam < slope / 2 ? int64_t(std::ceil(slope / 2 + kBeam)) : kBeam;
  for (size_t i = 1; i <= height; ++i) {
    const auto diagonal = int64_t(std::floor(double(i) * slope));
    const auto begin = size_t(std::max<int64_t>(0, diagonal - beam));
    const size_t end = i == height ? width + 1 : std::min(width + 1, size_t(diagonal + beam));
    add_row(begin, end);
    const Row above = rows_[i - 1], row = rows_[i];
    const Cell* previous = cells_.data() + above.at;
    Cell* current = cells_.data() + row.at;
    const auto cost_above = [&](size_t j) {
      return j >= above.begin && j < above.end ? previous[j - above.begin].cost : kFar;
    };
    const int32_t word = hypothesis[i - 1];
    for (size_t j = begin; j < end; ++j) {
      Cell best{cost_above(j) + 1, EditOp::skip_hypothesis};
      if (j > 0) {
        const bool same = word == reference[j - 1];
        const int32_t diagonal_cost = cost_above(j - 1) + (same ? 0 : 1);
        if (diagonal_cost <= best.cost) best = {diagonal_cost, same ? EditOp::match : EditOp::substitute};
        const int32_t left_cost = j > begin ? current[j - 1 - begin].cost + 1 : kFar;
        if (left_cost < best.cost) best = {left_cost, EditOp::skip_reference};
      }
      current[j - begin] = best;
    }
  }
  return cells_.back().cost;
}

void BandedAlignment::trace() {
  size_t i = rows_.size() - 1, j = rows_[0].end - 1;
  hypothesis_errors_.assign(i, 1);
  reference_errors_.assign(j, 1);
  aligned_.assign(j, -1);
  while (i > 0 || j > 0) {
    const EditOp op = cells_[rows_[i].at + (j - rows_[i].begin)].op;
    if (op == EditOp::skip_hypothesis) {
      --i;
      continue;
    }
    aligned_[--j] = int32_t(i) - 1;
    if (op == EditOp::skip_reference) continue;
    --i;
    if (op == EditOp::match) hypothesis_errors_[i] = reference_errors_[j] = 0;
  }
}

}  // namespace tunesmith::metrics
