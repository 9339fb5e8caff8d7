// Parser of phrase tables in Moses' text format; writes a memory-mapped table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/tables/moses_reordering.h"
#include "tunesmith/tables/phrase_table_builder.h"

namespace tunesmith::tables {

/// Parses `source ||| target ||| scores ||| alignment ||| counts ||| sparse ||| properties`; old tables end
/// after the scores. The pairs of a source phrase must be on adjacent lines, as in a sorted file. Sparse
/// scores are `name value name value ...`. Properties, which no score depends on, are counted and dropped. A
/// pair missing from a reordering table gets probabilities of 1, that is, no cost, as in Moses.
class MosesTableParser : public LineParser {
 public:
  /// Pairs of a source phrase are sorted by score number `order`, or by the last score if there are fewer.
  MosesTableParser(std::string path, std::vector<std::shared_ptr<const MosesReordering>> reordering,
                   size_t order);

  /// Writes the table; `meta` becomes its section of this name.
  void write(std::string_view meta);

  /// Cancels, and removes the partial file.
  void abandon() { builder_.reset(); }

  size_t pair_count() const { return builder_ ? builder_->pair_count() : 0; }
  size_t score_count() const { return scores_; }
  size_t reordering_count() const { return reordering_count_; }
  size_t without_reordering() const { return without_reordering_; }
  size_t dropped_fields() const { return dropped_fields_; }
  size_t sparse_pairs() const { return sparse_pairs_; }

 protected:
  void parse_line(std::string_view line) override;

 private:
  void begin(std::string_view line);
  void begin_source(std::string_view source);
  void parse_links(std::string_view field);
  void parse_counts(std::string_view field, ScoredPhrase& phrase);
  void parse_sparse(std::string_view field);
  void join_reordering();

  std::string path_;
  std::vector<std::shared_ptr<const MosesReordering>> reordering_;
  std::optional<PhraseTableBuilder> builder_;  // created at the first line, which gives the number of scores
  corpus::Vocabulary source_words_, target_words_;
  NameTable sparse_names_;
  size_t order_;
  size_t scores_ = 0, reordering_count_ = 0, without_reordering_ = 0, dropped_fields_ = 0, sparse_pairs_ = 0;
  std::string source_;  // of the previous line
  std::vector<std::string_view> fields_;
  std::vector<int32_t> words_;
  std::vector<float> score_values_, reordering_values_, counts_;
  std::vector<corpus::Link> links_;
  std::vector<SparseScore> sparse_;
};

}  // namespace tunesmith::tables
