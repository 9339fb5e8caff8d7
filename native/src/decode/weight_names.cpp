#include "tunesmith/decode/weight_names.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace tunesmith::decode {

namespace {

bool belongs(std::string_view name, std::string_view of) {
  return name.starts_with(of) && (name.size() == of.size() || name[of.size()] == '_');
}

}  // namespace

std::vector<std::string> foreign_names(const DecoderModel& model, const weights::WeightStore& store,
                                       const std::vector<std::string>& templates, size_t most) {
  const std::unordered_set<std::string_view> columns(model.names().begin(), model.names().end());
  std::vector<std::string> foreign;
  for (uint32_t i = 0; i < store.size() && foreign.size() < most; ++i) {
    const std::string_view name = store.name(i);
    const auto owns = [&](const std::string& of) { return belongs(name, of); };
    if (!std::ranges::any_of(templates, owns) && !columns.contains(name)) foreign.emplace_back(name);
  }
  return foreign;
}

uint32_t first_above(const weights::WeightStore& store, double size) {
  for (uint32_t i = 0; i < store.size(); ++i)
    if (std::abs(store.weight(i)) > size) return i;
  return weights::WeightStore::kNone;
}

}  // namespace tunesmith::decode
