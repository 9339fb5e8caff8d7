#include "tunesmith/tables/moses_writer.h"

#include <algorithm>
#include <numeric>

#include "tunesmith/base/errors.h"
#include "tunesmith/corpus/moses_fields.h"

namespace tunesmith::tables {

namespace {

constexpr int kDigits = 6;       // the default of C++ streams, as in Moses
constexpr int kExactDigits = 9;  // all digits of a float, so that large counts stay exact

void append_numbers(std::span<const float> values, int digits, std::string& text) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ' ';
    corpus::append_rounded(values[i], digits, text);
  }
}

/// Prints links sorted by target, then source, as Moses does.
void append_alignment(std::span<const corpus::Link> alignment, std::string& text) {
  std::vector<corpus::Link> links(alignment.begin(), alignment.end());
  std::sort(links.begin(), links.end(), [](const corpus::Link& a, const corpus::Link& b) {
    return a.target != b.target ? a.target < b.target : a.source < b.source;
  });
  corpus::append_links(links, text);
}

/// Prints `name value ` of each sparse score.
void append_sparse(std::span<const SparseScore> scores, const Texts& names, std::string& text) {
  for (const SparseScore& score : scores) {
    text.append(names[score.name]) += ' ';
    corpus::append_rounded(score.value, kExactDigits, text);
    text += ' ';
  }
}

}  // namespace

PrintedWords::PrintedWords(const Texts& words) {
  std::string printed;
  for (size_t i = 0; i < words.size(); ++i) {
    printed.clear();
    corpus::append_escaped(words[i], printed);
    texts.add(printed + ' ');
  }
  texts.add("||| ");
  std::vector<uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) { return texts[a] < texts[b]; });
  ranks.resize(texts.size());
  for (uint32_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
  end_rank = ranks.back();
}

std::vector<uint32_t> printed_sources(const PhraseTable& table, const PrintedWords& words) {
  const auto nodes = static_cast<uint32_t>(table.node_count());
  // Groups children by parent (counting sort), then sorts each group by rank.
  std::vector<uint32_t> begins(nodes + 1, 0), children(nodes - 1);
  for (uint32_t node = 1; node < nodes; ++node) ++begins[table.node(node).parent + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<uint32_t> next(begins.begin(), begins.end() - 1);
  for (uint32_t node = 1; node < nodes; ++node) children[next[table.node(node).parent]++] = node;
  const auto rank = [&](uint32_t node) { return words.ranks[static_cast<size_t>(table.node(node).word)]; };

  struct Visit {
    uint32_t node;
    bool phrase;  // the phrase that ends here, or else the whole subtree
  };
  std::vector<Visit> stack{{PhraseTable::kRoot, false}};
  std::vector<uint32_t> sources;
  sources.reserve(table.source_count());
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    if (visit.phrase) {
      sources.push_back(visit.node);
      continue;
    }
    const auto first = children.begin() + begins[visit.node],
               last = children.begin() + begins[visit.node + 1];
    std::sort(first, last,
              [&](uint32_t a, uint32_t b) { return rank(a) > rank(b); });  // reversed by the stack
    bool own = !table.pairs(visit.node).empty();
    for (auto child = first; child != last; ++child) {
      if (own && rank(*child) < words.end_rank) {
        stack.push_back({visit.node, true});
        own = false;
      }
      stack.push_back({*child, false});
    }
    if (own) stack.push_back({visit.node, true});
  }
  return sources;
}

MosesWriter::MosesWriter(const PhraseTable& table)
    : table_(table),
      source_words_(table.source_words().words()),
      target_words_(table.target_words().words()),
      sources_(printed_sources(table, source_words_)) {}

void MosesWriter::append_phrase(std::span<const int32_t> phrase, const PrintedWords& words,
                                std::string& text) const {
  for (const int32_t word : phrase) text += words.texts[static_cast<size_t>(word)];
  text += "||| ";
}

void MosesWriter::sort_targets(PairRange pairs) {
  order_.resize(pairs.size());
  std::iota(order_.begin(), order_.end(), pairs.begin);
  std::sort(order_.begin(), order_.end(), [this](uint32_t a, uint32_t b) {
    const auto left = table_.target_phrase(table_.target(a)), right = table_.target_phrase(table_.target(b));
    const auto rank = [this](std::span<const int32_t> phrase, size_t i) {
      return i < phrase.size() ? target_words_.ranks[static_cast<size_t>(phrase[i])] : target_words_.end_rank;
    };
    size_t i = 0;
    while (i < left.size() && i < right.size() && left[i] == right[i]) ++i;
    return rank(left, i) < rank(right, i);
  });
}

template <class Rest>
bool MosesWriter::next(size_t bytes, std::string& text, Rest rest) {
  std::string source;
  for (; at_ < sources_.size() && text.size() < bytes; ++at_) {
    const auto words = table_.source(sources_[at_]);
    source.clear();
    append_phrase(words, source_words_, source);
    sort_targets(table_.pairs(sources_[at_]));
    for (const uint32_t pair : order_) {
      const ScoredPhrase phrase = table_.pair(pair, words.size());
      text += source;
      append_phrase(phrase.target, target_words_, text);
      rest(phrase);
      text += '\n';
    }
  }
  return at_ < sources_.size();
}

bool MosesWriter::next_phrases(size_t bytes, std::string& text) {
  return next(bytes, text, [&](const ScoredPhrase& phrase) {
    append_numbers(phrase.scores, kDigits, text);
    text += " ||| ";
    append_alignment(phrase.alignment, text);
    text += " ||| ";
    const float counts[] = {phrase.target_count, phrase.source_count, phrase.joint_count};
    append_numbers(counts, kExactDigits, text);
    text += " ||| ";
    append_sparse(phrase.sparse, table_.sparse_names().words(), text);
    text += "|||";
  });
}

bool MosesWriter::next_reordering(size_t bytes, size_t begin, size_t end, std::string& text) {
  if (begin > end || end > table_.reordering_count())
    throw InputError("the table has " + std::to_string(table_.reordering_count()) +
                     " reordering probabilities per pair; the columns [" + std::to_string(begin) + ", " +
                     std::to_string(end) + ") are out of range");
  return next(bytes, text, [&](const ScoredPhrase& phrase) {
    append_numbers(phrase.reordering.subspan(begin, end - begin), kDigits, text);
  });
}

}  // namespace tunesmith::tables
