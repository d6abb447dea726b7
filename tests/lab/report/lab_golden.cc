#include "lab/report/lab_golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace hashrange {

void ExpectLabGolden(const std::string& name, const std::string& text) {
  const std::string path = HASHRANGE_SOURCE_DIR "/tests/lab/report/golden/" + name;
  if (std::getenv("HASHRANGE_WRITE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  ASSERT_TRUE(file.is_open()) << path;
  std::stringstream stored;
  stored << file.rdbuf();
  EXPECT_EQ(text, stored.str()) << path;
}

}  // namespace hashrange
