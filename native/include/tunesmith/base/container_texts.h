// Arrays of strings as sections of containers.
#pragma once

#include <string>

#include "tunesmith/base/container.h"
#include "tunesmith/base/name_table.h"

namespace tunesmith {

/// Adds the sections `name` and `name`_offsets.
void add_texts(ContainerWriter& container, const std::string& name, const TextColumn& texts);

/// Reads them back; offsets or bytes that are not those of UTF-8 texts are an InputError.
TextColumn read_texts(const Container& container, const std::string& name);

}  // namespace tunesmith
