#include "tunesmith/base/interruption.h"

#include <stdexcept>

#include "check.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::interruption_test {

struct Enough : std::runtime_error {
  Enough() : std::runtime_error("enough") {}
};

/// Works until it is stopped; returns whether it was.
bool work_until_stopped(Interruption& interruption) {
  try {
    for (;;) interruption.check();
  } catch (const Interruption::Stopped&) {
    return true;
  }
}

TEST(what_poll_throws_stops_all_workers_and_is_thrown_again) {
  const auto caller = std::this_thread::get_id();
  int polls = 0;
  Interruption interruption([&] {
    CHECK(std::this_thread::get_id() == caller);
    if (++polls == 2) throw Enough();
  });
  std::atomic<int> stopped{0};
  parallel_chunks(3, 1, 3, [&](size_t, size_t, size_t) {
    const Interruption::Stay stay(interruption);
    stopped += work_until_stopped(interruption);
  });
  CHECK(stopped == 3);
  CHECK(polls == 2);
  CHECK_THROWS(interruption.rethrow(), Enough);
}

TEST(a_caller_without_work_of_its_own_polls_while_others_work) {
  std::atomic<bool> is_working{false};
  Interruption interruption([] { throw Enough(); });
  std::jthread helper([&] {
    const Interruption::Stay stay(interruption);
    is_working = true;
    CHECK(work_until_stopped(interruption));
  });
  while (!is_working) std::this_thread::yield();
  {
    const Interruption::Stay stay(interruption);
    CHECK_THROWS(interruption.wait_for_others(), Interruption::Stopped);
  }
  helper.join();
  CHECK_THROWS(interruption.rethrow(), Enough);
}

TEST(without_poll_no_thread_polls_or_waits) {
  Interruption interruption({});
  const Interruption::Stay stay(interruption), another(interruption);
  interruption.check();
  interruption.wait_for_others();
  interruption.rethrow();
  CHECK(!interruption.is_possible());
}

}  // namespace tunesmith::interruption_test
