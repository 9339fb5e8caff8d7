#include "tunesmith/align/hmm_pass.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/align/jump_kernels.h"

namespace tunesmith::align {

void HmmPass::resize(size_t states, size_t steps) {
  states_ = states;
  steps_ = steps;
  emissions.resize(states * steps);
  none.resize(steps);
}

void HmmPass::prepare() {
  const auto n = static_cast<int64_t>(states_);
  inverse_.resize(states_);
  start_.resize(states_);
  for (int64_t r = 0; r < n; ++r)
    inverse_[static_cast<size_t>(r)] = static_cast<float>(1 / widths_.sum(-r, n - 1 - r));
  const double starts = widths_.start_sum(states_);
  for (size_t i = 0; i < states_; ++i)
    start_[i] = static_cast<float>(static_cast<double>(widths_.start()[i]) / starts);
}

double HmmPass::forward() {
  const size_t n = states_;
  alphas_.resize(n * steps_);
  from_.resize(n);
  at_.resize(n * steps_);
  at_start_.resize(steps_);
  scales_.resize(steps_);
  double likelihood = 0;
  for (size_t t = 0; t < steps_; ++t) {
    float* alpha = alphas_.data() + t * n;
    float* at = at_.data() + t * n;
    const float* before = t == 0 ? nullptr : at - n;
    const float before_start = t == 0 ? 1 : at_start_[t - 1];
    for (size_t i = 0; i < n; ++i) alpha[i] = before_start * start_[i];
    if (before != nullptr) {
      for (size_t r = 0; r < n; ++r) from_[r] = before[r] * inverse_[r];
      add_jumps(from_.data(), widths_.forward(0), alpha, n);
    }
    const float stay = null_ * none[t];
    double sum = static_cast<double>(stay * before_start);
    for (size_t i = 0; i < n; ++i) {
      alpha[i] *= (1 - null_) * emissions[t * n + i];
      at[i] = alpha[i] + (before == nullptr ? 0 : stay * before[i]);
      sum += static_cast<double>(at[i]);
    }
    const auto scale = static_cast<float>(1 / sum);
    for (size_t i = 0; i < n; ++i) {
      alpha[i] *= scale;
      at[i] *= scale;
    }
    at_start_[t] = stay * before_start * scale;
    scales_[t] = scale;
    likelihood += std::log(sum);
  }
  return likelihood;
}

void HmmPass::backward() {
  const size_t n = states_;
  after_.assign(n, 1);
  made_.resize(n);
  leaving_.resize(n);
  left_.assign(n, 0);
  starts_seen_.assign(n, 0);
  counter_.start(n);
  float after_start = 1;
  for (size_t t = steps_; t-- > 0;) {
    const float* alpha = alphas_.data() + t * n;
    float sum = 0;
    for (size_t i = 0; i < n; ++i) {
      position_posteriors[t * n + i] = alpha[i] * after_[i];
      sum += position_posteriors[t * n + i];
      made_[i] = (1 - null_) * emissions[t * n + i] * after_[i] * scales_[t];
    }
    none_posteriors[t] = std::max(0.0F, 1 - sum);
    const float stay = null_ * none[t] * scales_[t];
    const float before_start = t == 0 ? 1 : at_start_[t - 1];
    float from_start = 0;
    for (size_t i = 0; i < n; ++i) {
      starts_seen_[i] += before_start * start_[i] * made_[i];
      from_start += start_[i] * made_[i];
    }
    after_start = from_start + stay * after_start;
    if (t == 0) break;
    // leaving[r] = sum_i s(i - r) made[i]: jumps with the widths reversed.
    std::fill(leaving_.begin(), leaving_.end(), 0.0F);
    add_jumps(made_.data(), widths_.backward(0), leaving_.data(), n);
    const float* before = at_.data() + (t - 1) * n;
    for (size_t r = 0; r < n; ++r) {
      leaving_[r] *= inverse_[r];
      left_[r] += before[r] * leaving_[r];
      after_[r] = leaving_[r] + stay * after_[r];
      from_[r] = before[r] * inverse_[r];
    }
    counter_.add(from_.data(), made_.data());
  }
}

double HmmPass::posteriors() {
  position_posteriors.resize(states_ * steps_);
  none_posteriors.resize(steps_);
  prepare();
  const double likelihood = forward();
  backward();
  return likelihood;
}

void HmmPass::count(Jumps& jumps) {
  double starts = 0;
  for (size_t i = 0; i < states_; ++i) {
    jumps.starts[i] += static_cast<double>(starts_seen_[i]);
    starts += static_cast<double>(starts_seen_[i]);
    jumps.from[JumpCounts::context(states_, i)] += static_cast<double>(left_[i]);
  }
  jumps.from_start[states_] += starts;
  counter_.add_to(jumps.jumps, widths_);
}

std::vector<int32_t> HmmPass::best_path() {
  constexpr int32_t kStay = -2, kStart = -1;
  const size_t n = states_;
  prepare();
  from_.resize(n);
  std::vector<int32_t> from(n * steps_);  // previous position, kStart, or kStay for a null word
  std::vector<float> best(n, 0), now(n);
  float start = 1;
  for (size_t t = 0; t < steps_; ++t) {
    int32_t* back = from.data() + t * n;
    for (size_t i = 0; i < n; ++i) {
      now[i] = start * start_[i];
      back[i] = kStart;
    }
    for (size_t r = 0; r < n; ++r) from_[r] = best[r] * inverse_[r];
    best_jumps(from_.data(), widths_, now.data(), back, n);
    const float stay = null_ * none[t];
    start *= stay;
    const float* emission = emissions.data() + t * n;
    const float most =
        std::max(start, stay_or_jump(best.data(), stay, kStay, emission, 1 - null_, now.data(), back, n));
    for (size_t i = 0; i < n; ++i) best[i] = now[i] / most;
    start /= most;
  }
  std::vector<int32_t> path(steps_, -1);
  auto at = static_cast<int32_t>(std::max_element(best.begin(), best.end()) - best.begin());
  if (start >= best[static_cast<size_t>(at)]) return path;
  for (size_t t = steps_; t-- > 0 && at != kStart;) {
    const int32_t before = from[t * n + static_cast<size_t>(at)];
    if (before == kStay) continue;
    path[t] = at;
    at = before;
  }
  return path;
}

}  // namespace tunesmith::align
