#include "tunesmith/extract/phrases/lexical_weight.h"

#include "check.h"

namespace tunesmith::extract::phrases::lexical_weight_test {

PhraseEvent event(LinkBits links, uint32_t fold, uint32_t count) { return {links, {}, fold, count}; }

TEST(the_most_frequent_links_are_chosen) {
  const std::vector<PhraseEvent> events{event(0b0001, 0, 2), event(0b1000, 0, 1), event(0b1000, 1, 2)};
  CHECK(choose_links(events, 2, 2, -1).by_target == 0b1000);
  CHECK(choose_links(events, 2, 2, 1).by_target == 0b0001);
}

TEST(among_equally_frequent_links_each_side_takes_its_largest) {
  // Two words per side; bit = target * 2 + source. Links 0-1 against 1-0, once each.
  const std::vector<PhraseEvent> events{event(0b0010, 0, 1), event(0b0100, 0, 1)};
  const ChosenLinks chosen = choose_links(events, 2, 2, -1);
  CHECK(chosen.by_target == 0b0010);  // the first target word has source word 1, against none
  CHECK(chosen.by_source == 0b0100);  // the first source word has target word 1, against none
}

TEST(lexical_weights_average_over_links) {
  const std::vector<int32_t> sources{0, 0, 1, kNullWord}, targets{0, 1, 0, 2}, folds{0, 0, 0, 0};
  const std::vector<int64_t> counts{1, 3, 1, 1};
  const Lexicon lexicon(sources, targets, folds, counts, -1);
  const std::vector<int32_t> source{0, 1}, target{0, 2};
  // p(0|0) = 1/4, p(0|1) = 1, p(2|NULL) = 1.
  CHECK_NEAR(target_weight(source, target, 0b0011, lexicon), (0.25 + 1) / 2, 1e-12);
  // p(f=0|e=0) = 1/2, p(f=1|e=0) = 1/2.
  CHECK_NEAR(source_weight(source, target, 0b0011, lexicon), 0.25, 1e-12);
}

}  // namespace tunesmith::extract::phrases::lexical_weight_test
