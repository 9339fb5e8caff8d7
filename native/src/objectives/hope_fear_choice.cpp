#include "tunesmith/objectives/hope_fear_choice.h"

#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::objectives {

std::span<const double> DocumentGains::of(const MatrixView& stats, int64_t begin, int64_t end,
                                          const metrics::Scorer& scorer, std::span<const double> background,
                                          double source_words) {
  const size_t width = stats.width, size = end - begin;
  sums_.resize(size * width);
  gains_.resize(size);
  for (size_t i = 0; i < size; ++i)
    for (size_t s = 0; s < width; ++s) sums_[i * width + s] = stats.row(begin + i)[s] + background[s];
  scorer.gain(sums_.data(), size, gains_.data());
  for (size_t i = 0; i < size; ++i)
    gains_[i] *= source_words < 0 ? scorer.size(&sums_[i * width]) : source_words;
  return gains_;
}

HopeFearChoice choose_hope_fear(std::span<const double> scores, std::span<const double> gains) {
  if (scores.empty() || scores.size() != gains.size())
    throw InputError(std::to_string(scores.size()) + " scores for " + std::to_string(gains.size()) +
                     " candidates; expected as many of both, and at least one");
  HopeFearChoice choice;
  for (size_t i = 1; i < scores.size(); ++i) {
    if (scores[i] + gains[i] > scores[choice.hope] + gains[choice.hope]) choice.hope = i;
    if (scores[i] - gains[i] > scores[choice.fear] - gains[choice.fear]) choice.fear = i;
    if (scores[i] > scores[choice.best]) choice.best = i;
  }
  choice.loss = gains[choice.hope] - gains[choice.fear] - (scores[choice.hope] - scores[choice.fear]);
  choice.violated = gains[choice.hope] > gains[choice.fear] && choice.loss > 0;
  return choice;
}

}  // namespace tunesmith::objectives
