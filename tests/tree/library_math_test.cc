// A lab gives the same bytes on every machine: what computes its figures uses the functions of
// base/portable_math.h in the place of those of <cmath> whose last digits differ between machines.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/source_root.h"
#include "tree/source_tree.h"

namespace hashrange {
namespace {

constexpr std::string_view kInexact[] = {
    "std::exp(",   "std::exp2(", "std::expm1(",  "std::log(",   "std::log2(", "std::log10(",
    "std::log1p(", "std::pow(",  "std::cbrt(",   "std::sin(",   "std::cos(",  "std::tan(",
    "std::erf(",   "std::erfc(", "std::tgamma(", "std::hypot(", "std::atan("};

// Returns the lines that call such a function: "a.cc:3".
std::vector<std::string> InexactCalls(const std::string& file, const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    for (const std::string_view call : kInexact) {
      if (line.find(call) == std::string::npos) continue;
      found.push_back(file + ":" + std::to_string(number));
      break;
    }
  }
  return found;
}

TEST(LibraryMath, FiguresOfALabDoWithoutIt) {
  std::vector<std::string> found;
  for (const std::string_view folder : {"src/lab", "src/measure", "src/simulation"}) {
    for (const std::string& file : FilesBelow(folder, {".h", ".cc"})) {
      if (file.starts_with("src/lab/import/")) continue;  // no part of a run
      for (std::string& place : InexactCalls(file, ReadWholeFile(SourceRoot() / file))) {
        found.push_back(std::move(place));
      }
    }
  }
  EXPECT_THAT(found, testing::IsEmpty());
}

TEST(LibraryMath, ACallIsFound) {
  EXPECT_THAT(
      InexactCalls("a.cc", "sqrt(2)\nx = std::pow(2, y);\nstd::sqrt(2); PortablePow(2, y)\n"),
      testing::ElementsAre("a.cc:2"));
}

}  // namespace
}  // namespace hashrange
