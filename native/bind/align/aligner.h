// Shared by the bindings of aligners: conversions of bitexts and links.
#pragma once

#include "bind/corpus/views.h"
#include "tunesmith/align/lexical_table.h"
#include "tunesmith/align/mixture.h"
#include "tunesmith/align/pair_cells.h"

namespace tunesmith::bind {

using SentenceArrays = std::pair<Vector<int32_t>, Vector<int64_t>>;
using AlignmentArrays = std::pair<NewMatrix<int32_t>, NewVector<int64_t>>;
using Pair = std::pair<double, double>;

inline Pair pair_of(const align::BothWays<double>& both) { return {both.forward, both.reverse}; }

inline AlignmentArrays to_numpy(align::PairLinks&& links) {
  std::vector<int64_t> offsets(links.size() + 1);
  for (size_t pair = 0; pair < links.size(); ++pair)
    offsets[pair + 1] = offsets[pair] + static_cast<int64_t>(links[pair].size());
  std::vector<corpus::Link> flat;
  flat.reserve(static_cast<size_t>(offsets.back()));
  for (const auto& each : links) flat.insert(flat.end(), each.begin(), each.end());
  return to_numpy(std::move(flat), std::move(offsets));
}

/// A bitext whose cells are looked up in a table; owns the arrays that it views.
struct BoundCells {
  BoundCells(align::LexicalTable& lexicon, SentenceArrays source_arrays, SentenceArrays target_arrays)
      : source(std::move(source_arrays)),
        target(std::move(target_arrays)),
        table(&lexicon),
        cells(lexicon.pairs, sentences(source.first, source.second), sentences(target.first, target.second)) {
  }

  SentenceArrays source, target;
  align::LexicalTable* table;
  align::PairCells cells;
};

}  // namespace tunesmith::bind
