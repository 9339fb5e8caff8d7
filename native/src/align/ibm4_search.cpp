#include "tunesmith/align/ibm4_search.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/align/lexical_table.h"

namespace tunesmith::align {

namespace {

constexpr int kMostRounds = 30;
constexpr double kLeastGain = 1e-6;
/// Log penalty per word beyond what the model allows, so that climbing leads back.
constexpr double kImpossible = -100;
constexpr double kLeastPosterior = 1e-7;

int64_t center(int64_t sum, size_t size) {
  const auto count = static_cast<int64_t>(size);
  return (sum + count - 1) / count;
}

double log_binomial(size_t n, size_t k) {
  double sum = 0;
  for (size_t i = 1; i <= k; ++i) sum += std::log(static_cast<double>(n - k + i) / static_cast<double>(i));
  return sum;
}

}  // namespace

Ibm4Search::Ibm4Search(const Ibm4Layout& layout, const Ibm4Tables& tables, const Ibm4Classes& classes,
                       double null)
    : layout_(layout),
      tables_(tables),
      classes_(classes),
      log_null_(std::log(null)),
      log_not_null_(std::log(1 - null)) {}

void Ibm4Search::reset(std::span<const int32_t> making, std::span<const int32_t> made,
                       std::span<const float> emissions, std::span<const float> none,
                       std::span<const int32_t> alignment) {
  neighbors_.clear();
  n_ = making.size();
  m_ = made.size();
  making_words_.assign(making.begin(), making.end());
  making_.resize(n_);
  made_.resize(m_);
  for (size_t i = 0; i < n_; ++i) making_[i] = classes_.making_class(making[i]);
  for (size_t j = 0; j < m_; ++j) made_[j] = classes_.made_class(made[j]);
  lexical_.resize(m_ * (n_ + 1));
  for (size_t j = 0; j < m_; ++j) {
    const float* row = emissions.data() + j * n_;
    const float least = kLeastShare * std::max(none[j], *std::max_element(row, row + n_));
    const auto log = [&](float p, int32_t to) {
      return p >= least || alignment[j] == to ? std::log(std::max(p, kLeastProbability)) : kForbidden;
    };
    lexical_[j * (n_ + 1)] = log(none[j], -1);
    for (size_t i = 0; i < n_; ++i) lexical_[j * (n_ + 1) + i + 1] = log(row[i], static_cast<int32_t>(i));
  }
  at_.assign(m_, -1);
  none_made_ = m_;
  first_.assign(n_, -1);
  following_.assign(m_, -1);
  sums_.assign(n_, 0);
  sizes_.assign(n_, 0);
  for (size_t j = 0; j < m_; ++j)
    if (alignment[j] >= 0) relocate(j, alignment[j]);
}

double Ibm4Search::place(size_t phi0) const {
  if (2 * phi0 > m_) return kImpossible * static_cast<double>(2 * phi0 - m_) + place(m_ / 2);
  return log_binomial(m_ - phi0, phi0) + static_cast<double>(m_ - 2 * phi0) * log_not_null_ +
         static_cast<double>(phi0) * log_null_;
}

double Ibm4Search::fertility_log(size_t i, size_t phi) const {
  const auto most = Ibm4Layout::kMostFertility;
  const double beyond = phi > most ? kImpossible * static_cast<double>(phi - most) : 0;
  return static_cast<double>(tables_.fertility[layout_.fertility(making_words_[i], phi)]) + beyond;
}

void Ibm4Search::relocate(size_t j, int32_t to) {
  const auto word = static_cast<int32_t>(j);
  if (at_[j] < 0) {
    --none_made_;
  } else {
    const auto i = static_cast<size_t>(at_[j]);
    int32_t* link = &first_[i];
    while (*link != word) link = &following_[static_cast<size_t>(*link)];
    *link = following_[j];
    --sizes_[i];
    sums_[i] -= word;
  }
  at_[j] = to;
  if (to < 0) {
    ++none_made_;
  } else {
    const auto i = static_cast<size_t>(to);
    int32_t* link = &first_[i];
    while (*link >= 0 && *link < word) link = &following_[static_cast<size_t>(*link)];
    following_[j] = *link;
    *link = word;
    ++sizes_[i];
    sums_[i] += word;
  }
}

void Ibm4Search::swap(size_t j, size_t k) {
  const int32_t here = at_[j], there = at_[k];
  relocate(j, there);
  relocate(k, here);
}

template <class Body>
void Ibm4Search::visit(size_t i, Body body) const {
  if (i >= n_ || sizes_[i] == 0) return;
  size_t before = layout_.start();
  int64_t from = -1;
  for (size_t r = i; r-- > 0;)
    if (sizes_[r] > 0) {
      before = making_[r];
      from = center(sums_[r], sizes_[r]);
      break;
    }
  int32_t word = first_[i];
  body(layout_.head(before, made_[static_cast<size_t>(word)], word - from));
  for (int32_t other = following_[static_cast<size_t>(word)]; other >= 0;
       other = following_[static_cast<size_t>(word)]) {
    body(layout_.later(made_[static_cast<size_t>(other)], other - word));
    word = other;
  }
}

template <class Body>
void Ibm4Search::visit_around(int32_t a, int32_t b, Body body) const {
  size_t cepts[4];
  size_t count = 0;
  const auto once = [&](size_t i) {
    if (std::find(cepts, cepts + count, i) == cepts + count) cepts[count++] = i;
  };
  for (const int32_t each : {a, b})
    if (each >= 0) {
      once(static_cast<size_t>(each));
      once(next(static_cast<size_t>(each)));
    }
  for (size_t k = 0; k < count; ++k) visit(cepts[k], body);
}

double Ibm4Search::distortion_around(int32_t a, int32_t b) const {
  double sum = 0;
  visit_around(a, b, [&](size_t number) { sum += static_cast<double>(tables_.distortion[number]); });
  return sum;
}

double Ibm4Search::log_probability() {
  double sum = place(none_made_);
  for (size_t j = 0; j < m_; ++j) sum += static_cast<double>(lexical(j, at_[j]));
  for (size_t i = 0; i < n_; ++i) {
    sum += fertility_log(i, sizes_[i]);
    visit(i, [&](size_t number) { sum += static_cast<double>(tables_.distortion[number]); });
  }
  return sum;
}

double Ibm4Search::move_gain(size_t j, int32_t to) {
  const int32_t from = at_[j];
  double gain = static_cast<double>(lexical(j, to)) - static_cast<double>(lexical(j, from));
  if (from >= 0) {
    const auto i = static_cast<size_t>(from);
    gain += fertility_log(i, sizes_[i] - 1) - fertility_log(i, sizes_[i]);
  }
  if (to >= 0) {
    const auto i = static_cast<size_t>(to);
    gain += fertility_log(i, sizes_[i] + 1) - fertility_log(i, sizes_[i]);
  }
  if (from < 0) gain += place(none_made_ - 1) - place(none_made_);
  if (to < 0) gain += place(none_made_ + 1) - place(none_made_);
  gain -= distortion_around(from, to);
  relocate(j, to);
  gain += distortion_around(from, to);
  relocate(j, from);
  return gain;
}

double Ibm4Search::swap_gain(size_t j, size_t k) {
  const int32_t here = at_[j], there = at_[k];
  double gain = static_cast<double>(lexical(j, there)) + static_cast<double>(lexical(k, here)) -
                static_cast<double>(lexical(j, here)) - static_cast<double>(lexical(k, there));
  gain -= distortion_around(here, there);
  swap(j, k);
  gain += distortion_around(here, there);
  swap(j, k);
  return gain;
}

void Ibm4Search::climb() {
  bool changed = true;
  for (int round = 0; changed && round < kMostRounds; ++round) {
    changed = false;
    for (size_t j = 0; j < m_; ++j) {
      double most = kLeastGain;
      int32_t best = at_[j];
      for (int32_t to = -1; to < static_cast<int32_t>(n_); ++to) {
        if (to == at_[j] || !allowed(j, to)) continue;
        const double gain = move_gain(j, to);
        if (gain > most) {
          most = gain;
          best = to;
        }
      }
      if (best != at_[j]) {
        relocate(j, best);
        changed = true;
      }
    }
    for (size_t j = 0; j < m_; ++j)
      for (size_t k = j + 1; k < m_; ++k)
        if (at_[j] != at_[k] && allowed(j, at_[k]) && allowed(k, at_[j]) && swap_gain(j, k) > kLeastGain) {
          swap(j, k);
          changed = true;
        }
  }
}

double Ibm4Search::posteriors() {
  neighbors_.clear();
  double total = 1;
  for (size_t j = 0; j < m_; ++j) {
    for (int32_t to = -1; to < static_cast<int32_t>(n_); ++to)
      if (to != at_[j] && allowed(j, to)) neighbors_.push_back({j, m_, to, std::exp(move_gain(j, to))});
    for (size_t k = j + 1; k < m_; ++k)
      if (at_[j] != at_[k] && allowed(j, at_[k]) && allowed(k, at_[j]))
        neighbors_.push_back({j, k, 0, std::exp(swap_gain(j, k))});
  }
  for (const Neighbor& each : neighbors_) total += each.weight;
  std::erase_if(neighbors_, [&](const Neighbor& each) { return each.weight < kLeastPosterior * total; });
  position_posteriors.assign(n_ * m_, 0);
  none_posteriors.assign(m_, 0);
  const auto posterior = [&](size_t j, int32_t to) -> float& {
    return to < 0 ? none_posteriors[j] : position_posteriors[j * n_ + static_cast<size_t>(to)];
  };
  std::vector<float> moved(m_);
  for (Neighbor& each : neighbors_) {
    each.weight /= total;
    const auto share = static_cast<float>(each.weight);
    const bool is_move = each.other == m_;
    posterior(each.word, is_move ? each.to : at_[each.other]) += share;
    moved[each.word] += share;
    if (is_move) continue;
    posterior(each.other, at_[each.word]) += share;
    moved[each.other] += share;
  }
  for (size_t j = 0; j < m_; ++j) posterior(j, at_[j]) += std::max(0.0F, 1 - moved[j]);
  return log_probability() + std::log(total);
}

void Ibm4Search::count(Ibm4Counts& counts, double one) {
  const auto whole = static_cast<int64_t>(one);
  const auto add = [](int64_t& sum, int64_t count) { LexicalCounts::add<true>(sum, count); };
  const auto fertility = [&](int32_t i, int64_t count) {
    if (i < 0) return;
    const auto at = static_cast<size_t>(i);
    add(counts.fertility[layout_.fertility(making_words_[at], sizes_[at])], count);
  };
  const auto around = [&](int32_t a, int32_t b, int64_t count) {
    visit_around(a, b, [&](size_t number) { add(counts.distortion[number], count); });
    fertility(a, count);
    fertility(b, count);
  };
  for (size_t i = 0; i < n_; ++i) {
    fertility(static_cast<int32_t>(i), whole);
    visit(i, [&](size_t number) { add(counts.distortion[number], whole); });
  }
  // A neighbor differs from the alignment around two cepts only.
  for (const Neighbor& each : neighbors_) {
    const auto share = static_cast<int64_t>(each.weight * one);
    const int32_t from = at_[each.word];
    const int32_t to = each.other == m_ ? each.to : at_[each.other];
    around(from, to, -share);
    if (each.other == m_) {
      relocate(each.word, to);
      around(from, to, share);
      relocate(each.word, from);
    } else {
      swap(each.word, each.other);
      around(from, to, share);
      swap(each.word, each.other);
    }
  }
}

}  // namespace tunesmith::align
