#include "tunesmith/objectives/plackett_luce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/softmax.h"

namespace tunesmith::objectives {

namespace {
constexpr double kNothing = -std::numeric_limits<double>::infinity();
}

void PlackettLuce::check(std::span<const int64_t> lists) const {
  check_offsets(offsets_, ranked_.size(), "ranked candidates");
  if (offsets_.size() != lists.size())
    throw InputError("ranks of " + std::to_string(offsets_.size() - 1) + " lists for " +
                     std::to_string(lists.size() - 1) + " lists");
  std::vector<int64_t> seen;
  for (size_t list = 0; list + 1 < lists.size(); ++list) {
    const auto rows = ranked(list);
    seen.assign(rows.begin(), rows.end());
    std::sort(seen.begin(), seen.end());
    if (!seen.empty() && (seen.front() < lists[list] || seen.back() >= lists[list + 1]))
      throw InputError("a ranked candidate is not of list " + std::to_string(list));
    if (std::adjacent_find(seen.begin(), seen.end()) != seen.end())
      throw InputError("a candidate of list " + std::to_string(list) + " is ranked twice");
  }
}

double PlackettLuce::at(size_t list, size_t first, std::span<const double> scores,
                        std::span<double> slopes) const {
  const auto top = ranked(list);
  // slopes[i] = exp(s_i - largest) of the unranked candidates, which are part of every Z_j.
  std::fill(slopes.begin(), slopes.end(), 1.0);
  for (int64_t row : top) slopes[row - first] = 0;
  double largest = kNothing, sum = 0;
  for (size_t i = 0; i < scores.size(); ++i)
    if (slopes[i] != 0) largest = std::max(largest, scores[i]);
  for (size_t i = 0; i < scores.size(); ++i)
    if (slopes[i] != 0) sum += slopes[i] = std::exp(scores[i] - largest);

  // log Z_j, from the last rank to the first: each adds one candidate to those ranked after it.
  std::vector<double> log_z(top.size());
  double behind = largest == kNothing ? kNothing : largest + std::log(sum), loss = 0;
  for (size_t j = top.size(); j-- > 0;) {
    const double score = scores[top[j] - first];
    log_z[j] = behind = log_add(behind, score);
    loss += behind - score;
  }

  // d loss / d s_i = exp(s_i) * sum_{j <= rank of i} 1 / Z_j, minus 1 for ranked candidates.
  std::vector<double>& log_inverse = log_z;
  double inverse = kNothing;
  for (double& value : log_inverse) value = inverse = log_add(inverse, -value);
  const double unranked = largest == kNothing ? 0 : std::exp(largest + inverse);
  for (double& slope : slopes) slope *= unranked;
  for (size_t j = 0; j < top.size(); ++j) {
    const size_t i = top[j] - first;
    slopes[i] = std::expm1(scores[i] + log_inverse[j]);
  }
  return loss;
}

}  // namespace tunesmith::objectives
