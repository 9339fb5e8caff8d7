// Signals, such as Ctrl-C, while native code works.
#pragma once

#include "bind/bind.h"

namespace tunesmith::bind {

/// Runs the handlers of signals that have come, and throws what they raise.
inline void check_signals() {
  nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace tunesmith::bind
