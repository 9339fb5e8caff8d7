#include "tunesmith/candidates/builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::candidates {

namespace {

void check_finite(double value, const std::string& what) {
  if (std::isfinite(value)) return;
  std::string shown;
  append_number(value, shown);
  throw InputError(what + " is " + shown + "; expected a finite number");
}

/// Throws unless all or none of the `closed` candidates or sentences have a part; `entries` of them do.
void check_all_or_none(size_t entries, size_t closed, const char* owners, const std::string& what) {
  if (entries != 0 && entries != closed)
    throw InputError("some " + std::string(owners) + " have a " + what +
                     " and some, here or before, have none; expected all or none to have it");
}

}  // namespace

void PoolBuilder::add_total(double total) {
  check_finite(total, "the total");
  arrays_.totals.push_back(total);
}

void PoolBuilder::add_score(std::string_view name, double score) {
  check_finite(score, "score " + quoted(name));
  const auto index = static_cast<size_t>(arrays_.score_names.intern(name));
  if (index == arrays_.scores.size()) arrays_.scores.emplace_back();
  if (arrays_.scores[index].size() > candidates())
    throw InputError("score " + quoted(name) + " is repeated in one candidate");
  arrays_.scores[index].push_back(score);
}

int32_t PoolBuilder::column(std::string_view name) {
  if (position_ < order_.size() && arrays_.names[order_[position_]] == name) return order_[position_];
  return arrays_.names.intern(name);
}

int32_t PoolBuilder::new_column(std::string_view name) {
  if (arrays_.names.find(name) != NameTable::kUnknown)
    throw InputError("two features are named " + quoted(name));
  return arrays_.names.intern(name);
}

void PoolBuilder::add_feature(int32_t column, double value) {
  if (!std::isfinite(value)) check_finite(value, "feature " + quoted(arrays_.names[column]));
  append_feature(column, value);
}

void PoolBuilder::add_missing(std::string_view name) {
  append_feature(column(name), std::numeric_limits<double>::quiet_NaN());
}

void PoolBuilder::append_feature(int32_t column, double value) {
  if (position_ > 0 && column <= order_[position_ - 1]) rising_ = false;
  if (position_ < order_.size())
    order_[position_] = column;
  else
    order_.push_back(column);
  ++position_;
  arrays_.columns.push_back(column);
  arrays_.values.push_back(value);
}

void PoolBuilder::end_candidate() {
  if (!rising_) sort_features(static_cast<size_t>(arrays_.offsets.back()));
  arrays_.offsets.push_back(static_cast<int64_t>(arrays_.values.size()));
  order_.resize(position_);
  position_ = 0;
  rising_ = true;
  check_all_or_none(arrays_.texts.size(), candidates(), "candidates", "text");
  check_all_or_none(arrays_.totals.size(), candidates(), "candidates", "total");
  for (size_t i = 0; i < arrays_.scores.size(); ++i)
    if (arrays_.scores[i].size() != candidates())
      check_all_or_none(arrays_.scores[i].size(), candidates(), "candidates",
                        "score " + quoted(arrays_.score_names[static_cast<int32_t>(i)]));
}

void PoolBuilder::sort_features(size_t begin) {
  row_.clear();
  for (size_t k = begin; k < arrays_.values.size(); ++k)
    row_.emplace_back(arrays_.columns[k], arrays_.values[k]);
  std::sort(row_.begin(), row_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < row_.size(); ++i) {
    if (i > 0 && row_[i].first == row_[i - 1].first)
      throw InputError("feature " + quoted(arrays_.names[row_[i].first]) + " is repeated in one candidate");
    arrays_.columns[begin + i] = row_[i].first;
    arrays_.values[begin + i] = row_[i].second;
  }
}

void PoolBuilder::add_references(const std::vector<std::string_view>& texts) {
  if (lists() == 0) arrays_.references.resize(texts.size());
  if (texts.size() != arrays_.references.size())
    throw InputError("this sentence has " + std::to_string(texts.size()) +
                     " references, but those before it have " + std::to_string(arrays_.references.size()));
  for (size_t i = 0; i < texts.size(); ++i) arrays_.references[i].add(texts[i]);
}

void PoolBuilder::end_list(std::string_view id) {
  if (static_cast<int64_t>(candidates()) == arrays_.lists.back())
    throw InputError("sentence " + quoted(id) + " has no candidates");
  if (has_list(id)) throw InputError("sentence " + quoted(id) + " is there twice");
  arrays_.ids.intern(id);
  arrays_.lists.push_back(static_cast<int64_t>(candidates()));
  check_all_or_none(arrays_.sources.size(), lists(), "sentences", "source");
  for (const auto& reference : arrays_.references)
    check_all_or_none(reference.size(), lists(), "sentences", "reference");
}

PoolArrays PoolBuilder::take() { return std::move(arrays_); }

}  // namespace tunesmith::candidates
