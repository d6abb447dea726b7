// The table of which folder may include which (src/README.md), enforced by reading the
// #include lines of every file under src/ and include/.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {
namespace {

using Words = std::vector<std::string_view>;

// A row of the table: a folder of src/ (hashrange: with include/hashrange), what it may
// include beside itself, and which headers that are not ours.
struct Rule {
  std::string_view folder;
  Words folders;
  Words third_party;
};

const std::vector<Rule>& Rules() {
  static const std::vector<Rule> rules = {
      {"base", {}, {"libdeflate", "system"}},
      {"value", {"base"}, {"absl"}},
      {"expression", {"value", "base"}, {"absl"}},
      {"engine", {"value", "base"}, {"absl"}},
      {"backfill", {"engine", "value", "base"}, {}},
      {"stream", {"engine", "value", "base"}, {}},
      {"ttl", {"engine", "value", "base"}, {"absl"}},
      {"wire", {"value", "base"}, {"absl", "rapidjson"}},
      {"partiql", {"wire", "expression", "value", "base"}, {"absl"}},
      {"operation",
       {"partiql", "wire", "expression", "backfill", "stream", "ttl", "engine", "value", "base"},
       {"absl"}},
      {"simulation",
       {"operation", "expression", "wire", "stream", "ttl", "engine", "value", "base"},
       {"absl"}},
      {"transfer",
       {"operation", "wire", "stream", "ttl", "engine", "value", "base"},
       {"absl", "system", "zlib"}},
      {"control",
       {"simulation", "transfer", "operation", "wire", "backfill", "stream", "ttl", "engine",
        "value", "base"},
       {"absl", "prometheus-cpp", "system"}},
      {"http", {"operation", "control", "base"}, {"absl", "boost", "system"}},
      {"hashrange",
       {"http", "control", "simulation", "transfer", "operation", "backfill", "stream", "ttl",
        "engine", "base"},
       {"absl", "system"}},
      {"cli",
       {"hashrange", "http", "wire", "operation", "engine", "base"},
       {"absl", "CLI11", "system"}},
      {"main.cc",
       {"base", "value", "expression", "engine", "backfill", "stream", "ttl", "wire", "partiql",
        "operation", "simulation", "transfer", "control", "http", "hashrange", "cli"},
       {"absl", "CLI11", "spdlog", "system"}},
  };
  return rules;
}

// Headers that are not ours, by the beginning of their name; the first that fits counts.
// No row: one that nobody may include.
struct ThirdParty {
  std::string_view prefix;
  std::string_view name;
};
constexpr ThirdParty kThirdParty[] = {
    {"absl/container/", "absl"},
    {"absl/functional/", "absl"},
    {"rapidjson/", "rapidjson"},
    {"boost/", "boost"},
    {"CLI/", "CLI11"},
    {"spdlog/", "spdlog"},
    {"prometheus/", "prometheus-cpp"},
    {"libdeflate.h", "libdeflate"},
    {"zlib.h", "zlib"},
    {"sys/", "system"},
    {"netinet/", "system"},
    {"arpa/", "system"},
    {"net/", "system"},
    {"linux/", "system"},
};
// <unistd.h>, <netdb.h>, …: every other name without a folder that ends in .h, too.
constexpr std::string_view kSystem = "system";

struct Include {
  std::string file;  // below src/ or include/
  int line = 0;
  std::string name;
  bool in_quotes = false;
};

bool Contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view FirstOf(std::string_view path) { return path.substr(0, path.find('/')); }

const Rule* FindRule(std::string_view folder) {
  for (const Rule& rule : Rules()) {
    if (rule.folder == folder) return &rule;
  }
  return nullptr;
}

// Which of the others' headers it is; null for one of ours or of the standard library.
const ThirdParty* FindThirdParty(std::string_view name) {
  for (const ThirdParty& row : kThirdParty) {
    if (name.substr(0, row.prefix.size()) == row.prefix) return &row;
  }
  return nullptr;
}

bool IsSystemHeader(const Include& include) {
  const std::string& name = include.name;
  return !include.in_quotes && name.find('/') == std::string::npos && name.size() > 2 &&
         name.compare(name.size() - 2, 2, ".h") == 0;
}

// The standard library's names have neither a folder nor an ending.
bool IsStandard(const Include& include) {
  return !include.in_quotes && include.name.find_first_of("./") == std::string::npos;
}

bool IsAllowed(const Rule& rule, const Include& include) {
  if (const ThirdParty* const row = FindThirdParty(include.name)) {
    return Contains(rule.third_party, row->name);
  }
  if (IsSystemHeader(include)) return Contains(rule.third_party, kSystem);
  if (IsStandard(include)) return true;
  const std::string_view target = FirstOf(include.name);
  // Only the public headers are also written in angle brackets.
  if (!include.in_quotes && target != "hashrange") return false;
  return target == rule.folder || Contains(rule.folders, target);
}

// Why the include is against the table; empty when it is not.
std::string Complaint(const Include& include) {
  const std::string_view folder = FirstOf(include.file);
  const Rule* const rule = FindRule(folder);
  if (!rule) return std::string(folder) + " has no row in the table";
  if (IsAllowed(*rule, include)) return {};
  const std::string name = include.in_quotes ? '"' + include.name + '"' : '<' + include.name + '>';
  return std::string(folder) + " may not include " + name;
}

// The includes among the lines of one file.
std::vector<Include> ReadIncludes(const std::string& file, std::istream& lines) {
  std::vector<Include> includes;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    constexpr std::string_view kBlanks = " \t";
    std::string_view rest = line;
    const auto skip_blanks = [&] {
      rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    };
    skip_blanks();
    if (rest.empty() || rest.front() != '#') continue;
    rest.remove_prefix(1);
    skip_blanks();
    if (rest.substr(0, 7) != "include") continue;
    rest.remove_prefix(7);
    skip_blanks();
    if (rest.empty() || (rest.front() != '<' && rest.front() != '"')) continue;
    const bool in_quotes = rest.front() == '"';
    rest.remove_prefix(1);
    const std::string_view name = rest.substr(0, rest.find(in_quotes ? '"' : '>'));
    includes.push_back({file, number, std::string(name), in_quotes});
  }
  return includes;
}

std::vector<std::string> Violations(const std::vector<Include>& includes) {
  std::vector<std::string> violations;
  for (const Include& include : includes) {
    const std::string complaint = Complaint(include);
    if (complaint.empty()) continue;
    violations.push_back(include.file + ":" + std::to_string(include.line) + ": " + complaint);
  }
  return violations;
}

std::vector<Include> ReadTree(const std::filesystem::path& root) {
  std::vector<Include> includes;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".cc" && ending != ".h" && ending != ".def" && ending != ".inc") continue;
    std::ifstream lines(entry.path());
    const std::string file = entry.path().lexically_relative(root).generic_string();
    for (Include& include : ReadIncludes(file, lines)) includes.push_back(std::move(include));
  }
  return includes;
}

TEST(IncludeRules, EveryFileKeepsTheTable) {
  const std::filesystem::path root = HASHRANGE_SOURCE_DIR;
  std::vector<Include> includes = ReadTree(root / "src");
  EXPECT_GT(includes.size(), 100u) << "too few to be the whole source";
  if (std::filesystem::exists(root / "include")) {
    for (Include& include : ReadTree(root / "include")) includes.push_back(std::move(include));
  }
  EXPECT_THAT(Violations(includes), testing::IsEmpty());
}

TEST(IncludeRules, MadeUpLinesAreJudged) {
  const struct {
    std::string file, line, violation;
  } kCases[] = {
      {"value/a.h", "#include \"base/arena.h\"", ""},
      {"value/a.h", "#include \"value/b.h\"", ""},
      {"value/a.h", "#include <vector>", ""},
      {"value/a.h", "#include <absl/container/flat_hash_map.h>", ""},
      {"engine/a.h", "#include \"absl/functional/function_ref.h\"", ""},
      {"base/a.cc", "#include <libdeflate.h>", ""},
      {"base/a.cc", "#include <sys/random.h>", ""},
      {"http/a.cc", "#include <netdb.h>", ""},
      {"wire/a.cc", "#include <rapidjson/reader.h>", ""},
      {"main.cc", "#include <spdlog/spdlog.h>", ""},
      {"main.cc", "#include \"engine/engine.h\"", ""},
      {"hashrange/server.h", "#include \"hashrange/database.h\"", ""},
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
      {"transfer/a.cc", "#include <zlib.h>", ""},
      {"control/a.cc", "#include <prometheus/metric_family.h>", ""},
      {"simulation/a.cc", "#include <prometheus/metric_family.h>",
       "simulation/a.cc:1: simulation may not include <prometheus/metric_family.h>"},
      {"base/a.cc", "#include <zlib.h>", "base/a.cc:1: base may not include <zlib.h>"},
      {"engine/a.cc", "#include <libdeflate.h>",
       "engine/a.cc:1: engine may not include <libdeflate.h>"},
      {"engine/a.cc", "#include \"backfill/backfill.h\"",
       "engine/a.cc:1: engine may not include \"backfill/backfill.h\""},
      {"expression/a.cc", "#include \"engine/engine.h\"",
       "expression/a.cc:1: expression may not include \"engine/engine.h\""},
      {"wire/a.cc", "#include \"operation/gate.h\"",
       "wire/a.cc:1: wire may not include \"operation/gate.h\""},
      {"operation/a.cc", "#include <rapidjson/reader.h>",
       "operation/a.cc:1: operation may not include <rapidjson/reader.h>"},
      {"operation/a.cc", "#include <boost/asio.hpp>",
       "operation/a.cc:1: operation may not include <boost/asio.hpp>"},
      {"operation/a.cc", "#include <sys/socket.h>",
       "operation/a.cc:1: operation may not include <sys/socket.h>"},
      {"engine/a.cc", "#include <unistd.h>", "engine/a.cc:1: engine may not include <unistd.h>"},
      {"http/a.cc", "#include \"engine/engine.h\"",
       "http/a.cc:1: http may not include \"engine/engine.h\""},
      {"http/a.cc", "#include <spdlog/spdlog.h>",
       "http/a.cc:1: http may not include <spdlog/spdlog.h>"},
      {"http/a.cc", "#include <CLI/CLI.hpp>", "http/a.cc:1: http may not include <CLI/CLI.hpp>"},
      {"main.cc", "#include <boost/asio.hpp>",
       "main.cc:1: main.cc may not include <boost/asio.hpp>"},
      {"engine/a.cc", "#include <hashrange/server.h>",
       "engine/a.cc:1: engine may not include <hashrange/server.h>"},
      {"engine/a.cc", "#include \"partition.h\"",
       "engine/a.cc:1: engine may not include \"partition.h\""},
      {"newcomer/a.cc", "#include <vector>", "newcomer/a.cc:1: newcomer has no row in the table"},
  };
  for (const auto& [file, line, violation] : kCases) {
    std::istringstream lines(line + "\n");
    const std::vector<std::string> found = Violations(ReadIncludes(file, lines));
    const std::vector<std::string> expected =
        violation.empty() ? std::vector<std::string>() : std::vector<std::string>{violation};
    EXPECT_EQ(found, expected) << file << ": " << line;
  }
}

TEST(IncludeRules, ViolationsNameTheirLine) {
  std::istringstream lines("// a\n\n#include <vector>\n\n#include \"http/server.h\"\n");
  EXPECT_THAT(Violations(ReadIncludes("wire/a.cc", lines)),
              testing::ElementsAre("wire/a.cc:5: wire may not include \"http/server.h\""));
}

}  // namespace
}  // namespace hashrange
