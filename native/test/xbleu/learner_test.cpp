#include "tunesmith/xbleu/learner.h"

#include <filesystem>
#include <stdexcept>

#include "check.h"

namespace {

using namespace tunesmith;
using namespace tunesmith::xbleu;
namespace features = tunesmith::decode::features;

/// 2,500 lists of two candidates: the words of the sentence in order, and the other way round.
std::unique_ptr<TrainingSet> small_set(EventFeatures& numbers) {
  const std::string folder = std::filesystem::temp_directory_path();
  const std::string path = folder + "/tunesmith-learner-test";
  ListWriter writer;
  ListDraft list;
  for (const char* word : {"a", "b"}) list.words.add(word);
  list.reference_length = 2;
  list.source = {0, 1};
  list.scores = {-1, -1};
  list.matches = {{2, {2, 1, 0, 0}}, {2, {2, 0, 0, 0}}};
  for (const uint32_t word : {0u, 1u}) list.phrases.add(std::vector<uint32_t>{word});
  list.events = {{0, kNoWord, kNoWord, 0, 1, 0, 0, 4, 0},
                 {1, 0, 0, 1, 2, 0, 1, 4, 0},
                 {1, kNoWord, kNoWord, 1, 2, 0, 0, 3, 0},
                 {0, 1, 1, 0, 1, 1, 2, 1, 0}};
  list.uses.add(std::vector<uint16_t>{0, 1});
  list.uses.add(std::vector<uint16_t>{2, 3});
  for (uint32_t i = 0; i < 2500; ++i) {
    list.sentence = i;
    writer.add(list);
  }
  writer.write(path);
  const ListFile file(path);
  auto set = std::make_unique<TrainingSet>(folder, numbers.is_small(), false);
  numbers.open(file);
  const std::vector<float> gains = {1, 0};
  for (size_t i = 0; i < file.size(); ++i) set->add(file[i], gains, numbers);
  set->seal();
  std::filesystem::remove(path);
  return set;
}

std::shared_ptr<const features::SparseReorderingFeature> word_feature() {
  features::SparseReorderingParts parts;
  parts.name = "Order";
  parts.orientations = {"monotone", "swap", "left", "right"};
  parts.stack = features::StackWords::kNone;
  parts.has_between = false;
  const std::vector<std::string> words = {"a", "b"};
  parts.source = parts.target =
      std::make_shared<features::LabelSets>(words, std::vector<std::vector<std::string>>{{"w_a"}, {"w_b"}});
  return std::make_shared<features::SparseReorderingFeature>(std::move(parts));
}

TEST(a_learner_prefers_the_better_order) {
  EventFeatures numbers(word_feature());
  const auto set = small_set(numbers);
  CHECK(set->size() == 2500 && set->blocks() == 3);
  CHECK(numbers.size() == 16);
  CHECK(set->counts().groups == 5000);  // one per list and candidate
  Learner learner({}, numbers.size());
  const double before = learner.pass(*set, 1, 1, SIZE_MAX, nullptr).objective;
  const double after = learner.pass(*set, 1, 2, SIZE_MAX, nullptr).objective;
  CHECK(before > 0.5 && after > before && after < 1);
}

TEST(threads_that_share_the_weights_visit_every_list_once) {
  EventFeatures numbers(word_feature());
  const auto set = small_set(numbers);
  LearnerOptions options;
  options.rate = 1e-12;
  const double expected = Learner(options, numbers.size()).pass(*set, 1, 1, SIZE_MAX, nullptr).objective;
  options.threads = 3;
  Learner learner(options, numbers.size());
  const Epoch all = learner.pass(*set, 1, 1, SIZE_MAX, nullptr),
              some = learner.pass(*set, 1, 2, 1300, nullptr);
  CHECK(all.lists == 2500 && some.lists == 1300);
  CHECK_NEAR(all.objective, expected, 1e-9);
  CHECK(learner.pass(*set, 1, 1, 0, nullptr).lists == 0);
}

TEST(threads_that_share_the_weights_learn_and_can_be_interrupted) {
  EventFeatures numbers(word_feature());
  const auto set = small_set(numbers);
  LearnerOptions options;
  options.threads = 2;
  Learner learner(options, numbers.size());
  const double before = learner.pass(*set, 1, 1, SIZE_MAX, nullptr).objective;
  const double after = learner.pass(*set, 1, 2, SIZE_MAX, nullptr).objective;
  CHECK(before > 0.5 && after > before && after < 1);
  const auto poll = [] { throw std::runtime_error("interrupted"); };
  CHECK_THROWS(learner.pass(*set, 1, 3, SIZE_MAX, poll), std::runtime_error);
  options.average = true;
  CHECK_THROWS(Learner(options, numbers.size()), InputError);
}

TEST(a_pass_ends_when_it_is_interrupted) {
  EventFeatures numbers(word_feature());
  const auto set = small_set(numbers);
  Learner learner({}, numbers.size());
  int polls = 0;
  const auto poll = [&] {
    if (++polls == 2) throw std::runtime_error("interrupted");
  };
  CHECK_THROWS(learner.pass(*set, 1, 1, SIZE_MAX, poll), std::runtime_error);
  CHECK(polls == 2);
}

}  // namespace
