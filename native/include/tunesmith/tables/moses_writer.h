// Phrase and reordering tables in Moses' text form, in Moses' order of lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::tables {

/// The words of a vocabulary as a table prints them, and their order there: lines are sorted by their bytes,
/// so a word is followed by a blank, and a phrase by `|||`.
struct PrintedWords {
  explicit PrintedWords(const Texts& words);

  TextColumn texts;
  std::vector<uint32_t> ranks;  // by word
  uint32_t end_rank = 0;        // of `|||`
};

/// The nodes where source phrases end, in the order of printed lines. O(nodes log nodes).
std::vector<uint32_t> printed_sources(const PhraseTable& table, const PrintedWords& words);

/// Prints the lines `source ||| target ||| ...` of a table, as LC_ALL=C sort would put them.
class MosesWriter {
 public:
  explicit MosesWriter(const PhraseTable& table);

  /// Appends the lines of the next source phrases until there are `bytes` of them; false after the last.
  bool next_phrases(size_t bytes, std::string& text);
  /// The same with the columns [begin, end) of the reordering probabilities.
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
  std::vector<uint32_t> order_;  // the pairs of a source phrase
};

}  // namespace tunesmith::tables
