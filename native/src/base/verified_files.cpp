#include "tunesmith/base/verified_files.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <unordered_map>

#include "tunesmith/base/text.h"

namespace tunesmith {

namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kTick = kSecond / 10;       // longer than the resolution of a file's times
constexpr int64_t kCoarseTick = 2 * kSecond;  // of file systems that store whole seconds

int64_t nanoseconds(const timespec& time) { return int64_t{time.tv_sec} * kSecond + time.tv_nsec; }

/// The records of this process, by path.
class ProcessRecords {
 public:
  bool has(const std::string& path, const std::string& record) {
    const std::scoped_lock lock(mutex_);
    const auto found = records_.find(path);
    return found != records_.end() && found->second == record;
  }
  void set(const std::string& path, const std::string& record) {
    const std::scoped_lock lock(mutex_);
    records_[path] = record;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::string> records_;
};

ProcessRecords& process_records() {
  static ProcessRecords records;
  return records;
}

/// The folder of records; empty if the user has no cache folder. The specification of XDG folders ignores
/// relative paths.
std::filesystem::path record_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return std::filesystem::path(cache) / "tunesmith" / "verified";
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') return {};
  return std::filesystem::path(home) / ".cache" / "tunesmith" / "verified";
}

std::filesystem::path record_file(const std::string& path) {
  const std::filesystem::path folder = record_folder();
  return folder.empty() ? folder : folder / std::to_string(hash_bytes(path));
}

}  // namespace

VerifiedFile::VerifiedFile(const std::string& path, const struct stat& status, uint64_t header_checksum)
    : bytes_(static_cast<uint64_t>(status.st_size)),
      changed_(std::max(nanoseconds(status.st_mtim), nanoseconds(status.st_ctim))) {
  std::error_code failed;
  const std::filesystem::path resolved = std::filesystem::canonical(path, failed);
  if (failed) return;
  path_ = resolved.string();
  record_ = "tunesmith verified 1\n" + path_;
  for (const uint64_t number :
       {bytes_, uint64_t{status.st_ino}, static_cast<uint64_t>(nanoseconds(status.st_mtim)),
        static_cast<uint64_t>(nanoseconds(status.st_ctim)), header_checksum})
    record_ += '\n' + std::to_string(number);
  record_ += '\n';
}

bool VerifiedFile::is_recorded() const {
  if (path_.empty()) return false;
  if (process_records().has(path_, record_)) return true;
  if (bytes_ <= kLeastRecorded) return false;
  std::ifstream stream(record_file(path_), std::ios::binary);
  return stream && std::string(std::istreambuf_iterator<char>(stream), {}) == record_;
}

void VerifiedFile::record() const {
  const int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  if (path_.empty() || now - changed_ < (changed_ % kSecond == 0 ? kCoarseTick : kTick)) return;
  process_records().set(path_, record_);
  const std::filesystem::path file = record_file(path_);
  if (bytes_ <= kLeastRecorded || file.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  const std::filesystem::path temporary = file.string() + "." + std::to_string(getpid()) + ".tmp";
  std::ofstream stream(temporary, std::ios::binary);
  stream << record_;
  stream.close();
  if (stream) std::filesystem::rename(temporary, file, failed);
  if (!stream || failed) std::filesystem::remove(temporary, failed);
}

void VerifiedFile::record_written() const {
  if (!path_.empty() && bytes_ > kLeastRecorded) process_records().set(path_, record_);
}

}  // namespace tunesmith
