#include "tunesmith/decode/option_facts.h"

namespace tunesmith::decode {

namespace {

template <class T>
size_t rows_bytes(const Rows<T>& rows) {
  return held_bytes(rows.values) + held_bytes(rows.offsets);
}

}  // namespace

size_t OptionFacts::bytes() const {
  return sizeof(*this) + held_bytes(scores) + held_bytes(estimates) + rows_bytes(sparse) +
         rows_bytes(sparse_estimates) + rows_bytes(stored) + held_bytes(pairs) + held_bytes(source) +
         held_bytes(rules.numbers) + held_bytes(rules.categories) + held_bytes(rules.borders) +
         rows_bytes(rules.targets) + rows_bytes(rules.links);
}

void FactSink::begin_option() {
  facts_.scores.resize(facts_.scores.size() + columns_.scores.size());
  facts_.estimates.resize(facts_.estimates.size() + columns_.estimates.size());
}

void FactSink::add(size_t own, float value) {
  const size_t column = first_ + own;
  if (is_estimate_)
    facts_.estimates[facts_.estimates.size() - columns_.estimates.size() + columns_.estimate_slots[column]] +=
        value;
  else
    facts_.scores[facts_.scores.size() - columns_.scores.size() + columns_.score_slots[column]] += value;
}

void FactSink::add_key(uint64_t key, float value) {
  if (value != 0) (is_estimate_ ? facts_.sparse_estimates : facts_.sparse).values.push_back({key, value});
}

void FactSink::end_option() {
  facts_.sparse.close();
  facts_.sparse_estimates.close();
  facts_.stored.close();
}

}  // namespace tunesmith::decode
