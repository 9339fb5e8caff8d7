#include "tunesmith/tables/filter.h"

namespace tunesmith::tables {

std::vector<int32_t> translate_words(const Texts& words, const corpus::VocabularyView& to) {
  std::vector<int32_t> numbers(words.size());
  for (size_t i = 0; i < words.size(); ++i) numbers[i] = to.find(words[i]);
  return numbers;
}

void filter_table(const PhraseTable& table, const corpus::Sentences& sentences, const Texts& words,
                  PhraseSink& sink) {
  corpus::check_sentences(sentences, words.size(), -1);
  const auto numbers = translate_words(words, table.source_words());
  std::vector<bool> occurs(table.node_count());
  for (size_t i = 0; i < sentences.size(); ++i) {
    const auto sentence = sentences[i];
    for (size_t begin = 0; begin < sentence.size(); ++begin) {
      uint32_t node = PhraseTable::kRoot;
      for (size_t end = begin; end < sentence.size() && sentence[end] >= 0; ++end) {
        node = table.extend(node, numbers[static_cast<size_t>(sentence[end])]);
        if (node == PhraseTable::kNone) break;
        occurs[node] = true;
      }
    }
  }
  copy_pairs(table, sink, [&](uint32_t node, PairRange pairs, std::vector<uint32_t>& kept) {
    if (!occurs[node]) return;
    for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair) kept.push_back(pair);
  });
}

void prune_table(const PhraseTable& table, const PruneOptions& options, PhraseSink& sink) {
  copy_pairs(table, sink, [&](uint32_t, PairRange pairs, std::vector<uint32_t>& kept) {
    for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair) {
      if (options.top > 0 && kept.size() == options.top)
        break;  // pairs are sorted: the rest have lower scores
      if (table.joint_count(pair) >= options.min_count &&
          table.scores(pair)[table.order()] >= options.threshold)
        kept.push_back(pair);
    }
  });
}

}  // namespace tunesmith::tables
