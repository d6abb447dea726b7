// Compares a text with a file of the repository. To write the files anew, after a change that is
// wanted: HASHRANGE_WRITE_GOLDEN=1 report_test
#pragma once

#include <string>

namespace hashrange {

// Fails the test if the text differs from the file: "tests/measure/report/golden/one.txt".
void ExpectGolden(const std::string& path, const std::string& text);

}  // namespace hashrange
