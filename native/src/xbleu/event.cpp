#include "tunesmith/xbleu/event.h"

#include <algorithm>
#include <array>
#include <bit>

#include "tunesmith/base/container_texts.h"
#include "tunesmith/base/text.h"
#include "tunesmith/tables/orientation.h"

namespace tunesmith::xbleu {

uint64_t hash_of(const Event& event) {
  const auto words = std::bit_cast<std::array<uint64_t, 3>>(event);
  return mix(mix(words[0], words[1]), words[2]);
}

Event EventTextsWriter::Numbers::operator()(Event event) const {
  const auto mapped = [&](uint32_t word) { return word == kNoWord ? kNoWord : words[word]; };
  event.target = phrases[event.target];
  event.block_first = mapped(event.block_first);
  event.block_last = mapped(event.block_last);
  return event;
}

EventTextsWriter::Numbers EventTextsWriter::add(const TextColumn& words, const Rows<uint32_t>& phrases) {
  Numbers numbers;
  for (size_t i = 0; i < words.size(); ++i)
    numbers.words.push_back(static_cast<uint32_t>(words_.intern(words[i])));
  std::vector<uint32_t> mapped;
  for (size_t i = 0; i < phrases.size(); ++i) {
    mapped.clear();
    for (const uint32_t word : phrases[i]) mapped.push_back(numbers.words[word]);
    const std::string_view key(reinterpret_cast<const char*>(mapped.data()),
                               mapped.size() * sizeof(uint32_t));
    const auto number = static_cast<uint32_t>(phrase_keys_.intern(key));
    if (number == phrases_.size()) phrases_.add(mapped);
    numbers.phrases.push_back(number);
  }
  return numbers;
}

void EventTextsWriter::write(ContainerWriter& writer) const {
  add_texts(writer, "words", words_.names());
  writer.add("phrase_offsets", phrases_.offsets);
  writer.add("phrase_words", phrases_.values);
}

EventTexts::EventTexts(const Container& container)
    : words_(read_texts(container, "words")),
      phrase_offsets_(container.section<uint32_t>("phrase_offsets")),
      phrase_words_(container.section<uint32_t>("phrase_words")) {}

bool EventTexts::is_sound() const {
  return !phrase_offsets_.empty() && phrase_offsets_.front() == 0 &&
         phrase_offsets_.back() == phrase_words_.size() &&
         std::is_sorted(phrase_offsets_.begin(), phrase_offsets_.end()) &&
         std::all_of(phrase_words_.begin(), phrase_words_.end(),
                     [&](uint32_t word) { return has_word(word); });
}

bool EventTexts::fits(const Event& event, size_t columns) const {
  const auto is_border = [&](uint32_t word) { return word == kNoWord || has_word(word); };
  const bool has_block = event.block_begin < event.block_end && event.block_end <= columns;
  const bool is_first = event.block_begin == 0 && event.block_end == 0;
  return event.target < phrase_count() && event.begin < event.end && event.end <= columns &&
         (has_block || is_first) && is_border(event.block_first) && is_border(event.block_last) &&
         event.orientation < tables::kOrientations && event.is_unknown <= 1;
}

}  // namespace tunesmith::xbleu
