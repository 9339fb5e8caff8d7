#include "tunesmith/xbleu/event_features.h"

#include <unordered_set>

#include "tunesmith/base/errors.h"
#include "tunesmith/decode/features/oriented_labels.h"
#include "tunesmith/decode/features/oriented_words.h"
#include "tunesmith/decode/features/phrase_texts.h"

namespace tunesmith::xbleu {

namespace features = decode::features;

namespace {

void join_words(const TextColumn& words, std::span<const uint32_t> phrase, std::string& text) {
  text.clear();
  for (const uint32_t word : phrase) features::append_word(words[word], text);
}

}  // namespace

EventFeatures::EventFeatures(std::shared_ptr<const features::SparseReorderingFeature> feature)
    : feature_(std::move(feature)) {
  const features::SparseReorderingParts& parts = feature_->parts();
  if (parts.model != tables::OrientationModel::kHierarchical)
    throw InputError("lists of events have hierarchical orientations only: use model=hier");
  const bool has_gap = parts.has_between && parts.stack != features::StackWords::kBlock;
  if (parts.stack == features::StackWords::kPrevious || has_gap)
    throw InputError(
        "lists of events do not have the phrase before: use stack=block, or stack=none without between");
  for (const Place place : features::places_of(parts))
    rows_of_[static_cast<size_t>(place)].resize(sets(place).size() * parts.orientations.size());
  count_possible();
}

const features::LabelSets& EventFeatures::sets(Place place) const {
  return features::is_target(place) ? *feature_->parts().target : *feature_->parts().source;
}

void EventFeatures::count_possible() {
  const features::SparseReorderingParts& parts = feature_->parts();
  for (const Place place : features::places_of(parts)) {
    std::unordered_set<std::string_view> known;
    for (uint32_t set = 0; set < sets(place).size(); ++set) {
      for (const Label& label : sets(place)[set]) {
        if (!known.insert(label.text).second) continue;
        for (size_t orientation = 0; orientation < parts.orientations.size(); ++orientation) {
          if (place == Place::kBetween && !features::is_discontinuous(orientation)) continue;
          const uint64_t key = feature_->oriented_names()(place, label, orientation).key();
          if (features::admits(parts.only, key)) ++possible_[static_cast<size_t>(place)];
        }
      }
    }
  }
}

bool EventFeatures::is_small() const {
  uint64_t total = 0;
  for (const uint64_t count : possible_) total += count;
  return total <= UINT16_MAX && !feature_->parts().has_identities;
}

void EventFeatures::open(const EventTexts& texts) {
  texts_ = &texts;
  const TextColumn& words = texts.words();
  source_sets_.resize(words.size());
  target_sets_.resize(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    source_sets_[i] = feature_->parts().source->number(words[i]);
    target_sets_[i] = feature_->parts().target->number(words[i]);
  }
}

uint32_t EventFeatures::number(const weights::FeatureName& name, size_t part) {
  const size_t before = store_.size();
  const uint32_t found = store_.insert(name);
  if (store_.size() > before) ++seen_[part];
  return found;
}

void EventFeatures::append_word(Place place, uint32_t set, size_t orientation,
                                std::vector<uint32_t>& numbers) {
  if (set == features::LabelSets::kNone) return;
  const auto at = static_cast<size_t>(place);
  uint32_t& row = rows_of_[at][set * feature_->parts().orientations.size() + orientation];
  if (row == 0) {
    for (const Label& label : sets(place)[set]) {
      const features::JoinedName name = feature_->oriented_names()(place, label, orientation);
      if (features::admits(feature_->parts().only, name.key()))
        rows_.values.push_back(number(name.name(), at));
    }
    rows_.close();
    row = static_cast<uint32_t>(rows_.size());
  }
  const auto found = rows_[row - 1];
  numbers.insert(numbers.end(), found.begin(), found.end());
}

void EventFeatures::append_borders(Place first, std::array<uint32_t, 4> border_sets, size_t orientation,
                                   std::vector<uint32_t>& numbers) {
  for (uint8_t i = 0; i < border_sets.size(); ++i)
    append_word(static_cast<Place>(static_cast<uint8_t>(first) + i), border_sets[i], orientation, numbers);
}

void EventFeatures::append_identities(std::span<const uint32_t> source, const Event& event,
                                      size_t orientation, std::vector<uint32_t>& numbers) {
  join_words(texts_->words(), source.subspan(event.begin, event.end - event.begin), source_text_);
  join_words(texts_->words(), texts_->phrase(event.target), target_text_);
  const Label source_label(source_text_), target_label(target_text_);
  for (size_t i = 0; i < features::kPhraseIdentities; ++i) {
    const auto identity = static_cast<features::PhraseIdentity>(i);
    const features::JoinedName name =
        feature_->oriented_names()(identity, source_label, target_label, orientation);
    if (features::admits(feature_->parts().only, name.key()))
      numbers.push_back(number(name.name(), features::kWordPlaces + i));
  }
}

void EventFeatures::append(std::span<const uint32_t> source, const Event& event,
                           std::vector<uint32_t>& numbers) {
  const features::SparseReorderingParts& parts = feature_->parts();
  const auto orientation = static_cast<size_t>(
      tables::class_of(parts.classes, static_cast<tables::Orientation>(event.orientation)));
  const bool has_source = !source.empty();  // not in a lattice
  const auto source_set = [&](size_t column) {
    return has_source ? source_sets_[source[column]] : features::LabelSets::kNone;
  };
  const auto target_set = [&](uint32_t word) {
    return word == kNoWord ? features::LabelSets::kNone : target_sets_[word];
  };
  if (parts.has_phrase) {
    const auto words = texts_->phrase(event.target);
    const uint32_t first = words.empty() ? kNoWord : words.front();
    const uint32_t last = words.empty() ? kNoWord : words.back();
    append_borders(Place::kPhraseSourceFirst,
                   {source_set(event.begin), source_set(event.end - 1u), target_set(first), target_set(last)},
                   orientation, numbers);
  }
  if (parts.stack == features::StackWords::kBlock && !event.is_first())
    append_borders(Place::kStackSourceFirst,
                   {source_set(event.block_begin), source_set(event.block_end - 1u),
                    target_set(event.block_first), target_set(event.block_last)},
                   orientation, numbers);
  if (parts.has_between && features::is_discontinuous(orientation)) {
    const bool is_after = event.begin >= event.block_end;
    const size_t end = is_after ? event.begin : event.block_begin;
    for (size_t column = is_after ? event.block_end : event.end; column < end; ++column)
      append_word(Place::kBetween, source_set(column), orientation, numbers);
  }
  if (parts.has_identities && event.is_unknown == 0 && has_source)
    append_identities(source, event, orientation, numbers);
}

weights::WeightStore EventFeatures::weighted(std::span<const float> weights) const {
  weights::WeightStore result;
  for (uint32_t i = 0; i < weights.size(); ++i)
    if (weights[i] != 0) result.set(name(i), weights[i]);
  return result;
}

}  // namespace tunesmith::xbleu
