// The stages of Kneser-Ney estimation, by key size.
#pragma once

#include <array>
#include <deque>

#include "tunesmith/base/parallel.h"
#include "tunesmith/lm/adjusted_counts.h"
#include "tunesmith/lm/batches.h"
#include "tunesmith/lm/context_weights.h"
#include "tunesmith/lm/interpolation.h"
#include "tunesmith/lm/kneser_ney.h"

namespace tunesmith::lm {

/// Three sorts, as in Heafield et al. (2013): the n-grams of the text in suffix order, for adjusted counts in
/// one pass; the n-grams of each order in context order, for sums over contexts; and again in suffix order,
/// for merging with the next lower order. O(n log n) for n n-grams, in bounded memory.
template <int Parts>
class SortedStages : public KneserNeyStages {
 public:
  SortedStages(const KneserNeyOptions& options, MemoryBudget& budget)
      : layout_(options.order),
        threads_(options.threads),
        interpolate_unigrams_(options.interpolate_unigrams),
        space_{budget, options.folder, std::clamp<size_t>(options.memory / 64, 1 << 12, 6 << 20),
               options.threads},
        counted_(std::make_unique<ExternalSort<CountedNgram<Parts>>>(space_)) {
    start_ = Key{};
    for (int i = 0; i + 1 < options.order; ++i) start_ = layout_.with_field(start_, i, kSentenceBegin);
  }

  uint64_t word_limit() const override { return layout_.word_limit(); }

  void count(std::span<const int32_t> sentence) override {
    Key key = start_;
    for (int32_t word : sentence) {
      key = layout_.followed_by(key, static_cast<uint32_t>(word));
      counted_->add({key, 1});
    }
    counted_->add({layout_.followed_by(key, kSentenceEnd), 1});
  }

  std::vector<OrderStatistics> adjust(const Pruning& pruning, size_t words) override {
    std::vector<OrderStatistics> statistics(layout_.order());
    for (int n = 2; n <= layout_.order(); ++n) by_context_.emplace_back(space_);
    unigrams_.assign(words, {});
    statistics[0].add(0, false);  // <unk>
    statistics[0].add(0, false);  // <s>
    counted_->finish();
    {
      auto full = counted_->read();
      adjust_counts(full, layout_, pruning, [&](int n, const Key& key, uint64_t count, bool pruned) {
        statistics[n - 1].add(count, pruned);
        if (n == 1)
          unigrams_[layout_.field(key, 0)] = {count, pruned};
        else
          by_context_[n - 2].add({layout_.to_context_order(key, n), count, pruned});
      });
    }
    counted_.reset();
    return statistics;
  }

  void weigh(const std::vector<Discounts>& discounts) override {
    for (const Unigram& unigram : unigrams_) unigram_sums_.add(unigram.count, unigram.pruned);
    discounts_ = discounts;
    RecordSpace inner = space_;
    inner.threads = 1;  // the threads work on different orders
    for (int n = 2; n <= layout_.order(); ++n) {
      weighted_.emplace_back(inner);
      backoffs_.emplace_back(inner);
    }
    const size_t orders = by_context_.size();
    parallel_chunks(orders, 1, threads_, [&](size_t chunk, size_t, size_t) {
      const size_t i = orders - 1 - chunk;  // the largest first
      const int n = static_cast<int>(i) + 2;
      by_context_[i].finish();
      weigh_contexts(by_context_[i], layout_, n, discounts[n - 1], weighted_[i], backoffs_[i]);
      weighted_[i].finish();
      backoffs_[i].finish();
      by_context_[i].clear();
    });
  }

  void add_to(NgramSink& sink, std::span<const int32_t> numbers) const override {
    auto produce = [&](NgramSink& to) { interpolate_all(to, numbers); };
    if (threads_ > 1)
      add_from_thread(sink, produce);
    else
      produce(sink);
  }

 private:
  using Key = NgramKey<Parts>;
  using Probabilities = Spool<ValuedNgram<Parts>>;

  struct Unigram {
    uint64_t count = 0;
    bool pruned = false;
  };

  void interpolate_all(NgramSink& sink, std::span<const int32_t> numbers) const {
    std::array<int32_t, kMaxNgramOrder> words{};
    auto shorter = std::make_unique<Probabilities>(space_);
    interpolate_unigrams(sink, numbers, *shorter);
    for (int n = 2; n <= layout_.order(); ++n) {
      shorter->finish();
      const bool highest = n == layout_.order();
      auto longer = highest ? nullptr : std::make_unique<Probabilities>(space_);
      std::optional<BackoffReader<Parts>> backoffs;
      if (!highest) backoffs.emplace(backoffs_[n - 1]);
      interpolate(weighted_[n - 2], layout_, n, *shorter, backoffs ? &*backoffs : nullptr, longer.get(),
                  [&](const Key& key, double probability, float log10_backoff) {
                    for (int i = 0; i < n; ++i) words[n - 1 - i] = numbers[layout_.field(key, i)];
                    sink.add({words.data(), static_cast<size_t>(n)}, model_log10(probability), log10_backoff);
                  });
      shorter = std::move(longer);
    }
  }

  /// p(w) = own + weight / V, where V counts `<unk>` but not `<s>`, which is never predicted.
  void interpolate_unigrams(NgramSink& sink, std::span<const int32_t> numbers, Probabilities& keep) const {
    const double weight = unigram_sums_.weight(discounts_[0]);
    uint64_t kept = 0;
    for (int32_t number : numbers) kept += number >= 0 ? 1 : 0;
    const double unseen = interpolate_unigrams_ ? weight / static_cast<double>(kept - 1) : 0;
    std::optional<BackoffReader<Parts>> backoffs;
    if (layout_.order() > 1) backoffs.emplace(backoffs_[0]);
    for (size_t word = 0; word < unigrams_.size(); ++word) {
      if (numbers[word] < 0) continue;
      double probability = unigram_sums_.own(unigrams_[word].count, discounts_[0]) + unseen;
      if (word == kUnknownWord) probability = interpolate_unigrams_ ? unseen : weight;
      if (word == kSentenceBegin) probability = 1;
      const Key key = layout_.with_field({}, 0, static_cast<uint32_t>(word));
      sink.add({&numbers[word], 1}, model_log10(probability), backoffs ? backoffs->log10(key) : 0.0f);
      keep.add({key, probability});
    }
  }

  KeyLayout<Parts> layout_;
  int threads_;
  bool interpolate_unigrams_;
  RecordSpace space_;
  Key start_;  // context of the first word
  std::unique_ptr<ExternalSort<CountedNgram<Parts>>> counted_;
  std::vector<Unigram> unigrams_;
  ContextSums unigram_sums_;
  std::vector<Discounts> discounts_;
  std::deque<ExternalSort<AdjustedNgram<Parts>>> by_context_;  // of orders 2, 3, ...
  std::deque<ExternalSort<WeightedNgram<Parts>>> weighted_;    // the same
  std::deque<Spool<ValuedNgram<Parts>>> backoffs_;             // of orders 1, 2, ...
};

}  // namespace tunesmith::lm
