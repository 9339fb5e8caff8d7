// The reference length of BLEU by name.
#pragma once

#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/metrics/bleu.h"

namespace tunesmith::bind {

inline metrics::ReferenceLength reference_length(const std::string& name) {
  if (name == "closest") return metrics::ReferenceLength::closest;
  if (name == "shortest") return metrics::ReferenceLength::shortest;
  if (name == "average") return metrics::ReferenceLength::average;
  throw InputError("unknown reference length '" + name + "'; expected closest, shortest or average");
}

}  // namespace tunesmith::bind
