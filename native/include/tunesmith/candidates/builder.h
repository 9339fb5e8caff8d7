// Builds the arrays of a pool, one candidate at a time.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "tunesmith/base/name_table.h"

namespace tunesmith::candidates {

/// The arrays of a pool. Texts, totals, scores, sources and references are empty if absent.
struct PoolArrays {
  NameTable ids;
  std::vector<int64_t> lists{0};
  TextColumn texts;
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  std::vector<double> values;
  NameTable names;
  std::vector<double> totals;
  NameTable score_names;
  std::vector<std::vector<double>> scores;
  TextColumn sources;
  std::vector<TextColumn> references;
};

/// end_candidate closes a candidate, end_list a list. Text, total and each score must be present in all
/// candidates or in none; likewise source and references in all lists or in none.
class PoolBuilder {
 public:
  size_t candidates() const { return arrays_.offsets.size() - 1; }
  size_t lists() const { return arrays_.lists.size() - 1; }
  const NameTable& names() const { return arrays_.names; }
  bool has_list(std::string_view id) const { return arrays_.ids.find(id) != NameTable::kUnknown; }

  void add_text(std::string_view text) { arrays_.texts.add(text); }
  void add_total(double total);
  void add_score(std::string_view name, double score);
  void add_feature(int32_t column, double value);
  void add_feature(std::string_view name, double value) { add_feature(column(name), value); }
  /// A feature whose value is unknown: NaN.
  void add_missing(std::string_view name);
  /// Closes a candidate and sorts its features by column; a repeated feature is an InputError.
  void end_candidate();

  void add_source(std::string_view source) { arrays_.sources.add(source); }
  void add_references(const std::vector<std::string_view>& texts);
  /// Closes a list; an empty list or a repeated id is an InputError.
  void end_list(std::string_view id);

  /// The column of a feature. Most candidates repeat the features of the previous one in the same order, so
  /// that order is tried before the hash table.
  int32_t column(std::string_view name);
  /// The column of a feature that must be new.
  int32_t new_column(std::string_view name);

  PoolArrays take();

 private:
  void append_feature(int32_t column, double value);
  void sort_features(size_t begin);

  PoolArrays arrays_;
  std::vector<int32_t> order_;  // columns of the previous candidate, in input order
  size_t position_ = 0;
  bool rising_ = true;
  std::vector<std::pair<int32_t, double>> row_;
};

}  // namespace tunesmith::candidates
