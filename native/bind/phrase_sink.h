// The base class of all that phrase pairs flow into; who binds a derived class asks for it first.
#pragma once

#include "bind.h"
#include "tunesmith/phrase_sink.h"

namespace tunesmith::bind {

/// Binding files run in no fixed order: the first that asks binds the class.
inline void bind_phrase_sink(nb::module_& m) {
  if (!nb::type<PhraseSink>().is_valid())
    nb::class_<PhraseSink>(m, "PhraseSink", "Takes scored phrase pairs grouped by source phrase.");
}

}  // namespace tunesmith::bind
