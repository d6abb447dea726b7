// Which folder may include which is said in one place: the row of its library in
// src/CMakeLists.txt. These tests compare the rows with the #include lines of every file under src/
// and include/: each include is allowed by a row, and each row names only what is included.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tree/source_tree.h"

namespace hashrange {
namespace {

// Headers that are not ours, by the beginning of their name, and the target that a list names for
// them; the first row that fits counts. A header without a row is one that nobody may include.
struct ThirdParty {
  std::string_view prefix;
  std::string_view target;
};
constexpr ThirdParty kThirdParty[] = {
    {"absl/container/", "hr_absl"},   {"absl/functional/", "hr_absl"},
    {"rapidjson/", "hr_rapidjson"},   {"boost/", "hr_boost"},
    {"CLI/", "CLI11::CLI11"},         {"spdlog/", "hr_spdlog"},
    {"prometheus/", "hr_prometheus"}, {"yaml-cpp/", "hr_yaml"},
    {"leveldb/", "hr_leveldb"},       {"openssl/", "hr_openssl"},
    {"libdeflate.h", "hr_deflate"},   {"zlib.h", "hr_zlib"},
};

// The system's headers need no target: <unistd.h>, <netdb.h>, … and those in these folders. Only
// some folders may include them.
constexpr std::string_view kSystemFolders[] = {"sys/",   "netinet/", "arpa/",  "net/",
                                               "linux/", "mach/",    "malloc/"};
const std::set<std::string, std::less<>> kMayIncludeSystemHeaders = {"platform", "platform/net"};

// The compilers' headers of a processor's instructions need no target either.
const std::set<std::string, std::less<>> kInstructionHeaders = {"immintrin.h", "arm_neon.h",
                                                                "wasm_simd128.h"};
constexpr std::string_view kMayIncludeInstructions = "engine/vectors";

// The folder of which include/hashrange is the surface.
constexpr const char* kPublic = "server/hashrange";

// The folder whose row has the file: its own, or the nearest one above, of which its own is a room.
std::string LibraryOf(const Uses& uses, std::string_view file) {
  const std::string_view own = FolderOf(file);
  if (own == "hashrange") return kPublic;
  std::string_view folder = own;
  while (!uses.contains(folder)) {
    if (folder.find('/') == std::string_view::npos) return std::string(own);
    folder = FolderOf(folder);
  }
  return std::string(folder);
}

bool IsSystemHeader(const Include& include) {
  const std::string_view name = include.name;
  if (include.in_quotes) return false;
  for (const std::string_view folder : kSystemFolders) {
    if (name.starts_with(folder)) return true;
  }
  return name.find('/') == std::string_view::npos && name.ends_with(".h");
}

// The standard library's names have neither a folder nor an ending.
bool IsStandardHeader(const Include& include) {
  return !include.in_quotes && include.name.find_first_of("./") == std::string::npos;
}

const ThirdParty* FindThirdParty(const Include& include) {
  for (const ThirdParty& row : kThirdParty) {
    if (include.name.starts_with(row.prefix)) return &row;
  }
  return nullptr;
}

// What a list has to name for the include: a folder of ours or a target. Empty: nothing.
std::string NeededUse(const Uses& uses, const Include& include) {
  if (const ThirdParty* const row = FindThirdParty(include)) return std::string(row->target);
  const std::string folder = LibraryOf(uses, include.name);
  return folder == LibraryOf(uses, include.file) || IsSystemHeader(include) ||
                 IsStandardHeader(include)
             ? std::string()
             : folder;
}

// `folder` is the one whose row has the file, and has a row.
bool IsAllowed(const Uses& uses, const std::string& folder, const Include& include) {
  if (const std::string needed = NeededUse(uses, include); !needed.empty()) {
    // Of our headers only the public ones are also written in angle brackets.
    const bool is_spelled_well = include.in_quotes || FindThirdParty(include) || needed == kPublic;
    return uses.at(folder).contains(needed) && is_spelled_well;
  }
  if (kInstructionHeaders.contains(include.name)) return folder == kMayIncludeInstructions;
  return !IsSystemHeader(include) || kMayIncludeSystemHeaders.contains(folder);
}

// Why the include is against the lists; empty when it is not.
std::string Complaint(const Uses& uses, const Include& include) {
  const std::string folder = LibraryOf(uses, include.file);
  if (!uses.contains(folder)) return folder + " has no target";
  if (IsAllowed(uses, folder, include)) return {};
  const std::string name = include.in_quotes ? '"' + include.name + '"' : '<' + include.name + '>';
  return folder + " may not include " + name;
}

std::vector<std::string> Violations(const Uses& uses, const std::vector<Include>& includes) {
  std::vector<std::string> violations;
  for (const Include& include : includes) {
    const std::string complaint = Complaint(uses, include);
    if (complaint.empty()) continue;
    violations.push_back(include.file + ":" + std::to_string(include.line) + ": " + complaint);
  }
  return violations;
}

// What is in a list and included by nobody: "engine lists hr_absl".
std::vector<std::string> UnusedUses(const Uses& uses, const std::vector<Include>& includes) {
  Uses unused = uses;
  for (const Include& include : includes) {
    const auto own = unused.find(LibraryOf(uses, include.file));
    if (own != unused.end()) own->second.erase(NeededUse(uses, include));
  }
  std::vector<std::string> complaints;
  for (const auto& [folder, names] : unused) {
    for (const std::string& name : names) complaints.push_back(folder + " lists " + name);
  }
  return complaints;
}

TEST(IncludeRules, EveryFileKeepsTheLists) {
  const std::vector<Include> includes = ReadIncludesOfProject();
  EXPECT_GT(includes.size(), 100u) << "too few to be the whole source";
  EXPECT_THAT(Violations(ReadUses(ReadLibraryRows()), includes), testing::IsEmpty());
}

TEST(IncludeRules, NoListNamesWhatNobodyIncludes) {
  EXPECT_THAT(UnusedUses(ReadUses(ReadLibraryRows()), ReadIncludesOfProject()), testing::IsEmpty());
}

// A folder above may not be used by one below.
TEST(IncludeRules, TheRowsHaveNoCircle) {
  EXPECT_THAT(RowsOutOfOrder(ReadLibraryRows()), testing::IsEmpty());
}

TEST(IncludeRules, MadeUpCircleIsSeen) {
  EXPECT_THAT(
      RowsOutOfOrder("\nhashrange_library(base USES value)\nhashrange_library(value USES base)\n"),
      testing::ElementsAre("base"));
}

// The rows that the made-up lines below are judged by.
constexpr std::string_view kMadeUpRows = R"(
hashrange_library(platform ROOMS ${HASHRANGE_PLATFORM_ROOMS})
hashrange_library(platform/net ROOMS ${HASHRANGE_PLATFORM_ROOMS})
hashrange_library(base USES hr_deflate)
hashrange_library(value USES base hr_absl)
hashrange_library(engine/vectors USES value)
hashrange_library(engine USES value
       base hr_absl)
hashrange_library(wire SMALL USES value base hr_rapidjson)
hashrange_library(operation/call USES engine)
hashrange_library(operation/item USES operation/call)
hashrange_library(operation/batch USES operation/item)
hashrange_library(operation USES operation/call wire LINKS operation/batch)
hashrange_library(control/files USES hr_zlib)
hashrange_library(server/net USES base)
hashrange_library(server/http USES base hr_boost HEADERS_OF operation)
hashrange_library(server/hashrange USES server/http)
target_link_libraries(hashrange PRIVATE hr_flags hr_server_hashrange hr_base hr_spdlog)
)";

Uses MadeUpUses() { return ReadUses(kMadeUpRows); }

TEST(IncludeRules, MadeUpListsAreRead) {
  EXPECT_THAT(MadeUpUses()["operation"], testing::ElementsAre("operation/call", "wire"));
  EXPECT_THAT(MadeUpUses()["server/http"], testing::ElementsAre("base", "hr_boost", "operation"));
  EXPECT_THAT(MadeUpUses()["operation/batch"], testing::ElementsAre("operation/item"));
  EXPECT_THAT(MadeUpUses()["main.cc"],
              testing::ElementsAre("base", "hr_spdlog", "server/hashrange"));
}

TEST(IncludeRules, MadeUpListIsLongerThanItsIncludes) {
  const std::vector<Include> includes = ReadIncludes("control/files/a.cc", "#include <vector>\n");
  EXPECT_THAT(UnusedUses({{"control/files", {"hr_zlib"}}, {"base", {}}}, includes),
              testing::ElementsAre("control/files lists hr_zlib"));
  EXPECT_THAT(UnusedUses({{"control/files", {"hr_zlib"}}},
                         ReadIncludes("control/files/a.cc", "#include <zlib.h>\n")),
              testing::IsEmpty());
}

TEST(IncludeRules, MadeUpLinesAreJudged) {
  const struct {
    std::string file, line, violation;
  } kCases[] = {
      {"value/a.h", "#include \"base/memory/arena.h\"", ""},
      {"value/a.h", "#include \"value/b.h\"", ""},
      {"value/a.h", "#include <vector>", ""},
      {"value/a.h", "#include <absl/container/flat_hash_map.h>", ""},
      {"engine/a.h", "#include \"absl/functional/function_ref.h\"", ""},
      {"base/a.cc", "#include <libdeflate.h>", ""},
      {"platform/linux/a.cc", "#include <sys/random.h>", ""},
      {"platform/linux/a.cc", "#include \"platform/a.h\"", ""},
      {"base/a.cc", "#include <sys/random.h>", "base/a.cc:1: base may not include <sys/random.h>"},
      {"engine/vectors/a.cc", "#include <arm_neon.h>", ""},
      {"engine/vectors/a.cc", "#include <unistd.h>",
       "engine/vectors/a.cc:1: engine/vectors may not include <unistd.h>"},
      {"engine/a.cc", "#include <immintrin.h>",
       "engine/a.cc:1: engine may not include <immintrin.h>"},
      {"platform/net/linux/a.cc", "#include <netdb.h>", ""},
      {"server/net/a.cc", "#include <netdb.h>",
       "server/net/a.cc:1: server/net may not include <netdb.h>"},
      {"main.cc", "#include <nss.h>", "main.cc:1: main.cc may not include <nss.h>"},
      {"server/http/a.cc", "#include \"operation/dispatch.h\"", ""},
      {"wire/a.cc", "#include <rapidjson/reader.h>", ""},
      {"main.cc", "#include <spdlog/spdlog.h>", ""},
      {"main.cc", "#include \"base/log.h\"", ""},
      {"server/hashrange/server.h", "#include \"server/hashrange/database.h\"", ""},
      {"operation/a.cc", "#include \"operation/call/operations.def\"", ""},
      {"operation/item/a.cc", "#include \"operation/call/gate.h\"", ""},
      {"operation/batch/a.cc", "#include \"operation/item/a.h\"", ""},
      {"value/a.h", "// #include \"engine/engine.h\"", ""},
      {"value/a.h", "#define HR_NAME \"engine/engine.h\"", ""},
      {"value/a.h", "#include \"engine/engine.h\"",
       "value/a.h:1: value may not include \"engine/engine.h\""},
      {"value/a.h", "\t #  include\t\"engine/engine.h\"  // why",
       "value/a.h:1: value may not include \"engine/engine.h\""},
      {"value/a.h", "#include\"wire/json.h\"",
       "value/a.h:1: value may not include \"wire/json.h\""},
      {"base/a.h", "#include \"value/item.h\"",
       "base/a.h:1: base may not include \"value/item.h\""},
      {"base/a.h", "#include <absl/container/btree_map.h>",
       "base/a.h:1: base may not include <absl/container/btree_map.h>"},
      {"value/a.h", "#include <absl/strings/str_cat.h>",
       "value/a.h:1: value may not include <absl/strings/str_cat.h>"},
      {"engine/a.cc", "#include \"expression/ast.h\"",
       "engine/a.cc:1: engine may not include \"expression/ast.h\""},
      {"engine/a.cc", "#include \"absl/status/status.h\"",
       "engine/a.cc:1: engine may not include \"absl/status/status.h\""},
      {"value/a.h", "#include <nonesuch/a.h>", "value/a.h:1: value may not include <nonesuch/a.h>"},
      {"control/files/a.cc", "#include <zlib.h>", ""},
      {"wire/a.cc", "#include <prometheus/metric_family.h>",
       "wire/a.cc:1: wire may not include <prometheus/metric_family.h>"},
      {"operation/item/a.cc", "#include \"operation/batch/a.h\"",
       "operation/item/a.cc:1: operation/item may not include \"operation/batch/a.h\""},
      {"operation/a.cc", "#include \"operation/item/a.h\"",
       "operation/a.cc:1: operation may not include \"operation/item/a.h\""},
      {"operation/batch/a.cc", "#include \"operation/call/gate.h\"",
       "operation/batch/a.cc:1: operation/batch may not include \"operation/call/gate.h\""},
      {"base/a.cc", "#include <zlib.h>", "base/a.cc:1: base may not include <zlib.h>"},
      {"engine/a.cc", "#include <libdeflate.h>",
       "engine/a.cc:1: engine may not include <libdeflate.h>"},
      {"engine/a.cc", "#include \"engine/map/a.h\"", ""},
      {"engine/map/a.cc", "#include \"wire/json.h\"",
       "engine/map/a.cc:1: engine may not include \"wire/json.h\""},
      {"base/a.cc", "#include \"engine/map/a.h\"",
       "base/a.cc:1: base may not include \"engine/map/a.h\""},
      {"wire/a.cc", "#include \"operation/call/gate.h\"",
       "wire/a.cc:1: wire may not include \"operation/call/gate.h\""},
      {"operation/a.cc", "#include <rapidjson/reader.h>",
       "operation/a.cc:1: operation may not include <rapidjson/reader.h>"},
      {"operation/a.cc", "#include <boost/asio.hpp>",
       "operation/a.cc:1: operation may not include <boost/asio.hpp>"},
      {"operation/a.cc", "#include <sys/socket.h>",
       "operation/a.cc:1: operation may not include <sys/socket.h>"},
      {"engine/a.cc", "#include <unistd.h>", "engine/a.cc:1: engine may not include <unistd.h>"},
      {"server/http/a.cc", "#include \"engine/engine.h\"",
       "server/http/a.cc:1: server/http may not include \"engine/engine.h\""},
      {"server/http/a.cc", "#include <spdlog/spdlog.h>",
       "server/http/a.cc:1: server/http may not include <spdlog/spdlog.h>"},
      {"server/http/a.cc", "#include <CLI/CLI.hpp>",
       "server/http/a.cc:1: server/http may not include <CLI/CLI.hpp>"},
      {"main.cc", "#include <boost/asio.hpp>",
       "main.cc:1: main.cc may not include <boost/asio.hpp>"},
      {"engine/a.cc", "#include <hashrange/server.h>",
       "engine/a.cc:1: engine may not include <hashrange/server.h>"},
      {"engine/a.cc", "#include \"partition.h\"",
       "engine/a.cc:1: engine may not include \"partition.h\""},
      {"newcomer/a.cc", "#include <vector>", "newcomer/a.cc:1: newcomer has no target"},
  };
  for (const auto& [file, line, violation] : kCases) {
    const std::vector<std::string> found = Violations(MadeUpUses(), ReadIncludes(file, line));
    const std::vector<std::string> expected =
        violation.empty() ? std::vector<std::string>() : std::vector<std::string>{violation};
    EXPECT_EQ(found, expected) << file << ": " << line;
  }
}

TEST(IncludeRules, ViolationsNameTheirLine) {
  const std::string text = "// a\n\n#include <vector>\n\n#include \"server/http/server.h\"\n";
  EXPECT_THAT(Violations(MadeUpUses(), ReadIncludes("wire/a.cc", text)),
              testing::ElementsAre("wire/a.cc:5: wire may not include \"server/http/server.h\""));
}

}  // namespace
}  // namespace hashrange
