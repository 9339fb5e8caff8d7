#include "tunesmith/decode/features/oriented_labels.h"

namespace tunesmith::decode::features {

namespace {

constexpr std::array<std::string_view, kWordPlaces> kPlaces = {
    "phrase_source_first", "phrase_source_last", "phrase_target_first",
    "phrase_target_last",  "stack_source_first", "stack_source_last",
    "stack_target_first",  "stack_target_last",  "between",
};

constexpr std::array<std::string_view, kPhraseIdentities> kIdentities = {"source", "target", "pair"};

}  // namespace

bool is_target(WordPlace place) {
  return place == WordPlace::kPhraseTargetFirst || place == WordPlace::kPhraseTargetLast ||
         place == WordPlace::kStackTargetFirst || place == WordPlace::kStackTargetLast;
}

OrientedNames::OrientedNames(const std::string& name, const std::vector<std::string>& orientations) {
  for (size_t place = 0; place < kWordPlaces; ++place) {
    begin_texts_[place] = name + "_" + std::string(kPlaces[place]) + "_";
    begins_[place] = Label(begin_texts_[place]);
  }
  for (size_t identity = 0; identity < kPhraseIdentities; ++identity) {
    identity_texts_[identity] = name + "_" + std::string(kIdentities[identity]) + "_";
    identities_[identity] = Label(identity_texts_[identity]);
  }
  for (const std::string& orientation : orientations) end_texts_.push_back("_" + orientation);
  for (const std::string& text : end_texts_) ends_.emplace_back(text);
}

JoinedName OrientedNames::operator()(PhraseIdentity identity, const Label& source, const Label& target,
                                     size_t orientation) const {
  static const Label kSides("_~_");
  JoinedName name(identities_[static_cast<size_t>(identity)]);
  if (identity != PhraseIdentity::kTarget) name += source;
  if (identity == PhraseIdentity::kPair) name += kSides;
  if (identity != PhraseIdentity::kSource) name += target;
  return name += ends_[orientation];
}

const LabelSets& OrientedScores::sets(WordPlace place) const { return is_target(place) ? target_ : source_; }

void OrientedScores::refresh() {
  if (version_ == weights_.version()) return;
  version_ = weights_.version();
  ++round_;
}

void OrientedScores::compute(WordPlace place, uint32_t set) {
  Table& table = tables_[static_cast<size_t>(place)];
  const size_t width = names_.orientations();
  if (table.computed.empty()) {
    table.computed.resize(sets(place).size());
    table.scores.resize(sets(place).size() * width);
  }
  sum_labels(names_, only_, place, sets(place)[set], weights_,
             std::span(table.scores).subspan(set * width, width));
  table.computed[set] = round_;
}

void OrientedScores::add(WordPlace place, uint32_t set, size_t orientation, FeatureSink& sink) const {
  for (const Label& label : sets(place)[set])
    features::add(sink, only_, names_(place, label, orientation).name());
}

}  // namespace tunesmith::decode::features
