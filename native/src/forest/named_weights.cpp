#include "tunesmith/forest/named_weights.h"

#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::forest {

ColumnWeights::ColumnWeights(const NamedWeights& weights)
    : weights_(weights.values), missing_(weights.missing) {
  for (size_t i = 0; i < weights.names.size(); ++i)
    if (static_cast<size_t>(table_.intern(weights.names[i])) != i)
      throw InputError("the feature " + quoted(weights.names[i]) + " has two weights");
  if (weights_.size() != table_.size())
    throw InputError(std::to_string(table_.size()) + " names for " + std::to_string(weights_.size()) +
                     " weights");
}

const std::vector<double>& ColumnWeights::of(const Forest& forest) {
  const auto [known, added] = by_names_.try_emplace(&forest.names());
  if (added) {
    const TextColumn& names = forest.names().features;
    for (size_t column = 0; column < names.size(); ++column) {
      const int32_t number = table_.find(names[column]);
      if (number == NameTable::kUnknown && !missing_)
        throw InputError("the feature " + quoted(names[column]) + " has no weight");
      known->second.push_back(number == NameTable::kUnknown ? *missing_
                                                            : weights_[static_cast<size_t>(number)]);
    }
  }
  return known->second;
}

}  // namespace tunesmith::forest
