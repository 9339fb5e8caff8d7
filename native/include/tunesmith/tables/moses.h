// Phrase tables in Moses' text form, read into a table that is mapped.
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

/// Reads `source ||| target ||| scores ||| alignment ||| counts ||| sparse ||| properties`; old tables stop
/// after the scores. The pairs of a source phrase must stand side by side, as in a sorted file. Sparse scores
/// and properties are counted and dropped. A pair that a reordering table lacks has probabilities of 1 there:
/// it costs nothing, as in Moses.
class MosesTableParser : public LineParser {
 public:
  /// Pairs of a source phrase are sorted by the score `order`, or by the last one where there are fewer.
  MosesTableParser(std::string path, std::vector<std::shared_ptr<const MosesReordering>> reordering,
                   size_t order);

  /// Writes the table; `meta` is for its section of this name.
  void write(std::string_view meta);

  /// Gives up: what was written is removed.
  void abandon() { builder_.reset(); }

  size_t pair_count() const { return builder_ ? builder_->pair_count() : 0; }
  size_t score_count() const { return scores_; }
  size_t reordering_count() const { return reordering_count_; }
  size_t without_reordering() const { return without_reordering_; }
  size_t dropped_fields() const { return dropped_fields_; }

 protected:
  void parse_line(std::string_view line) override;

 private:
  void begin(std::string_view line);
  void begin_source(std::string_view source);
  void parse_links(std::string_view field);
  void parse_counts(std::string_view field, ScoredPhrase& phrase);
  void join_reordering();

  std::string path_;
  std::vector<std::shared_ptr<const MosesReordering>> reordering_;
  std::optional<PhraseTableBuilder> builder_;  // made when the first line tells the number of scores
  corpus::Vocabulary source_words_, target_words_;
  size_t order_;
  size_t scores_ = 0, reordering_count_ = 0, without_reordering_ = 0, dropped_fields_ = 0;
  std::string source_;  // of the line before
  std::vector<std::string_view> fields_;
  std::vector<int32_t> words_;
  std::vector<float> score_values_, reordering_values_, counts_;
  std::vector<corpus::Link> links_;
};

}  // namespace tunesmith::tables
