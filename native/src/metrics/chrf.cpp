#include "tunesmith/metrics/chrf.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/text.h"
#include "tunesmith/metrics/ngrams.h"
#include "tunesmith/metrics/words.h"

namespace tunesmith::metrics {

namespace {

/// Python's string.punctuation.
bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

/// The characters and words of a text that chrF counts.
struct Symbols {
  std::vector<char32_t> characters;
  std::vector<std::string_view> words;
};

void read(std::string_view text, const ChrfOptions& options, std::vector<std::string_view>& pieces,
          Symbols& symbols) {
  decode_utf8(text, symbols.characters);
  if (!options.whitespace) std::erase_if(symbols.characters, is_space);
  symbols.words.clear();
  if (options.word_order == 0) return;
  split_words(text, pieces);
  for (std::string_view word : pieces) {  // one punctuation mark is cut off: the last, else the first
    const size_t size = word.size();
    if (size > 1 && is_punctuation(word.back())) {
      symbols.words.insert(symbols.words.end(), {word.substr(0, size - 1), word.substr(size - 1)});
    } else if (size > 1 && is_punctuation(word.front())) {
      symbols.words.insert(symbols.words.end(), {word.substr(0, 1), word.substr(1)});
    } else {
      symbols.words.push_back(word);
    }
  }
}

/// The F score times 100. Operations are in the order of the well-known implementations, so that references
/// that tie there tie here too, and the first wins.
double percent(const double* stats, const ChrfOptions& options) {
  constexpr double eps = 1e-16;
  const double factor = options.beta * options.beta;
  double sum = 0, precisions = 0, recalls = 0, effective = 0;
  for (size_t n = 0; n < options.orders(); ++n, stats += 3) {
    const double hypothesis = stats[0], reference = stats[1], match = stats[2];
    const double precision = hypothesis <= 0 ? eps : match / hypothesis;
    const double recall = reference <= 0 ? eps : match / reference;
    const double denominator = factor * precision + recall;
    sum += denominator <= 0 ? eps : (1 + factor) * precision * recall / denominator;
    if (hypothesis <= 0 || reference <= 0) continue;
    precisions += precision;
    recalls += recall;
    effective += 1;
  }
  if (options.eps_smoothing) return 100 * sum / double(options.orders());
  if (effective > 0) precisions /= effective, recalls /= effective;
  if (precisions + recalls == 0) return 0;
  return 100 * ((1 + factor) * precisions * recalls / (factor * precisions + recalls));
}

class ChrfCounter {
 public:
  explicit ChrfCounter(const ChrfOptions& options) : options_(options), row_(3 * options.orders()) {}

  void set_references(const std::vector<Texts>& references, size_t list) {
    references_.resize(references.size());
    for (size_t r = 0; r < references.size(); ++r) {
      Reference& reference = references_[r];
      read(references[r][list], options_, pieces_, reference.symbols);
      reference.characters.clear(reference.symbols.characters.size() * options_.char_order);
      reference.characters.add_reference(reference.symbols.characters, options_.char_order);
      reference.ids.clear(reference.symbols.words.size());
      reference.ids.find_all(reference.symbols.words, true, ids_);
      reference.words.clear(ids_.size() * options_.word_order);
      reference.words.add_reference(ids_, options_.word_order);
    }
  }

  void count(std::string_view hypothesis, double* stats) {
    read(hypothesis, options_, pieces_, hypothesis_);
    double best_score = -1;
    for (Reference& reference : references_) {
      std::fill(row_.begin(), row_.end(), 0.0);
      count_against(reference, row_.data());
      const double score = percent(row_.data(), options_);
      if (score > best_score) {
        best_score = score;
        std::copy(row_.begin(), row_.end(), stats);
      }
    }
  }

 private:
  struct Reference {
    Symbols symbols;
    NgramCounter characters, words;
    WordIds ids;
  };

  void count_against(Reference& reference, double* stats) {
    totals(hypothesis_.characters.size(), reference.symbols.characters.size(), options_.char_order, stats);
    reference.characters.match(hypothesis_.characters, options_.char_order, stats + 2, 3);
    if (options_.word_order == 0) return;
    stats += 3 * options_.char_order;
    totals(hypothesis_.words.size(), reference.symbols.words.size(), options_.word_order, stats);
    reference.ids.find_all(hypothesis_.words, false, ids_);
    reference.words.match(ids_, options_.word_order, stats + 2, 3);
  }

  static void totals(size_t hypothesis, size_t reference, size_t order, double* stats) {
    for (size_t n = 0; n < order; ++n) {
      if (reference <= n) continue;  // no reference n-gram: the hypothesis' n-grams do not count either
      stats[3 * n] = hypothesis > n ? double(hypothesis - n) : 0.0;
      stats[3 * n + 1] = double(reference - n);
    }
  }

  const ChrfOptions& options_;
  std::vector<Reference> references_;
  Symbols hypothesis_;
  std::vector<std::string_view> pieces_;
  std::vector<int32_t> ids_;
  std::vector<double> row_;
};

}  // namespace

double chrf_score(const double* stats, const ChrfOptions& options) { return percent(stats, options) / 100; }

void chrf_stats(const Texts& hypotheses, std::span<const int64_t> lists, const std::vector<Texts>& references,
                const ChrfOptions& options, int threads, std::span<double> out) {
  if (options.orders() < 1) throw InputError("chrF needs a character or word order of at least 1");
  constexpr size_t kListsPerChunk = 32;
  const size_t width = 3 * options.orders();
  parallel_chunks(lists.size() - 1, kListsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    ChrfCounter counter(options);
    for (size_t list = begin; list < end; ++list) {
      counter.set_references(references, list);
      for (int64_t h = lists[list]; h < lists[list + 1]; ++h)
        counter.count(hypotheses[h], out.data() + h * width);
    }
  });
}

}  // namespace tunesmith::metrics
