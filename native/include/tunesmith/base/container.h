// Containers: memory-mapped binary files of named arrays, with kind, version and checksums in a header.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tunesmith/base/checksum.h"

namespace tunesmith {

/// Element type of a section; the values are part of the file format.
enum class Element : uint32_t {
  kByte = 1,
  kInt32 = 2,
  kInt64 = 3,
  kUint16 = 4,
  kUint32 = 5,
  kUint64 = 6,
  kFloat32 = 7,
  kFloat64 = 8,
  kRecord = 9,  // a trivially copyable struct; its size is checked
};

template <class T>
constexpr Element element_of() {
  if constexpr (std::is_same_v<T, char> || std::is_same_v<T, uint8_t>) return Element::kByte;
  if constexpr (std::is_same_v<T, int32_t>) return Element::kInt32;
  if constexpr (std::is_same_v<T, int64_t>) return Element::kInt64;
  if constexpr (std::is_same_v<T, uint16_t>) return Element::kUint16;
  if constexpr (std::is_same_v<T, uint32_t>) return Element::kUint32;
  if constexpr (std::is_same_v<T, uint64_t>) return Element::kUint64;
  if constexpr (std::is_same_v<T, float>) return Element::kFloat32;
  if constexpr (std::is_same_v<T, double>) return Element::kFloat64;
  return Element::kRecord;
}

struct Section {
  char name[32] = {};
  Element element = Element::kByte;
  uint32_t element_size = 1;
  uint64_t begin = 0;  // in bytes, from the start of the file; a multiple of 64
  uint64_t bytes = 0;
  uint64_t checksum = 0;
};

/// Writes a container to a temporary file that `finish` renames to `path`; without `finish` it is removed.
/// A section is added whole, or opened and then appended to.
class ContainerWriter {
 public:
  /// `kind` has at most 8 bytes.
  ContainerWriter(const std::string& path, std::string_view kind, uint32_t version);
  ~ContainerWriter();
  ContainerWriter(const ContainerWriter&) = delete;
  ContainerWriter& operator=(const ContainerWriter&) = delete;

  template <class T>
  void add(std::string_view name, std::span<const T> values) {
    open<T>(name);
    append(values);
  }
  template <class T>
  void add(std::string_view name, const std::vector<T>& values) {
    add(name, std::span<const T>(values));
  }
  /// Begins a section; later `append` calls add to it.
  template <class T>
  void open(std::string_view name) {
    static_assert(std::is_trivially_copyable_v<T>);
    open_section(name, element_of<T>(), sizeof(T));
  }
  template <class T>
  void append(std::span<const T> values) {
    append_bytes(values.data(), values.size_bytes(), element_of<T>(), sizeof(T));
  }
  void open_section(std::string_view name, Element element, uint32_t element_size);
  void append_bytes(const void* data, size_t bytes, Element element, uint32_t element_size);

  void finish();

 private:
  void write(const void* data, size_t bytes);
  void close_section();

  std::string path_, target_, temporary_;  // target_: path_ with symbolic links resolved
  std::string kind_;
  uint32_t version_;
  std::FILE* file_ = nullptr;
  uint64_t position_ = 0;
  std::vector<Section> sections_;
  Checksum checksum_;  // of the open section
};

/// When the sections of a file are compared with their checksums as it is opened.
enum class Verification {
  kIfChanged,  // unless the same file was verified before and is unchanged (base/verified_files.h)
  kAlways,
  kNever,  // the reader compares checksums of its own when it uses a part
};

/// A container mapped into memory. Views of its sections are valid for its lifetime.
class Container {
 public:
  /// A file that is missing, not a container, of another kind or version, truncated, or damaged as far as it
  /// is verified, is an InputError. `in_memory` reads the file into private memory on huge pages instead of
  /// mapping it.
  Container(const std::string& path, std::string_view kind, uint32_t version, bool in_memory = false,
            Verification verification = Verification::kIfChanged);

  template <class T>
  std::span<const T> section(std::string_view name) const {
    const Section& found = find(name, element_of<T>(), sizeof(T));
    return {reinterpret_cast<const T*>(data() + found.begin), found.bytes / sizeof(T)};
  }
  bool has(std::string_view name) const;
  const std::vector<Section>& sections() const { return sections_; }
  const char* data() const { return mapping_.get(); }
  size_t bytes() const { return bytes_; }
  const std::string& path() const { return path_; }

  /// Gives mapped pages back to the system, which reads them again from the file when they are used; for a
  /// reader that copies a large file. Does nothing if the file was read into memory.
  void release() const;

  /// Reads the whole file; a section with a wrong checksum is an InputError.
  void verify() const;

 private:
  void check_sections(uint64_t end) const;
  const Section& find(std::string_view name, Element element, uint32_t element_size) const;

  std::string path_;
  size_t bytes_ = 0;
  bool is_mapped_ = true;
  std::shared_ptr<const char> mapping_;
  std::vector<Section> sections_;
};

/// The kind in a file's header; "" if the file is not a container.
std::string container_kind(const std::string& path);

}  // namespace tunesmith
