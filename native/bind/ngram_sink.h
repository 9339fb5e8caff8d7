// Where n-grams flow, for Python: sinks are made by one binding file and filled by another.
#pragma once

#include "bind.h"
#include "tunesmith/ngram_sink.h"

namespace tunesmith::bind {

/// The base class of sinks, bound by whichever file comes first.
inline void bind_ngram_sink(nb::module_& m) {
  if (!nb::type<NgramSink>().is_valid())
    nb::class_<NgramSink>(m, "NgramSink", "Takes the n-grams of a back-off model, order by order.");
}

}  // namespace tunesmith::bind
