#include "tunesmith/align/ibm4_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tunesmith/align/lexical_table.h"

namespace tunesmith::align {

namespace {

constexpr size_t kMostRounds = 30;
constexpr double kLeastGain = 1e-6;
/// Log penalty per word beyond what the model allows, so that climbing leads back.
constexpr double kImpossible = -100;
constexpr double kLeastPosterior = 1e-7;
/// Log of a share of the alignment's probability that does not change the sum: less than 2^-54.
constexpr double kNegligible = -38;

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
  places_.assign(m_ + 1, std::numeric_limits<double>::quiet_NaN());
  for (auto* each : {&heads_, &laters_, &more_, &fewer_}) each->resize(n_);
  for (size_t i = 0; i < n_; ++i) {
    heads_[i] = head_log(i);
    update_own(i);
  }
}

double Ibm4Search::place(size_t phi0) {
  double& known = places_[phi0];
  if (!std::isnan(known)) return known;
  if (2 * phi0 > m_)
    known = kImpossible * static_cast<double>(2 * phi0 - m_) + place(m_ / 2);
  else
    known = log_binomial(m_ - phi0, phi0) + static_cast<double>(m_ - 2 * phi0) * log_not_null_ +
            static_cast<double>(phi0) * log_null_;
  return known;
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

size_t Ibm4Search::head(size_t i) const {
  const int32_t word = first_[i];
  const size_t made = made_[static_cast<size_t>(word)];
  for (size_t r = i; r-- > 0;)
    if (sizes_[r] > 0) return layout_.head(making_[r], made, word - center(sums_[r], sizes_[r]));
  return layout_.head(layout_.start(), made, word + 1);
}

template <class Body>
void Ibm4Search::visit_later(size_t i, Body body) const {
  if (sizes_[i] == 0) return;
  int32_t word = first_[i];
  for (int32_t other = following_[static_cast<size_t>(word)]; other >= 0;
       other = following_[static_cast<size_t>(word)]) {
    body(layout_.later(made_[static_cast<size_t>(other)], other - word));
    word = other;
  }
}

double Ibm4Search::head_log(size_t i) const {
  return sizes_[i] == 0 ? 0 : static_cast<double>(tables_.distortion[head(i)]);
}

double Ibm4Search::later_log(size_t i) const {
  double sum = 0;
  visit_later(i, [&](size_t number) { sum += static_cast<double>(tables_.distortion[number]); });
  return sum;
}

Ibm4Search::Touched Ibm4Search::touched(int32_t a, int32_t b) const {
  Touched around{};
  for (const int32_t each : {a, b})
    if (each >= 0) around.cepts[around.count++] = static_cast<size_t>(each);
  around.changed = around.count;
  for (size_t k = 0; k < around.changed; ++k) {
    const size_t after = next(around.cepts[k]);
    const size_t* begin = around.cepts.data();
    if (after < n_ && std::find(begin, begin + around.count, after) == begin + around.count)
      around.cepts[around.count++] = after;
  }
  return around;
}

void Ibm4Search::update(const Touched& around) {
  for (size_t k = 0; k < around.count; ++k) {
    const size_t i = around.cepts[k];
    heads_[i] = head_log(i);
    if (k < around.changed) update_own(i);
  }
}

void Ibm4Search::update_own(size_t i) {
  laters_[i] = later_log(i);
  const double now = fertility_log(i, sizes_[i]);
  more_[i] = fertility_log(i, sizes_[i] + 1) - now;
  fewer_[i] = sizes_[i] == 0 ? 0 : fertility_log(i, sizes_[i] - 1) - now;
}

double Ibm4Search::log_probability() {
  double sum = place(none_made_);
  for (size_t j = 0; j < m_; ++j) sum += static_cast<double>(lexical(j, at_[j]));
  for (size_t i = 0; i < n_; ++i) {
    sum += fertility_log(i, sizes_[i]);
    sum += heads_[i];
    visit_later(i, [&](size_t number) { sum += static_cast<double>(tables_.distortion[number]); });
  }
  return sum;
}

template <class Apply, class Undo>
double Ibm4Search::gain_with_distortions(double gain, const Touched& around, double least, Apply apply,
                                         Undo undo) {
  double before = 0, after = 0;
  for (size_t k = 0; k < around.count; ++k) {
    before += heads_[around.cepts[k]] + laters_[around.cepts[k]];
    if (k >= around.changed) after += laters_[around.cepts[k]];
  }
  gain -= before;
  // Log probabilities are at most 0, so that what is kept is the most that it can have after the change.
  if (gain + after <= least) return -std::numeric_limits<double>::infinity();
  apply();
  for (size_t k = 0; k < around.count; ++k) {
    after += head_log(around.cepts[k]);
    if (k < around.changed) after += later_log(around.cepts[k]);
  }
  undo();
  return gain + after;
}

double Ibm4Search::move_gain(size_t j, int32_t to, double least) {
  const int32_t from = at_[j];
  double gain = static_cast<double>(lexical(j, to)) - static_cast<double>(lexical(j, from));
  if (from >= 0) gain += fewer_[static_cast<size_t>(from)];
  if (to >= 0) gain += more_[static_cast<size_t>(to)];
  if (from < 0) gain += place(none_made_ - 1) - place(none_made_);
  if (to < 0) gain += place(none_made_ + 1) - place(none_made_);
  return gain_with_distortions(
      gain, touched(from, to), least, [&] { relocate(j, to); }, [&] { relocate(j, from); });
}

double Ibm4Search::swap_gain(size_t j, size_t k, double least) {
  const int32_t here = at_[j], there = at_[k];
  const double gain = static_cast<double>(lexical(j, there)) + static_cast<double>(lexical(k, here)) -
                      static_cast<double>(lexical(j, here)) - static_cast<double>(lexical(k, there));
  return gain_with_distortions(gain, touched(here, there), least, [&] { swap(j, k); }, [&] { swap(j, k); });
}

bool Ibm4Search::move_to_best(size_t j) {
  double most = kLeastGain;
  int32_t best = at_[j];
  for (int32_t to = -1; to < static_cast<int32_t>(n_); ++to) {
    if (to == at_[j] || !allowed(j, to)) continue;
    const double gain = move_gain(j, to, most);
    if (gain > most) {
      most = gain;
      best = to;
    }
  }
  if (best == at_[j]) return false;
  const Touched around = touched(at_[j], best);
  relocate(j, best);
  update(around);
  return true;
}

bool Ibm4Search::swap_gainfully(size_t j) {
  bool swapped = false;
  for (size_t k = j + 1; k < m_; ++k) {
    if (at_[j] == at_[k] || !allowed(j, at_[k]) || !allowed(k, at_[j])) continue;
    if (swap_gain(j, k, kLeastGain) <= kLeastGain) continue;
    const Touched around = touched(at_[j], at_[k]);
    swap(j, k);
    update(around);
    swapped = true;
  }
  return swapped;
}

void Ibm4Search::climb() {
  // A round is the moves of all words, then their swaps; it ends early if nothing has changed since the same
  // point of the round before.
  size_t unchanged = 0;
  for (size_t step = 0; step < kMostRounds * 2 * m_ && unchanged < 2 * m_; ++step) {
    const size_t j = step % (2 * m_);
    const bool changed = j < m_ ? move_to_best(j) : swap_gainfully(j - m_);
    unchanged = changed ? 0 : unchanged + 1;
  }
}

double Ibm4Search::posteriors() {
  neighbors_.clear();
  double total = 1;
  for (size_t j = 0; j < m_; ++j) {
    const auto add = [&](size_t other, int32_t to, double gain) {
      if (gain > kNegligible) neighbors_.push_back({j, other, to, std::exp(gain)});
    };
    for (int32_t to = -1; to < static_cast<int32_t>(n_); ++to)
      if (to != at_[j] && allowed(j, to)) add(m_, to, move_gain(j, to, kNegligible));
    for (size_t k = j + 1; k < m_; ++k)
      if (at_[j] != at_[k] && allowed(j, at_[k]) && allowed(k, at_[j]))
        add(k, 0, swap_gain(j, k, kNegligible));
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

template <bool kShared>
void Ibm4Search::count(Ibm4Counts& counts, double one) {
  const auto add = [](int64_t& sum, int64_t count) { LexicalCounts::add<kShared>(sum, count); };
  const auto add_head = [&](size_t i, int64_t count) {
    if (sizes_[i] > 0) add(counts.distortion[head(i)], count);
  };
  const auto add_rest = [&](size_t i, int64_t count) {
    visit_later(i, [&](size_t number) { add(counts.distortion[number], count); });
    add(counts.fertility[layout_.fertility(making_words_[i], sizes_[i])], count);
  };
  heads_left_.assign(n_, static_cast<int64_t>(one));
  changed_left_.assign(n_, static_cast<int64_t>(one));
  for (const Neighbor& each : neighbors_) {
    const auto share = static_cast<int64_t>(each.weight * one);
    const int32_t from = at_[each.word];
    const bool is_move = each.other == m_;
    const int32_t to = is_move ? each.to : at_[each.other];
    const Touched around = touched(from, to);
    is_move ? relocate(each.word, to) : swap(each.word, each.other);
    for (size_t k = 0; k < around.count; ++k) {
      const size_t i = around.cepts[k];
      heads_left_[i] -= share;
      add_head(i, share);
      if (k >= around.changed) continue;
      changed_left_[i] -= share;
      add_rest(i, share);
    }
    is_move ? relocate(each.word, from) : swap(each.word, each.other);
  }
  for (size_t i = 0; i < n_; ++i) {
    add_head(i, heads_left_[i]);
    add_rest(i, changed_left_[i]);
  }
}

template void Ibm4Search::count<false>(Ibm4Counts& counts, double one);
template void Ibm4Search::count<true>(Ibm4Counts& counts, double one);

}  // namespace tunesmith::align
