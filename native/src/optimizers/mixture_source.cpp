#include "tunesmith/optimizers/mixture_source.h"

#include <filesystem>

#include "tunesmith/base/quote.h"

namespace tunesmith::optimizers {

uint64_t MixtureSource::file_bytes() const {
  const auto* path = std::get_if<std::string>(&source_);
  std::error_code failed;
  const auto bytes = path == nullptr ? 0 : std::filesystem::file_size(*path, failed);
  return failed ? 0 : bytes;  // `open` says why
}

void MixtureSource::open() {
  const auto* path = std::get_if<std::string>(&source_);
  if (path == nullptr) return;
  columns_.emplace(*path);
  if (columns_->size() == 0) throw InputError("no weights in this file", *path);
}

InputError MixtureSource::repeated(uint32_t number) const {
  return columns_ ? columns_->repeated(number)
                  : InputError("the feature " + quoted(name(number)) + " is repeated");
}

}  // namespace tunesmith::optimizers
