// Names of temporary files, by which those of killed processes are found.
#pragma once

#include <string>

namespace tunesmith {

/// The name under which this process writes a file before it is renamed: `.NAME.PID-HOST.tmp` in its folder,
/// HOST being a hash of the host's name and of the namespace of PID. `tunesmith/leftovers.py` makes the same
/// names, and removes those of processes that do not run any more.
std::string temporary_name(const std::string& path);

}  // namespace tunesmith
