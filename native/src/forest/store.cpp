#include "tunesmith/forest/store.h"

#include <cmath>
#include <string>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/edge_features.h"

namespace tunesmith::forest {

ForestStore::ForestStore(size_t width, uint64_t memory_limit, std::shared_ptr<const ForestFile> file)
    : width_(width), memory_limit_(memory_limit), file_(std::move(file)) {}

void ForestStore::add(std::shared_ptr<const Forest> forest, std::span<const int64_t> columns) {
  if (forest->empty())
    throw InputError("forest " + std::to_string(size()) + " is empty: no derivation was found");
  if (file_ && (size() >= file_->size() || forest->edge_count() != file_->edge_counts()[size()]))
    throw InputError("forest " + std::to_string(size()) +
                     " differs from the one in the file; expected the forests of the file in order");
  add_columns(*forest, columns);
  edge_offsets_.push_back(edge_offsets_.back() + forest->edge_count());
  const uint64_t bytes = forest->bytes();
  bytes_ += bytes;
  if (file_ && held_bytes_ + bytes > memory_limit_) {
    held_.emplace_back();
  } else {
    held_.push_back(std::move(forest));
    held_bytes_ += bytes;
  }
}

void ForestStore::add_columns(const Forest& forest, std::span<const int64_t> columns) {
  if (const auto known = known_names_.find(forest.shared_names()); known != known_names_.end()) {
    names_of_.push_back(known->second);
    return;
  }
  check_columns(forest, columns, width_);
  known_names_.emplace(forest.shared_names(), columns_.size());
  names_of_.push_back(columns_.size());
  columns_.emplace_back(columns.begin(), columns.end());
}

std::shared_ptr<const Forest> ForestStore::operator[](size_t number) const {
  if (held_[number]) return held_[number];
  return std::make_shared<const Forest>(file_->forest(number));
}

ForestStore::NamedWeights::NamedWeights(const ForestStore& store, std::span<const double> weights)
    : store_(store), of_names_(store.columns_.size()) {
  if (weights.size() != store.width_)
    throw InputError(std::to_string(weights.size()) + " weights for " + std::to_string(store.width_) +
                     " features");
  for (size_t i = 0; i < weights.size(); ++i)
    if (!std::isfinite(weights[i]))
      throw InputError("weight " + std::to_string(i) + " is " + std::to_string(weights[i]) +
                       "; expected a finite number");
  for (size_t names = 0; names < of_names_.size(); ++names)
    for (const uint32_t column : store.columns_[names]) of_names_[names].push_back(weights[column]);
}

}  // namespace tunesmith::forest
