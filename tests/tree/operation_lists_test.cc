#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/source_root.h"

namespace hashrange {
namespace {

// The script prints which file differs.
TEST(OperationLists, DocumentsAndTypesListTheRowsOfOperations) {
  const std::string command =
      "python3 " + SourceRoot().string() + "/scripts/update-operations --check";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace hashrange
