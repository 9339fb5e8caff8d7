// View of Python's arrays of candidate lists.
#pragma once

#include <string>

#include "bind/bind.h"
#include "tunesmith/candidates/lists.h"

namespace tunesmith::bind {

/// Checks sizes only: the contents of the feature matrix were checked when its pool was built.
inline candidates::CandidateLists view_lists(const Vector<int64_t>& lists, const Vector<int64_t>& offsets,
                                             const Vector<int32_t>& columns, const Vector<double>& values,
                                             size_t width) {
  const Csr features{view(offsets), view(columns), view(values), width};
  check_offsets(features.offsets, values.size(), "feature matrix");
  if (columns.size() != values.size())
    throw InputError("feature matrix: columns and values differ in number");
  check_offsets(view(lists), features.rows(), "candidate lists");
  return {view(lists), features};
}

}  // namespace tunesmith::bind
