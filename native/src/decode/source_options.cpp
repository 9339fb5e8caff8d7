#include "tunesmith/decode/source_options.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/decode/arc_features.h"
#include "tunesmith/decode/memory_limit.h"

namespace tunesmith::decode {

namespace {

constexpr size_t kMostFutureCosts = size_t{1} << 26;  // of the table: 256 MB
constexpr uint32_t kCheckEvery = 256;                 // columns between checks of memory

}  // namespace

SourceOptions::SourceOptions(const WeightedModel& model, const corpus::WordLattice& input,
                             UnknownWords unknown, int32_t distortion_limit, OptionSource* source,
                             size_t memory_limit)
    : model_(model), input_(input), option_source_(source), memory_limit_(memory_limit) {
  for (size_t table = 0; table < model.model().tables().size(); ++table) collect(table);
  add_unknown_words(unknown);
  check_memory(bytes());
  std::vector<std::vector<uint32_t>> beginning(columns());
  for (uint32_t i = 0; i < entries_.size(); ++i) beginning[entries_[i].range.begin].push_back(i);
  for (auto& row : beginning) by_begin_.add(row);
  if (input.is_sentence())
    for (uint32_t column = 0; column < columns(); ++column) source_.push_back(input.arcs(column)[0].word);
  decoder_input_ = {columns(), {model.model().words(), passed_.view()}, source_};
  placed_features_.emplace(model, decoder_input_);
  if (!placed_features_->empty()) place_options();
  estimate(distortion_limit);
  check_memory(bytes());
}

size_t SourceOptions::bytes() const {
  return held_bytes(entries_) + held_bytes(paths_.values) + held_bytes(by_begin_.values) +
         held_bytes(by_begin_.offsets) + held_bytes(lists_) + first_entries_.bytes() + list_bytes_ +
         held_bytes(source_) + held_bytes(passed_.blob) + held_bytes(future_costs_) + held_bytes(suffixes_) +
         (option_source_ ? option_source_->bytes() : 0);
}

void SourceOptions::check_memory(size_t bytes) const {
  decode::check_memory(bytes, memory_limit_, columns(), input_.is_sentence(),
                       "the pop limit, the stack size or the table limit");
}

void SourceOptions::constrain(std::string_view target, bool is_prefix, std::span<const double> most_words,
                              std::span<const double> least_words) {
  decoder_input_.target = target;
  decoder_input_.is_constrained = true;
  decoder_input_.is_prefix = is_prefix;
  decoder_input_.most_words = most_words;
  decoder_input_.least_words = least_words;
}

/// Follows all paths through the lattice that are a prefix of some source phrase.
void SourceOptions::collect(size_t number) {
  const tables::PhraseTable& table = *model_.model().tables()[number].table;
  struct Path {
    uint32_t at, node;
    float score;
    const corpus::LatticeArc* last;
    size_t before;  // the path without its last arc
  };
  std::vector<Path> paths;
  std::vector<const corpus::LatticeArc*> arcs;  // of a path through a lattice
  for (uint32_t begin = 0; begin < columns(); ++begin) {
    if (begin % kCheckEvery == 0) check_memory(bytes());
    paths.assign(1, {begin, tables::PhraseTable::kRoot, 0, nullptr, 0});
    for (size_t i = 0; i < paths.size(); ++i) {
      const Path path = paths[i];
      arcs.clear();
      if (!input_.is_sentence()) {
        for (size_t k = i; k > 0; k = paths[k].before) arcs.push_back(paths[k].last);
        std::ranges::reverse(arcs);
        arcs.push_back(nullptr);  // the next one
      }
      for (const corpus::LatticeArc& arc : input_.arcs(path.at)) {
        const uint32_t node = table.extend(path.node, table.source_words().find(arc.word));
        if (node == tables::PhraseTable::kNone) continue;
        const float score = path.score + arc_score(model_, arc);
        if (!arcs.empty()) arcs.back() = &arc;
        if (!table.pairs(node).empty()) {
          const Range range{begin, arc.end};
          add(range, arcs,
              option_source_ ? counted(option_source_->options(number, node, range))
                             : shared_options(number, node),
              score);
        }
        if (arc.end < columns()) paths.push_back({arc.end, node, score, &arc, i});
      }
    }
  }
}

std::shared_ptr<const OptionList> SourceOptions::shared_options(size_t table, uint32_t node) {
  uint32_t& first = first_entries_.insert(uint64_t{table} << 32 | node, kNoNumber).value;
  if (first != kNoNumber) return lists_[first];
  auto list = model_.options(table, node);
  if (list->options.empty()) return nullptr;
  first = static_cast<uint32_t>(lists_.size());
  return counted(std::move(list));
}

std::shared_ptr<const OptionList> SourceOptions::counted(std::shared_ptr<const OptionList> list) {
  if (list) list_bytes_ += list->bytes();
  return list;
}

void SourceOptions::add(Range range, std::span<const corpus::LatticeArc* const> path,
                        std::shared_ptr<const OptionList> list, float score) {
  if (!list || list->options.empty()) return;
  if (!input_.is_sentence()) paths_.add(path);
  entries_.push_back({range, list->options, score});
  lists_.push_back(std::move(list));
}

/// A word that is not a source phrase by itself is unknown, even if longer phrases contain it, as in Moses:
/// so every sentence can be translated.
void SourceOptions::add_unknown_words(UnknownWords unknown) {
  struct Place {
    Range range;
    const corpus::LatticeArc* arc;
    int32_t number;
  };
  std::vector<Place> places;
  NameTable passed;  // one number per distinct word
  for (uint32_t begin = 0; begin < columns(); ++begin)
    for (const corpus::LatticeArc& arc : input_.arcs(begin)) {
      const bool known = std::ranges::any_of(model_.model().tables(), [&](const DecoderModel::Table& use) {
        const uint32_t node =
            use.table->extend(tables::PhraseTable::kRoot, use.table->source_words().find(arc.word));
        return node != tables::PhraseTable::kNone && !use.table->pairs(node).empty();
      });
      if (known) continue;
      const std::string_view target = unknown == UnknownWords::kPass ? arc.word : std::string_view();
      if (option_source_ && !option_source_->admits_unknown({begin, arc.end}, target)) continue;
      places.push_back({{begin, arc.end}, &arc, passed.intern(arc.word)});
    }
  if (option_source_) option_source_->add_words(passed);
  passed_ = passed.take_names();
  if (option_source_) option_source_->add_dropped(passed_);
  const TargetWords names{model_.model().words(), passed_.view()};
  std::vector<char> is_dropped(columns());
  for (const Place& place : places) {
    if (entries_.size() % kCheckEvery == 0) check_memory(bytes());
    is_dropped[place.range.begin] = unknown == UnknownWords::kDrop;
    const int32_t known = model_.model().find_word(passed_[static_cast<size_t>(place.number)]);
    const int32_t word[] = {
        known != NameTable::kUnknown ? known : static_cast<int32_t>(names.table.size()) + place.number};
    const auto phrase = model_.model().phrase_count() + static_cast<uint32_t>(place.number);
    const std::span<const int32_t> words =
        unknown == UnknownWords::kPass ? std::span<const int32_t>(word) : std::span<const int32_t>();
    add(place.range, {&place.arc, 1}, counted(model_.unknown_word(words, phrase, names)),
        arc_score(model_, *place.arc));
  }
  if (option_source_)
    for (PlacedOptions& further : option_source_->further(names, is_dropped))
      add(further.range, {}, counted(std::move(further.list)), 0);
}

/// Gives each entry options of its own, with the scores of placed features, sorted again.
void SourceOptions::place_options() {
  placed_.reserve(entries_.size());
  for (OptionEntry& entry : entries_) {
    std::vector<Option>& options = placed_.emplace_back(entry.options.begin(), entry.options.end());
    for (Option& option : options) {
      const float score = placed_features_->score(option, {entry.range});
      option.score += score;
      option.sort_score += score;
      option.estimate += score;
    }
    sort_best_first(options);
    entry.options = options;
    list_bytes_ += held_bytes(options);
  }
}

/// future_cost(b, e) = max over options from b to m of estimate + input score + future_cost(m, e). A
/// distortion limit allows only short gaps, so a band of the table and the costs from each column to the end
/// suffice.
void SourceOptions::estimate(int32_t distortion_limit) {
  const uint32_t length = columns();
  band_ = length;
  if (input_.is_sentence() && distortion_limit >= 0)
    band_ = std::min(length, static_cast<uint32_t>(distortion_limit));
  if (size_t{band_ + 1} * length > kMostFutureCosts)
    throw InputError("the sentence has " + std::to_string(length) +
                     " words, too many to reorder without a limit; set a distortion limit, or split it");
  future_costs_.assign(size_t{band_ + 1} * (length + 1), kForbiddenScore);
  suffixes_.assign(length + 1, kForbiddenScore);
  suffixes_[length] = 0;
  for (uint32_t begin = length + 1; begin-- > 0;) {
    float* row = future_costs_.data() + size_t{band_ + 1} * begin;
    row[0] = 0;
    if (begin == length) continue;
    for (const uint32_t number : beginning_at(begin)) {
      const OptionEntry& entry = entries_[number];
      float best = kForbiddenScore;
      for (const Option& option : entry.options) best = std::max(best, option.estimate);
      best += entry.input_score;
      const uint32_t end = entry.range.end;
      suffixes_[begin] = std::max(suffixes_[begin], best + suffixes_[end]);
      const float* rest = future_costs_.data() + size_t{band_ + 1} * end;
      for (uint32_t size = end - begin; size <= std::min(band_, length - begin); ++size)
        row[size] = std::max(row[size], best + rest[size - (end - begin)]);
    }
  }
}

float SourceOptions::future_cost(Range range) const {
  if (range.end == columns()) return suffixes_[range.begin];
  if (range.size() <= band_) return future_costs_[size_t{band_ + 1} * range.begin + range.size()];
  return kForbiddenScore;  // the distortion limit allows no such gap
}

}  // namespace tunesmith::decode
