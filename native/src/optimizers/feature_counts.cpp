#include "tunesmith/optimizers/feature_counts.h"

#include <string_view>

namespace tunesmith::optimizers {

namespace {

bool is_of(std::string_view feature, std::string_view name) {
  return feature.starts_with(name) && (feature.size() == name.size() || feature[name.size()] == '_');
}

}  // namespace

std::vector<size_t> count_by_template(const weights::WeightStore& store,
                                      const std::vector<std::string>& templates) {
  std::vector<size_t> counts(templates.size() + 1);
  for (uint32_t number = 0; number < store.size(); ++number) {
    if (store.weight(number) == 0) continue;
    size_t owner = templates.size();
    for (size_t i = 0; i < templates.size(); ++i)
      if (is_of(store.name(number), templates[i]) &&
          (owner == templates.size() || templates[i].size() > templates[owner].size()))
        owner = i;
    ++counts[owner];
  }
  return counts;
}

}  // namespace tunesmith::optimizers
