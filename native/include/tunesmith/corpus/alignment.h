// Word alignments of sentence pairs, and their text format `0-0 1-2` (Pharaoh format).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::corpus {

/// Source word `source` is aligned to target word `target`; both count from 0.
struct Link {
  int32_t source;
  int32_t target;

  friend bool operator==(const Link&, const Link&) = default;
  friend auto operator<=>(const Link&, const Link&) = default;
};

/// The links of pair i are links[offsets[i], offsets[i + 1]), sorted by source, then target, without repeats.
struct Alignments {
  std::span<const Link> links;
  std::span<const int64_t> offsets;

  size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::span<const Link> operator[](size_t i) const {
    return links.subspan(static_cast<size_t>(offsets[i]), static_cast<size_t>(offsets[i + 1] - offsets[i]));
  }
};

/// Parallel text with its alignments and the words of both vocabularies.
struct AlignedBitext {
  Sentences source, target;
  Alignments alignments;
  Texts source_words, target_words;
};

/// Throws InputError, with the pair's line, unless links are sorted and within their sentences.
void check_alignments(const Alignments& alignments, const Sentences& source, const Sentences& target);

/// Reads one line of links `i-j` per sentence pair; sorts them and drops repeated ones.
class AlignmentParser : public LineParser {
 public:
  std::vector<Link> take_links() { return std::move(links_); }
  std::vector<int64_t> take_offsets() { return std::move(offsets_); }

 protected:
  void parse_line(std::string_view line) override;

 private:
  std::vector<Link> links_;
  std::vector<int64_t> offsets_{0};
};

/// Reads `0-1`; anything else is an InputError.
Link parse_link(std::string_view token);

/// Appends `0-0 1-2`, without a line end.
void append_links(std::span<const Link> links, std::string& text);

}  // namespace tunesmith::corpus
