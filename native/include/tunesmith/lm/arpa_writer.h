// Writer of back-off models in ARPA format.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/lm/sink.h"

namespace tunesmith::lm {

/// Writes n-grams in the order received: probability, words, back-off, separated by tabs; the highest order
/// has no back-off. Numbers have enough digits to read back as the same 32-bit floats.
class ArpaWriter : public NgramSink {
 public:
  using Write = std::function<void(std::string_view)>;

  /// `write` receives the text in chunks of about a megabyte.
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
