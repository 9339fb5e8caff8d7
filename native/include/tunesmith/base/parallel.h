// Deterministic parallel loops: chunk boundaries do not depend on the number of threads, and callers reduce
// in chunk order, so that results do not either.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace tunesmith {

inline size_t chunk_count(size_t items, size_t chunk_size) { return (items + chunk_size - 1) / chunk_size; }

/// Calls body(chunk, begin, end) once per chunk of `chunk_size` items, on up to `threads` threads. Rethrows
/// the exception of the first chunk, in chunk order, that failed.
template <class Body>
void parallel_chunks(size_t items, size_t chunk_size, int threads, Body body) {
  const size_t chunks = chunk_count(items, chunk_size);
  std::vector<std::exception_ptr> failures(chunks);
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t chunk = next++; chunk < chunks; chunk = next++) {
      try {
        body(chunk, chunk * chunk_size, std::min(items, (chunk + 1) * chunk_size));
      } catch (...) {
        failures[chunk] = std::current_exception();
      }
    }
  };
  std::vector<std::jthread> helpers;
  for (size_t i = 1; i < std::min<size_t>(std::max(threads, 1), chunks); ++i) helpers.emplace_back(work);
  work();
  helpers.clear();
  for (auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tunesmith
