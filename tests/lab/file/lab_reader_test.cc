#include "lab/file/lab_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace hashrange {
namespace {

std::string Shop() {
  std::ifstream file(HASHRANGE_SOURCE_DIR "/tests/lab/file/shop.yaml");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(LabReader, ReadsTheShop) {
  const auto file = ReadLabFile(Shop(), "shop.yaml");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->entities.size(), 4U);
}

}  // namespace
}  // namespace hashrange
