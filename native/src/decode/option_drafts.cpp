#include "tunesmith/decode/option_drafts.h"

namespace tunesmith::decode {

OptionDrafts::OptionDrafts(size_t count, size_t prepared_size)
    : options(count), prepared(count * prepared_size) {
  for (size_t i = 0; i < count; ++i)
    options[i].prepared = std::span(prepared).subspan(i * prepared_size, prepared_size);
}

void OptionDrafts::keep(std::span<const uint32_t> chosen, OptionList& list) const {
  const bool has_words = words.size() > 0, has_links = links.size() > 0;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const uint32_t i : chosen) {
    list.options.push_back(options[i]);
    append(list.prepared, options[i].prepared);
    if (has_words) append(list.words, words[i]);
    if (has_links) append(list.links, links[i]);
    append(list.pair_values, values[i]);
  }
  size_t word = 0, link = 0, value = 0;  // views are set last: the arrays no longer move
  for (size_t k = 0; k < chosen.size(); ++k) {
    Option& option = list.options[k];
    option.source = list.source;
    option.prepared = std::span(list.prepared).subspan(k * option.prepared.size(), option.prepared.size());
    if (has_words) option.words = std::span(list.words).subspan(word, option.words.size());
    word += option.words.size();
    if (has_links) option.alignment = std::span(list.links).subspan(link, option.alignment.size());
    link += option.alignment.size();
    option.pair_values = std::span(list.pair_values).subspan(value, values[chosen[k]].size());
    value += option.pair_values.size();
  }
}

}  // namespace tunesmith::decode
