#include "tunesmith/tables/phrase_table.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith::tables {

namespace {

/// values[offsets[i], offsets[i + 1]), or nullopt if the offsets are out of range.
template <class T>
std::optional<std::span<const T>> part(std::span<const T> values, std::span<const uint32_t> offsets,
                                       size_t i) {
  if (i + 1 >= offsets.size() || offsets[i] > offsets[i + 1] || offsets[i + 1] > values.size())
    return std::nullopt;
  return values.subspan(offsets[i], offsets[i + 1] - offsets[i]);
}

template <class To, class From>
std::span<const To> records(std::span<const From> values) {
  return {reinterpret_cast<const To*>(values.data()), values.size_bytes() / sizeof(To)};
}

}  // namespace

TrieSlot::TrieSlot(uint32_t node, int32_t word)
    : hash(mix(0, uint64_t{node} << 32 | static_cast<uint32_t>(word))) {}

PhraseTable::PhraseTable(const std::string& path, bool in_memory)
    : container_(path, kKind, kVersion, in_memory),
      source_words_(container_, "source"),
      target_words_(container_, "target"),
      nodes_(records<PhraseNode>(container_.section<uint32_t>("nodes"))),
      slots_(container_.section<uint64_t>("slots")),
      pairs_(container_.section<uint32_t>("pairs")),
      forms_(records<PairForm>(container_.section<uint32_t>("forms"))),
      counts_(records<PairCounts>(container_.section<float>("counts"))),
      targets_(container_.section<int32_t>("targets")),
      target_offsets_(container_.section<uint32_t>("targets.offsets")),
      links_(records<corpus::Link>(container_.section<int32_t>("links"))),
      link_offsets_(container_.section<uint32_t>("links.offsets")),
      reordering_rows_(container_.section<float>("reordering")) {
  const auto shape = container_.section<uint64_t>("shape");
  if (shape.size() != 6) damaged("its shape");
  scores_ = shape[0];
  reordering_ = shape[1];
  longest_source_ = shape[2];
  longest_target_ = shape[3];
  order_ = shape[4];
  source_count_ = shape[5];
  if (scores_ == 0 || scores_ > kMostScores || reordering_ > kMostScores || order_ >= scores_)
    damaged("its shape");
  if (pairs_.size() % (kScores + scores_) != 0) damaged("its array of pairs");
  pair_count_ = pairs_.size() / (kScores + scores_);
  if (nodes_.empty() || source_count_ > nodes_.size()) damaged("its array of source phrases");
  if (slots_.size() < nodes_.size() || slots_.size() > kNone) damaged("its hash table");
  if (target_offsets_.empty() || link_offsets_.empty()) damaged("its array of target phrases");
  if (!container_.has("sparse.rows")) return;
  sparse_names_ = corpus::VocabularyView(container_, "sparse.names");
  sparse_rows_ = container_.section<uint32_t>("sparse.rows");
  sparse_scores_ = records<SparseScore>(container_.section<uint32_t>("sparse.scores"));
  sparse_offsets_ = container_.section<uint32_t>("sparse.offsets");
  if (sparse_rows_.size() != pair_count_) damaged("its array of sparse scores");
}

void PhraseTable::damaged(const char* what) const {
  throw InputError(path() + ": is damaged: " + what + " is invalid");
}

uint64_t PhraseTable::fingerprint() const {
  uint64_t hash = 0;
  for (const Section& section : container_.sections()) hash = mix(hash, section.checksum);
  return hash;
}

uint32_t PhraseTable::extend(uint32_t node, int32_t word) const {
  if (word < 0) return kNone;
  const TrieSlot slot(node, word);
  size_t at = slot.position(slots_.size());
  // A damaged table may have no free slot: probe each slot at most once.
  for (size_t probes = 0; probes < slots_.size() && slots_[at] != TrieSlot::kFree; ++probes) {
    const uint64_t value = slots_[at];
    at = at + 1 < slots_.size() ? at + 1 : 0;
    if (!slot.may_match(value)) continue;
    const auto found = static_cast<uint32_t>(value);
    if (found < nodes_.size() && nodes_[found].parent == node && nodes_[found].word == word) return found;
  }
  return kNone;
}

PairRange PhraseTable::pairs(uint32_t node) const {
  if (node >= nodes_.size()) damaged("a source phrase");
  const PhraseNode& found = nodes_[node];
  if (found.begin > pair_count_ || found.count > pair_count_ - found.begin) damaged("a source phrase");
  return {found.begin, found.begin + found.count};
}

PairRange PhraseTable::find(std::span<const int32_t> source) const {
  uint32_t node = kRoot;
  for (const int32_t word : source)
    if ((node = extend(node, word)) == kNone) return {};
  return node == kRoot ? PairRange{} : pairs(node);
}

const PhraseNode& PhraseTable::node(uint32_t node) const {
  // A parent precedes its children, so that every ascent of the trie ends.
  if (node >= nodes_.size() || (node != kRoot && nodes_[node].parent >= node)) damaged("a source phrase");
  const int32_t word = nodes_[node].word;
  if (node != kRoot && (word < 0 || static_cast<size_t>(word) >= source_words_.size()))
    damaged("a source word");
  return nodes_[node];
}

std::vector<int32_t> PhraseTable::source(uint32_t node) const {
  std::vector<int32_t> words;
  for (; node != kRoot; node = nodes_[node].parent) words.push_back(this->node(node).word);
  std::reverse(words.begin(), words.end());
  return words;
}

std::span<const uint32_t> PhraseTable::row(uint32_t pair) const {
  if (pair >= pair_count_) damaged("a pair");
  return pairs_.subspan(pair * (kScores + scores_), kScores + scores_);
}

const PairForm& PhraseTable::form_of(std::span<const uint32_t> row) const {
  if (row[kForm] >= forms_.size()) damaged("the alignment and the reordering of a pair");
  return forms_[row[kForm]];
}

const PairCounts& PhraseTable::counts_of(std::span<const uint32_t> row) const {
  if (row[kCounts] >= counts_.size()) damaged("the counts of a pair");
  return counts_[row[kCounts]];
}

uint32_t PhraseTable::target(uint32_t pair) const {
  const uint32_t target = row(pair)[kTarget];
  if (target >= target_count()) damaged("a target phrase");
  return target;
}

std::span<const int32_t> PhraseTable::target_phrase(uint32_t target) const {
  const auto words = part(targets_, target_offsets_, target);
  if (!words) damaged("a target phrase");
  for (const int32_t word : *words)
    if (word < 0 || static_cast<size_t>(word) >= target_words_.size()) damaged("a target word");
  return *words;
}

std::span<const SparseScore> PhraseTable::sparse(uint32_t pair) const {
  if (sparse_rows_.empty()) return {};
  const auto scores = part(sparse_scores_, sparse_offsets_, sparse_rows_[pair]);
  if (!scores) damaged("a row of sparse scores");
  for (const SparseScore& score : *scores)
    if (score.name >= sparse_names_.size()) damaged("the name of a sparse score");
  return *scores;
}

ScoredPhrase PhraseTable::pair(uint32_t pair, size_t source_length) const {
  const auto values = row(pair);
  ScoredPhrase phrase;
  phrase.target = target_phrase(values[kTarget]);
  const PairForm& form = form_of(values);
  const auto links = part(links_, link_offsets_, form.alignment);
  if (!links) damaged("an alignment");
  for (const corpus::Link link : *links)
    if (link.source < 0 || static_cast<size_t>(link.source) >= source_length || link.target < 0 ||
        static_cast<size_t>(link.target) >= phrase.target.size())
      damaged("an alignment");
  phrase.alignment = *links;
  if (reordering_ > 0) {
    if (form.reordering >= reordering_rows_.size() / reordering_) damaged("a reordering row");
    phrase.reordering = reordering_rows_.subspan(form.reordering * reordering_, reordering_);
  }
  phrase.scores = scores(pair);
  const PairCounts& counts = counts_of(values);
  phrase.target_count = counts.target;
  phrase.source_count = counts.source;
  phrase.joint_count = counts.joint;
  phrase.sparse = sparse(pair);
  return phrase;
}

}  // namespace tunesmith::tables
