// Builds the forest of a search node by node.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/decode/column_sink.h"

namespace tunesmith::decode {

/// Owns the arrays of a forest while they grow. Its first features are the columns of the model; sparse
/// features get columns in order of appearance.
class ForestAssembly {
 public:
  explicit ForestAssembly(const DecoderModel& model);

  grammar::Symbol word(std::string_view word) { return words_.intern(word); }
  /// Records values of the rule or edge that is closed next.
  ColumnSink sink() { return {model_, values_}; }

  /// The symbols and links of the rule that is closed next are appended to the last rows.
  forest::ForestRules& rules() { return arrays_.rules; }
  /// Returns the number of the rule.
  uint32_t close_rule(int64_t id);
  void close_edge(std::span<const uint32_t> tails, uint32_t rule, Range span);
  /// Ends the in-edges of a node. Returns its number.
  uint32_t close_node();

  /// The forest; nothing may be added after it.
  std::shared_ptr<const forest::Forest> take();

 private:
  void close_features(Rows<FeatureValue>& rows);
  uint32_t sparse_column(uint32_t column);

  const DecoderModel& model_;
  forest::ForestArrays arrays_;
  NameTable words_, features_;
  std::unordered_map<uint32_t, uint32_t> sparse_columns_;  // model column to forest column
  std::vector<FeatureValue> values_;
};

}  // namespace tunesmith::decode
