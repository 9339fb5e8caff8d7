#include "tunesmith/base/container.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/huge_array.h"
#include "tunesmith/base/mapped_files.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/base/temporary_name.h"
#include "tunesmith/base/text.h"
#include "tunesmith/base/verified_files.h"

namespace tunesmith {

namespace {

constexpr char kMagic[8] = {'T', 'U', 'N', 'E', 'S', 'M', 'T', 'H'};
constexpr uint32_t kByteOrder = 0x01020304;
constexpr uint64_t kAlignment = 64;

struct Header {
  char magic[8] = {};
  char kind[8] = {};
  uint32_t version = 0;
  uint32_t byte_order = 0;
  uint64_t file_bytes = 0;
  uint64_t table_begin = 0;
  uint64_t table_sections = 0;
  uint64_t table_checksum = 0;
  uint64_t unused = 0;
};
static_assert(sizeof(Header) == kAlignment);

template <size_t N>
std::string_view trimmed(const char (&text)[N]) {
  return {text, static_cast<size_t>(std::find(text, text + N, '\0') - text)};
}

uint64_t checksum_of(const void* data, size_t bytes) {
  Checksum checksum;
  checksum.update(data, bytes);
  return checksum.value();
}

[[noreturn]] void fail(const std::string& path, const std::string& what) { throw InputError(what, path); }

[[noreturn]] void fail_errno(const std::string& path, const std::string& what) {
  fail(path, what + ": " + std::strerror(errno));
}

/// The target of a symbolic link, which need not exist; any other path itself.
std::string follow_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // the limit of Linux; more are taken for a cycle
  std::filesystem::path at = path;
  std::error_code ignored;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(at, ignored); ++i)
    at = at.parent_path() / std::filesystem::read_symlink(at, ignored);
  return at.string();
}

/// Reads all bytes of an open file.
std::shared_ptr<const char> read_file(const std::string& path, int file, size_t bytes) {
  std::shared_ptr<char> memory(static_cast<char*>(allocate_huge(bytes)),
                               [bytes](char* p) { release_huge(p, bytes); });
  for (size_t done = 0; done < bytes;) {
    const ssize_t count = read(file, memory.get() + done, bytes - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(path, "cannot read");
    if (count == 0) fail(path, "became shorter while it was read");
    done += static_cast<size_t>(count);
  }
  return memory;
}

std::shared_ptr<const char> map_file(const std::string& path, int file, size_t bytes) {
  auto mapping = map_pages(file, bytes);
  if (!mapping) fail_errno(path, "cannot map");
  return *std::move(mapping);
}

/// A file open for reading, closed at the end of the scope.
struct OpenFile {
  explicit OpenFile(const std::string& path) : number(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number < 0) fail_errno(path, "cannot open");
  }
  ~OpenFile() { close(number); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int number;
};

/// The bytes of a file, mapped or read; released with the last owner.
std::shared_ptr<const char> load_file(const std::string& path, struct stat& status, bool in_memory) {
  // Checked before opening: opening a pipe would block until it has a writer.
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    fail(path, "is not a regular file; a binary model file is mapped, so it cannot be a pipe or a folder");
  const OpenFile file(path);
  if (fstat(file.number, &status) != 0) fail_errno(path, "cannot open");
  const auto bytes = static_cast<size_t>(status.st_size);
  if (bytes < sizeof(Header)) fail(path, "is not a Tunesmith binary file, or is truncated: it is too short");
  return in_memory ? read_file(path, file.number, bytes) : map_file(path, file.number, bytes);
}

}  // namespace

ContainerWriter::ContainerWriter(const std::string& path, std::string_view kind, uint32_t version)
    : path_(path),
      target_(follow_links(path)),
      temporary_(temporary_name(target_)),
      kind_(kind),
      version_(version) {
  if (kind.size() > sizeof(Header::kind))
    throw InputError("the kind of a container has at most 8 characters");
  struct stat status{};
  if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode))  // renaming would replace a device
    fail(path_,
         "is not a regular file; a binary model file is renamed into place, so it cannot be written there");
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (file_ == nullptr) fail_errno(path_, "cannot write");
  const Header empty;
  write(&empty, sizeof(empty));
}

ContainerWriter::~ContainerWriter() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
}

void ContainerWriter::write(const void* data, size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail_errno(path_, "cannot write");
  position_ += bytes;
}

void ContainerWriter::close_section() {
  if (!sections_.empty()) {
    sections_.back().bytes = position_ - sections_.back().begin;
    sections_.back().checksum = checksum_.value();
  }
  const char zeros[kAlignment] = {};
  write(zeros, (kAlignment - position_ % kAlignment) % kAlignment);
}

void ContainerWriter::open_section(std::string_view name, Element element, uint32_t element_size) {
  Section section;
  if (name.empty() || name.size() >= sizeof(section.name))
    throw InputError("the name of a section has 1 to 31 characters, not " + std::to_string(name.size()));
  if (name.find('\0') != std::string_view::npos)
    throw InputError("the name of a section holds a NUL character");
  close_section();
  name.copy(section.name, name.size());
  section.element = element;
  section.element_size = element_size;
  section.begin = position_;
  sections_.push_back(section);
  checksum_ = Checksum();
}

void ContainerWriter::append_bytes(const void* data, size_t bytes, Element element, uint32_t element_size) {
  if (sections_.empty() || sections_.back().element != element ||
      sections_.back().element_size != element_size)
    throw InputError("values appended to a section must have its element type");
  checksum_.update(data, bytes);
  write(data, bytes);
}

void ContainerWriter::finish() {
  close_section();
  Header header;
  std::copy(std::begin(kMagic), std::end(kMagic), header.magic);
  kind_.copy(header.kind, kind_.size());
  header.version = version_;
  header.byte_order = kByteOrder;
  header.table_begin = position_;
  header.table_sections = sections_.size();
  header.table_checksum = checksum_of(sections_.data(), sections_.size() * sizeof(Section));
  write(sections_.data(), sections_.size() * sizeof(Section));
  header.file_bytes = position_;
  if (std::fseek(file_, 0, SEEK_SET) != 0) fail_errno(path_, "cannot write");
  write(&header, sizeof(header));
  const bool flushed = std::fflush(file_) == 0 && fsync(fileno(file_)) == 0;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!flushed || !closed || std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int reason = errno;
    std::remove(temporary_.c_str());
    errno = reason;
    fail_errno(path_, "cannot write");
  }
  struct stat status{};
  if (stat(target_.c_str(), &status) == 0)
    VerifiedFile(target_, status, checksum_of(&header, sizeof(header))).record_written();
}

Container::Container(const std::string& path, std::string_view kind, uint32_t version, bool in_memory,
                     Verification verification)
    : path_(path), is_mapped_(!in_memory) {
  struct stat status{};
  mapping_ = load_file(path, status, in_memory);
  bytes_ = static_cast<size_t>(status.st_size);
  Header header;
  std::memcpy(&header, data(), sizeof(header));
  if (!std::equal(std::begin(kMagic), std::end(kMagic), header.magic))
    fail(path, "is not a Tunesmith binary file");
  if (header.byte_order != kByteOrder) fail(path, "was written on a machine of another byte order");
  if (trimmed(header.kind) != kind)
    fail(path, "holds " + quoted(trimmed(header.kind)) + "; expected " + quoted(kind));
  if (header.version != version)
    fail(path,
         "has version " + std::to_string(header.version) + " of its format; this Tunesmith reads version " +
             std::to_string(version) +
             ": run the command again that made it (`train` or `import` with the same options, for a model)");
  if (header.file_bytes != bytes_)
    fail(path, "is truncated or damaged: it has " + std::to_string(bytes_) + " bytes; expected " +
                   std::to_string(header.file_bytes));
  if (header.table_begin < sizeof(header) || header.table_begin > bytes_ ||
      header.table_begin % alignof(Section) != 0 ||
      header.table_sections != (bytes_ - header.table_begin) / sizeof(Section) ||
      (bytes_ - header.table_begin) % sizeof(Section) != 0)
    fail(path, "is damaged: its table of sections is misplaced");
  const auto* table = reinterpret_cast<const Section*>(data() + header.table_begin);
  sections_.assign(table, table + header.table_sections);
  if (checksum_of(table, header.table_sections * sizeof(Section)) != header.table_checksum)
    fail(path, "is damaged: its table of sections has a wrong checksum");
  check_sections(header.table_begin);
  if (verification == Verification::kNever) return;
  const VerifiedFile file(path, status, checksum_of(&header, sizeof(header)));
  if (verification == Verification::kIfChanged && file.is_recorded()) return;
  verify();
  file.record();
}

void Container::check_sections(uint64_t end) const {
  for (const Section& section : sections_) {
    if (section.begin % kAlignment != 0 || section.begin < sizeof(Header) || section.begin > end ||
        section.bytes > end - section.begin || section.element_size == 0 ||
        section.bytes % section.element_size != 0)
      fail(path_, "is damaged: a section lies outside of the file");
    const std::string_view name = trimmed(section.name);
    if (name.size() == sizeof(section.name) || find_invalid_utf8(name) != std::string_view::npos)
      fail(path_, "is damaged: the name of a section is not a text");
  }
}

bool Container::has(std::string_view name) const {
  return std::any_of(sections_.begin(), sections_.end(),
                     [&](const Section& section) { return trimmed(section.name) == name; });
}

const Section& Container::find(std::string_view name, Element element, uint32_t element_size) const {
  for (const Section& section : sections_) {
    if (trimmed(section.name) != name) continue;
    if (section.element != element || section.element_size != element_size)
      fail(path_, "its section '" + std::string(name) + "' has elements of another type than expected");
    return section;
  }
  fail(path_, "has no section '" + std::string(name) + "'");
}

void Container::release() const {
  if (is_mapped_) release_pages(data());
}

void Container::verify() const {
  constexpr size_t kPiece = size_t{16} << 20;
  for (const Section& section : sections_) {
    Checksum checksum;
    for (size_t at = 0; at < section.bytes; at += kPiece) {
      checksum.update(data() + section.begin + at, std::min<size_t>(kPiece, section.bytes - at));
      release();  // else the whole file is in memory for a moment
    }
    if (checksum.value() != section.checksum)
      fail(path_,
           "is damaged: its section '" + std::string(trimmed(section.name)) + "' has a wrong checksum");
  }
}

std::string container_kind(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return "";
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return "";
  Header header;
  const bool whole = std::fread(&header, sizeof(header), 1, file) == 1;
  std::fclose(file);
  if (!whole || !std::equal(std::begin(kMagic), std::end(kMagic), header.magic)) return "";
  const std::string_view kind = trimmed(header.kind);
  return find_invalid_utf8(kind) == std::string_view::npos ? std::string(kind) : "";
}

}  // namespace tunesmith
