#include "phrase_sink.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) { bind_phrase_sink(m); });

}  // namespace tunesmith::bind
