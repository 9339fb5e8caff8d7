// Memory for tables that are read in no order: on large pages, so that finding a page is not the work.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace tunesmith {

/// An allocator that asks the system for large pages where an array fills several.
template <class T>
struct HugePages {
  using value_type = T;
  static constexpr size_t kPage = size_t{1} << 21;

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}

  T* allocate(size_t n) {
    if (n > static_cast<size_t>(-1) / sizeof(T) - kPage) throw std::bad_array_new_length();
    const bool large = n * sizeof(T) >= 2 * kPage;
    const size_t alignment = large ? kPage : 64;
    const size_t bytes = (n * sizeof(T) + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, bytes);
    if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (large) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: nothing depends on its being granted
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { std::free(memory); }

  template <class U>
  friend bool operator==(const HugePages&, const HugePages<U>&) {
    return true;
  }
};

template <class T>
using HugeVector = std::vector<T, HugePages<T>>;

}  // namespace tunesmith
