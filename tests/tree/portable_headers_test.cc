// The library is also compiled with a C++ library that has no threads and no files: its folders
// include base/threads.h and base/file_path.h, not the standard's headers. The folders that a build
// without sockets or disk leaves out are free to include them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tree/source_tree.h"

namespace hashrange {
namespace {

constexpr std::string_view kHeaders[] = {"mutex",  "shared_mutex", "condition_variable", "thread",
                                         "future", "stop_token",   "filesystem"};

// Beginnings of paths below src/.
constexpr std::string_view kFree[] = {
    "platform/", "server/http/", "server/net/", "remote/",        "lab/endpoint/",   "mcp/",
    "cli/",      "main.cc",      "store/",      "base/threads.h", "base/file_path.h"};

bool StartsWithOneOf(std::string_view text, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(
      beginnings, [text](std::string_view beginning) { return text.starts_with(beginning); });
}

std::vector<std::string> Unportable(const std::vector<Include>& includes) {
  std::vector<std::string> found;
  for (const Include& include : includes) {
    if (include.in_quotes || StartsWithOneOf(include.file, kFree)) continue;
    if (std::ranges::find(kHeaders, include.name) == std::end(kHeaders)) continue;
    found.push_back(include.file + ":" + std::to_string(include.line) + ": <" + include.name + ">");
  }
  return found;
}

TEST(PortableHeaders, TheLibraryIncludesNoThreadsAndNoFiles) {
  EXPECT_THAT(Unportable(ReadIncludesOfProject()), testing::IsEmpty());
}

TEST(PortableHeaders, MadeUpLinesAreJudged) {
  EXPECT_THAT(Unportable(ReadIncludes("engine/a.h", "#include <map>\n#include <mutex>\n")),
              testing::ElementsAre("engine/a.h:2: <mutex>"));
  EXPECT_THAT(Unportable(ReadIncludes("base/threads.h", "#include <mutex>\n")), testing::IsEmpty());
  EXPECT_THAT(Unportable(ReadIncludes("server/http/a.cc", "#include <thread>\n")),
              testing::IsEmpty());
}

}  // namespace
}  // namespace hashrange
