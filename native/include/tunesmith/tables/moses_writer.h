// Writer of phrase and reordering tables in Moses' text format and order of lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::tables {

/// The escaped words of a vocabulary with their sort ranks: lines are sorted by bytes, where a space follows
/// each word and `|||` each phrase.
struct PrintedWords {
  explicit PrintedWords(const Texts& words);

  TextColumn texts;
  std::vector<uint32_t> ranks;  // by word
  uint32_t end_rank = 0;        // of `|||`
};

/// The nodes of source phrases, in the order of printed lines. O(nodes log nodes).
std::vector<uint32_t> printed_sources(const PhraseTable& table, const PrintedWords& words);

/// Prints the lines `source ||| target ||| ...` of a table, in the order of LC_ALL=C sort.
class MosesWriter {
 public:
  explicit MosesWriter(const PhraseTable& table);

  /// Appends the lines of whole source phrases until the text has `bytes` bytes; returns false after the last
  /// phrase.
  bool next_phrases(size_t bytes, std::string& text);
  /// As above, with the columns [begin, end) of the reordering probabilities.
  bool next_reordering(size_t bytes, size_t begin, size_t end, std::string& text);

 private:
  template <class Rest>
  bool next(size_t bytes, std::string& text, Rest rest);
  void sort_targets(PairRange pairs);
  void append_phrase(std::span<const int32_t> phrase, const PrintedWords& words, std::string& text) const;

  const PhraseTable& table_;
  PrintedWords source_words_, target_words_;
  std::vector<uint32_t> sources_;
  size_t at_ = 0;
  std::vector<uint32_t> order_;  // pairs of a source phrase, sorted
};

}  // namespace tunesmith::tables
