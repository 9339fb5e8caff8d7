// Different names with equal keys: improbable, and reported when two of them meet.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tunesmith::weights {

/// Pairs of names, the kept one first, each once, in the order in which they met.
class NameCollisions {
 public:
  void add(std::string_view kept, std::string_view other) {
    std::pair<std::string, std::string> met{kept, other};
    if (std::ranges::find(met_, met) == met_.end()) met_.push_back(std::move(met));
  }
  void add(const NameCollisions& others) {
    for (const auto& [kept, other] : others.met_) add(kept, other);
  }
  bool empty() const { return met_.empty(); }
  size_t size() const { return met_.size(); }
  const std::pair<std::string, std::string>& operator[](size_t i) const { return met_[i]; }
  const std::vector<std::pair<std::string, std::string>>& all() const { return met_; }

 private:
  std::vector<std::pair<std::string, std::string>> met_;
};

}  // namespace tunesmith::weights
