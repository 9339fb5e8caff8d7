#include "tunesmith/extract/classes/exchange.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/extract/classes/counts.h"
#include "tunesmith/extract/classes/merge.h"

namespace tunesmith::extract::classes {

namespace {

constexpr size_t kBatch = 256;  // words whose best class is found in parallel, with all classes fixed
constexpr size_t kChunk = 16;
constexpr size_t kMinInitial = 300;          // initial classes, if few classes are requested
constexpr size_t kMergeCells = 200'000'000;  // budget of cost updates in merging
constexpr size_t kOneByOne = 2000;           // frequent words that join their class one by one
constexpr int kEarlyPasses = 5;              // before merging
constexpr double kMinGain = 1e-7;  // below it, rounding errors could move words back and forth forever

struct Proposal {
  int32_t to = -1;
  double gain = 0;
};

/// The best class for a word, the first of equals. `forced` words must leave their class.
Proposal best_class(const ClassCounts& counts, const ContextCounts& word, int32_t from, bool forced,
                    std::vector<double>& gains) {
  Proposal best;
  counts.gains(word, from, gains);
  for (int32_t to = 0; to < static_cast<int32_t>(gains.size()); ++to) {
    if (to == from) continue;
    const double gain = gains[static_cast<size_t>(to)];
    if (best.to < 0 ? forced || gain > kMinGain : gain > best.gain) best = {to, gain};
  }
  return best;
}

/// The words that occur, by decreasing frequency.
std::vector<size_t> by_frequency(const Bigrams& bigrams, size_t words) {
  std::vector<size_t> order;
  for (size_t word = 0; word < words; ++word)
    if (bigrams.counts[word] > 0) order.push_back(word);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return bigrams.counts[a] > bigrams.counts[b]; });
  return order;
}

/// Exchanges a batch of words: finds the best class of each in parallel, then moves them one after another if
/// the move still gains.
int64_t exchange_batch(ClassCounts& counts, std::span<const size_t> words, int32_t classes, bool forced,
                       int threads) {
  std::vector<Proposal> proposals(words.size());
  parallel_chunks(words.size(), kChunk, threads, [&](size_t, size_t begin, size_t end) {
    std::vector<int64_t> scratch(static_cast<size_t>(classes) + 2);
    std::vector<double> gains(static_cast<size_t>(classes));
    ContextCounts context;
    for (size_t i = begin; i < end; ++i) {
      counts.count_context(words[i], scratch, context);
      proposals[i] = best_class(counts, context, counts.classes()[words[i]], forced, gains);
    }
  });
  int64_t moved = 0;
  std::vector<int64_t> scratch(static_cast<size_t>(classes) + 2);
  ContextCounts context;
  for (size_t i = 0; i < words.size(); ++i) {
    if (proposals[i].to < 0) continue;
    counts.count_context(words[i], scratch, context);
    const int32_t from = counts.classes()[words[i]];
    if (!forced && counts.gain(context, from, proposals[i].to) <= kMinGain) continue;
    counts.move(words[i], context, proposals[i].to);
    ++moved;
  }
  return moved;
}

int64_t exchange_all(ClassCounts& counts, std::span<const size_t> words, int32_t classes, bool forced,
                     size_t batch, int threads) {
  int64_t moved = 0;
  for (size_t begin = 0; begin < words.size(); begin += batch)
    moved += exchange_batch(counts, words.subspan(begin, std::min(batch, words.size() - begin)), classes,
                            forced, threads);
  return moved;
}

/// Seeds each class with one of the most frequent words; the others join their best class, frequent words
/// first.
ClassCounts join_classes(const Bigrams& bigrams, std::span<const size_t> order, int32_t classes,
                         int threads) {
  const int32_t border = classes, waiting = classes + 1;
  std::vector<int32_t> start(bigrams.counts.size(), -1);
  start.back() = border;
  for (size_t rank = 0; rank < order.size(); ++rank)
    start[order[rank]] = rank < static_cast<size_t>(classes) ? static_cast<int32_t>(rank) : waiting;
  ClassCounts counts(bigrams, std::move(start), static_cast<size_t>(classes) + 2);
  const auto joining = order.subspan(static_cast<size_t>(classes));
  // Frequent words shape the classes, so they join one by one; the rest in batches.
  const size_t one_by_one = std::min(joining.size(), kOneByOne);
  exchange_all(counts, joining.first(one_by_one), classes, true, 1, 1);
  exchange_all(counts, joining.subspan(one_by_one), classes, true, kBatch, threads);
  return counts;
}

/// Number of initial classes: about twice the requested number, fewer if merging would take long.
size_t initial_class_count(size_t classes) {
  const size_t wanted = std::max(classes + 100, kMinInitial - std::min(classes, kMinInitial));
  return classes + std::min(wanted, kMergeCells / (4 * classes * classes));
}

/// The classes of words after merging down to `keep`; the sentence boundary is the class after these.
std::vector<int32_t> merged(const ClassCounts& counts, int32_t classes, int32_t keep) {
  const auto number = merge_classes(counts, static_cast<size_t>(classes), static_cast<size_t>(keep));
  std::vector<int32_t> result = counts.classes();
  for (int32_t& c : result) c = c < 0 ? c : c == classes ? keep : number[static_cast<size_t>(c)];
  return result;
}

}  // namespace

ExchangedClasses exchange_classes(const corpus::Sentences& sentences, size_t words,
                                  const ClassOptions& options, const ClassProgress& progress) {
  if (options.classes < 1) throw InputError("expected at least one class");
  corpus::check_sentences(sentences, words);
  const Bigrams bigrams = count_bigrams(sentences, words);
  const auto order = by_frequency(bigrams, words);
  if (order.empty()) throw InputError("the text has no words; expected at least one to put into classes");

  const auto classes = static_cast<int32_t>(std::min(static_cast<size_t>(options.classes), order.size()));
  const auto initial =
      static_cast<int32_t>(std::min(initial_class_count(static_cast<size_t>(options.classes)), order.size()));
  ClassCounts many = join_classes(bigrams, order, initial, options.threads);
  for (int pass = 0; pass < kEarlyPasses; ++pass)
    if (exchange_all(many, order, initial, false, kBatch, options.threads) == 0) break;
  ClassCounts counts(bigrams, merged(many, initial, classes), static_cast<size_t>(classes) + 1);

  ExchangedClasses result;
  do {
    result.moved = exchange_all(counts, order, classes, false, kBatch, options.threads);
    ++result.passes;
    if (progress) progress(result.passes, result.moved, counts.mutual_information());
  } while (result.moved > 0 && result.passes < options.passes);
  result.mutual_information = counts.mutual_information();
  result.classes.assign(counts.classes().begin(), counts.classes().end() - 1);
  return result;
}

double mutual_information(const corpus::Sentences& sentences, std::span<const int32_t> classes) {
  corpus::check_sentences(sentences, classes.size());
  int32_t most = -1;
  for (int32_t c : classes) most = std::max(most, c);
  const Bigrams bigrams = count_bigrams(sentences, classes.size());
  for (size_t word = 0; word < classes.size(); ++word)
    if (bigrams.counts[word] > 0 && classes[word] < 0)
      throw InputError("word " + std::to_string(word) + " occurs but has no class");
  std::vector<int32_t> with_border(classes.begin(), classes.end());
  with_border.push_back(most + 1);
  return ClassCounts(bigrams, std::move(with_border), static_cast<size_t>(most) + 2).mutual_information();
}

}  // namespace tunesmith::extract::classes
