// Checks of the names and sizes of weights that are too many to be checked one by one in Python.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tunesmith/decode/model.h"

namespace tunesmith::decode {

/// Names of a store, at most `most`, that are neither columns of the model nor of templates: a template NAME
/// owns NAME and all that begins with NAME and an underscore. O(bytes of the names).
std::vector<std::string> foreign_names(const DecoderModel& model, const weights::WeightStore& store,
                                       const std::vector<std::string>& templates, size_t most);

/// The first feature of a store whose weight is larger than a size; kNone if there is none. O(features).
uint32_t first_above(const weights::WeightStore& store, double size);

}  // namespace tunesmith::decode
