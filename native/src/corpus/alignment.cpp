#include "tunesmith/corpus/alignment.h"

#include <algorithm>
#include <charconv>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::corpus {

Link parse_link(std::string_view token) {
  Link link{-1, -1};
  const char* end = token.data() + token.size();
  const auto source = std::from_chars(token.data(), end, link.source);
  if (source.ec == std::errc() && source.ptr < end && *source.ptr == '-') {
    const auto target = std::from_chars(source.ptr + 1, end, link.target);
    if (target.ec == std::errc() && target.ptr == end && link.source >= 0 && link.target >= 0) return link;
  }
  throw InputError("found " + quoted(token) + "; expected a link such as '0-1' between two word positions");
}

void check_alignments(const Alignments& alignments, const Sentences& source, const Sentences& target) {
  check_offsets(alignments.offsets, alignments.links.size(), "alignments");
  if (source.size() != target.size() || alignments.size() != source.size())
    throw InputError("found " + std::to_string(alignments.size()) + " alignments for " +
                     std::to_string(source.size()) + " source and " + std::to_string(target.size()) +
                     " target sentences; expected as many of each");
  for (size_t i = 0; i < alignments.size(); ++i) {
    const auto links = alignments[i];
    const auto rows = static_cast<int32_t>(source[i].size()),
               columns = static_cast<int32_t>(target[i].size());
    for (size_t k = 0; k < links.size(); ++k) {
      const Link link = links[k];
      if (link.source < 0 || link.source >= rows || link.target < 0 || link.target >= columns)
        throw InputError(
            "found the link " + std::to_string(link.source) + "-" + std::to_string(link.target) + " for " +
                std::to_string(rows) + " source and " + std::to_string(columns) +
                " target words; was the text tokenized differently, or are source and target exchanged?",
            static_cast<int64_t>(i) + 1);
      if (k > 0 && !(links[k - 1] < link))
        throw InputError("the links are not sorted, or one is repeated", static_cast<int64_t>(i) + 1);
    }
  }
}

void AlignmentParser::parse_line(std::string_view line) {
  const auto begin = static_cast<std::ptrdiff_t>(links_.size());
  for_each_token(line, [&](std::string_view token) { links_.push_back(parse_link(token)); });
  std::sort(links_.begin() + begin, links_.end());
  links_.erase(std::unique(links_.begin() + begin, links_.end()), links_.end());
  offsets_.push_back(static_cast<int64_t>(links_.size()));
}

void append_links(std::span<const Link> links, std::string& text) {
  for (size_t k = 0; k < links.size(); ++k) {
    if (k > 0) text += ' ';
    char digits[32];
    char* end = std::to_chars(digits, digits + sizeof digits, links[k].source).ptr;
    *end++ = '-';
    end = std::to_chars(end, digits + sizeof digits, links[k].target).ptr;
    text.append(digits, end);
  }
}

}  // namespace tunesmith::corpus
