#include "tunesmith/tables/phrase_table_builder.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tunesmith/base/errors.h"

namespace tunesmith::tables {

namespace {

constexpr size_t kBufferedValues = 1 << 18;

void check_values(std::span<const float> values, size_t expected, const char* what) {
  if (values.size() != expected)
    throw InputError("found " + std::to_string(values.size()) + " " + what + "; expected " +
                     std::to_string(expected));
  for (const float value : values)
    if (!(std::isfinite(value) && value >= 0))
      throw InputError("found " + std::to_string(value) + " among the " + what +
                       "; expected a finite number of 0 or more");
}

/// The members of records, which are all of one type, as an array.
template <class Value, class Record>
std::span<const Value> values(std::span<const Record> records) {
  return {reinterpret_cast<const Value*>(records.data()), records.size_bytes() / sizeof(Value)};
}

/// Slots of a file: no more than needed, as it is read often.
size_t final_slots(size_t nodes) { return nodes * 10 / 7 + 1; }

}  // namespace

int32_t UsedWords::number(int32_t word) {
  if (word < 0) throw InputError("a phrase holds a word that is not in the vocabulary");
  const auto at = static_cast<size_t>(word);
  if (at >= numbers_.size()) numbers_.resize(std::max(at + 1, 2 * numbers_.size()), -1);
  if (numbers_[at] < 0) {
    numbers_[at] = static_cast<int32_t>(used_.size());
    used_.push_back(word);
  }
  return numbers_[at];
}

TextColumn UsedWords::texts(const Texts& all) const {
  TextColumn column;
  for (const int32_t word : used_) {
    if (static_cast<size_t>(word) >= all.size())
      throw InputError("a phrase holds word " + std::to_string(word) + " of a vocabulary of " +
                       std::to_string(all.size()));
    column.add(all[static_cast<size_t>(word)]);
  }
  return column;
}

PhraseTableBuilder::PhraseTableBuilder(const std::string& path, Shape shape) : shape_(shape) {
  if (shape.scores == 0 || shape.scores > 1024 || shape.reordering > 1024 || shape.order >= shape.scores)
    throw InputError(
        "expected 1 to 1024 scores per phrase pair, a sort order that is one of them, and up to 1024 "
        "reordering probabilities");
  slots_.assign(16, TrieSlot::kFree);
  sparse_.intern({});
  writer_.emplace(path, PhraseTable::kKind, PhraseTable::kVersion);
  writer().open<uint32_t>("pairs");
}

ContainerWriter& PhraseTableBuilder::writer() {
  if (!writer_) throw InputError("this phrase table builder has finished or was abandoned; create a new one");
  return *writer_;
}

void PhraseTableBuilder::begin_source(std::span<const int32_t> source) {
  writer();
  end_source();
  if (source.empty()) throw InputError("a source phrase has no words");
  words_.clear();
  for (const int32_t word : source) words_.push_back(source_words_.number(word));
  // Input is mostly sorted: the path shares a prefix with the previous source phrase.
  const auto known = static_cast<size_t>(std::ranges::mismatch(words_, source_).in1 - words_.begin());
  path_.resize(std::min(known + 1, path_.size()));
  source_.swap(words_);
  while (path_.size() <= source_.size()) {
    const uint32_t next = find_child(path_.back(), source_[path_.size() - 1]);
    if (next == PhraseTable::kNone) break;
    path_.push_back(next);
  }
  if (path_.size() > source_.size() && nodes_[path_.back()].count > 0)
    throw InputError(
        "the pairs of a source phrase are not adjacent, or occur twice; sort the table, as "
        "by LC_ALL=C sort");
  open_ = true;
}

void PhraseTableBuilder::check(const ScoredPhrase& phrase) const {
  if (!open_) throw InputError("a target phrase came before its source phrase");
  if (phrase.target.empty()) throw InputError("a target phrase has no words");
  check_values(phrase.scores, shape_.scores, "scores");
  check_values(phrase.reordering, shape_.reordering, "reordering probabilities");
  const float counts[] = {phrase.target_count, phrase.source_count, phrase.joint_count};
  check_values(counts, 3, "counts");
  for (const SparseScore& score : phrase.sparse)
    if (!std::isfinite(score.value))
      throw InputError("found " + std::to_string(score.value) +
                       " among the sparse scores; expected finite numbers");
  for (size_t i = 0; i < phrase.alignment.size(); ++i) {
    const corpus::Link link = phrase.alignment[i];
    if (link.source < 0 || static_cast<size_t>(link.source) >= source_.size() || link.target < 0 ||
        static_cast<size_t>(link.target) >= phrase.target.size())
      throw InputError("found the link " + std::to_string(link.source) + "-" + std::to_string(link.target) +
                       " for " + std::to_string(source_.size()) + " source and " +
                       std::to_string(phrase.target.size()) + " target words");
    if (i > 0 && !(phrase.alignment[i - 1] < link))
      throw InputError("the links of a phrase pair are not sorted, or one occurs twice");
  }
}

void PhraseTableBuilder::add(const ScoredPhrase& phrase) {
  check(phrase);
  const uint32_t target = intern_target(phrase);
  if (target == last_source_.size()) last_source_.push_back(PhraseTable::kNone);
  const auto source = static_cast<uint32_t>(source_count_);
  if (last_source_[target] == source) throw InputError("duplicate phrase pair; expected each pair once");
  last_source_[target] = source;
  const PairForm form{alignments_.intern(phrase.alignment), reordering_.intern(phrase.reordering)};
  const PairCounts counts{phrase.target_count, phrase.source_count, phrase.joint_count};
  group_.push_back({target, forms_.number(form), counts_.number(counts), intern_sparse(phrase.sparse),
                    static_cast<uint32_t>(group_scores_.size())});
  group_scores_.insert(group_scores_.end(), phrase.scores.begin(), phrase.scores.end());
  longest_target_ = std::max(longest_target_, phrase.target.size());
}

/// The number of a target phrase; its words are looked up if its caller's number is new.
uint32_t PhraseTableBuilder::intern_target(const ScoredPhrase& phrase) {
  const bool has_number = phrase.target_number != ScoredPhrase::kUnnumbered;
  const size_t known = phrase.target_number;
  if (has_number && known >= numbered_.size())
    numbered_.resize(std::max(known + 1, 2 * numbered_.size()), PhraseTable::kNone);
  if (has_number && numbered_[known] != PhraseTable::kNone) return numbered_[known];
  words_.clear();
  for (const int32_t word : phrase.target) words_.push_back(target_words_.number(word));
  const uint32_t target = targets_.intern(words_);
  if (has_number) numbered_[known] = target;
  return target;
}

/// The number of a row of sparse scores, sorted by name.
uint32_t PhraseTableBuilder::intern_sparse(std::span<const SparseScore> scores) {
  if (scores.empty()) return 0;
  std::vector<SparseScore> sorted(scores.begin(), scores.end());
  for (SparseScore& score : sorted)
    score.name = static_cast<uint32_t>(sparse_names_.number(static_cast<int32_t>(score.name)));
  std::ranges::sort(sorted, {}, &SparseScore::name);
  sparse_row_.clear();
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && sorted[i].name == sorted[i - 1].name)
      throw InputError("a sparse score of a phrase pair occurs twice");
    sparse_row_.insert(sparse_row_.end(), {sorted[i].name, std::bit_cast<uint32_t>(sorted[i].value)});
  }
  return sparse_.intern(sparse_row_);
}

/// Notes the sparse rows of the group; a table without sparse scores needs no memory for them.
void PhraseTableBuilder::add_sparse_rows() {
  if (std::ranges::all_of(group_, [](const Pair& pair) { return pair.sparse == 0; })) return;
  sparse_rows_.resize(pair_count_);
  for (const Pair& pair : group_) sparse_rows_.push_back(pair.sparse);
}

bool PhraseTableBuilder::before(const Pair& a, const Pair& b) const {
  const float *left = &group_scores_[a.scores], *right = &group_scores_[b.scores];
  if (left[shape_.order] != right[shape_.order]) return left[shape_.order] > right[shape_.order];
  for (size_t i = shape_.scores; i-- > 0;)
    if (left[i] != right[i]) return left[i] > right[i];
  const auto words = targets_[a.target], others = targets_[b.target];
  return std::lexicographical_compare(words.begin(), words.end(), others.begin(), others.end());
}

void PhraseTableBuilder::end_source() {
  if (!open_) return;
  open_ = false;
  if (group_.empty()) return;
  if (pair_count_ + group_.size() >= PhraseTable::kNone)
    throw InputError("too many phrase pairs; a phrase table holds fewer than 2^32 - 1");
  std::sort(group_.begin(), group_.end(), [this](const Pair& a, const Pair& b) { return before(a, b); });
  while (path_.size() <= source_.size()) path_.push_back(add_child(path_.back(), source_[path_.size() - 1]));
  nodes_[path_.back()].begin = static_cast<uint32_t>(pair_count_);
  nodes_[path_.back()].count = static_cast<uint32_t>(group_.size());
  for (const Pair& pair : group_) {
    rows_.insert(rows_.end(), {pair.target, pair.form, pair.counts});
    for (size_t i = 0; i < shape_.scores; ++i)
      rows_.push_back(std::bit_cast<uint32_t>(group_scores_[pair.scores + i]));
  }
  if (rows_.size() >= kBufferedValues) {
    writer().append(std::span<const uint32_t>(rows_));
    rows_.clear();
  }
  add_sparse_rows();
  pair_count_ += group_.size();
  ++source_count_;
  longest_source_ = std::max(longest_source_, source_.size());
  group_.clear();
  group_scores_.clear();
}

uint32_t PhraseTableBuilder::find_child(uint32_t node, int32_t word) const {
  const TrieSlot slot(node, word);
  for (size_t at = slot.position(slots_.size()); slots_[at] != TrieSlot::kFree; at = after(at)) {
    if (!slot.may_match(slots_[at])) continue;
    const auto found = static_cast<uint32_t>(slots_[at]);
    if (nodes_[found].parent == node && nodes_[found].word == word) return found;
  }
  return PhraseTable::kNone;
}

uint32_t PhraseTableBuilder::add_child(uint32_t node, int32_t word) {
  const auto added = static_cast<uint32_t>(nodes_.size());
  if (final_slots(nodes_.size() + 1) > PhraseTable::kNone)
    throw InputError("too many prefixes of source phrases; a phrase table holds at most 3 billion");
  nodes_.push_back({node, word, 0, 0});
  if (4 * nodes_.size() > 3 * slots_.size()) resize_slots(2 * slots_.size(), added);
  insert_slot(added);
  return added;
}

/// Makes a table of another size for the first nodes.
void PhraseTableBuilder::resize_slots(size_t size, size_t nodes) {
  slots_ = std::vector<uint64_t>();  // frees its memory first
  slots_.assign(size, TrieSlot::kFree);
  for (uint32_t known = 1; known < nodes; ++known) insert_slot(known);
}

void PhraseTableBuilder::insert_slot(uint32_t node) {
  const TrieSlot slot(nodes_[node].parent, nodes_[node].word);
  size_t at = slot.position(slots_.size());
  while (slots_[at] != TrieSlot::kFree) at = after(at);
  slots_[at] = slot.value(node);
}

void PhraseTableBuilder::finish(const Texts& source_words, const Texts& target_words, std::string_view meta,
                                const Texts& sparse_names) {
  ContainerWriter& out = writer();
  end_source();
  out.append(std::span<const uint32_t>(rows_));
  out.add("forms", values<uint32_t>(forms_.records()));
  out.add("counts", values<float>(counts_.records()));
  out.add("nodes", values<uint32_t>(std::span<const PhraseNode>(nodes_)));
  resize_slots(final_slots(nodes_.size()), nodes_.size());
  out.add<uint64_t>("slots", slots_);
  out.add<int32_t>("targets", targets_.values());
  out.add<uint32_t>("targets.offsets", targets_.offsets());
  out.add("links", values<int32_t>(alignments_.values()));
  out.add<uint32_t>("links.offsets", alignments_.offsets());
  out.add<float>("reordering", reordering_.values());
  const TextColumn source = source_words_.texts(source_words), target = target_words_.texts(target_words);
  corpus::write_vocabulary(out, "source", source.view());
  corpus::write_vocabulary(out, "target", target.view());
  if (!sparse_rows_.empty()) {
    sparse_rows_.resize(pair_count_);
    out.add<uint32_t>("sparse.rows", sparse_rows_);
    out.add<uint32_t>("sparse.scores", sparse_.values());
    std::vector<uint32_t> offsets(sparse_.offsets().begin(), sparse_.offsets().end());
    for (uint32_t& offset : offsets) offset /= 2;  // of scores: a name and a value each
    out.add<uint32_t>("sparse.offsets", offsets);
    const TextColumn names = sparse_names_.texts(sparse_names);
    corpus::write_vocabulary(out, "sparse.names", names.view());
  }
  const std::vector<uint64_t> shape{shape_.scores,   shape_.reordering, longest_source_,
                                    longest_target_, shape_.order,      source_count_};
  out.add<uint64_t>("shape", shape);
  out.add<char>("meta", {meta.data(), meta.size()});
  out.finish();
  writer_.reset();
}

}  // namespace tunesmith::tables
