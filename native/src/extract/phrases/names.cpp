#include "tunesmith/extract/phrases/names.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::extract::phrases {

namespace {

constexpr size_t kChunkGroups = 1 << 15;
constexpr uint32_t kStep = 1 << 8;

}  // namespace

PhraseNames::PhraseNames(const corpus::Sentences& sentences, int max_length, int threads)
    : sentences_(sentences) {
  const size_t text = sentences.words.size();
  if (text * static_cast<size_t>(max_length) >= UINT32_MAX)
    throw InputError("a text of " + std::to_string(text) +
                     " words is too long; split it into parts of fewer than " +
                     std::to_string(UINT32_MAX / static_cast<size_t>(max_length)));
  sentence_end_.resize(text);
  for (size_t i = 0; i < sentences.size(); ++i)
    std::fill(sentence_end_.begin() + sentences.offsets[i], sentence_end_.begin() + sentences.offsets[i + 1],
              static_cast<uint32_t>(sentences.offsets[i + 1]));
  first_name_.push_back(0);
  Order order = first_words();
  name(order);
  for (int length = 2; length <= max_length; ++length) {
    order = deepen(order, length, threads);
    name(order);
  }
  sentence_end_ = std::vector<uint32_t>();
}

int PhraseNames::length(uint32_t name) const {
  return static_cast<int>(std::upper_bound(first_name_.begin(), first_name_.end(), name) -
                          first_name_.begin());
}

PhraseNames::Order PhraseNames::first_words() const {
  const auto words = sentences_.words;
  const int32_t largest = words.empty() ? -1 : *std::max_element(words.begin(), words.end());
  std::vector<uint32_t> next(static_cast<size_t>(largest) + 2, 0);
  for (int32_t word : words) ++next[static_cast<size_t>(word) + 1];
  for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  Order order;
  for (size_t i = 0; i + 1 < next.size(); ++i)
    if (next[i] < next[i + 1]) order.borders.push_back(next[i]);
  order.borders.push_back(static_cast<uint32_t>(words.size()));
  order.positions.resize(words.size());
  for (uint32_t position = 0; position < words.size(); ++position)
    order.positions[next[static_cast<size_t>(words[position])]++] = position;
  return order;
}

/// Sorts each group of equal phrases by the next word; drops positions at the end of the sentence.
PhraseNames::Order PhraseNames::deepen(const Order& order, int length, int threads) const {
  const size_t groups = order.borders.size() - 1;
  const auto reach = static_cast<uint32_t>(length) - 1;
  std::vector<Order> parts(chunk_count(groups, kChunkGroups));
  parallel_chunks(groups, kChunkGroups, threads, [&](size_t chunk, size_t begin, size_t end) {
    Order& part = parts[chunk];
    std::vector<uint64_t> keys;
    for (size_t group = begin; group < end; ++group) {
      keys.clear();
      for (uint32_t at = order.borders[group]; at < order.borders[group + 1]; ++at) {
        const uint32_t position = order.positions[at];
        if (position + reach < sentence_end_[position])
          keys.push_back(uint64_t{static_cast<uint32_t>(sentences_.words[position + reach])} << 32 |
                         position);
      }
      if (keys.size() > 1) std::sort(keys.begin(), keys.end());
      for (size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || keys[i] >> 32 != keys[i - 1] >> 32)
          part.borders.push_back(static_cast<uint32_t>(part.positions.size()));
        part.positions.push_back(static_cast<uint32_t>(keys[i]));
      }
    }
  });
  Order result;
  for (Order& part : parts) {
    const auto base = static_cast<uint32_t>(result.positions.size());
    for (uint32_t border : part.borders) result.borders.push_back(base + border);
    result.positions.insert(result.positions.end(), part.positions.begin(), part.positions.end());
    part = {};
  }
  result.borders.push_back(static_cast<uint32_t>(result.positions.size()));
  return result;
}

void PhraseNames::name(const Order& order) {
  std::vector<uint32_t> names(sentences_.words.size());
  for (size_t group = 0; group + 1 < order.borders.size(); ++group) {
    const auto number = static_cast<uint32_t>(examples_.size());
    if (order.borders[group] / kStep != order.borders[group + 1] / kStep) steps_.push_back(number);
    examples_.push_back(order.positions[order.borders[group]]);
    for (uint32_t at = order.borders[group]; at < order.borders[group + 1]; ++at)
      names[order.positions[at]] = number;
  }
  first_name_.push_back(static_cast<uint32_t>(examples_.size()));
  names_.push_back(std::move(names));
}

std::vector<uint32_t> PhraseNames::cut(size_t parts) const {
  std::vector<uint32_t> begins{0};
  for (size_t part = 1; part < parts; ++part) {
    const size_t step = part * steps_.size() / parts;
    if (step < steps_.size() && steps_[step] > begins.back()) begins.push_back(steps_[step]);
  }
  return begins;
}

}  // namespace tunesmith::extract::phrases
