// Candidate lists as they arrive from Python.
#pragma once

#include <string>

#include "bind/bind.h"
#include "tunesmith/candidates/lists.h"

namespace tunesmith::bind {

/// The feature matrix was checked when its pool was built; here only the sizes must fit each other.
inline candidates::CandidateLists view_lists(const Vector<int64_t>& lists, const Vector<int64_t>& offsets,
                                             const Vector<int32_t>& columns, const Vector<double>& values,
                                             size_t width) {
  const Csr features{view(offsets), view(columns), view(values), width};
  check_offsets(features.offsets, values.size(), "feature matrix");
  if (columns.size() != values.size()) throw InputError("feature matrix: a column a value is needed");
  check_offsets(view(lists), features.rows(), "candidate lists");
  return {view(lists), features};
}

}  // namespace tunesmith::bind
