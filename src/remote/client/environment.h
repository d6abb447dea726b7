// Variables of the process's environment.
#pragma once

#include <cstdlib>
#include <string>

namespace hashrange {

// Returns the value of the variable; empty where it is not set.
inline std::string EnvironmentVariable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace hashrange
