#include "tunesmith/weights/columns.h"

#include <cmath>

#include "tunesmith/base/quote.h"
#include "tunesmith/base/text.h"
#include "tunesmith/weights/file.h"

namespace tunesmith::weights {

WeightColumns::WeightColumns(const std::string& path)
    : file_(path, kWeightsKind, kWeightsVersion),
      keys_(file_.section<uint64_t>("keys")),
      weights_(column<double>("weights", keys_.size())),
      rates_(column<double>("rates", keys_.size())),
      drifts_(column<double>("drifts", keys_.size())),
      last_steps_(column<int64_t>("last_steps", keys_.size())),
      names_{file_.section<char>("names"), column<int64_t>("name_offsets", keys_.size() + 1)} {
  const auto about = file_.section<char>("about");
  about_ = {about.data(), about.size()};
  if (keys_.size() >= WeightStore::kNone) throw damaged("it has more than 2^32 - 1 features");
  if (names_.offsets.front() != 0 || names_.offsets.back() != static_cast<int64_t>(names_.blob.size()))
    throw damaged("the offsets of its names do not fit their text");
  file_.release();  // pages that verification touched would add to the memory of the reader
}

template <class T>
std::span<const T> WeightColumns::column(std::string_view name, size_t size) const {
  const auto values = file_.section<T>(name);
  if (values.size() != size)
    throw damaged("its section " + quoted(name) + " has " + std::to_string(values.size()) + " values for " +
                  std::to_string(size) + " features");
  return values;
}

void WeightColumns::check(size_t begin, size_t end) const {
  const auto bytes = static_cast<int64_t>(names_.blob.size());
  for (size_t i = begin; i < end; ++i) {
    if (names_.offsets[i] < 0 || names_.offsets[i] > names_.offsets[i + 1] || names_.offsets[i + 1] > bytes)
      throw damaged("the name of feature " + std::to_string(i) + " lies outside of its names");
    const std::string_view name = names_[i];
    if (find_invalid_utf8(name) != std::string_view::npos)
      throw damaged("the name of feature " + std::to_string(i) + " is not UTF-8");
    if (key_of(name) != keys_[i]) throw damaged("the key of " + quoted(name) + " is not that of its name");
    if (!std::isfinite(weights_[i]) || !std::isfinite(rates_[i]) || !std::isfinite(drifts_[i]) ||
        rates_[i] < 0 || last_steps_[i] < 0)
      throw damaged("the weight of " + quoted(name) + " or its rate, drift or last step is not possible");
  }
}

InputError WeightColumns::repeated(size_t i) const {
  return damaged("the feature " + quoted(name(i)) + " is repeated");
}

InputError WeightColumns::damaged(const std::string& what) const { return {"is damaged: " + what, path()}; }

}  // namespace tunesmith::weights
