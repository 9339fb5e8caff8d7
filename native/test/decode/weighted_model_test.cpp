#include "tunesmith/decode/weighted_model.h"

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/decode/weight_names.h"
#include "tunesmith/grammar/text.h"

namespace tunesmith::decode::weighted_model_test {

const std::string kRules =
    "[X] ||| a ||| one ||| P=-1\n[X] ||| a ||| two words ||| P=-2\n[X] ||| a ||| three ||| P=-4\n"
    "[Y] ||| a ||| four ||| P=-8\n";

/// An indicator per target side; counts how often it was asked.
class Identity : public PairFeature {
 public:
  explicit Identity(bool is_stored) : is_stored_(is_stored) {}
  std::vector<std::string> names() const override { return {}; }
  bool is_stored() const override { return is_stored_; }
  void values(const Option& option, std::span<const std::string_view>, const TargetWords& words,
              FeatureSink& sink) const override {
    ++calls;
    sink.add("Is_" + std::string(words[option.words[0]]), 1);
  }
  mutable int calls = 0;

 private:
  bool is_stored_;
};

struct Made {
  explicit Made(size_t breadth, bool is_stored = false) : feature(std::make_shared<Identity>(is_stored)) {
    model->add_grammar(grammar::parse_grammar(kRules, {}), {2, 0, true, breadth, "P", false}, {}, {"P"});
    model->add_penalty(Penalty::kWord, "Words");
    model->add_pair_feature(feature);
    store->set("P", 1);
    store->set("Words", 0.5);
  }
  /// The first target words of the rules of `a`, best first, by category.
  std::vector<std::vector<std::string>> rules(const WeightedModel& weighted) const {
    const auto& trie = *model->grammars()[0].trie;
    std::vector<std::vector<std::string>> result;
    for (const auto& made : weighted.rules(0, trie.by_word(0, trie.find_word("a")))->made) {
      auto& texts = result.emplace_back();
      for (const Option& option : made.list.options)
        texts.emplace_back(model->words()[static_cast<size_t>(option.words[0])]);
    }
    return result;
  }

  std::shared_ptr<DecoderModel> model = std::make_shared<DecoderModel>();
  std::shared_ptr<Identity> feature;
  std::shared_ptr<weights::WeightStore> store = std::make_shared<weights::WeightStore>();
};

using Lists = std::vector<std::vector<std::string>>;

TEST(the_breadth_cuts_rules_of_each_category_before_the_limit) {
  const Made all(100), narrow(1);
  CHECK(all.rules(WeightedModel(all.model, all.store)) == Lists({{"one", "two"}, {"four"}}));
  CHECK(narrow.rules(WeightedModel(narrow.model, narrow.store)) == Lists({{"one"}, {"four"}}));
}

TEST(changed_weights_score_options_again_without_asking_features) {
  for (const bool is_stored : {false, true}) {
    const Made made(2, is_stored);
    WeightedModel weighted(made.model, made.store);
    CHECK(made.rules(weighted) == Lists({{"one", "two"}, {"four"}}));
    const int calls = made.feature->calls;
    made.store->set("Is_two", 5);
    made.store->set("Is_three", 9);  // cut, whatever its weight
    CHECK(made.rules(weighted) == Lists({{"one", "two"}, {"four"}}));
    weighted.refresh();
    CHECK(made.rules(weighted) == Lists({{"two", "one"}, {"four"}}));
    CHECK(made.rules(WeightedModel(made.model, made.store)) == Lists({{"two", "one"}, {"four"}}));
    CHECK(made.feature->calls == calls);
  }
}

TEST(facts_and_plain_scoring_agree) {
  const Made broad(100), plain(0);
  for (const Made* made : {&broad, &plain}) made->store->set("Is_two", 0.75);
  const WeightedModel a(broad.model, broad.store), b(plain.model, plain.store);
  const uint32_t node = broad.model->grammars()[0].trie->by_word(0, 0);
  const auto ours = a.rules(0, node), theirs = b.rules(0, node);
  for (size_t i = 0; i < ours->made.size(); ++i)
    for (size_t k = 0; k < ours->made[i].list.options.size(); ++k) {
      const Option &x = ours->made[i].list.options[k], &y = theirs->made[i].list.options[k];
      CHECK(x.score == y.score && x.sort_score == y.sort_score && x.estimate == y.estimate);
      CHECK(x.rule == y.rule && std::ranges::equal(x.pair_values, y.pair_values));
    }
}

TEST(names_get_columns_only_where_they_are_output) {
  for (const size_t breadth : {0, 100}) {
    const Made made(breadth);
    const auto columns = static_cast<uint32_t>(made.model->names().size());
    made.rules(WeightedModel(made.model, made.store));
    CHECK(made.model->sparse_column("first") == columns);
  }
}

TEST(rules_without_the_probability_are_refused) {
  DecoderModel model;
  CHECK_THROWS(model.add_grammar(grammar::parse_grammar(kRules, {}), {2, 0, true, 5, "Q", false}, {}, {"P"}),
               InputError);
}

TEST(names_of_other_models_are_found_in_a_store) {
  const Made made(0);
  for (const char* name : {"Is", "Is_x", "Isx", "I", "Words_x"}) made.store->set(name, 1);
  using Names = std::vector<std::string>;
  CHECK(foreign_names(*made.model, *made.store, {"Is"}, 10) == Names({"Isx", "I", "Words_x"}));
  CHECK(foreign_names(*made.model, *made.store, {"Is"}, 1) == Names({"Isx"}));
  CHECK(foreign_names(*made.model, *made.store, {"Is", "I", "Isx", "Words"}, 10).empty());
}

TEST(the_first_large_weight_is_found) {
  weights::WeightStore store;
  store.set("a", 3);
  store.set("b", -7);
  CHECK(first_above(store, 7) == weights::WeightStore::kNone);
  CHECK(first_above(store, 6.5) == 1);
}

}  // namespace tunesmith::decode::weighted_model_test
