// Huge-page allocator for tables that are accessed at random, to avoid TLB misses.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace tunesmith {

/// Standard allocator that requests huge pages for arrays of at least two of them.
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
    if (large) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: failure only costs speed
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
