// Grammar file: the grammars of many sentences, compressed, in one mapped file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/extract/on_demand/format.h"
#include "tunesmith/extract/on_demand/suffix_index.h"
#include "tunesmith/grammar/from_memory.h"

namespace tunesmith::extract::on_demand {

/// Writes grammars one by one, each as a block of bytes; the words of the index are stored once. The file
/// appears, complete, with `finish`; without it nothing is left behind.
class GrammarFileWriter {
 public:
  GrammarFileWriter(const std::string& path, const SuffixIndex& index);

  /// Throws InputError if the grammar is inconsistent or has words that are not in the index.
  void add(const GrammarView& grammar);
  /// `meta` is stored as it is.
  void finish(std::string_view meta);
  size_t size() const { return offsets_.size() - 1; }

 private:
  ContainerWriter container_;
  size_t source_words_, target_words_;
  std::vector<int64_t> offsets_{0};
};

/// Reader of a grammar file. Reading a grammar takes time and memory for that one only. Threads may read.
class GrammarFile {
 public:
  /// Throws InputError for a missing, foreign, truncated or damaged file.
  explicit GrammarFile(const std::string& path);

  size_t size() const { return offsets_.size() - 1; }
  std::string_view meta() const { return {meta_.data(), meta_.size()}; }

  /// The rules of a sentence as a trie. Column i of `rules::rule_features` has the name names[i], "" if it
  /// is not a feature; `coherent` as in `scored`. Throws InputError if there is no such sentence.
  std::shared_ptr<grammar::MemoryGrammar> trie(size_t sentence, const std::vector<std::string>& names,
                                               bool coherent) const;

 private:
  Container container_;
  corpus::VocabularyView source_words_, target_words_;
  std::span<const uint8_t> blocks_;
  std::span<const int64_t> offsets_;
  std::span<const char> meta_;
};

}  // namespace tunesmith::extract::on_demand
