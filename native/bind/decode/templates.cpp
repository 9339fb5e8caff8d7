// The native twins of feature templates.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind/bind.h"
#include "tunesmith/decode/features/crossing_bigrams.h"
#include "tunesmith/decode/features/lexical_pairs.h"
#include "tunesmith/decode/features/placed_lexical.h"

namespace tunesmith::bind {

namespace {

using decode::features::LexicalParts;
using decode::features::NameFilter;
using decode::features::WordLabels;

using LabelsOrNone = std::optional<std::shared_ptr<WordLabels>>;
using FilterOrNone = std::optional<std::shared_ptr<NameFilter>>;

LexicalParts parts_of(std::string name, const LabelsOrNone& source, const LabelsOrNone& target,
                      const FilterOrNone& only) {
  LexicalParts parts{std::move(name)};
  if (source) parts.source = *source;
  if (target) parts.target = *target;
  if (only) parts.only = *only;
  return parts;
}

/// Binds a feature that is made of a name, labels of both sides and a whitelist.
template <class Feature, class Base>
void add_lexical(nb::module_& m, const char* name, const char* text) {
  nb::class_<Feature, Base>(m, name, text)
      .def(
          "__init__",
          [](Feature* self, std::string own, const LabelsOrNone& source, const LabelsOrNone& target,
             const FilterOrNone& only) {
            new (self) Feature(parts_of(std::move(own), source, target, only));
          },
          "name"_a, "source"_a = nb::none(), "target"_a = nb::none(), "only"_a = nb::none());
}

void add_labels(nb::module_& m) {
  nb::class_<WordLabels>(m, "WordLabels", "What names of features have in place of words.")
      .def(nb::init<const std::vector<std::string>&, const std::vector<std::string>&, const std::string&>(),
           "words"_a, "labels"_a, "otherwise"_a,
           "The label of each word, and that of all others; they have none if it is empty.");
  nb::class_<NameFilter>(m, "NameFilter", "A whitelist of features.")
      .def(nb::init<const std::vector<std::string>&>(), "names"_a);
}

}  // namespace

void bind_decode_templates(nb::module_& m) {
  namespace features = decode::features;
  add_labels(m);
  using decode::PairFeature;
  add_lexical<features::RuleIdentityFeature, PairFeature>(m, "RuleIdentityFeature",
                                                          "Indicators of whole rules.");
  add_lexical<features::RuleShapeFeature, PairFeature>(m, "RuleShapeFeature",
                                                       "Indicators of the order of words and gaps.");
  nb::class_<features::WordTranslationFeature, PairFeature>(m, "WordTranslationFeature",
                                                            "Counts of linked words.")
      .def(
          "__init__",
          [](features::WordTranslationFeature* self, std::string own, const LabelsOrNone& source,
             const LabelsOrNone& target, const FilterOrNone& only, bool sees_unknown) {
            new (self) features::WordTranslationFeature(parts_of(std::move(own), source, target, only),
                                                        sees_unknown);
          },
          "name"_a, "source"_a = nb::none(), "target"_a = nb::none(), "only"_a = nb::none(),
          "sees_unknown"_a = false);
  add_lexical<features::WordDeletionFeature, PairFeature>(m, "WordDeletionFeature",
                                                          "Counts of source words without a link.");
  add_lexical<features::WordInsertionFeature, PairFeature>(m, "WordInsertionFeature",
                                                           "Counts of target words without a link.");
  add_lexical<features::InnerBigramFeature, PairFeature>(m, "InnerBigramFeature",
                                                         "Counts of target bigrams within a rule.");
  add_lexical<features::LengthFeature, PairFeature>(m, "LengthFeature",
                                                    "Indicators of the lengths of both sides.");
  add_lexical<features::CrossingBigramFeature, decode::StatefulFeature>(
      m, "CrossingBigramFeature", "Counts of target bigrams that join two rules.");
  add_lexical<features::StructuralDistortionFeature, decode::PlacedFeature>(
      m, "StructuralDistortionFeature", "Counts of gaps by their size and whether they are reordered.");
  add_lexical<features::SpanLengthFeature, decode::PlacedFeature>(
      m, "SpanLengthFeature", "Indicators of the number of columns that rules with gaps cover.");
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  nb::class_<features::ContextPairFeature, decode::PlacedFeature>(
      m, "ContextPairFeature", "Counts of linked words with the source word before or after.")
      .def(
          "__init__",
          [](features::ContextPairFeature* self, std::string own, const Pairs& pairs,
             const LabelsOrNone& source, const LabelsOrNone& target, const FilterOrNone& only) {
            new (self) features::ContextPairFeature(parts_of(std::move(own), source, target, only), pairs);
          },
          "name"_a, "pairs"_a, "source"_a = nb::none(), "target"_a = nb::none(), "only"_a = nb::none());
}

}  // namespace tunesmith::bind
