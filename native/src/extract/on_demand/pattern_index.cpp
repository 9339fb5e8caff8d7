#include "tunesmith/extract/on_demand/pattern_index.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith::extract::on_demand {

namespace {

constexpr uint64_t kSampleSeed = 0x7475;
constexpr size_t kAhead = 16;

std::span<const int32_t> chunk_of(const Pattern& pattern, int chunk) {
  size_t begin = 0;
  for (int c = 0; c < chunk; ++c) begin += pattern.lengths[static_cast<size_t>(c)];
  return std::span(pattern.words).subspan(begin, pattern.lengths[static_cast<size_t>(chunk)]);
}

/// Bits `low` to `high`, both included; 0 if high < low.
uint64_t bits_between(int low, int high) {
  if (high < low || high < 0 || low > 63) return 0;
  return (~uint64_t{0} << std::max(low, 0)) & (~uint64_t{0} >> (63 - std::min(high, 63)));
}

/// Whether a pattern occurs at the given positions; false only if the suffix array is damaged.
bool occurs_at(std::span<const int32_t> text, const Pattern& pattern, const Occurrence& occurrence) {
  for (int c = 0; c < pattern.chunks; ++c) {
    const auto words = chunk_of(pattern, c);
    const size_t begin = occurrence.chunks[static_cast<size_t>(c)];
    if (begin + words.size() > text.size() || !std::ranges::equal(text.subspan(begin, words.size()), words))
      return false;
  }
  return true;
}

template <class Body>
void for_each_bit(uint64_t bits, Body body) {
  for (; bits != 0; bits &= bits - 1) body(std::countr_zero(bits));
}

}  // namespace

size_t PatternHash::operator()(const Pattern& pattern) const {
  uint64_t hash = mix(static_cast<uint64_t>(pattern.chunks), pattern.sides);
  for (const uint8_t length : pattern.lengths) hash = mix(hash, length);
  for (const int32_t word : pattern.words) hash = mix(hash, static_cast<uint32_t>(word));
  return hash;
}

void Sample::add(const Occurrence& occurrence) {
  uint64_t rank = 0;
  if (samples_ > 0) {
    rank = kSampleSeed;
    for (const uint32_t position : occurrence.chunks) rank = mix(rank, position);
    if (rank > limit_) return;
  }
  if (!excluded_->empty() && excluded_->contains(occurrence.chunks[0])) return;
  kept_.push_back({rank, occurrence});
  if (samples_ > 0 && kept_.size() >= 2 * samples_ + 64) cut();
}

void Sample::cut() {
  if (samples_ == 0 || kept_.size() <= samples_) return;
  const auto border = kept_.begin() + static_cast<std::ptrdiff_t>(samples_) - 1;
  std::nth_element(kept_.begin(), border, kept_.end());
  limit_ = border->rank;
  kept_.resize(samples_);
}

std::vector<Occurrence> Sample::take() {
  cut();
  std::vector<Occurrence> result;
  result.reserve(kept_.size());
  for (const Ranked& ranked : kept_) result.push_back(ranked.occurrence);
  std::sort(result.begin(), result.end());
  return result;
}

PatternIndex::PatternIndex(const IndexSide& side, const rules::RuleLimits& limits, size_t samples,
                           size_t scan_limit)
    : side_(side), limits_(limits), samples_(samples), scan_limit_(scan_limit) {
  rules::check_limits(limits);
  if (limits.max_span > rules::kSpanBits)
    throw InputError("the rule limit max_span is " + std::to_string(limits.max_span) +
                     "; expected at most 31 for per-sentence grammars");
  local_.assign(side.vocabulary.size(), -1);
  wanted_.assign(side.vocabulary.size() / 64 + 1, 0);
}

void PatternIndex::find(std::span<const Pattern> patterns, const ExcludedText& excluded,
                        std::vector<std::vector<Occurrence>>& samples) {
  std::vector<Sample> found(patterns.size(), Sample(samples_, excluded));
  // Patterns by the suffix array interval of their driver, which identifies its words.
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Driven>> by_driver;
  for (size_t p = 0; p < patterns.size(); ++p) {
    const Pattern& pattern = patterns[p];
    if (pattern.chunks == 1) {
      find_contiguous(pattern, found[p]);
      continue;
    }
    corpus::SuffixArray::Interval rarest;
    int driver = -1;
    for (int c = 0; c < pattern.chunks; ++c) {
      const auto interval = side_.array.find(chunk_of(pattern, c));
      if (driver < 0 || interval.size() < rarest.size()) {
        rarest = interval;
        driver = c;
      }
    }
    if (!rarest.empty()) by_driver[{rarest.begin, rarest.end}].push_back({p, driver, 0});
  }
  for (auto& [interval, driven] : by_driver) scan(driven, patterns, found);
  samples.clear();
  for (size_t p = 0; p < patterns.size(); ++p) {
    const auto& sample = samples.emplace_back(found[p].take());
    for (const Occurrence& occurrence : sample)
      if (!occurs_at(side_.array.text, patterns[p], occurrence))
        throw InputError("the suffix index is damaged: its suffix array does not match its text; rebuild it");
  }
}

void PatternIndex::find_contiguous(const Pattern& pattern, Sample& sample) const {
  if (pattern.words.size() > static_cast<size_t>(limits_.max_span)) return;
  const auto interval = side_.array.find(pattern.words);
  for (const uint32_t position : side_.array.suffixes.subspan(interval.begin, interval.size()))
    sample.add({{position, 0, 0}});
}

void PatternIndex::number_words(std::span<Driven> driven, std::span<const Pattern> patterns) {
  locals_.clear();
  looks_back_ = false;
  for (Driven& each : driven) {
    each.locals = locals_.size();
    looks_back_ = looks_back_ || each.driver > 0;
    for (const int32_t word : patterns[each.pattern].words) {
      int32_t& local = local_[static_cast<size_t>(word)];
      if (local < 0) {
        local = static_cast<int32_t>(words_.size());
        words_.push_back(word);
        wanted_[static_cast<size_t>(word) / 64] |= uint64_t{1} << (word % 64);
      }
      locals_.push_back(local);
    }
  }
  masks_.assign(words_.size(), 0);
  seen_.clear();
}

void PatternIndex::forget_words() {
  for (const int32_t word : words_) {
    local_[static_cast<size_t>(word)] = -1;
    wanted_[static_cast<size_t>(word) / 64] = 0;
  }
  words_.clear();
}

void PatternIndex::scan(std::span<Driven> driven, std::span<const Pattern> patterns,
                        std::vector<Sample>& samples) {
  number_words(driven, patterns);
  const auto interval = side_.array.find(chunk_of(patterns[driven.front().pattern], driven.front().driver));
  const auto positions = side_.array.suffixes.subspan(interval.begin, interval.size());
  const int32_t* text = side_.array.text.data();
  const size_t step = scan_limit_ == 0 ? 1 : (positions.size() + scan_limit_ - 1) / scan_limit_;
  const size_t ahead = kAhead * step;
  for (size_t i = 0; i < positions.size(); i += step) {
    // Suffixes are scattered over the text: prefetch their words.
    if (i + ahead < positions.size()) {
      __builtin_prefetch(text + positions[i + ahead]);
      __builtin_prefetch(text + positions[i + ahead] + limits_.max_span - 1);
    }
    look_around(positions[i]);
    for (const Driven& each : driven)
      match(patterns[each.pattern], each, positions[i], samples[each.pattern]);
  }
  forget_words();
}

void PatternIndex::look_around(uint32_t position) {
  for (const int32_t local : seen_) masks_[static_cast<size_t>(local)] = 0;
  seen_.clear();
  const auto& text = side_.array.text;
  const auto mark = [&](int32_t word, int bit) {
    const auto number = static_cast<size_t>(word);
    if ((wanted_[number / 64] >> (number % 64) & 1) == 0) return;  // these bits stay in the L1 cache
    const int32_t local = local_[number];
    uint64_t& mask = masks_[static_cast<size_t>(local)];
    if (mask == 0) seen_.push_back(local);
    mask |= uint64_t{1} << bit;
  };
  for (int back = 1; looks_back_ && back < limits_.max_span && static_cast<uint32_t>(back) <= position;
       ++back) {
    const int32_t word = text[position - static_cast<uint32_t>(back)];
    if (word == corpus::kSentenceEnd) break;
    mark(word, limits_.max_span - back);
  }
  for (int ahead = 0; ahead < limits_.max_span; ++ahead) {
    const int32_t word =
        text[position +
             static_cast<uint32_t>(ahead)];  // stops at the sentence end, before the end of the text
    if (word == corpus::kSentenceEnd) break;
    mark(word, limits_.max_span + ahead);
  }
}

void PatternIndex::match(const Pattern& pattern, const Driven& driven, uint32_t position,
                         Sample& sample) const {
  std::array<uint64_t, kMaxChunks> at{};
  const int32_t* local = locals_.data() + driven.locals;
  for (int c = 0; c < pattern.chunks; ++c) {
    const auto length = static_cast<size_t>(pattern.lengths[static_cast<size_t>(c)]);
    uint64_t bits = uint64_t{1} << limits_.max_span;
    if (c != driven.driver) {
      bits = masks_[static_cast<size_t>(local[0])];
      for (size_t i = 1; i < length; ++i) bits &= masks_[static_cast<size_t>(local[i])] >> i;
    }
    if (bits == 0) return;
    at[static_cast<size_t>(c)] = bits;
    local += length;
  }
  const auto at_bit = [&](int bit) { return position + static_cast<uint32_t>(bit - limits_.max_span); };
  const auto& lengths = pattern.lengths;
  for_each_bit(at[0], [&](int first) {
    const int last = first + limits_.max_span;  // all chunks must end by here
    const auto next = bits_between(first + lengths[0] + limits_.min_hole, last - lengths[1]);
    for_each_bit(at[1] & next, [&](int second) {
      if (pattern.chunks == 2) return sample.add({{at_bit(first), at_bit(second), 0}});
      const auto rest = bits_between(second + lengths[1] + limits_.min_hole, last - lengths[2]);
      for_each_bit(at[2] & rest,
                   [&](int third) { sample.add({{at_bit(first), at_bit(second), at_bit(third)}}); });
    });
  });
}

}  // namespace tunesmith::extract::on_demand
