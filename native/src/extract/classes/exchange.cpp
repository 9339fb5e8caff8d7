#include "tunesmith/extract/classes/exchange.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/extract/classes/counts.h"
#include "tunesmith/extract/classes/merge.h"

namespace tunesmith::extract::classes {

namespace {

constexpr size_t kBatch = 256;  // words whose best class is sought while all classes stand still
constexpr size_t kChunk = 16;
constexpr size_t kFewFounders = 300;         // classes to merge from, where few are asked for
constexpr size_t kMergeCells = 200'000'000;  // of the table of costs that merging may renew
constexpr size_t kCareful = 2000;
constexpr int kEarlyPasses = 5;
constexpr double kLeastGain = 1e-7;  // below it, rounding could move words to and fro for ever

struct Proposal {
  int32_t to = -1;
  double gain = 0;
};

/// The best class for a word; the first of equal ones. `forced` words must leave the class they are in.
Proposal best_class(const ClassCounts& counts, const Surroundings& word, int32_t from, int32_t classes,
                    bool forced) {
  Proposal best;
  for (int32_t to = 0; to < classes; ++to) {
    if (to == from) continue;
    const double gain = counts.gain(word, from, to);
    if (best.to < 0 ? forced || gain > kLeastGain : gain > best.gain) best = {to, gain};
  }
  return best;
}

/// Occurring words, frequent ones first.
std::vector<size_t> by_frequency(const Bigrams& bigrams, size_t words) {
  std::vector<size_t> order;
  for (size_t word = 0; word < words; ++word)
    if (bigrams.counts[word] > 0) order.push_back(word);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return bigrams.counts[a] > bigrams.counts[b]; });
  return order;
}

/// Moves the words of a batch: all look for their best class at once, then each, in turn, moves if the
/// move still gains after those before it.
int64_t exchange_batch(ClassCounts& counts, std::span<const size_t> words, int32_t classes, bool forced,
                       int threads) {
  std::vector<Proposal> proposals(words.size());
  parallel_chunks(words.size(), kChunk, threads, [&](size_t, size_t begin, size_t end) {
    std::vector<int64_t> scratch(static_cast<size_t>(classes) + 2);
    Surroundings surroundings;
    for (size_t i = begin; i < end; ++i) {
      counts.surround(words[i], scratch, surroundings);
      proposals[i] = best_class(counts, surroundings, counts.classes()[words[i]], classes, forced);
    }
  });
  int64_t moved = 0;
  std::vector<int64_t> scratch(static_cast<size_t>(classes) + 2);
  Surroundings surroundings;
  for (size_t i = 0; i < words.size(); ++i) {
    if (proposals[i].to < 0) continue;
    counts.surround(words[i], scratch, surroundings);
    const int32_t from = counts.classes()[words[i]];
    if (!forced && counts.gain(surroundings, from, proposals[i].to) <= kLeastGain) continue;
    counts.move(words[i], surroundings, proposals[i].to);
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

/// The most frequent words found a class each; the others join the best one, frequent words first.
ClassCounts join_classes(const Bigrams& bigrams, std::span<const size_t> order, int32_t classes,
                         int threads) {
  const int32_t border = classes, waiting = classes + 1;
  std::vector<int32_t> start(bigrams.counts.size(), -1);
  start.back() = border;
  for (size_t rank = 0; rank < order.size(); ++rank)
    start[order[rank]] = rank < static_cast<size_t>(classes) ? static_cast<int32_t>(rank) : waiting;
  ClassCounts counts(bigrams, std::move(start), static_cast<size_t>(classes) + 2);
  const auto joining = order.subspan(static_cast<size_t>(classes));
  // Frequent words shape the classes for those that follow: they join one by one, the rest in batches.
  const size_t careful = std::min(joining.size(), kCareful);
  exchange_all(counts, joining.first(careful), classes, true, 1, 1);
  exchange_all(counts, joining.subspan(careful), classes, true, kBatch, threads);
  return counts;
}

/// Twice the classes asked for and some more are merged down to them; fewer where that would take long.
size_t founder_count(size_t classes) {
  const size_t wanted = std::max(classes + 100, kFewFounders - std::min(classes, kFewFounders));
  return classes + std::min(wanted, kMergeCells / (4 * classes * classes));
}

/// The classes of words after merging all but `keep` of them; the border is the class after these.
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
  if (order.empty()) throw InputError("there are no words to put into classes");

  const auto classes = static_cast<int32_t>(std::min(static_cast<size_t>(options.classes), order.size()));
  const auto founders =
      static_cast<int32_t>(std::min(founder_count(static_cast<size_t>(options.classes)), order.size()));
  ClassCounts many = join_classes(bigrams, order, founders, options.threads);
  for (int pass = 0; pass < kEarlyPasses; ++pass)
    if (exchange_all(many, order, founders, false, kBatch, options.threads) == 0) break;
  ClassCounts counts(bigrams, merged(many, founders, classes), static_cast<size_t>(classes) + 1);

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
