// Forced derivations of a block of sentences (Wuebker et al. 2010).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/decode/model.h"
#include "tunesmith/decode/translate_all.h"
#include "tunesmith/reestimate/derivation_file.h"

namespace tunesmith::reestimate {

/// The sentences of a block, and the derivations of those whose targets were reached.
class ForcedDrafts {
 public:
  static constexpr int64_t kNotReached = -1;

  /// `rows` are the rows of sentences in the text. Of a sentence up to `nbest` derivations are kept.
  ForcedDrafts(std::vector<std::string> sources, std::vector<uint32_t> rows, size_t nbest);

  /// Searches for the derivations of some sentences, by number, with one request each, whose decoder keeps
  /// all edges and their scores. Returns the number of derivations of each: kNotReached if the target is not
  /// reached, 0 if the sentence is too large. Results do not depend on the number of threads; errors and
  /// `poll` are as in `for_each_request`.
  std::vector<int64_t> search(const decode::DecoderMaker& maker, const decode::DecoderModel& model,
                              std::span<const decode::DecoderRequest> requests,
                              std::span<const uint32_t> numbers, int threads,
                              std::function<void()> poll = {});

  /// Writes the derivations that were found to a file, in the order of sentences.
  void write(const std::string& path) const;

 private:
  std::vector<std::string> sources_;
  std::vector<uint32_t> rows_;
  size_t nbest_;
  std::vector<std::optional<DerivationDraft>> drafts_;
};

}  // namespace tunesmith::reestimate
