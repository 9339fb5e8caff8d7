#include "tunesmith/extract/rules/span_bits.h"

#include <algorithm>
#include <vector>

#include "check.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::extract::rules::span_bits_test {

/// By definition: the span has links, and its partners are linked only to words of the span.
bool consistent(const std::vector<corpus::Link>& links, int32_t begin, int32_t end, bool turned) {
  const auto own = [&](const corpus::Link& link) { return turned ? link.target : link.source; };
  const auto other = [&](const corpus::Link& link) { return turned ? link.source : link.target; };
  int32_t low = INT32_MAX, high = -1;
  for (const corpus::Link& link : links)
    if (own(link) >= begin && own(link) < end) {
      low = std::min(low, other(link));
      high = std::max(high, other(link));
    }
  if (high < 0) return false;
  return std::none_of(links.begin(), links.end(), [&](const corpus::Link& link) {
    return other(link) >= low && other(link) <= high && (own(link) < begin || own(link) >= end);
  });
}

TEST(bits_agree_with_the_definition) {
  SplitMix random(3, 1);
  for (int trial = 0; trial < 300; ++trial) {
    const auto source = static_cast<int32_t>(1 + random.below(40)),
               target = static_cast<int32_t>(1 + random.below(12));
    std::vector<corpus::Link> links;
    for (uint32_t i = random.below(30); i > 0; --i)
      links.push_back({static_cast<int32_t>(random.below(static_cast<uint32_t>(source))),
                       static_cast<int32_t>(random.below(static_cast<uint32_t>(target)))});
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    for (const bool turned : {false, true}) {
      const int32_t own = turned ? target : source;
      std::vector<SpanBits> bits(static_cast<size_t>(own));
      mark_spans(links, static_cast<size_t>(turned ? source : target), turned, bits);
      for (int32_t begin = 0; begin < own; ++begin) {
        const bool aligned = std::any_of(links.begin(), links.end(), [&](const corpus::Link& link) {
          return (turned ? link.target : link.source) == begin;
        });
        CHECK(((bits[static_cast<size_t>(begin)] & kAlignedBit) != 0) == aligned);
        for (int32_t length = 1; length <= kSpanBits && begin + length <= own; ++length)
          CHECK(may_be_phrase(bits.data() + begin, length, false) ==
                consistent(links, begin, begin + length, turned));
      }
    }
  }
}

TEST(tight_spans_have_links_at_both_ends) {
  std::vector<SpanBits> bits(3);
  mark_spans(std::vector<corpus::Link>{{1, 0}}, 1, false, bits);
  CHECK(may_be_phrase(bits.data(), 3, false));
  CHECK(!may_be_phrase(bits.data(), 3, true));
  CHECK(may_be_phrase(bits.data() + 1, 1, true));
  CHECK(!may_be_phrase(bits.data() + 1, 2, true));
}

}  // namespace tunesmith::extract::rules::span_bits_test
