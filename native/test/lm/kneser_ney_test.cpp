#include "tunesmith/lm/kneser_ney.h"

#include <map>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/lm/arpa_writer.h"

namespace tunesmith::lm::kneser_ney_test {

KneserNeyOptions options(int order, int threads = 1) {
  KneserNeyOptions chosen;
  chosen.order = order;
  chosen.fallback = Discounts{{0, 0.5, 1, 1.5}};
  chosen.threads = threads;
  return chosen;
}

std::string arpa(const KneserNey& model) {
  std::string text;
  ArpaWriter writer([&](std::string_view piece) { text += piece; });
  model.send(writer);
  return text;
}

/// Unigrams a, b, c, </s> of the text `a b c` each follow one word: with D = 0.5 each has the discounted
/// probability (1 - 0.5) / 4, and 0.5 is shared by five words, including <unk>. Bigrams: each context has one
/// follower, so that p = 0.5 + 0.5 (0.125 + 0.1).
TEST(a_model_that_can_be_computed_by_hand) {
  KneserNey model(options(2));
  model.add_sentence("a b c");
  model.finish();
  CHECK(arpa(model) ==
        "\\data\\\nngram 1=6\nngram 2=4\n\n\\1-grams:\n-1\t<unk>\t0\n0\t<s>\t-0.30103\n-0.6478175\t</s>\t0\n"
        "-0.6478175\ta\t-0.30103\n-0.6478175\tb\t-0.30103\n-0.6478175\tc\t-0.30103\n\n\\2-grams:\n"
        "-0.2128939\tc </s>\n-0.2128939\t<s> a\n-0.2128939\ta b\n-0.2128939\tb c\n\n\\end\\\n");
}

TEST(a_sink_that_fails_ends_the_thread_that_feeds_it) {
  struct Failing : NgramSink {
    void begin(const Texts&, std::span<const uint64_t>) override {}
    void add(std::span<const int32_t>, float, float) override { throw InputError("full"); }
    void end() override {}
  } failing;
  KneserNey model(options(3, 2));
  for (int i = 0; i < 50000; ++i) {
    const std::string first = "w" + std::to_string(i), second = " w" + std::to_string(i * 7 % 50000);
    model.add_sentence(first + second);
  }
  model.finish();
  CHECK_THROWS(model.send(failing), InputError);
}

TEST(an_estimator_is_used_in_order) {
  KneserNey model(options(2));
  CHECK_THROWS(model.finish(), InputError);
  ArpaWriter writer([](std::string_view) {});
  CHECK_THROWS(model.send(writer), InputError);
  model.add_sentence("a");
  model.finish();
  CHECK_THROWS(model.add_sentence("b"), InputError);
}

TEST(invalid_options_are_refused) {
  CHECK_THROWS(KneserNey(options(0)), InputError);
  CHECK_THROWS(KneserNey(options(7)), InputError);
  auto falling = options(3);
  falling.prune = {0, 2, 1};
  CHECK_THROWS(KneserNey{falling}, InputError);
}

TEST(an_arpa_writer_refuses_what_was_not_announced) {
  TextColumn words;
  words.add("a");
  const uint64_t counts[] = {1, 1};
  const int32_t unigram[] = {0}, bigram[] = {0, 0}, outside[] = {1};
  ArpaWriter writer([](std::string_view) {});
  writer.begin(words.view(), counts);
  CHECK_THROWS(writer.add(outside, 0, 0), InputError);
  writer.add(unigram, -1, 0);
  CHECK_THROWS(writer.end(), InputError);
  writer.begin(words.view(), counts);
  writer.add(unigram, -1, 0);
  writer.add(bigram, -1, 0);
  CHECK_THROWS(writer.add(unigram, -1, 0), InputError);
}

}  // namespace tunesmith::lm::kneser_ney_test
