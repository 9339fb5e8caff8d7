#include "tunesmith/extract/rules/choice.h"

#include <algorithm>
#include <vector>

namespace tunesmith::extract::rules {

namespace {

/// Compares sorted (position, partner) pairs. At the first difference, the alignment with the earlier
/// position has the larger set there; at equal positions the larger partner decides; a proper prefix is less.
bool after(std::span<const corpus::Link> a, std::span<const corpus::Link> b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (i == b.size()) return true;
    if (a[i] == b[i]) continue;
    return a[i].source != b[i].source ? a[i].source < b[i].source : a[i].target > b[i].target;
  }
  return false;
}

std::vector<corpus::Link> turned(std::span<const corpus::Link> links) {
  std::vector<corpus::Link> result;
  for (const corpus::Link& link : links) result.push_back({link.target, link.source});
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

bool after_by_target(std::span<const corpus::Link> a, std::span<const corpus::Link> b) {
  return after(turned(a), turned(b));
}

bool after_by_source(std::span<const corpus::Link> a, std::span<const corpus::Link> b) { return after(a, b); }

}  // namespace tunesmith::extract::rules
