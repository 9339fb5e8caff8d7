#include "tunesmith/reestimate/decode_oracles.h"

#include <algorithm>
#include <ctime>
#include <memory>
#include <mutex>
#include <optional>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/file.h"
#include "tunesmith/forest/oracles/bleu_oracle.h"
#include "tunesmith/forest/viterbi.h"

namespace tunesmith::reestimate {

namespace {

constexpr size_t kOrder = 4;

void add(BleuSums& sums, std::span<const double> stats) {
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += stats[i];
}

/// CPU time of this thread, in seconds.
double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A text of one line.
struct OneText {
  explicit OneText(std::string_view line) : text(line), offsets{0, static_cast<int64_t>(line.size())} {}
  Texts view() const { return {text, offsets}; }

  std::string_view text;
  std::array<int64_t, 2> offsets;
};

/// The forest with the score of each edge as its only feature.
forest::Forest with_scores(const decode::ScoredForest& scored) {
  forest::ForestArrays arrays = scored.forest()->arrays();
  arrays.features = {};
  for (const double score : scored.scores()) {
    arrays.features.values.push_back({0, static_cast<float>(score)});
    arrays.features.close();
  }
  auto names = std::make_shared<forest::ForestNames>(scored.forest()->names());
  names->features.add("score");
  return {std::move(arrays), std::move(names)};
}

/// The sentences of one block, one after another.
class OracleBlockSearch {
 public:
  OracleBlockSearch(const OracleDecoding& decoding, const OracleSettings& settings, const OracleBlock& block)
      : decoding_(decoding),
        settings_(settings),
        block_(block),
        background_(settings.background),
        background_words_(settings.background_words),
        scorer_(kOrder, metrics::BleuSmoothing::exponential, 0.0) {
    if (!block.forests.empty()) forests_.emplace(block.forests);
  }

  void add(decode::SentenceDecoder& decoder, std::string_view source, std::string_view reference,
           uint32_t row) {
    decode::DecoderRequest request;
    request.input = std::make_shared<corpus::WordLattice>(corpus::WordLattice::sentence(source));
    if (request.input->columns() > kMostOfSentence) {  // the search would take hours
      ++counts.too_large;
      return;
    }
    const double began = cpu_seconds();
    if (decoding_.complete) decoding_.complete(source, row, request);
    const decode::ScoredForest scored = decoder.scored_forest(request);
    const double decoded = cpu_seconds();
    counts.decode_seconds += decoded - began;
    if (scored.forest()->empty()) {
      ++counts.missing;
      return;
    }
    if (forests_) forests_->add(with_scores(scored), std::to_string(row));
    add_oracles(scored, source, reference, row, request.input->columns());
    counts.oracle_seconds += cpu_seconds() - decoded;
  }

  /// Writes the files of the block.
  void write() {
    if (forests_) forests_->finish();
    writer_.write(block_.path);
  }

  OracleCounts counts;

 private:
  forest::oracles::BleuOracleOptions options(double words, uint32_t beam) const {
    forest::oracles::BleuOracleOptions options;
    options.background.assign(background_.begin(), background_.end());
    options.model_weight = settings_.mu * settings_.scale;
    options.metric_weight = (1 - settings_.mu) * words;
    options.beam = beam;
    if (beam == 0) options.max_work = settings_.exact_work;
    return options;
  }

  void add_oracles(const decode::ScoredForest& scored, std::string_view source, std::string_view reference,
                   uint32_t row, uint32_t columns) {
    const forest::Forest& forest = *scored.forest();
    const OneText text(reference);
    const double words = background_words_ + columns;
    const auto oracles = forest::oracles::bleu_oracles(forest, text.view(), scorer_, scored.scores(),
                                                       options(words, settings_.beam), settings_.nbest);
    const forest::oracles::BleuOracle& first = oracles.front();
    if (counts.compared < settings_.compare && settings_.beam > 0) compare(scored, text, words, oracles);
    const auto draft = decoding_.draft(scored, source, row);
    for (const forest::oracles::BleuOracle& oracle : oracles) {
      DerivationValues values{};
      values.score = static_cast<float>(oracle.derivation.score);
      values.gain = static_cast<float>(words * oracle.gain);
      values.value = static_cast<float>(oracle.value);
      for (size_t n = 0; n < kOrder; ++n)
        values.matches[n] = static_cast<uint16_t>(std::min<double>(oracle.stats[2 * n], kMostOfSentence));
      if (!draft->add(oracle.derivation.edges, values)) break;
    }
    if (draft->size() == 0) {
      ++counts.too_large;
      return;
    }
    ++counts.sentences;
    counts.derivations += draft->size();
    counts.source_words += columns;
    reestimate::add(counts.oracle, first.stats);
    reestimate::add(counts.best, best_stats(scored, text));
    writer_.add(draft->take(static_cast<uint32_t>(first.stats.back())));
    for (size_t i = 0; i < background_.size(); ++i)
      background_[i] = settings_.decay * (background_[i] + first.stats[i]);
    background_words_ = settings_.decay * (background_words_ + columns);
  }

  /// Statistics of the best translation of the model.
  BleuSums best_stats(const decode::ScoredForest& scored, const OneText& reference) const {
    const forest::Forest& forest = *scored.forest();
    std::string best;
    forest::append_words(
        forest, forest::derivation_words(forest, forest::viterbi(forest, scored.scores()).edges), best);
    BleuSums stats;
    const std::array<int64_t, 2> lists{0, 1};
    metrics::bleu_stats(OneText(best).view(), lists, {reference.view()}, {}, 1, stats);
    return stats;
  }

  /// The mean, over the ranks that both have, of what the one that was found is worse than the exact one.
  static double mean_loss(const std::vector<forest::oracles::BleuOracle>& exact,
                          const std::vector<forest::oracles::BleuOracle>& found) {
    const size_t ranks = std::min(exact.size(), found.size());
    double sum = 0;
    for (size_t i = 0; i < ranks; ++i) sum += exact[i].value - found[i].value;
    return sum / static_cast<double>(ranks);
  }

  /// Searches without a beam, at no cost to the time that is reported. An infeasible search is not an error.
  void compare(const decode::ScoredForest& scored, const OneText& reference, double words,
               const std::vector<forest::oracles::BleuOracle>& found) {
    ++counts.compared;
    const double began = cpu_seconds();
    try {
      const auto exact = forest::oracles::bleu_oracles(*scored.forest(), reference.view(), scorer_,
                                                       scored.scores(), options(words, 0), settings_.nbest);
      ++counts.exact;
      counts.value_loss += exact.front().value - found.front().value;
      counts.value_loss_of_all += mean_loss(exact, found);
      reestimate::add(counts.exact_sums, exact.front().stats);
      reestimate::add(counts.beam_sums, found.front().stats);
    } catch (const InputError&) {
    }
    counts.oracle_seconds -= cpu_seconds() - began;
  }

  const OracleDecoding& decoding_;
  const OracleSettings& settings_;
  const OracleBlock& block_;
  BleuSums background_;
  double background_words_;
  metrics::BleuScorer scorer_;
  DerivationWriter writer_;
  std::optional<forest::ForestWriter> forests_;
};

/// Blocks that are done, reported on the thread that polls.
class FinishedBlocks {
 public:
  void add(size_t block, const OracleCounts& counts) {
    const std::lock_guard lock(mutex_);
    done_.emplace_back(block, counts);
  }
  void report(const std::function<void(size_t, const OracleCounts&)>& finished) {
    std::vector<std::pair<size_t, OracleCounts>> taken;
    {
      const std::lock_guard lock(mutex_);
      taken.swap(done_);
    }
    for (const auto& [block, counts] : taken) finished(block, counts);
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<size_t, OracleCounts>> done_;
};

}  // namespace

void decode_oracles(const OracleDecoding& decoding, const Texts& sources, const Texts& references,
                    std::span<const uint32_t> rows, std::span<const OracleBlock> blocks,
                    const OracleSettings& settings, int threads, std::function<void()> poll,
                    const std::function<void(size_t, const OracleCounts&)>& finished) {
  if (sources.size() != references.size() || sources.size() != rows.size())
    throw InputError(std::to_string(sources.size()) + " sentences have " + std::to_string(references.size()) +
                     " references and " + std::to_string(rows.size()) + " rows; expected one each");
  for (const OracleBlock& block : blocks)
    if (block.begin > block.end || block.end > sources.size())
      throw InputError("a block is outside of the " + std::to_string(sources.size()) + " sentences");
  FinishedBlocks done;
  const auto search = [&](decode::SentenceDecoder& decoder, size_t number) {
    const OracleBlock& block = blocks[number];
    OracleBlockSearch oracles(decoding, settings, block);
    for (size_t i = block.begin; i < block.end; ++i) {
      try {
        oracles.add(decoder, sources[i], references[i], rows[i]);
      } catch (const InputError& error) {
        if (!error.path().empty()) throw;
        throw InputError("sentence " + std::to_string(rows[i] + 1) + ": " + error.what());
      }
    }
    oracles.write();
    done.add(number, oracles.counts);
  };
  const auto report = [&] {
    if (poll) poll();
    done.report(finished);
  };
  decode::for_each_request(decoding.make, blocks.size(), threads, report, search);
  done.report(finished);
}

}  // namespace tunesmith::reestimate
