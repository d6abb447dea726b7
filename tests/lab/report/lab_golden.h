// Compares a report of a lab with the one in tests/lab/report/golden. To write the files anew,
// after a change that is wanted: HASHRANGE_WRITE_GOLDEN=1 lab_report_test
#pragma once

#include <string>

namespace hashrange {

// Fails the test if the text differs from the file of that name.
void ExpectLabGolden(const std::string& name, const std::string& text);

}  // namespace hashrange
