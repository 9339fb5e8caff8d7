// Files mapped into memory, and the memory that a process need not keep resident.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

namespace tunesmith {

/// Maps an open file for reading, until the last owner is gone; none if the system refuses (errno says why).
std::optional<std::shared_ptr<const char>> map_pages(int file, size_t bytes);

/// Gives the resident pages of the mapped file that contains `address` back to the system, which maps them
/// again when they are read: views stay valid, in other threads too. Does nothing for other memory.
void release_pages(const void* address);

/// Gives back the pages of all mapped files, and the free memory of the heap. For a process that continues
/// with work of another kind, so that the memory of both does not add up.
void release_idle_memory();

}  // namespace tunesmith
