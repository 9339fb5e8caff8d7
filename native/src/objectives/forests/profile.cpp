#include "tunesmith/objectives/forests/profile.h"

#include <mutex>
#include <string>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/forest/derivation.h"

namespace tunesmith::objectives::forests {

namespace {

constexpr size_t kForestsPerChunk = 8;

/// The winners of one sentence, and those of them without statistics.
struct SentenceWinners {
  std::vector<WinningYield> winners;
  size_t lines = 0;
  TextColumn texts;
  std::vector<forest::YieldHash> yields;
};

}  // namespace

ForestProfile::ForestProfile(std::shared_ptr<const forest::ForestStore> forests,
                             std::shared_ptr<const metrics::Scorer> scorer)
    : forests_(std::move(forests)), scorer_(std::move(scorer)), rows_(forests_->size()) {}

size_t ForestProfile::yield_count() const {
  const std::shared_lock lock(measured_);
  return stats_.size() / std::max<size_t>(scorer_->width(), 1);
}

std::vector<double> ForestProfile::scores(std::span<const double> weights, int threads) const {
  const forest::ForestStore::NamedWeights of_names(*forests_, weights);
  std::vector<double> result(forests_->edge_count());
  parallel_chunks(forests_->size(), kForestsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      std::ranges::copy((*forests_)[i]->scores(of_names[i]),
                        result.begin() + static_cast<ptrdiff_t>(forests_->edge_offsets()[i]));
  });
  return result;
}

LineWinners ForestProfile::at(std::span<const double> scores, int threads) const {
  return winners(scores, nullptr, {}, threads);
}

LineWinners ForestProfile::along(std::span<const double> scores, std::span<const double> direction,
                                 forest::LineRange range, int threads) const {
  const forest::ForestStore::NamedWeights of_names(*forests_, direction);
  return winners(scores, &of_names, range, threads);
}

/// Without a direction, at the point itself: all slopes are zero.
LineWinners ForestProfile::winners(std::span<const double> scores,
                                   const forest::ForestStore::NamedWeights* direction,
                                   forest::LineRange range, int threads) const {
  if (scores.size() != forests_->edge_count())
    throw InputError(std::to_string(scores.size()) + " scores for " + std::to_string(forests_->edge_count()) +
                     " edges");
  std::vector<SentenceWinners> found(forests_->size());
  parallel_chunks(forests_->size(), kForestsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    forest::ForestEnvelope envelope;
    std::vector<forest::YieldHash> yields;
    std::vector<uint8_t> is_new;
    std::string text;
    for (size_t i = begin; i < end; ++i) {
      const auto kept = (*forests_)[i];
      const forest::Forest& forest = *kept;
      const auto slopes =
          direction == nullptr ? std::vector<double>(forest.edge_count()) : forest.scores((*direction)[i]);
      const auto own_scores = scores.subspan(forests_->edge_offsets()[i], forest.edge_count());
      envelope.find(forest, own_scores, slopes, range);
      envelope.yields(forest, yields);
      SentenceWinners& sentence = found[i];
      sentence.lines = envelope.size();
      is_new.assign(yields.size(), 0);
      {
        const std::shared_lock lock(measured_);
        for (size_t line = 0; line < yields.size(); ++line) is_new[line] = !rows_[i].contains(yields[line]);
      }
      for (size_t line = 0; line < yields.size(); ++line) {
        if (line > 0 && yields[line] == yields[line - 1]) continue;
        sentence.winners.push_back({envelope.from(line), yields[line]});
        if (is_new[line] == 0 || std::ranges::find(sentence.yields, yields[line]) != sentence.yields.end())
          continue;
        text.clear();
        forest::append_words(forest, forest::derivation_words(forest, envelope.edges(forest, line)), text);
        sentence.texts.add(text);
        sentence.yields.push_back(yields[line]);
      }
    }
  });

  LineWinners result;
  for (size_t i = 0; i < found.size(); ++i) {
    const SentenceWinners sentence = std::move(found[i]);
    result.winners.add(sentence.winners);
    result.lines += sentence.lines;
    if (sentence.yields.empty()) continue;
    result.sentences.push_back(static_cast<int64_t>(i));
    for (size_t text = 0; text < sentence.texts.size(); ++text) result.texts.add(sentence.texts[text]);
    result.yields.insert(result.yields.end(), sentence.yields.begin(), sentence.yields.end());
    result.lists.push_back(static_cast<int64_t>(result.yields.size()));
  }
  return result;
}

void ForestProfile::add(const LineWinners& found, MatrixView stats) {
  if (stats.width != scorer_->width() || stats.rows() != found.yields.size())
    throw InputError("the statistics do not fit the strings or the metric");
  const std::unique_lock lock(measured_);
  for (size_t list = 0; list < found.sentences.size(); ++list)
    for (int64_t text = found.lists[list]; text < found.lists[list + 1]; ++text) {
      const auto row = static_cast<int64_t>(stats_.size() / stats.width);
      if (rows_[static_cast<size_t>(found.sentences[list])].try_emplace(found.yields[text], row).second)
        stats_.insert(stats_.end(), stats.row(text), stats.row(text) + stats.width);
    }
}

Profile ForestProfile::profile(const LineWinners& found) const {
  if (found.winners.size() != forests_->size()) throw InputError("the winners belong to other forests");
  const std::shared_lock lock(measured_);
  const MatrixView stats{stats_, scorer_->width()};
  std::vector<double> base(stats.width, 0.0);
  std::vector<GainEvent> events;
  for (size_t i = 0; i < forests_->size(); ++i) {
    int64_t current = -1;
    for (const WinningYield& winner : found.winners[i]) {
      const auto row = rows_[i].find(winner.yield);
      if (row == rows_[i].end()) throw InputError("a winner has no statistics; add them first");
      if (current >= 0)
        events.push_back({winner.from, current, row->second});
      else
        for (size_t s = 0; s < stats.width; ++s) base[s] += stats.row(row->second)[s];
      current = row->second;
    }
  }
  return gain_profile(stats, *scorer_, std::move(base), events);
}

}  // namespace tunesmith::objectives::forests
