// Handling of signals, such as Ctrl-C, while native code runs.
#pragma once

#include "bind/bind.h"

namespace tunesmith::bind {

/// Runs the Python handlers of pending signals, and throws what they raise.
inline void check_signals() {
  const GilHeld gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace tunesmith::bind
