#include "tunesmith/extract/phrases/scoring.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <mutex>
#include <span>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/extract/phrases/lexical_weight.h"

namespace tunesmith::extract::phrases {

namespace {

constexpr size_t kBlockBatch = 8;  // blocks scored while the previous batch is written to the sink

/// How often a target phrase occurs, and with how many source phrases: together, since few are in the cache.
struct TargetSums {
  uint64_t count = 0;
  uint32_t partners = 0;
};

/// Corpus-wide sums.
struct Marginals {
  std::vector<TargetSums> targets;
  CountsOfCounts counts_of_counts;
};

uint64_t joint_count(std::span<const PhraseEvent> events, int32_t exclude_fold) {
  uint64_t sum = 0;
  for (const PhraseEvent& event : events)
    if (static_cast<int32_t>(event.fold) != exclude_fold) sum += event.count;
  return sum;
}

/// A count in whole phrase pairs.
uint64_t rounded_up(uint64_t count, uint64_t unit) { return (count + unit - 1) / unit; }

Marginals sum_marginals(const PhraseCountFile& counts, const ScoringOptions& options) {
  Marginals sums{std::vector<TargetSums>(counts.totals().targets), {}};
  std::mutex lock;
  parallel_chunks(counts.blocks(), 1, options.threads, [&](size_t block, size_t, size_t) {
    CountsOfCounts distinct;
    PhraseCountCursor cursor = counts.block(block);
    while (cursor.next_source())
      while (cursor.next_pair()) {
        const uint64_t joint = joint_count(cursor.events(), options.exclude_fold);
        if (joint == 0) continue;
        distinct.add(rounded_up(joint, counts.unit()));
        // Sums of integers do not depend on the order of threads.
        TargetSums& target = sums.targets[cursor.target()];
        std::atomic_ref<uint64_t>(target.count).fetch_add(joint, std::memory_order_relaxed);
        std::atomic_ref<uint32_t>(target.partners).fetch_add(1, std::memory_order_relaxed);
      }
    const std::lock_guard guard(lock);
    sums.counts_of_counts.add(distinct);
  });
  return sums;
}

struct ScoredPair {
  uint32_t target;
  LinkBits links;
  std::array<float, 4> scores;
  float target_count;
  uint64_t joint;
};

/// A source phrase; its words and pairs begin at the ends of the previous one's.
struct ScoredSource {
  size_t words_end, pairs_end;
  uint64_t count;
};

struct ScoredBlock {
  std::vector<int32_t> words;
  std::vector<ScoredSource> sources;
  std::vector<ScoredPair> pairs;
  std::vector<float> reordering;  // one row per pair
};

class Scorer {
 public:
  Scorer(const PhraseCountFile& counts, const Lexicon& lexicon, const ScoringOptions& options)
      : counts_(counts),
        lexicon_(lexicon),
        options_(options),
        marginals_(sum_marginals(counts, options)),
        discounts_(options.smoothing, marginals_.counts_of_counts) {
    for (const tables::ReorderingModel& model : options.reordering)
      columns_ += static_cast<size_t>(tables::column_count(model));
  }

  std::vector<ScoredBlock> score(size_t first) const {
    std::vector<ScoredBlock> blocks(std::min(kBlockBatch, counts_.blocks() - first));
    parallel_chunks(blocks.size(), 1, options_.threads, [&](size_t i, size_t, size_t) {
      PhraseCountCursor cursor = counts_.block(first + i);
      std::vector<OrientationCounts> orientations;
      while (cursor.next_source())
        if (options_.only == nullptr || options_.only->contains(cursor.source()))
          score_source(cursor, orientations, blocks[i]);
    });
    return blocks;
  }

  void deliver(const std::vector<ScoredBlock>& blocks, tables::PhraseSink& sink) const {
    std::vector<corpus::Link> links;
    for (const ScoredBlock& block : blocks) {
      size_t word = 0, pair = 0;
      for (const ScoredSource& source : block.sources) {
        const auto words = std::span(block.words).subspan(word, source.words_end - word);
        word = source.words_end;
        sink.begin_source(words);
        for (; pair < source.pairs_end; ++pair) {
          const ScoredPair& scored = block.pairs[pair];
          tables::ScoredPhrase phrase;
          phrase.target = counts_.target(scored.target);
          phrase.target_number = scored.target;
          links.clear();
          unpack_links(scored.links, static_cast<int>(words.size()), static_cast<int>(phrase.target.size()),
                       links);
          phrase.alignment = links;
          phrase.scores = scored.scores;
          phrase.reordering = std::span(block.reordering).subspan(pair * columns_, columns_);
          phrase.target_count = scored.target_count;
          phrase.source_count = static_cast<float>(real(source.count));
          phrase.joint_count = static_cast<float>(real(scored.joint));
          sink.add(phrase);
        }
      }
    }
  }

 private:
  /// A count in phrase pairs.
  double real(uint64_t count) const { return static_cast<double>(count) / unit_; }

  /// `orientations` is scratch space.
  void score_source(PhraseCountCursor& cursor, std::vector<OrientationCounts>& orientations,
                    ScoredBlock& block) const {
    const size_t first = block.pairs.size();
    orientations.clear();
    OrientationCounts all;
    uint64_t count = 0, partners = 0;
    while (cursor.next_pair()) {
      const uint64_t joint = joint_count(cursor.events(), options_.exclude_fold);
      if (joint == 0) continue;
      count += joint;
      ++partners;
      OrientationCounts seen;
      if (columns_ > 0) {
        for (const PhraseEvent& event : cursor.events())
          if (static_cast<int32_t>(event.fold) != options_.exclude_fold) seen.add(event);
        all.add(seen);
      }
      if (real(joint) < static_cast<double>(options_.min_count)) continue;
      block.pairs.push_back(weigh(cursor, joint));
      orientations.push_back(seen);
    }
    if (block.pairs.size() == first) return;
    block.words.insert(block.words.end(), cursor.source().begin(), cursor.source().end());
    block.sources.push_back({block.words.size(), block.pairs.size(), count});
    block.reordering.resize(block.pairs.size() * columns_);
    float* row = block.reordering.data() + first * columns_;
    for (size_t i = first; i < block.pairs.size(); ++i) {
      ScoredPair& pair = block.pairs[i];
      const TargetSums& target = marginals_.targets[pair.target];
      const double adjusted = discounts_.adjusted(real(pair.joint), rounded_up(pair.joint, counts_.unit()),
                                                  partners, target.partners);
      const double of_target = real(target.count);
      pair.target_count = static_cast<float>(of_target);
      pair.scores[0] = static_cast<float>(adjusted / of_target);
      pair.scores[2] = static_cast<float>(adjusted / real(count));
      for (const tables::ReorderingModel& model : options_.reordering) {
        (model.given_target ? orientations[i - first] : all)
            .probabilities(model, options_.reordering_smoothing, unit_, row);
        row += tables::column_count(model);
      }
    }
  }

  /// Computes the lexical weights, which need the pair's events.
  ScoredPair weigh(const PhraseCountCursor& cursor, uint64_t joint) const {
    const auto source = cursor.source(), target = counts_.target(cursor.target());
    const ChosenLinks chosen = choose_links(cursor.events(), static_cast<int>(source.size()),
                                            static_cast<int>(target.size()), options_.exclude_fold);
    ScoredPair pair{cursor.target(), chosen.by_target, {}, 0, joint};
    pair.scores[1] = static_cast<float>(source_weight(source, target, chosen.by_source, lexicon_));
    pair.scores[3] = static_cast<float>(target_weight(source, target, chosen.by_target, lexicon_));
    return pair;
  }

  const PhraseCountFile& counts_;
  const Lexicon& lexicon_;
  const ScoringOptions& options_;
  double unit_ = static_cast<double>(counts_.unit());
  Marginals marginals_;
  PhraseDiscounts discounts_;
  size_t columns_ = 0;
};

}  // namespace

uint64_t score_phrases(const PhraseCountFile& counts, const Lexicon& lexicon, const ScoringOptions& options,
                       tables::PhraseSink& sink) {
  if (!(options.reordering_smoothing > 0))
    throw InputError("expected a smoothing of reordering above 0, found " +
                     std::to_string(options.reordering_smoothing));
  const Scorer scorer(counts, lexicon, options);
  uint64_t pairs = 0;
  std::vector<ScoredBlock> ready;
  for (size_t first = 0; first < counts.blocks(); first += kBlockBatch) {
    auto next = std::async(std::launch::async, [&] { return scorer.score(first); });
    scorer.deliver(ready, sink);
    ready = next.get();
    for (const ScoredBlock& block : ready) pairs += block.pairs.size();
  }
  scorer.deliver(ready, sink);
  return pairs;
}

}  // namespace tunesmith::extract::phrases
