#include "tunesmith/base/container_texts.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith {

void add_texts(ContainerWriter& container, const std::string& name, const TextColumn& texts) {
  container.add(name, texts.blob);
  container.add(name + "_offsets", texts.offsets);
}

TextColumn read_texts(const Container& container, const std::string& name) {
  const auto blob = container.section<uint8_t>(name);
  const auto offsets = container.section<int64_t>(name + "_offsets");
  try {
    check_offsets(offsets, blob.size(), name);
  } catch (const InputError& error) {
    throw InputError(std::string("is damaged: ") + error.what(), container.path());
  }
  TextColumn texts{{blob.begin(), blob.end()}, {offsets.begin(), offsets.end()}};
  for (size_t i = 0; i < texts.size(); ++i)  // one by one: a character may not span two texts
    if (find_invalid_utf8(texts[i]) != std::string_view::npos)
      throw InputError("is damaged: its " + name + " are not UTF-8", container.path());
  return texts;
}

}  // namespace tunesmith
