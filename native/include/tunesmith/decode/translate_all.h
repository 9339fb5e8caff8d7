// Many sentences on several threads.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/decode/translation.h"

namespace tunesmith::decode {

/// A decoder at work on one thread.
class SentenceDecoder {
 public:
  virtual ~SentenceDecoder() = default;
  virtual Translation translate(const DecoderRequest& request) = 0;
  /// Sets what is called now and then while a search is made; what it throws ends the search.
  virtual void set_poll(std::function<void()> poll) = 0;
};

/// Makes a decoder for a thread.
using DecoderMaker = std::function<std::unique_ptr<SentenceDecoder>()>;

/// Translates on several threads; results are in the order of the requests and do not depend on the threads.
/// The first request that fails is the one whose error is thrown; no other is begun after it. The line of an
/// InputError is the number of the request, from 1. `poll` is called now and then, on the caller's thread;
/// what it throws stops the work and is thrown.
std::vector<Translation> translate_all(const DecoderMaker& maker, std::span<const DecoderRequest> requests,
                                       int threads, std::function<void()> poll = {});

}  // namespace tunesmith::decode
