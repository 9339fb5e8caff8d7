#include "tunesmith/derivation.h"

#include <nanobind/stl/tuple.h>

#include "derivations.h"
#include "tunesmith/derivation_features.h"
#include "tunesmith/derivation_reading.h"

namespace tunesmith::bind {

namespace {

std::string text(const Forest& forest, const Vector<uint32_t>& edges) {
  return without_gil([&] {
    std::string text;
    append_words(forest, derivation_words(forest, view(edges)), text);
    return text;
  });
}

auto words(const Forest& forest, const Vector<uint32_t>& edges) {
  return to_numpy(without_gil([&] { return derivation_words(forest, view(edges)); }));
}

/// The derivation's links and segments as rows of two and four positions.
auto read(const Forest& forest, const Vector<uint32_t>& edges) {
  DerivationReading reading = without_gil([&] { return read_derivation(forest, view(edges)); });
  std::vector<int32_t> links, segments;
  for (const Link& link : reading.links) links.insert(links.end(), {link.source, link.target});
  for (const DerivationSegment& segment : reading.segments)
    segments.insert(segments.end(),
                    {segment.source.begin, segment.source.end, segment.target.begin, segment.target.end});
  return std::pair(to_numpy(std::move(links), 2), to_numpy(std::move(segments), 4));
}

auto features(const Forest& forest, const Vector<uint32_t>& edges) {
  std::vector<uint32_t> columns;
  std::vector<double> values;
  without_gil([&] {
    DerivationTree(forest, view(edges));
    DerivationFeatures sums;
    sums.add(forest, view(edges));
    columns.assign(sums.columns().begin(), sums.columns().end());
    for (const uint32_t column : columns) values.push_back(sums[column]);
  });
  return std::pair(to_numpy(std::move(columns)), to_numpy(std::move(values)));
}

}  // namespace

static const Join join([](nb::module_& m) {
  m.def("derivation_text", &text, "forest"_a, "edges"_a, "The words of a derivation, between blanks.");
  m.def("derivation_words", &words, "forest"_a, "edges"_a, "The numbers of a derivation's words.");
  m.def("read_derivation", &read, "forest"_a, "edges"_a, "Links and segments of a derivation.");
  m.def("derivation_features", &features, "forest"_a, "edges"_a, "Columns and sums of features.");
});

}  // namespace tunesmith::bind
