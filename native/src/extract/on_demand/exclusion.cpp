#include "tunesmith/extract/on_demand/exclusion.h"

#include <algorithm>
#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::extract::on_demand {

ExcludedText::ExcludedText(std::span<const uint32_t> starts, std::span<const int64_t> sentences) {
  const auto count = static_cast<int64_t>(starts.size()) - 1;
  for (const int64_t sentence : sentences) {
    if (sentence < 0 || sentence >= count)
      throw InputError("sentence " + std::to_string(sentence) +
                       " cannot be excluded: there are sentences 0 to " + std::to_string(count - 1));
    ranges_.push_back({starts[static_cast<size_t>(sentence)], starts[static_cast<size_t>(sentence) + 1]});
  }
  normalize();
}

bool ExcludedText::contains(uint32_t position) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), position,
                                      [](uint32_t p, const Range& range) { return p < range.begin; });
  return after != ranges_.begin() && position < std::prev(after)->end;
}

ExcludedText ExcludedText::joined(const ExcludedText& other) const {
  ExcludedText both = *this;
  both.ranges_.insert(both.ranges_.end(), other.ranges_.begin(), other.ranges_.end());
  both.normalize();
  return both;
}

void ExcludedText::normalize() {
  std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::vector<Range> apart;
  for (const Range& range : ranges_)
    if (apart.empty() || apart.back().end < range.begin)
      apart.push_back(range);
    else
      apart.back().end = std::max(apart.back().end, range.end);
  ranges_ = std::move(apart);
}

}  // namespace tunesmith::extract::on_demand
