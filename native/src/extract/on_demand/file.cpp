#include "tunesmith/extract/on_demand/file.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/extract/on_demand/block.h"
#include "tunesmith/extract/on_demand/sampled_grammar.h"

namespace tunesmith::extract::on_demand {

namespace {

constexpr char kFileKind[] = "grammars";
constexpr uint32_t kFileVersion = 1;

GrammarView view_of(const Grammar& grammar) {
  return {grammar.source,         grammar.source_offsets, grammar.rules,        grammar.target,
          grammar.target_offsets, grammar.links,          grammar.link_offsets, grammar.counts};
}

}  // namespace

GrammarFileWriter::GrammarFileWriter(const std::string& path, const SuffixIndex& index)
    : container_(path, kFileKind, kFileVersion),
      source_words_(index.source().vocabulary.size()),
      target_words_(index.target().vocabulary.size()) {
  corpus::write_vocabulary(container_, "source", index.source().vocabulary.words());
  corpus::write_vocabulary(container_, "target", index.target().vocabulary.words());
  container_.open<uint8_t>("blocks");
}

void GrammarFileWriter::add(const GrammarView& grammar) {
  check_grammar(grammar, source_words_, target_words_);
  const std::vector<uint8_t> block = packed_grammar(grammar);
  container_.append<uint8_t>(block);
  offsets_.push_back(offsets_.back() + static_cast<int64_t>(block.size()));
}

void GrammarFileWriter::finish(std::string_view meta) {
  container_.add("offsets", offsets_);
  container_.add<char>("meta", {meta.data(), meta.size()});
  container_.finish();
}

GrammarFile::GrammarFile(const std::string& path)
    : container_(path, kFileKind, kFileVersion),
      source_words_(container_, "source"),
      target_words_(container_, "target"),
      blocks_(container_.section<uint8_t>("blocks")),
      offsets_(container_.section<int64_t>("offsets")),
      meta_(container_.section<char>("meta")) {
  check_offsets(offsets_, blocks_.size(), "grammars");
}

std::shared_ptr<grammar::MemoryGrammar> GrammarFile::trie(size_t sentence,
                                                          const std::vector<std::string>& names,
                                                          bool coherent) const {
  if (sentence >= size())
    throw InputError(container_.path() + ": has no grammar " + std::to_string(sentence) + "; it has " +
                     std::to_string(size()));
  const auto begin = static_cast<size_t>(offsets_[sentence]);
  const Grammar grammar =
      unpacked_grammar(blocks_.subspan(begin, static_cast<size_t>(offsets_[sentence + 1]) - begin));
  std::vector<size_t> columns;
  std::vector<std::string> shown;
  for (size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty()) {
      columns.push_back(i);
      shown.push_back(names[i]);
    }
  std::vector<double> values;
  values.reserve(grammar.size() * columns.size());
  for (const SampledCounts& counts : grammar.counts) {
    const auto row = rules::rule_features(scored(counts, coherent));
    for (const size_t column : columns) values.push_back(row.at(column));
  }
  return sampled_grammar(source_words_, target_words_, view_of(grammar), {values, shown.size()}, shown);
}

}  // namespace tunesmith::extract::on_demand
