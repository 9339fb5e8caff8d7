#include "tunesmith/extract/on_demand/grammar.h"

namespace tunesmith::extract::on_demand {

namespace {

/// Appends the rows [begin, end) of `other`.
template <class T>
void append_rows(std::vector<T>& values, std::vector<int64_t>& offsets, const std::vector<T>& other,
                 const std::vector<int64_t>& other_offsets, size_t begin, size_t end) {
  const int64_t shift = static_cast<int64_t>(values.size()) - other_offsets[begin];
  values.insert(values.end(), other.begin() + other_offsets[begin], other.begin() + other_offsets[end]);
  for (size_t row = begin; row < end; ++row) offsets.push_back(other_offsets[row + 1] + shift);
}

template <class T>
size_t bytes_of(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

}  // namespace

void Grammar::append(const Grammar& other, size_t side) {
  const auto begin = static_cast<size_t>(other.rules[side]), end = static_cast<size_t>(other.rules[side + 1]);
  append_rows(target, target_offsets, other.target, other.target_offsets, begin, end);
  append_rows(links, link_offsets, other.links, other.link_offsets, begin, end);
  counts.insert(counts.end(), other.counts.begin() + other.rules[side],
                other.counts.begin() + other.rules[side + 1]);
  end_side(other.source_side(side));
}

size_t Grammar::bytes() const {
  return sizeof(Grammar) + bytes_of(source) + bytes_of(source_offsets) + bytes_of(rules) + bytes_of(target) +
         bytes_of(target_offsets) + bytes_of(links) + bytes_of(link_offsets) + bytes_of(counts);
}

}  // namespace tunesmith::extract::on_demand
