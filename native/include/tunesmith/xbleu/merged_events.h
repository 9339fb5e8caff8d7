// Events of an instance with equal features, as one.
#pragma once

#include <map>
#include <vector>

#include "tunesmith/base/rows.h"
#include "tunesmith/xbleu/event_features.h"

namespace tunesmith::xbleu {

/// Events of a sentence with equal features share a number; those without features have none.
class MergedEvents {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  MergedEvents(const ListView& list, EventFeatures& features)
      : MergedEvents(list.source, list.events, features) {}
  MergedEvents(std::span<const uint32_t> source, std::span<const Event> events, EventFeatures& features) {
    std::map<std::vector<uint32_t>, uint32_t> known;
    std::vector<uint32_t> row;
    for (const Event& event : events) {
      row.clear();
      features.append(source, event, row);
      if (row.empty()) {
        numbers_.push_back(kNone);
        continue;
      }
      const auto [found, is_new] = known.emplace(row, static_cast<uint32_t>(rows_.size()));
      if (is_new) rows_.add(row);
      numbers_.push_back(found->second);
    }
  }
  uint32_t number(size_t event) const { return numbers_[event]; }
  size_t size() const { return rows_.size(); }
  std::span<const uint32_t> features(size_t number) const { return rows_[number]; }

 private:
  std::vector<uint32_t> numbers_;
  Rows<uint32_t> rows_;
};

}  // namespace tunesmith::xbleu
