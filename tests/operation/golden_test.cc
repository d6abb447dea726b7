// Runs every golden file as a test with the file's name (golden_file.h).
#include <gtest/gtest.h>

#include "operation/golden_file.h"

namespace hashrange {
namespace {

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, File) { RunGoldenFile(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Answers, Golden, testing::ValuesIn(GoldenFileNames()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace hashrange
