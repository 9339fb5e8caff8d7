// The arrays of a pool as numpy arrays, moved without copies.
#pragma once

#include <utility>

#include "bind/bind.h"
#include "tunesmith/candidates/builder.h"

namespace tunesmith::bind {

/// The arrays (blob, offsets) of tunesmith.texts.Texts.
using TextArray = std::pair<NewVector<uint8_t>, NewVector<int64_t>>;

inline TextArray to_numpy(TextColumn&& column) {
  return {to_numpy(std::move(column.blob)), to_numpy(std::move(column.offsets))};
}

struct PythonArrays {
  TextArray ids;
  NewVector<int64_t> lists;
  TextArray texts;
  NewVector<int64_t> offsets;
  NewVector<int32_t> columns;
  NewVector<double> values;
  TextArray names;
  NewVector<double> totals;
  TextArray score_names;
  std::vector<NewVector<double>> scores;
  TextArray sources;
  std::vector<TextArray> references;

  explicit PythonArrays(candidates::PoolArrays&& arrays)
      : ids(to_numpy(arrays.ids.take_names())),
        lists(to_numpy(std::move(arrays.lists))),
        texts(to_numpy(std::move(arrays.texts))),
        offsets(to_numpy(std::move(arrays.offsets))),
        columns(to_numpy(std::move(arrays.columns))),
        values(to_numpy(std::move(arrays.values))),
        names(to_numpy(arrays.names.take_names())),
        totals(to_numpy(std::move(arrays.totals))),
        score_names(to_numpy(arrays.score_names.take_names())),
        sources(to_numpy(std::move(arrays.sources))) {
    for (auto& column : arrays.scores) scores.push_back(to_numpy(std::move(column)));
    for (auto& reference : arrays.references) references.push_back(to_numpy(std::move(reference)));
  }
};

}  // namespace tunesmith::bind
