#include "tunesmith/tables/moses.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/corpus/moses_fields.h"

namespace tunesmith::tables {

namespace {

bool ends_with_label(std::string_view phrase) {
  const std::string_view last = phrase.substr(phrase.rfind(' ') + 1);
  return last.size() > 2 && last.front() == '[' && last.back() == ']';
}

}  // namespace

MosesTableParser::MosesTableParser(std::string path,
                                   std::vector<std::shared_ptr<const MosesReordering>> reordering,
                                   size_t order)
    : path_(std::move(path)), reordering_(std::move(reordering)), order_(order) {
  for (const auto& table : reordering_) reordering_count_ += table->width();
}

void MosesTableParser::parse_line(std::string_view line) {
  corpus::split_fields(line, fields_);
  if (fields_.size() < 3)
    throw InputError("found " + quoted(line) + "; expected 'source ||| target ||| scores'");
  if (fields_[0].empty()) throw InputError("the source phrase is empty; expected words before the first |||");
  if (fields_[1].empty()) throw InputError("the target phrase is empty; expected words after the first |||");
  score_values_.clear();
  corpus::parse_probabilities(fields_[2], score_values_);
  if (!builder_) begin(line);
  if (score_values_.size() != scores_)
    throw InputError("found " + std::to_string(score_values_.size()) + " scores; expected " +
                     std::to_string(scores_) + ", as on the first line");
  if (fields_[0] != source_) begin_source(fields_[0]);

  words_.clear();
  corpus::for_each_token(fields_[1],
                         [&](std::string_view word) { words_.push_back(target_words_.intern(word)); });
  parse_links(fields_.size() > 3 ? fields_[3] : "");
  join_reordering();
  ScoredPhrase phrase;
  phrase.target = words_;
  phrase.alignment = links_;
  phrase.scores = score_values_;
  phrase.reordering = reordering_values_;
  parse_counts(fields_.size() > 4 ? fields_[4] : "", phrase);
  parse_sparse(fields_.size() > 5 ? fields_[5] : "");
  phrase.sparse = sparse_;
  builder_->add(phrase);
  if (!sparse_.empty()) ++sparse_pairs_;
  for (size_t i = 6; i < fields_.size(); ++i)
    if (!fields_[i].empty()) ++dropped_fields_;
}

void MosesTableParser::begin(std::string_view line) {
  if (score_values_.empty()) throw InputError("found no scores in " + quoted(line));
  if (ends_with_label(fields_[0]) && ends_with_label(fields_[1]))
    throw InputError("this is a table of hierarchical rules; expected phrases without labels such as [X]");
  scores_ = score_values_.size();
  builder_.emplace(path_,
                   PhraseTableBuilder::Shape{scores_, reordering_count_, std::min(order_, scores_ - 1)});
}

void MosesTableParser::begin_source(std::string_view source) {
  words_.clear();
  corpus::for_each_token(source,
                         [&](std::string_view word) { words_.push_back(source_words_.intern(word)); });
  builder_->begin_source(words_);
  source_ = source;
}

void MosesTableParser::parse_links(std::string_view field) {
  links_.clear();
  corpus::for_each_token(field, [&](std::string_view token) { links_.push_back(corpus::parse_link(token)); });
  std::sort(links_.begin(), links_.end());
  links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
}

void MosesTableParser::parse_counts(std::string_view field, ScoredPhrase& phrase) {
  counts_.clear();
  corpus::parse_probabilities(field, counts_);
  if (counts_.size() > 3)
    throw InputError("found " + std::to_string(counts_.size()) +
                     " counts; expected at most 3: target, source and joint");
  counts_.resize(3, 0.0F);
  phrase.target_count = counts_[0];
  phrase.source_count = counts_[1];
  phrase.joint_count = counts_[2];
}

void MosesTableParser::parse_sparse(std::string_view field) {
  sparse_.clear();
  std::string_view name;
  corpus::for_each_token(field, [&](std::string_view token) {
    if (name.empty()) {
      name = token;
      return;
    }
    const auto value = parse_number(token);
    if (!value || !std::isfinite(static_cast<float>(*value)))
      throw InputError("the sparse score " + quoted(name) + " is " + quoted(token) +
                       "; expected a finite number");
    sparse_.push_back({static_cast<uint32_t>(sparse_names_.intern(name)), static_cast<float>(*value)});
    name = {};
  });
  if (!name.empty()) throw InputError("the sparse score " + quoted(name) + " has no value");
}

void MosesTableParser::join_reordering() {
  reordering_values_.clear();
  for (const auto& table : reordering_) {
    const auto row = table->find(fields_[0], fields_[1]);
    if (row.empty()) {
      ++without_reordering_;
      reordering_values_.insert(reordering_values_.end(), table->width(), 1.0F);
    }
    reordering_values_.insert(reordering_values_.end(), row.begin(), row.end());
  }
}

void MosesTableParser::write(std::string_view meta) {
  if (!builder_) throw InputError("the table is empty");
  builder_->finish(source_words_.names().view(), target_words_.names().view(), meta,
                   sparse_names_.names().view());
}

}  // namespace tunesmith::tables
