// Records of files whose checksums were compared, so that a large file is read whole once and not at every
// opening.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

namespace tunesmith {

/// A state of a file: path with links resolved, inode, size, times of the last change of its bytes and of its
/// inode, and a checksum of its header. Any program that writes to a file, replaces or moves it changes one
/// of these; a disk that returns other bytes than were written does not.
///
/// Records are kept in this process and, of files of more than kLeastRecorded bytes, in the folder
/// `tunesmith/verified` of the user's cache folder ($XDG_CACHE_HOME, or else $HOME/.cache), one small file
/// per path. A folder that cannot be written means no record, so that each process verifies the file again.
class VerifiedFile {
 public:
  /// Smaller files are verified by every process: reading them takes a few milliseconds.
  static constexpr uint64_t kLeastRecorded = uint64_t{16} << 20;

  VerifiedFile(const std::string& path, const struct stat& status, uint64_t header_checksum);

  bool is_recorded() const;
  /// A file that changed a moment ago is not recorded: it may change again within the resolution of its
  /// times.
  void record() const;
  /// Of a file that this process has just written: it knows the checksums of the bytes that it wrote. Only
  /// for this process, and only if the file is large; reading back a small one takes a few milliseconds.
  void record_written() const;

 private:
  std::string path_;    // with links resolved; empty if it cannot be
  std::string record_;  // the text of the record
  uint64_t bytes_ = 0;
  int64_t changed_ = 0;  // nanoseconds
};

}  // namespace tunesmith
