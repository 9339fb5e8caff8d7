// A whitelist of sparse features: the only ones that a template gives.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/decode/feature.h"

namespace tunesmith::decode::features {

/// The keys of the allowed names. Immutable, shared by threads.
class NameFilter {
 public:
  explicit NameFilter(const std::vector<std::string>& names) {
    for (const std::string& name : names) keys_.insert(weights::key_of(name), 1);
  }
  bool admits(uint64_t key) const { return keys_.find(key) != nullptr; }

 private:
  FlatMap<char> keys_;
};

/// Null admits everything.
using Whitelist = std::shared_ptr<const NameFilter>;

inline bool admits(const Whitelist& only, uint64_t key) { return !only || only->admits(key); }

inline void add(FeatureSink& sink, const Whitelist& only, const weights::FeatureName& name, float value = 1) {
  if (admits(only, name.key)) sink.add(name, value);
}

}  // namespace tunesmith::decode::features
