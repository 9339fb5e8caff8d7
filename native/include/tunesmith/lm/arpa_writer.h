// Back-off models as ARPA text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/lm/sink.h"

namespace tunesmith::lm {

/// Writes n-grams as they come: probability, words, back-off, with tabs between them; the highest order has
/// no back-off. Numbers have as many digits as tell a 32-bit float from its neighbors, so that what is
/// read back is what was written.
class ArpaWriter : public NgramSink {
 public:
  using Write = std::function<void(std::string_view)>;

  /// `write` takes the text in pieces of about a megabyte.
  explicit ArpaWriter(Write write) : write_(std::move(write)) {}

  void begin(const Texts& words, std::span<const uint64_t> counts) override;
  void add(std::span<const int32_t> words, float log10_probability, float log10_backoff) override;
  void end() override;

 private:
  void begin_order(size_t order);
  void flush();

  Write write_;
  TextColumn words_;  // each followed by a space
  std::vector<uint64_t> counts_;
  std::vector<uint64_t> written_;
  std::string buffer_;
};

}  // namespace tunesmith::lm
