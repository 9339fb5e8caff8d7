// Large arrays on huge pages, so that random access causes fewer TLB misses.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace tunesmith {

/// Zeroed memory on huge pages if the system grants them; pages become resident when first touched. Throws
/// InputError if the allocation fails.
void* allocate_huge(size_t bytes);
void release_huge(void* memory, size_t bytes) noexcept;

/// A page-aligned array of fixed size, zeroed.
template <class T>
class HugeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  HugeArray() = default;
  explicit HugeArray(size_t size)
      : values_(size == 0 ? nullptr : static_cast<T*>(allocate_huge(size * sizeof(T)))), size_(size) {}
  HugeArray(HugeArray&& other) noexcept { swap(other); }
  HugeArray& operator=(HugeArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~HugeArray() {
    if (values_ != nullptr) release_huge(values_, size_ * sizeof(T));
  }

  size_t size() const { return size_; }
  T* data() { return values_; }
  T& operator[](size_t i) { return values_[i]; }
  const T& operator[](size_t i) const { return values_[i]; }
  std::span<const T> view() const { return {values_, size_}; }

 private:
  void swap(HugeArray& other) noexcept {
    std::swap(values_, other.values_);
    std::swap(size_, other.size_);
  }

  T* values_ = nullptr;
  size_t size_ = 0;
};

}  // namespace tunesmith
