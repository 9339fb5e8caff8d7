#include "tunesmith/corpus/vocabulary.h"

#include <bit>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith::corpus {

bool all_words_are_utf8(const Texts& words) {
  if (find_invalid_utf8({words.blob.data(), words.blob.size()}) != std::string_view::npos) return false;
  // If the whole blob is valid, a word is valid unless it begins within a character.
  for (size_t i = 0; i < words.size(); ++i)
    if (const std::string_view word = words[i];
        !word.empty() && (static_cast<unsigned char>(word.front()) & 0xc0) == 0x80)
      return false;
  return true;
}

VocabularyView::VocabularyView(const Container& container, const std::string& name)
    : words_{container.section<char>(name + ".blob"), container.section<int64_t>(name + ".offsets")},
      slots_(container.section<int32_t>(name + ".slots")) {
  const auto damaged = [&](const std::string& what) {
    throw InputError("is damaged: the vocabulary '" + name + "' " + what, container.path());
  };
  try {
    check_offsets(words_.offsets, words_.blob.size(), name);
  } catch (const InputError& error) {
    damaged(std::string("does not fit: ") + error.what());
  }
  if (!std::has_single_bit(slots_.size()) || slots_.size() <= words_.size())
    damaged("has a hash table of the wrong size");
  if (!all_words_are_utf8(words_)) damaged("has words that are not UTF-8");
}

int32_t VocabularyView::find(std::string_view word) const {
  if (slots_.empty()) return kUnknown;
  const size_t mask = slots_.size() - 1;
  size_t slot = hash_bytes(word) & mask;
  // A damaged table may have no free slot: bound the number of probes.
  for (size_t probes = 0; probes <= mask && slots_[slot] >= 0; ++probes, slot = (slot + 1) & mask) {
    const auto number = static_cast<size_t>(slots_[slot]);
    if (number < words_.size() && words_[number] == word) return slots_[slot];
  }
  return kUnknown;
}

std::string_view VocabularyView::word(int32_t number) const {
  if (number < 0 || static_cast<size_t>(number) >= words_.size())
    throw InputError("there is no word " + std::to_string(number) + " in a vocabulary of " +
                     std::to_string(words_.size()));
  return words_[static_cast<size_t>(number)];
}

void write_vocabulary(ContainerWriter& writer, const std::string& name, const Texts& words) {
  std::vector<int32_t> slots(std::bit_ceil(2 * words.size() + 2), VocabularyView::kUnknown);
  const size_t mask = slots.size() - 1;
  for (size_t number = 0; number < words.size(); ++number) {
    size_t slot = hash_bytes(words[number]) & mask;
    while (slots[slot] >= 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<int32_t>(number);
  }
  writer.add<char>(name + ".blob", words.blob);
  writer.add<int64_t>(name + ".offsets", words.offsets);
  writer.add<int32_t>(name + ".slots", slots);
}

}  // namespace tunesmith::corpus
