#include "tunesmith/extract/phrases/extraction.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::extract::phrases::extraction_test {

const std::vector<corpus::Link> kCrossed{{0, 1}, {1, 0}, {2, 2}};

TEST(consistent_pairs_are_found_once) {
  PhraseExtractor extractor(7);
  // Three single words, the crossed two, all three.
  CHECK(extractor.extract(3, 3, kCrossed).size() == 5);
  CHECK(PhraseExtractor(1).extract(3, 3, kCrossed).size() == 3);
}

TEST(unaligned_words_extend_a_phrase) {
  PhraseExtractor extractor(7);
  const std::vector<corpus::Link> links{{1, 1}};
  // Source [1], [0 1], [1 2], [0 1 2] with target [1], [0 1], [1 2], [0 1 2].
  CHECK(extractor.extract(3, 3, links).size() == 16);
}

TEST(sentences_without_links_give_nothing) {
  PhraseExtractor extractor(7);
  CHECK(extractor.extract(3, 3, {}).empty());
  CHECK(extractor.extract(0, 0, {}).empty());
}

TEST(the_extractor_forgets_the_sentence_before) {
  PhraseExtractor extractor(7);
  extractor.extract(3, 3, kCrossed);
  const std::vector<corpus::Link> one{{0, 0}};
  const auto instances = extractor.extract(1, 1, one);
  CHECK(instances.size() == 1);
  CHECK(instances[0].links == 1);
}

TEST(inner_links_are_packed_and_unpacked) {
  PhraseExtractor extractor(8);
  std::vector<corpus::Link> all;
  for (int32_t i = 0; i < 8; ++i)
    for (int32_t j = 0; j < 8; ++j) all.push_back({i, j});
  const auto instances = extractor.extract(8, 8, all);
  CHECK(instances.size() == 1);
  CHECK(instances[0].links == ~LinkBits{0});
  std::vector<corpus::Link> links;
  unpack_links(instances[0].links, 8, 8, links);
  CHECK(links == all);
}

TEST(blocks_are_seen_by_the_hierarchical_model) {
  PhraseExtractor extractor(1);
  const auto last = extractor.extract(3, 3, kCrossed).back();
  CHECK(last.orientations.get(tables::OrientationModel::kHierarchical, tables::Direction::kBackward) ==
        tables::Orientation::kGlobal);
  CHECK(last.orientations.get(tables::OrientationModel::kPhrase, tables::Direction::kBackward) ==
        tables::Orientation::kRight);
  CHECK(last.orientations.get(tables::OrientationModel::kWord, tables::Direction::kForward) ==
        tables::Orientation::kMonotone);
}

TEST(lengths_beyond_the_bits_are_refused) {
  CHECK_THROWS(PhraseExtractor(0), InputError);
  CHECK_THROWS(PhraseExtractor(9), InputError);
}

}  // namespace tunesmith::extract::phrases::extraction_test
