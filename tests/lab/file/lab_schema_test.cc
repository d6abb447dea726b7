#include "lab/file/lab_schema.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace hashrange {
namespace {

// Returns "ok" with the warnings behind it, each in a line, or the error's sentence.
std::string Check(const std::string& text) {
  const Result<LabNode> tree = ReadLabDocument(text, "x");
  if (!tree.ok()) return tree.error().message;
  std::vector<std::string> warnings;
  const Status status = CheckAgainstLabSchema(*tree, "x", &warnings);
  if (!status.ok()) return status.error().message;
  std::string lines = "ok";
  for (const std::string& warning : warnings) lines += '\n' + warning;
  return lines;
}

TEST(LabSchema, Debug) {
  for (const char* file : {"shop.yaml"}) {
    std::ifstream in(HASHRANGE_SOURCE_DIR "/tests/fuzz/corpus/lab_file/" + std::string(file));
    std::stringstream text;
    text << in.rdbuf();
    std::cout << Check(text.str()) << "\n";
  }
  std::ifstream rows("/tmp/labdoc/rows.txt");
  std::string row;
  std::string all;
  while (std::getline(rows, row)) {
    if (row != "----") { all += row + "\n"; continue; }
    std::cout << all << "   => " << Check(all) << "\n";
    all.clear();
  }
}

}  // namespace
}  // namespace hashrange
