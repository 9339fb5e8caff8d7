#include "tunesmith/lm/mixture.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/lm/interpolation.h"
#include "tunesmith/lm/records.h"
#include "tunesmith/lm/unhashing.h"

namespace tunesmith::lm {

namespace {

constexpr uint32_t kNone = TrieLevel::kNone;
constexpr size_t kChunk = size_t{1} << 12;

/// A model, and what it has for the n-grams of the mixture of one order.
struct MixedModel {
  double weight = 0;
  SuffixTrie trie;
  std::vector<uint32_t> known;        // by word of the mixture: the word, or `<unk>` if the model lacks it
  std::vector<uint32_t> united;       // by n-gram of the model: n-gram of the mixture
  std::vector<uint32_t> matching;     // by n-gram of the mixture: n-gram of the model, or kNone
  std::vector<double> probabilities;  // by n-gram of the mixture: p_i(last word | words before it)

  bool has(uint32_t word) const { return known[word] == word; }

  /// The weight of backing off from an n-gram of the mixture of an order; 1 if the model does not have it.
  double backoff(size_t order, uint32_t ngram) const {
    const uint32_t own = matching[ngram];
    return own == kNone ? 1 : std::exp(double{trie.weights[order - 1][own].backoff});
  }
};

/// At least -99, like probabilities; a mixture's back-off may be above 1.
float log10_backoff(double kept, double kept_shorter) {
  const double left = 1 - kept, left_shorter = 1 - kept_shorter;
  if (left <= 0) return -99;
  if (left_shorter <= 0) return 0;  // no word is left to back off to
  return static_cast<float>(std::max(std::log10(left / left_shorter), -99.0));
}

std::vector<uint64_t> united(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  std::vector<uint64_t> both;
  both.reserve(std::max(a.size(), b.size()));
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

/// Makes a mixture, order by order. Models and mixture have the same numbers of words, so that the n-grams of
/// a model are in the same sequence in both.
class Mixing {
 public:
  Mixing(std::span<const NgramLm* const> models, std::span<const double> weights, int threads)
      : models_(models.size()), threads_(threads) {
    read(models, weights);
    size_t order = 0;
    for (const MixedModel& model : models_) order = std::max(order, model.trie.order());
    for (size_t n = 1; n <= order; ++n) {
      unite(n);
      find_contexts(n);
      mix(n);
      weigh_contexts(n);
    }
    ngrams_.log10_backoffs.emplace_back(ngrams_.levels.back().size());
  }

  MixedNgrams take() { return std::move(ngrams_); }

 private:
  void read(std::span<const NgramLm* const> models, std::span<const double> weights) {
    corpus::Vocabulary words;
    for (const std::string_view mark : {"<unk>", "<s>", "</s>"}) words.intern(mark);
    std::vector<std::vector<uint32_t>> numbers;
    for (const NgramLm* model : models) {
      const Texts& own = model->vocabulary().words();
      for (size_t i = 0; i < own.size(); ++i) words.intern(own[i]);
      if (model->vocabulary().find("<unk>") < 0)
        throw InputError("is damaged: it has no <unk>; build the model again", model->path());
    }
    for (size_t i = 0; i < models.size(); ++i) {
      const Texts& own = models[i]->vocabulary().words();
      auto& chosen = numbers.emplace_back();
      models_[i].weight = weights[i];
      models_[i].known.assign(words.size(), kUnknownWord);
      for (size_t j = 0; j < own.size(); ++j) {
        chosen.push_back(static_cast<uint32_t>(words.find(own[j])));
        models_[i].known[chosen.back()] = chosen.back();
      }
    }
    parallel_chunks(models.size(), 1, threads_,
                    [&](size_t i, size_t, size_t) { models_[i].trie = unhash(*models[i], numbers[i]); });
    ngrams_.words = words.take_names();
  }

  /// Adds a level with the n-grams of all models.
  void unite(size_t n) {
    std::vector<uint64_t> all;
    std::vector<std::vector<uint64_t>> keys;
    for (const MixedModel& model : models_) {
      auto& own = keys.emplace_back();
      if (n > model.trie.order()) continue;
      const TrieLevel& level = model.trie.levels[n - 1];
      own.reserve(level.size());
      for (size_t i = 0; i < level.size(); ++i)
        own.push_back(TrieLevel::key(n == 1 ? 0 : model.united[level.suffix(i)], level.word(i)));
      all = all.empty() ? own : united(all, own);
    }
    for (size_t m = 0; m < models_.size(); ++m) {
      models_[m].united.clear();
      uint32_t at = 0;
      for (const uint64_t key : keys[m]) {
        while (all[at] < key) ++at;
        models_[m].united.push_back(at);
      }
      keys[m] = {};
    }
    const size_t shorter = n == 1 ? 1 : ngrams_.levels.back().size();
    ngrams_.levels.emplace_back(std::move(all), shorter);
  }

  /// Finds the context of each n-gram, all its words but the last, among those of the next lower order.
  void find_contexts(size_t n) {
    const TrieLevel& level = ngrams_.levels[n - 1];
    std::vector<uint32_t> contexts(level.size()), last(level.size());
    parallel_chunks(level.size(), kChunk, threads_, [&](size_t, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const uint32_t suffix = level.suffix(i), word = level.word(i);
        last[i] = n == 1 ? word : last_[suffix];
        if (n > 1) contexts[i] = ngrams_.levels[n - 2].find(n == 2 ? 0 : contexts_[suffix], word);
        if (contexts[i] == kNone)
          throw InputError("a model has n-grams of order " + std::to_string(n) +
                           " whose context it does not have; build it again");
      }
    });
    contexts_ = std::move(contexts);
    last_ = std::move(last);
  }

  void mix(size_t n) {
    const TrieLevel& level = ngrams_.levels[n - 1];
    std::vector<double> mixed(level.size());
    for (MixedModel& model : models_) {
      std::vector<uint32_t> matching(level.size());
      std::vector<double> probabilities(level.size());
      parallel_chunks(level.size(), kChunk, threads_, [&](size_t, size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
          matching[i] = match(model, n, i);
          probabilities[i] = probability(model, n, i, matching[i]);
          mixed[i] += model.weight * probabilities[i];
        }
      });
      model.matching = std::move(matching);
      model.probabilities = std::move(probabilities);
    }
    shorter_ = std::move(mixed_);
    mixed_ = std::move(mixed);
    auto& logs = ngrams_.log10_probabilities.emplace_back(level.size());
    for (size_t i = 0; i < level.size(); ++i) {
      if (!std::isfinite(mixed_[i])) throw InputError("a model has a probability that is not a number");
      logs[i] = model_log10(mixed_[i]);
    }
  }

  /// The n-gram of the model for an n-gram of the mixture, with `<unk>` in the place of words it lacks.
  uint32_t match(const MixedModel& model, size_t n, size_t ngram) const {
    const TrieLevel& level = ngrams_.levels[n - 1];
    const uint32_t suffix = n == 1 ? 0 : model.matching[level.suffix(ngram)];
    if (n > model.trie.order() || suffix == kNone) return kNone;
    return model.trie.levels[n - 1].find(suffix, model.known[level.word(ngram)]);
  }

  double probability(const MixedModel& model, size_t n, size_t ngram, uint32_t own) const {
    if (!model.has(last_[ngram])) return 0;
    if (own != kNone) return std::exp(double{log_probability(model.trie.weights[n - 1][own].probability)});
    const uint32_t suffix = ngrams_.levels[n - 1].suffix(ngram);
    return model.probabilities[suffix] * model.backoff(n - 1, contexts_[ngram]);
  }

  /// Computes the back-offs of the next lower order.
  void weigh_contexts(size_t n) {
    if (n == 1) return;
    const TrieLevel& level = ngrams_.levels[n - 1];
    std::vector<double> kept(shorter_.size()), kept_shorter(shorter_.size());
    for (size_t i = 0; i < level.size(); ++i) {
      if (last_[i] == kSentenceBegin) continue;
      kept[contexts_[i]] += mixed_[i];
      kept_shorter[contexts_[i]] += shorter_[level.suffix(i)];
    }
    auto& backoffs = ngrams_.log10_backoffs.emplace_back(shorter_.size());
    for (size_t i = 0; i < kept.size(); ++i)
      if (kept[i] > 0) backoffs[i] = log10_backoff(kept[i], kept_shorter[i]);
  }

  MixedNgrams ngrams_;
  std::vector<MixedModel> models_;
  int threads_;
  // Of the n-grams of the order being mixed:
  std::vector<uint32_t> contexts_, last_;
  std::vector<double> mixed_;
  std::vector<double> shorter_;  // probabilities of the next lower order
};

}  // namespace

LmMixture::LmMixture(std::span<const NgramLm* const> models, std::span<const double> weights, int threads) {
  if (models.empty() || models.size() != weights.size())
    throw InputError("a mixture of " + std::to_string(models.size()) + " models with " +
                     std::to_string(weights.size()) + " weights; expected one weight per model");
  ngrams_ = Mixing(models, weights, threads).take();
}

std::vector<uint64_t> LmMixture::counts() const {
  std::vector<uint64_t> counts;
  for (const TrieLevel& level : ngrams_.levels) counts.push_back(level.size());
  return counts;
}

void LmMixture::send(NgramSink& sink) const {
  sink.begin(ngrams_.words.view(), counts());
  each_ngram(ngrams_.levels, [&](size_t n, size_t i, std::span<const int32_t> words) {
    sink.add(words, ngrams_.log10_probabilities[n - 1][i], ngrams_.log10_backoffs[n - 1][i]);
  });
  sink.end();
}

}  // namespace tunesmith::lm
