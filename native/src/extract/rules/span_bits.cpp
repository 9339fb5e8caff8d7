#include "tunesmith/extract/rules/span_bits.h"

#include <algorithm>
#include <vector>

#include "tunesmith/extract/rules/extraction.h"

namespace tunesmith::extract::rules {

namespace {

void widen(Reach& all, const Reach& more) {
  all.begin = std::min(all.begin, more.begin);
  all.end = std::max(all.end, more.end);
}

/// The bits of the word at `begin`, from the reaches of the words on this side and on the other.
SpanBits bits_of(int32_t begin, std::span<const Reach> here, std::span<const Reach> there) {
  SpanBits bits = is_aligned(here[static_cast<size_t>(begin)]) ? kAlignedBit : 0;
  Reach partners = kUnaligned, back = kUnaligned;  // the span's reach, and the reach of that
  const auto last = std::min(static_cast<int32_t>(here.size()), begin + kSpanBits);
  for (int32_t end = begin + 1; end <= last; ++end) {
    const Reach word = here[static_cast<size_t>(end - 1)];
    if (is_aligned(word)) {
      const Reach known = is_aligned(partners) ? partners : Reach{word.begin, word.begin};
      for (int32_t j = word.begin; j < known.begin; ++j) widen(back, there[static_cast<size_t>(j)]);
      for (int32_t j = known.end; j < word.end; ++j) widen(back, there[static_cast<size_t>(j)]);
      widen(partners, word);
    }
    if (back.begin < begin) break;  // true of every longer span too
    if (is_aligned(back) && back.end <= end) bits |= SpanBits{1} << (end - begin - 1);
  }
  return bits;
}

}  // namespace

void mark_spans(std::span<const corpus::Link> links, size_t partner, bool turned, std::span<SpanBits> bits) {
  std::vector<Reach> here(bits.size()), there(partner);
  if (turned)
    make_reaches(links, there, here);
  else
    make_reaches(links, here, there);
  for (size_t begin = 0; begin < bits.size(); ++begin)
    bits[begin] = bits_of(static_cast<int32_t>(begin), here, there);
}

}  // namespace tunesmith::extract::rules
