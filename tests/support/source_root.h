// The folder of the project, for tests that read its files.
#pragma once

#include <filesystem>

namespace hashrange {

std::filesystem::path SourceRoot();

}  // namespace hashrange
