#include "tunesmith/corpus/bilingual_tokens.h"

#include <string>
#include <vector>

namespace tunesmith::corpus {

TextColumn bilingual_tokens(const Sentences& source, const Sentences& target, const Alignments& alignments,
                            const Texts& source_words, const Texts& target_words, std::string_view joiner) {
  check_sentences(source, source_words.size());
  check_sentences(target, target_words.size());
  check_alignments(alignments, source, target);
  TextColumn lines;
  std::vector<std::string> tokens;
  std::string line;
  for (size_t i = 0; i < target.size(); ++i) {
    tokens.clear();
    for (int32_t word : target[i]) tokens.emplace_back(target_words[static_cast<size_t>(word)]);
    for (const Link& link : alignments[i]) {
      const int32_t word = source[i][static_cast<size_t>(link.source)];
      tokens[static_cast<size_t>(link.target)].append(joiner).append(source_words[static_cast<size_t>(word)]);
    }
    line.clear();
    for (const std::string& token : tokens) line.append(line.empty() ? "" : " ").append(token);
    lines.add(line);
  }
  return lines;
}

}  // namespace tunesmith::corpus
