// What a mixture reads: the weights of a shard, or those that all began with, in memory or in a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tunesmith/base/errors.h"
#include "tunesmith/weights/columns.h"
#include "tunesmith/weights/store.h"

namespace tunesmith::optimizers {

/// A store, which must outlive what reads it, or the path of a file of weights.
using WeightSource = std::variant<const weights::WeightStore*, std::string>;

/// Features in their order. A file is mapped when it is opened, and stays mapped: names are read last.
class MixtureSource {
 public:
  explicit MixtureSource(WeightSource source) : source_(std::move(source)) {}

  /// Bytes of the file; 0 of a store.
  uint64_t file_bytes() const;
  /// Maps a file, and verifies it; a file that is damaged or has no features is an InputError.
  void open();
  /// Calls `use(weights)` with the store or the columns of the file; they have the same names.
  template <class Use>
  auto visit(Use use) const {
    return columns_ ? use(*columns_) : use(*std::get<const weights::WeightStore*>(source_));
  }
  size_t size() const {
    return visit([](const auto& weights) { return weights.size(); });
  }
  std::string_view name(uint32_t number) const {
    return visit([&](const auto& weights) { return weights.name(number); });
  }
  /// See `WeightColumns`; a store needs none of them.
  void check(size_t begin, size_t end) const {
    if (columns_) columns_->check(begin, end);
  }
  void release() const {
    if (columns_) columns_->release();
  }
  /// The error of a feature that occurs twice.
  InputError repeated(uint32_t number) const;

 private:
  WeightSource source_;
  std::optional<weights::WeightColumns> columns_;
};

}  // namespace tunesmith::optimizers
