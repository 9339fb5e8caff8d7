#include "tunesmith/tables/phrase_collector.h"

namespace tunesmith::tables {

namespace {

template <class T>
void append(std::span<const T> values, std::vector<T>& flat) {
  flat.insert(flat.end(), values.begin(), values.end());
}

template <class T>
void append(std::span<const T> values, std::vector<T>& flat, std::vector<int64_t>& offsets) {
  append(values, flat);
  offsets.push_back(static_cast<int64_t>(flat.size()));
}

}  // namespace

void PhraseCollector::begin_source(std::span<const int32_t> source) {
  append(source, source_words, source_offsets);
}

void PhraseCollector::add(const ScoredPhrase& phrase) {
  source_of.push_back(static_cast<int64_t>(source_offsets.size()) - 2);
  append(phrase.target, target_words, target_offsets);
  append(phrase.alignment, links, link_offsets);
  append(phrase.scores, scores);
  append(phrase.reordering, reordering);
  for (float count : {phrase.target_count, phrase.source_count, phrase.joint_count}) counts.push_back(count);
}

}  // namespace tunesmith::tables
