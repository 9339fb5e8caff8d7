// An event: a phrase pair beside the block on top of the stack; and the texts that events refer to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/base/rows.h"

namespace tunesmith::xbleu {

/// The word of a border that has none: of a phrase without target words, or before the first phrase.
inline constexpr uint32_t kNoWord = UINT32_MAX;

/// The most columns, words and events of a sentence: events and lists have 16 bits for them.
inline constexpr size_t kMostOfSentence = UINT16_MAX;

/// A phrase pair beside the block on top of the stack: all that features of orientations look at. Equal
/// events have equal features in every feature set.
struct Event {
  uint32_t target;                   // its target side, a phrase of the file
  uint32_t block_first, block_last;  // target words at the borders of the block
  uint16_t begin, end;               // source columns of the phrase
  uint16_t block_begin, block_end;   // of the block; both are 0 before the first phrase
  uint8_t orientation;               // tables::Orientation, backward, of the hierarchical model
  uint8_t is_unknown;                // 1: a word that is passed through, which has no identity as a phrase
  uint16_t unused = 0;

  bool is_first() const { return block_end == 0; }
  bool operator==(const Event&) const = default;
};
static_assert(sizeof(Event) == 24);

uint64_t hash_of(const Event& event);

/// The words and target phrases of a file in the making; equal ones are stored once.
class EventTextsWriter {
 public:
  /// The numbers in the file of the words and phrases of a draft.
  struct Numbers {
    std::vector<uint32_t> words, phrases;

    Event operator()(Event event) const;
  };

  Numbers add(const TextColumn& words, const Rows<uint32_t>& phrases);
  void write(ContainerWriter& writer) const;

 private:
  NameTable words_, phrase_keys_;
  Rows<uint32_t> phrases_;
};

/// The words and target phrases of a file.
class EventTexts {
 public:
  explicit EventTexts(const Container& container);

  const TextColumn& words() const { return words_; }
  size_t phrase_count() const { return phrase_offsets_.size() - 1; }
  /// The words of a target phrase.
  std::span<const uint32_t> phrase(uint32_t number) const {
    return phrase_words_.subspan(phrase_offsets_[number],
                                 phrase_offsets_[number + 1] - phrase_offsets_[number]);
  }
  /// Whether offsets and numbers are those of phrases.
  bool is_sound() const;
  bool has_word(uint32_t word) const { return word < words_.size(); }
  /// Whether an event refers to what is there, in a sentence with this number of columns.
  bool fits(const Event& event, size_t columns) const;

 private:
  TextColumn words_;
  std::span<const uint32_t> phrase_offsets_, phrase_words_;
};

}  // namespace tunesmith::xbleu
