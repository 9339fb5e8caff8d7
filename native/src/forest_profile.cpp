#include "tunesmith/forest_profile.h"

#include <cmath>
#include <map>
#include <mutex>
#include <string>

#include "tunesmith/derivation.h"
#include "tunesmith/errors.h"
#include "tunesmith/parallel.h"

namespace tunesmith {

namespace {

constexpr size_t kForestsAChunk = 8;

/// The winners of one sentence, and those that are not measured.
struct SentenceWinners {
  std::vector<WinningYield> winners;
  size_t lines = 0;
  TextColumn texts;
  std::vector<YieldHash> yields;
};

}  // namespace

ForestProfile::ForestProfile(std::vector<std::shared_ptr<const Forest>> forests,
                             std::span<const std::span<const int64_t>> columns, size_t width,
                             std::shared_ptr<const Scorer> scorer)
    : forests_(std::move(forests)), width_(width), scorer_(std::move(scorer)), rows_(forests_.size()) {
  if (columns.size() != forests_.size())
    throw InputError(std::to_string(columns.size()) + " maps of columns for " +
                     std::to_string(forests_.size()) + " forests");
  std::map<const ForestNames*, size_t> known;
  for (size_t i = 0; i < forests_.size(); ++i) {
    const Forest& forest = *forests_[i];
    if (forest.empty())
      throw InputError("forest " + std::to_string(i) + " is empty: no derivation was found");
    edge_offsets_.push_back(edge_offsets_.back() + forest.edge_count());
    const auto [names, added] = known.try_emplace(&forest.names(), columns_.size());
    names_of_.push_back(names->second);
    if (!added) continue;
    if (columns[i].size() != forest.names().features.size())
      throw InputError(std::to_string(columns[i].size()) + " columns for " +
                       std::to_string(forest.names().features.size()) + " features of a forest");
    for (const int64_t column : columns[i])
      if (column < 0 || static_cast<size_t>(column) >= width_)
        throw InputError("no such feature: " + std::to_string(column));
    columns_.emplace_back(columns[i].begin(), columns[i].end());
  }
}

size_t ForestProfile::yield_count() const {
  const std::shared_lock lock(measured_);
  return stats_.size() / std::max<size_t>(scorer_->width(), 1);
}

std::vector<std::vector<double>> ForestProfile::weights_by_names(std::span<const double> weights) const {
  if (weights.size() != width_)
    throw InputError(std::to_string(weights.size()) + " weights for " + std::to_string(width_) + " features");
  for (size_t i = 0; i < width_; ++i)
    if (!std::isfinite(weights[i]))
      throw InputError("weight " + std::to_string(i) + " is " + std::to_string(weights[i]) +
                       "; expected a finite number");
  std::vector<std::vector<double>> result(columns_.size());
  for (size_t names = 0; names < columns_.size(); ++names)
    for (const uint32_t column : columns_[names]) result[names].push_back(weights[column]);
  return result;
}

std::vector<double> ForestProfile::scores(std::span<const double> weights, int threads) const {
  const auto of_names = weights_by_names(weights);
  std::vector<double> result(edge_count());
  parallel_chunks(forests_.size(), kForestsAChunk, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      std::ranges::copy(forests_[i]->scores(of_names[names_of_[i]]),
                        result.begin() + static_cast<ptrdiff_t>(edge_offsets_[i]));
  });
  return result;
}

LineWinners ForestProfile::at(std::span<const double> scores, int threads) const {
  return winners(scores, nullptr, {}, threads);
}

LineWinners ForestProfile::along(std::span<const double> scores, std::span<const double> direction,
                                 LineRange range, int threads) const {
  const auto of_names = weights_by_names(direction);
  return winners(scores, &of_names, range, threads);
}

/// No direction is the point itself: all lines are level.
LineWinners ForestProfile::winners(std::span<const double> scores,
                                   const std::vector<std::vector<double>>* direction, LineRange range,
                                   int threads) const {
  if (scores.size() != edge_count())
    throw InputError(std::to_string(scores.size()) + " scores for " + std::to_string(edge_count()) +
                     " edges");
  std::vector<SentenceWinners> found(forests_.size());
  parallel_chunks(forests_.size(), kForestsAChunk, threads, [&](size_t, size_t begin, size_t end) {
    ForestEnvelope envelope;
    std::vector<YieldHash> yields;
    std::vector<uint8_t> is_new;
    std::string text;
    for (size_t i = begin; i < end; ++i) {
      const Forest& forest = *forests_[i];
      const auto slopes = direction == nullptr ? std::vector<double>(forest.edge_count())
                                               : forest.scores((*direction)[names_of_[i]]);
      envelope.find(forest, scores.subspan(edge_offsets_[i], forest.edge_count()), slopes, range);
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
        append_words(forest, derivation_words(forest, envelope.edges(forest, line)), text);
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

void ForestProfile::add(const LineWinners& found, StatsMatrix stats) {
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
  if (found.winners.size() != forests_.size()) throw InputError("these are winners of other forests");
  const std::shared_lock lock(measured_);
  const StatsMatrix stats{stats_, scorer_->width()};
  std::vector<double> base(stats.width, 0.0);
  std::vector<GainEvent> events;
  for (size_t i = 0; i < forests_.size(); ++i) {
    int64_t standing = -1;
    for (const WinningYield& winner : found.winners[i]) {
      const auto row = rows_[i].find(winner.yield);
      if (row == rows_[i].end()) throw InputError("a winner was not measured");
      if (standing >= 0)
        events.push_back({winner.from, standing, row->second});
      else
        for (size_t s = 0; s < stats.width; ++s) base[s] += stats.row(row->second)[s];
      standing = row->second;
    }
  }
  return gain_profile(stats, *scorer_, std::move(base), events);
}

}  // namespace tunesmith
