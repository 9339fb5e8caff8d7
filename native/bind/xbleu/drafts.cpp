// Lists of events made by hand: for tests, and for lists from elsewhere.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "tunesmith/xbleu/list_file.h"

namespace tunesmith::bind {

namespace {

using xbleu::Event;
using xbleu::ListDraft;
using xbleu::ListWriter;

/// Target words, source columns, columns of the block, words of the block, orientation, is unknown.
using EventFields =
    std::tuple<std::vector<std::string>, std::pair<uint16_t, uint16_t>, std::pair<uint16_t, uint16_t>,
               std::pair<std::optional<std::string>, std::optional<std::string>>, uint8_t, bool>;

void add_list(ListWriter& writer, uint32_t sentence, uint32_t reference_length,
              const std::vector<std::string>& source, const std::vector<float>& scores,
              const std::vector<std::vector<uint16_t>>& matches, const std::vector<EventFields>& events,
              const std::vector<uint16_t>& common, const std::vector<std::vector<uint16_t>>& uses,
              const std::vector<double>& dense) {
  if (matches.size() != scores.size() || uses.size() != scores.size())
    throw InputError("a list has " + std::to_string(scores.size()) + " scores, " +
                     std::to_string(matches.size()) + " rows of matches and " + std::to_string(uses.size()) +
                     " of uses; expected as many of each");
  ListDraft list;
  const auto word = [&](const std::string& text) {
    list.words.add(text);
    return static_cast<uint32_t>(list.words.size() - 1);
  };
  list.sentence = sentence;
  list.reference_length = reference_length;
  for (const std::string& text : source) list.source.push_back(word(text));
  list.scores = scores;
  for (const auto& row : matches) {
    if (row.size() != 5) throw InputError("a row of matches must have a length and four counts");
    list.matches.push_back({row[0], {row[1], row[2], row[3], row[4]}});
  }
  for (const auto& [target, columns, block, borders, orientation, is_unknown] : events) {
    for (const std::string& text : target) list.phrases.values.push_back(word(text));
    list.phrases.close();
    Event event{};
    event.target = static_cast<uint32_t>(list.phrases.size() - 1);
    event.block_first = borders.first ? word(*borders.first) : xbleu::kNoWord;
    event.block_last = borders.second ? word(*borders.second) : xbleu::kNoWord;
    std::tie(event.begin, event.end) = columns;
    std::tie(event.block_begin, event.block_end) = block;
    event.orientation = orientation;
    event.is_unknown = is_unknown ? 1 : 0;
    list.events.push_back(event);
  }
  list.common = common;
  for (const auto& row : uses) list.uses.add(row);
  const size_t features = writer.dense_names().size();
  if (dense.size() != features * scores.size())
    throw InputError("a list has " + std::to_string(dense.size()) + " values of dense features; expected " +
                     std::to_string(features) + " of each of " + std::to_string(scores.size()) +
                     " candidates");
  list.dense = xbleu::dense_differences(dense, features);
  writer.add(list);
}

}  // namespace

void bind_xbleu_drafts(nb::module_& m) {
  m.def(
      "add_list", &add_list, "writer"_a, "sentence"_a, "reference_length"_a, "source"_a, "scores"_a,
      "matches"_a, "events"_a, "common"_a, "uses"_a, "dense"_a = std::vector<double>(),
      "Add a list to a file in the making. A row of matches is the length and the matches of 1-grams to "
      "4-grams. "
      "An event is a tuple of target words, source columns, columns of the block, first and last word of the "
      "block, orientation, and whether it is an unknown word. Dense features have one value per candidate "
      "and "
      "feature, candidate by candidate.");
}

}  // namespace tunesmith::bind
