// A weight file as it is mapped: for readers that go through it once, and need no table of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tunesmith/base/container.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/texts.h"
#include "tunesmith/weights/store.h"

namespace tunesmith::weights {

/// Views of the columns of a file that `write_weights` wrote, in the order of its features. Opening costs no
/// more than the container does; feature by feature, `check` detects what its checksums do not. Shared by
/// threads.
class WeightColumns {
 public:
  explicit WeightColumns(const std::string& path);

  const std::string& path() const { return file_.path(); }
  size_t size() const { return keys_.size(); }
  uint64_t key(size_t i) const { return keys_[i]; }
  double weight(size_t i) const { return weights_[i]; }
  double drift(size_t i) const { return drifts_[i]; }
  WeightRecord record(size_t i) const { return {weights_[i], rates_[i], drifts_[i], last_steps_[i]}; }
  /// To be called of checked features only.
  std::string_view name(size_t i) const { return names_[i]; }
  size_t name_bytes() const { return names_.blob.size(); }
  std::string_view about() const { return about_; }

  /// Throws InputError unless in [begin, end) names are UTF-8, keys are those of their names, and numbers are
  /// possible. A name that is repeated is for the caller to find, who has a table.
  void check(size_t begin, size_t end) const;
  /// The error of a name that is repeated.
  InputError repeated(size_t i) const;
  /// Gives the mapped pages back to the system; views stay valid.
  void release() const { file_.release(); }

 private:
  template <class T>
  std::span<const T> column(std::string_view name, size_t size) const;
  InputError damaged(const std::string& what) const;

  Container file_;
  std::span<const uint64_t> keys_;
  std::span<const double> weights_, rates_, drifts_;
  std::span<const int64_t> last_steps_;
  Texts names_;
  std::string_view about_;
};

}  // namespace tunesmith::weights
