// A thread that brings mapped memory in before it is used.
#pragma once

#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>

namespace tunesmith::xbleu {

/// Touches the pages of a range, so that the caller does not wait for the disk. Changes nothing that is
/// computed.
class ReadAhead {
 public:
  ReadAhead() : thread_([this] { run(); }) {}
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Begins with a range; one that was not finished is given up.
  void ask(std::span<const char> range);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable asked_;
  std::span<const char> range_;
  bool is_ending_ = false;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace tunesmith::xbleu
