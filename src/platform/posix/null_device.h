// The question that posix/files.cc has for the system behind it.
#pragma once

#include <sys/stat.h>

namespace hashrange {

// Returns whether the file, of any name, is the device /dev/null.
bool IsNullDevice(const struct stat& file);

}  // namespace hashrange
