// Python's global lock, released and acquired so that threads survive the exit of the interpreter.
//
// A daemon thread may be in native code when Python exits. As soon as it, or a worker of its own, asks for
// the lock again, CPython ends it by `pthread_exit` (until 3.13), which unwinds the C++ frames below like an
// exception. The destructors and `noexcept` functions on that way end the whole process: "terminate called
// without an active exception". Here such a thread waits instead until the process is gone; Python 3.14 does
// the same. Hence binding files use these guards, never nanobind's.
#pragma once

#include <Python.h>

#include <chrono>
#include <thread>

namespace tunesmith::bind {

/// Never returns: the process is about to end.
[[noreturn]] inline void wait_for_exit() noexcept {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// Calls `take`, which acquires the lock. CPython's unwinding of a thread arrives as an exception of no type.
template <class Take>
auto taken(Take take) noexcept {
  try {
    return take();
  } catch (...) {
    wait_for_exit();
  }
}

/// Whether Python has begun to exit and this thread, unknown to Python, can no longer be made known to it.
inline bool is_too_late() {
#if PY_VERSION_HEX >= 0x030D0000
  const bool is_exiting = Py_IsFinalizing() != 0;
#else
  const bool is_exiting = _Py_IsFinalizing() != 0;
#endif
  return (is_exiting || Py_IsInitialized() == 0) && PyGILState_GetThisThreadState() == nullptr;
}

/// Releases the lock for its lifetime.
class GilReleased {
 public:
  GilReleased() : thread_(PyEval_SaveThread()) {}
  ~GilReleased() {
    taken([this] { PyEval_RestoreThread(thread_); });
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

 private:
  PyThreadState* thread_;
};

/// Holds the lock for its lifetime, on any thread; the thread may hold it already.
class GilHeld {
 public:
  GilHeld() {
    if (is_too_late()) wait_for_exit();
    state_ = taken([] { return PyGILState_Ensure(); });
  }
  ~GilHeld() {
    if (PyGILState_Check() == 0) wait_for_exit();  // unwound out of a call into Python, without the lock
    PyGILState_Release(state_);
  }
  GilHeld(const GilHeld&) = delete;
  GilHeld& operator=(const GilHeld&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace tunesmith::bind
