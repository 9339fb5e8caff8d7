#include "tunesmith/base/mapped_files.h"

#include <sys/mman.h>

#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tunesmith {

namespace {

/// The files that are mapped now: begin and size.
struct Mappings {
  std::mutex mutex;
  std::map<const char*, size_t> sizes;
};

/// Never destroyed: owners of mappings may outlive static objects.
Mappings& mappings() {
  static auto* all = new Mappings;
  return *all;
}

void release(const char* begin, size_t bytes) {
  madvise(const_cast<char*>(begin), bytes, MADV_DONTNEED);  // a hint: failure only costs memory
}

void unmap(const char* begin, size_t bytes) {
  Mappings& all = mappings();
  const std::scoped_lock lock(all.mutex);  // so that nobody releases what is mapped there next
  all.sizes.erase(begin);
  munmap(const_cast<char*>(begin), bytes);
}

}  // namespace

std::optional<std::shared_ptr<const char>> map_pages(int file, size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return std::nullopt;
  const auto* begin = static_cast<const char*>(memory);
  Mappings& all = mappings();
  const std::scoped_lock lock(all.mutex);
  all.sizes[begin] = bytes;
  return std::shared_ptr<const char>(begin, [bytes](const char* p) { unmap(p, bytes); });
}

void release_pages(const void* address) {
  Mappings& all = mappings();
  const std::scoped_lock lock(all.mutex);
  const auto after = all.sizes.upper_bound(static_cast<const char*>(address));
  if (after == all.sizes.begin()) return;
  const auto& [begin, bytes] = *std::prev(after);
  if (static_cast<const char*>(address) < begin + bytes) release(begin, bytes);
}

void release_idle_memory() {
  {
    Mappings& all = mappings();
    const std::scoped_lock lock(all.mutex);
    for (const auto& [begin, bytes] : all.sizes) release(begin, bytes);
  }
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace tunesmith
