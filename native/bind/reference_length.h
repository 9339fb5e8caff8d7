// The reference length of BLEU by name.
#pragma once

#include <string>

#include "tunesmith/bleu.h"
#include "tunesmith/errors.h"

namespace tunesmith::bind {

inline ReferenceLength reference_length(const std::string& name) {
  if (name == "closest") return ReferenceLength::closest;
  if (name == "shortest") return ReferenceLength::shortest;
  if (name == "average") return ReferenceLength::average;
  throw InputError("unknown reference length '" + name + "'");
}

}  // namespace tunesmith::bind
