// Memory-mapped file of phrase pair counts: events by fold, of which all counts and tables are sums.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/short_offsets.h"
#include "tunesmith/base/varint.h"
#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/extract/phrases/extraction.h"
#include "tunesmith/tables/orientation.h"

namespace tunesmith::extract::phrases {

inline constexpr const char* kPhraseCountsKind = "phrcount";
inline constexpr uint32_t kPhraseCountsVersion = 2;
/// Fold numbers are below this.
inline constexpr uint32_t kMaxFolds = 1 << 14;
/// Section with the unit of counts; files of whole counts have none.
inline constexpr const char* kUnitSection = "unit";
inline constexpr uint64_t kMaxUnit = uint64_t{1} << 32;
/// Counts are below this, so that sums of some of them do not overflow.
inline constexpr uint64_t kMaxCount = uint64_t{1} << 56;

/// `count` extractions of a phrase pair from sentences of one fold, with the same links and orientations. If
/// sentence pairs have fractional weights, the sum of the weights in units of the file.
struct PhraseEvent {
  LinkBits links;
  tables::OrientationSet orientations;
  uint32_t fold;
  uint64_t count;
};

/// Totals of a file of phrase counts.
struct PhraseTotals {
  uint64_t max_length;
  uint64_t folds;
  uint64_t sentences;
  uint64_t source_words;  // of the vocabulary
  uint64_t sources;       // distinct source phrases
  uint64_t targets;
  uint64_t pairs;
  uint64_t events;
  uint64_t instances;
};

/// Decodes a block of phrase pairs, grouped by source phrase; throws InputError if the bytes are damaged.
///
/// A group is its number of words, the words, its number of pairs, the pairs by increasing target phrase; a
/// pair is its target phrase, as the difference from the previous pair's, its number of events, the events;
/// an event is links, orientations, the fold if there are several, count. All are variable-length integers. 0
/// events stand for one without its count, which is 1: most pairs are seen once.
class PhraseCountCursor {
 public:
  /// `file` is named in errors.
  PhraseCountCursor(std::span<const uint8_t> bytes, const PhraseTotals& totals, std::string file = {})
      : rest_(bytes), totals_(totals), file_(std::move(file)) {}

  /// Advances to the next source phrase, skipping the rest of the current one.
  bool next_source();
  std::span<const int32_t> source() const { return source_; }
  /// Advances to the next pair of the source phrase.
  bool next_pair();
  uint32_t target() const { return target_; }
  std::span<const PhraseEvent> events() const { return events_; }

 private:
  uint64_t number(uint64_t largest);
  PhraseEvent event(bool counted);
  [[noreturn]] void damaged() const;

  VarintReader rest_;
  const PhraseTotals& totals_;
  std::string file_;
  std::vector<int32_t> source_;
  uint64_t pairs_left_ = 0;
  bool is_first_ = true;  // of the source phrase's pairs
  uint32_t target_ = 0;
  std::vector<PhraseEvent> events_;
};

/// Encodes the format that PhraseCountCursor decodes.
class PhraseCountEncoder {
 public:
  explicit PhraseCountEncoder(uint64_t folds) : folds_(folds) {}

  void source(std::span<const int32_t> words, uint64_t pairs);
  /// The target phrases of a source phrase must increase.
  void pair(uint32_t target, std::span<const PhraseEvent> events);
  std::vector<uint8_t> take() { return std::move(bytes_); }

 private:
  void number(uint64_t value);

  uint64_t folds_;
  uint32_t previous_ = 0;  // target phrase of the source phrase; 0 before its first
  bool is_first_ = true;
  std::vector<uint8_t> bytes_;
};

/// The memory-mapped file.
class PhraseCountFile {
 public:
  explicit PhraseCountFile(const std::string& path);

  const PhraseTotals& totals() const { return totals_; }
  size_t blocks() const { return blocks_.size() - 1; }
  PhraseCountCursor block(size_t index) const;
  /// The count that stands for one phrase pair: 1, unless weights are fractional.
  uint64_t unit() const { return unit_; }
  /// Number of extracted phrase pairs, repetitions included, except those of a fold. O(file).
  uint64_t instances_without(uint32_t fold) const;
  /// The words of a target phrase.
  std::span<const int32_t> target(uint32_t number) const {
    return target_words_.subspan(targets_.begin(number), targets_.length(number));
  }
  const corpus::VocabularyView& source_vocabulary() const { return source_vocabulary_; }
  const corpus::VocabularyView& target_vocabulary() const { return target_vocabulary_; }
  /// Throws InputError if a section does not match its checksum.
  void verify() const { container_.verify(); }

 private:
  [[noreturn]] void damaged() const;

  Container container_;
  corpus::VocabularyView source_vocabulary_, target_vocabulary_;
  PhraseTotals totals_{};
  uint64_t unit_ = 1;
  ShortOffsets targets_;
  std::span<const int32_t> target_words_;
  std::span<const int64_t> blocks_;  // offsets in bytes_; the last is its size
  std::span<const uint8_t> bytes_;
};

}  // namespace tunesmith::extract::phrases
