#include "support/golden_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/source_root.h"

namespace hashrange {

void ExpectGolden(const std::string& path, const std::string& text) {
  const std::filesystem::path whole_path = SourceRoot() / path;
  if (std::getenv("HASHRANGE_WRITE_GOLDEN") != nullptr) std::ofstream(whole_path) << text;
  std::ifstream file(whole_path);
  ASSERT_TRUE(file.is_open()) << path;
  std::stringstream stored;
  stored << file.rdbuf();
  EXPECT_EQ(text, stored.str()) << path;
}

}  // namespace hashrange
