#include "tunesmith/decode/event_joiner.h"

#include <algorithm>
#include <limits>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith::decode {

namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Appends offsets without their first, moved to where the values were appended.
void append_offsets(std::vector<int64_t>& to, const std::vector<int64_t>& from) {
  const int64_t base = to.back();
  for (size_t i = 1; i < from.size(); ++i) to.push_back(base + from[i]);
}

/// Reserves for the sum of the sizes of an array over all parts.
template <class ArrayOf>
void reserve(std::span<const DerivationEvents> parts, DerivationEvents& events, ArrayOf array_of) {
  size_t total = 1;
  for (const DerivationEvents& part : parts) total += array_of(part).size();
  array_of(events).reserve(total);
}

}  // namespace

EventJoiner::EventJoiner(std::span<const DerivationEvents> parts) {
  const auto all = [&](auto... array_of) { (reserve(parts, events_, array_of), ...); };
  all([](auto& e) -> auto& { return e.lists; }, [](auto& e) -> auto& { return e.scores; },
      [](auto& e) -> auto& { return e.of_phrases; }, [](auto& e) -> auto& { return e.step_offsets; },
      [](auto& e) -> auto& { return e.target_words.offsets; },
      [](auto& e) -> auto& { return e.target_words.values; },
      [](auto& e) -> auto& { return e.source_words.offsets; },
      [](auto& e) -> auto& { return e.source_words.values; }, [](auto& e) -> auto& { return e.steps.edges; },
      [](auto& e) -> auto& { return e.steps.rules; }, [](auto& e) -> auto& { return e.steps.sources; },
      [](auto& e) -> auto& { return e.steps.targets; }, [](auto& e) -> auto& { return e.steps.parents; },
      [](auto& e) -> auto& { return e.steps.gaps; }, [](auto& e) -> auto& { return e.steps.links.offsets; },
      [](auto& e) -> auto& { return e.steps.links.values; },
      [](auto& e) -> auto& { return e.steps.orientations; }, [](auto& e) -> auto& { return e.steps.blocks; });
}

void EventJoiner::add(const forest::Forest& forest, const DerivationEvents& part) {
  auto& known = known_words_.try_emplace(&forest.names(), forest.names().words.size(), -1).first->second;
  const auto renumbered = [&](EventRows<grammar::Symbol>& to, const EventRows<grammar::Symbol>& from) {
    for (const grammar::Symbol symbol : from.values) to.values.push_back(word(forest, known, symbol));
    append_offsets(to.offsets, from.offsets);
  };
  renumbered(events_.source_words, part.source_words);
  renumbered(events_.target_words, part.target_words);
  std::vector<int32_t> rules;
  for (size_t i = 0; i < part.rules.size(); ++i) {
    source_.clear();
    target_.clear();
    for (const grammar::Symbol symbol : part.rules.sources[i]) source_.push_back(word(forest, known, symbol));
    for (const grammar::Symbol symbol : part.rules.targets[i]) target_.push_back(word(forest, known, symbol));
    rules.push_back(rule(part.rules.ids[i], part.rules.links[i]));
  }
  append_offsets(events_.lists, part.lists);
  append(events_.scores, part.scores);
  append(events_.of_phrases, part.of_phrases);
  append_offsets(events_.step_offsets, part.step_offsets);
  EventSteps& steps = events_.steps;
  append(steps.edges, part.steps.edges);
  for (const int32_t number : part.steps.rules) steps.rules.push_back(rules[static_cast<size_t>(number)]);
  append(steps.sources, part.steps.sources);
  append(steps.targets, part.steps.targets);
  append(steps.parents, part.steps.parents);
  append(steps.gaps, part.steps.gaps);
  append(steps.links.values, part.steps.links.values);
  append_offsets(steps.links.offsets, part.steps.links.offsets);
  append(steps.orientations, part.steps.orientations);
  append(steps.blocks, part.steps.blocks);
}

DerivationEvents EventJoiner::take() {
  events_.words = words_.take_names();
  return std::move(events_);
}

/// Negative symbols, which are gaps or unknown words, stay as they are.
grammar::Symbol EventJoiner::word(const forest::Forest& forest, std::vector<int32_t>& known,
                                  grammar::Symbol symbol) {
  if (symbol < 0) return symbol;
  int32_t& number = known[static_cast<size_t>(symbol)];
  if (number < 0) number = words_.intern(forest.names().words[static_cast<size_t>(symbol)]);
  return number;
}

/// The number of the rule with this id, these links, and the sides in source_ and target_.
int32_t EventJoiner::rule(int64_t id, std::span<const corpus::Link> links) {
  EventRules& rules = events_.rules;
  uint64_t hash = mix(static_cast<uint64_t>(id), source_.size());
  for (const grammar::Symbol symbol : source_) hash = mix(hash, static_cast<uint32_t>(symbol));
  for (const grammar::Symbol symbol : target_) hash = mix(hash, static_cast<uint32_t>(symbol));
  for (const corpus::Link link : links)
    hash = mix(hash, uint64_t{static_cast<uint32_t>(link.source)} << 32 | static_cast<uint32_t>(link.target));
  if (rules.size() == std::numeric_limits<int32_t>::max())
    throw InputError("more than 2^31 distinct rules; expected fewer forests at once");
  for (;; ++hash) {  // another rule with this hash: as in Interner, the next number is tried
    const auto [number, is_new] = known_rules_.insert(hash, static_cast<uint32_t>(rules.size()));
    if (!is_new) {
      if (rules.ids[number] == id && std::ranges::equal(rules.sources[number], source_) &&
          std::ranges::equal(rules.targets[number], target_) &&
          std::ranges::equal(rules.links[number], links))
        return static_cast<int32_t>(number);
      continue;
    }
    const auto result = static_cast<int32_t>(number);
    rules.ids.push_back(id);
    append(rules.sources.values, source_);
    append(rules.targets.values, target_);
    rules.links.values.insert(rules.links.values.end(), links.begin(), links.end());
    rules.sources.close();
    rules.targets.close();
    rules.links.close();
    return result;
  }
}

}  // namespace tunesmith::decode
