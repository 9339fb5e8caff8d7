// Files of n-best lists as events of phrases and orientations: what reordering models are trained on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/base/rows.h"
#include "tunesmith/xbleu/dense_values.h"
#include "tunesmith/xbleu/event.h"

namespace tunesmith::xbleu {

/// The statistics of BLEU of one candidate against its reference. The number of n-grams follows from the
/// length.
struct Matches {
  uint16_t length;
  std::array<uint16_t, 4> of;  // clipped matches of 1-grams to 4-grams
};
static_assert(sizeof(Matches) == 10);

/// One list. Candidate c uses the events `common`, and those of `uses[c]`; an event that is used twice is
/// listed twice. What all candidates have in common changes neither their probabilities nor a gradient.
struct ListView {
  uint32_t sentence;  // its row in the text
  uint32_t reference_length;
  std::span<const uint32_t> source;  // words
  std::span<const float> scores;     // by candidate, under the weights of the decoder
  std::span<const Matches> matches;
  std::span<const Event> events;
  std::span<const uint16_t> common;
  std::span<const uint32_t> use_offsets;  // one more than candidates
  std::span<const uint16_t> all_uses;

  size_t size() const { return scores.size(); }
  std::span<const uint16_t> uses(size_t candidate) const {
    const uint32_t begin = use_offsets[candidate] - use_offsets[0];
    return all_uses.subspan(begin, use_offsets[candidate + 1] - use_offsets[candidate]);
  }
};

/// A list in the making, with its own numbering of words and target phrases.
struct ListDraft {
  uint32_t sentence = 0;
  uint32_t reference_length = 0;
  std::vector<uint32_t> source;
  std::vector<float> scores;
  std::vector<Matches> matches;
  std::vector<Event> events;
  std::vector<uint16_t> common;
  Rows<uint16_t> uses;  // by candidate
  DenseValues dense;    // if the file keeps values of dense features
  Rows<uint32_t> phrases;
  TextColumn words;
};

/// Collects lists and writes them as one file. Memory is that of the file.
class ListWriter {
 public:
  /// With names of dense features their values are kept; they are those of the drafts' columns.
  explicit ListWriter(std::vector<std::string> dense_names = {}) : dense_names_(std::move(dense_names)) {}

  const std::vector<std::string>& dense_names() const { return dense_names_; }
  size_t size() const { return sentences_.size(); }
  void add(const ListDraft& list);
  /// Atomic; nothing may be added after it.
  void write(const std::string& path) const;

 private:
  EventTextsWriter texts_;
  std::vector<uint32_t> sentences_, reference_lengths_;
  std::vector<uint64_t> source_offsets_{0}, candidate_offsets_{0}, event_offsets_{0}, common_offsets_{0};
  std::vector<uint32_t> source_;
  std::vector<float> scores_;
  std::vector<Matches> matches_;
  std::vector<Event> events_;
  std::vector<uint16_t> common_, uses_;
  std::vector<uint32_t> use_offsets_{0};
  std::vector<std::string> dense_names_;
  std::vector<uint64_t> dense_offsets_{0};
  std::vector<uint8_t> dense_;
};

/// A file of lists, mapped. All numbers in it are checked when it is opened, and those that are packed, some
/// six bytes per candidate, are unpacked.
class ListFile {
 public:
  explicit ListFile(const std::string& path);

  const std::string& path() const { return container_.path(); }
  size_t size() const { return sentences_.size(); }
  ListView operator[](size_t list) const;
  /// The words and target phrases of its events.
  const EventTexts& texts() const { return texts_; }
  const TextColumn& words() const { return texts_.words(); }
  size_t phrase_count() const { return texts_.phrase_count(); }
  std::span<const uint32_t> phrase(uint32_t number) const { return texts_.phrase(number); }
  size_t candidate_count() const { return scores_.size(); }
  size_t event_count() const { return events_.size(); }
  size_t bytes() const { return container_.bytes(); }
  /// Those of scores, matches and uses of events.
  size_t candidate_bytes() const { return scores_.size_bytes() + packed_.size_bytes() + uses_.size_bytes(); }

  /// Features whose values the file keeps; most keep none.
  const TextColumn& dense_names() const { return dense_names_; }
  size_t dense_bytes() const { return dense_.size_bytes(); }
  /// The values of a list. O(candidates x features).
  DenseValues dense(size_t list) const;

 private:
  void unpack();
  void check() const;
  void open_dense();

  Container container_;
  EventTexts texts_;
  std::span<const uint32_t> sentences_, reference_lengths_;
  std::span<const uint64_t> source_offsets_, candidate_offsets_, event_offsets_, common_offsets_;
  std::span<const uint32_t> source_;
  std::span<const float> scores_;
  std::span<const uint8_t> packed_;  // matches and number of uses of each candidate
  std::span<const Event> events_;
  std::span<const uint16_t> common_, uses_;
  std::vector<Matches> matches_;
  std::vector<uint32_t> use_offsets_;
  TextColumn dense_names_;
  std::span<const uint64_t> dense_offsets_;
  std::span<const uint8_t> dense_;
};

}  // namespace tunesmith::xbleu
