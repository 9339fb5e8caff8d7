#include "tunesmith/base/scratch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "tunesmith/base/errors.h"

namespace tunesmith {

namespace {

constexpr size_t kPending = 1 << 18;

[[noreturn]] void fail(const std::string& folder, int reason) {
  throw InputError(std::string("cannot write temporary files: ") + std::strerror(reason) +
                       "; give another folder, or more memory",
                   folder);
}

int open_nameless(const std::string& folder) {
  std::string name = folder + "/.tunesmith-XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) fail(folder, errno);
  unlink(name.c_str());
  return file;
}

}  // namespace

Scratch::~Scratch() {
  unmap();
  if (file_ >= 0) close(file_);
}

Scratch::Scratch(Scratch&& other) noexcept { *this = std::move(other); }

Scratch& Scratch::operator=(Scratch&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(folder_, other.folder_);
  std::swap(file_, other.file_);
  std::swap(size_, other.size_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

void Scratch::move_to_disk(const std::string& folder) {
  if (on_disk()) return;
  folder_ = folder;
  file_ = open_nameless(folder);
  flush();
}

void Scratch::append(std::string_view bytes) {
  memory_.insert(memory_.end(), bytes.begin(), bytes.end());
  size_ += bytes.size();
  if (on_disk() && memory_.size() >= kPending) flush();
}

void Scratch::flush() {
  for (size_t done = 0; done < memory_.size();) {
    const ssize_t wrote = ::write(file_, memory_.data() + done, memory_.size() - done);
    if (wrote < 0 && errno != EINTR) fail(folder_, errno);
    if (wrote > 0) done += static_cast<size_t>(wrote);
  }
  std::vector<char>().swap(memory_);
}

void Scratch::unmap() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
  mapping_ = nullptr;
}

std::string_view Scratch::view() {
  if (!on_disk()) return {memory_.data(), memory_.size()};
  flush();
  if (size_ == 0) return {};
  if (mapping_ == nullptr || mapped_ != size_) {
    unmap();
    void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (memory == MAP_FAILED) fail(folder_, errno);
    mapping_ = memory;
    mapped_ = size_;
  }
  return {static_cast<const char*>(mapping_), size_};
}

std::span<char> Scratch::allocate(size_t bytes) {
  clear();
  size_ = bytes;
  if (!on_disk()) {
    memory_.assign(bytes, 0);
    return memory_;
  }
  // Reserves the space now: a mapped page without disk space would kill the process (SIGBUS).
  if (bytes > 0)
    if (const int reason = posix_fallocate(file_, 0, static_cast<off_t>(bytes)); reason != 0)
      fail(folder_, reason);
  const std::string_view mapped = view();
  return {const_cast<char*>(mapped.data()), mapped.size()};
}

void Scratch::clear() {
  unmap();
  std::vector<char>().swap(memory_);
  size_ = 0;
  if (on_disk() && (ftruncate(file_, 0) != 0 || lseek(file_, 0, SEEK_SET) != 0)) fail(folder_, errno);
}

}  // namespace tunesmith
