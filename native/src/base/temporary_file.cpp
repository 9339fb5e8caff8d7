#include "tunesmith/base/temporary_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tunesmith/base/errors.h"

namespace tunesmith {

namespace {

[[noreturn]] void fail(const std::string& folder, const char* what) {
  throw InputError(what + std::string(" a temporary file: ") + std::strerror(errno), folder);
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& folder) : folder_(folder) {
  std::string name = folder + "/.tunesmith.XXXXXX";
  file_ = mkstemp(name.data());
  if (file_ < 0) fail(folder_, "cannot create");
  unlink(name.c_str());
}

TemporaryFile::~TemporaryFile() { close(file_); }

uint64_t TemporaryFile::append(const void* data, size_t bytes) {
  const uint64_t begin = size_;
  const auto* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = pwrite(file_, at, bytes, static_cast<off_t>(size_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(folder_, "cannot write");
    at += written;
    bytes -= static_cast<size_t>(written);
    size_ += static_cast<uint64_t>(written);
  }
  return begin;
}

void TemporaryFile::read(uint64_t begin, void* data, size_t bytes) const {
  auto* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = pread(file_, at, bytes, static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail(folder_, "cannot read");
    at += got;
    bytes -= static_cast<size_t>(got);
    begin += static_cast<uint64_t>(got);
  }
}

}  // namespace tunesmith
