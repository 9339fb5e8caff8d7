#include "tunesmith/base/huge_array.h"

#include <sys/mman.h>

#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith {

void* allocate_huge(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw InputError("cannot allocate " + std::to_string(bytes) + " bytes of memory");
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: failure only costs speed
#endif
  return memory;
}

void release_huge(void* memory, size_t bytes) noexcept { munmap(memory, bytes); }

}  // namespace tunesmith
