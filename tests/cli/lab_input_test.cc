#include "cli/lab_input.h"

#include <gtest/gtest.h>

#include "cli/stored_files.h"

namespace hashrange {
namespace {

TEST(LabInput, AFileThatCannotBeReadIsNamed) {
  const StoredFiles files;
  const std::string name = files.Path("none.yaml");
  const Result<LabFile> file = LoadLabFile(name);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().message, "cannot read " + name);
}

TEST(LabInput, UnknownLayoutsAreNamedWithThoseOfTheFile) {
  LabFile file;
  file.layouts = {{.name = "plain"}, {.name = "lines inside"}};
  EXPECT_TRUE(CheckLayoutNames(file, {}).ok());
  EXPECT_TRUE(CheckLayoutNames(file, {"lines inside", "plain"}).ok());
  const Status near = CheckLayoutNames(file, {"plain", "line inside"});
  ASSERT_FALSE(near.ok());
  EXPECT_EQ(near.error().message,
            "unknown layout \"line inside\"; did you mean lines inside? The file has \"plain\", "
            "\"lines inside\"");
  const Status far = CheckLayoutNames(file, {"sharded"});
  ASSERT_FALSE(far.ok());
  EXPECT_EQ(far.error().message,
            "unknown layout \"sharded\". The file has \"plain\", \"lines inside\"");
}

}  // namespace
}  // namespace hashrange
