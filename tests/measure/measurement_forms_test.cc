// The JSON schema of a measurement and its TypeScript types are what the rows of measurement.def
// give. To write both files anew: HASHRANGE_WRITE_FORMS=1 measure_test
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/source_root.h"

namespace hashrange {
namespace {

struct FigureRow {
  std::string type;
  std::string name;
  std::string what;
};

struct PartRow {
  std::string name;
  std::string what;
  std::vector<FigureRow> figures;
};

const std::vector<PartRow>& Parts() {
  static const std::vector<PartRow> parts = [] {
    std::vector<PartRow> rows;
#define HR_PART(part, what) rows.push_back({#part, what, {}});
#define HR_FIGURE(type, name, what) rows.back().figures.push_back({#type, #name, what});
#define HR_PART_END(part)
#include "simulation/partitions/partition_map.def"
#define HR_PART(part, what) rows.push_back({#part, what, {}});
#define HR_FIGURE(type, name, what) rows.back().figures.push_back({#type, #name, what});
#define HR_PART_END(part)
#include "measure/measurement.def"
    return rows;
  }();
  return parts;
}

// A Distribution writes these figures itself (measurement_json.cc).
const PartRow kDistribution = {
    "Distribution",
    "How often each size was seen. A bucket is a pair: its greatest value and its count. Values up "
    "to 128 are exact.",
    {{"std::uint64_t", "count", ""},
     {"double", "sum", ""},
     {"double", "p50", ""},
     {"double", "p95", ""},
     {"double", "p99", ""},
     {"double", "max", ""},
     {"std::vector<pair>", "buckets", ""}}};

// Returns the type of the elements of a list; empty for other types.
std::string ElementType(std::string_view type) {
  constexpr std::string_view kList = "std::vector<";
  if (!type.starts_with(kList)) return {};
  const std::string element(type.substr(kList.size(), type.size() - kList.size() - 1));
  return element == "HeatRange" ? "HeatRun" : element;
}

// --- The schema ---

using Members = std::vector<std::pair<std::string, std::string>>;

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? "\\" : "").append(1, c);
  return quoted + "\"";
}

std::string ObjectText(const Members& members, std::size_t depth) {
  std::string text = "{\n";
  for (const auto& [name, value] : members) {
    text += std::string(depth + 1, ' ') + Quoted(name) + ": " + value;
    text += &name == &members.back().first ? "\n" : ",\n";
  }
  return text + std::string(depth, ' ') + "}";
}

Members MembersOfPart(const PartRow& part, const std::string& what, std::size_t depth);

std::string SchemaOf(const std::string& type, const std::string& what, std::size_t depth) {
  Members members;
  if (type == "Distribution") {
    return ObjectText({{"$ref", Quoted("#/definitions/distribution")}}, depth);
  }
  const auto part = std::ranges::find(Parts(), type, &PartRow::name);
  if (part != Parts().end()) {
    return ObjectText(MembersOfPart(*part, what.empty() ? part->what : what, depth), depth);
  }
  if (!what.empty()) members.emplace_back("description", Quoted(what));
  if (type == "pair") {
    return ObjectText({{"type", Quoted("array")},
                       {"items", SchemaOf("double", "", depth + 1)},
                       {"minItems", "2"},
                       {"maxItems", "2"}},
                      depth);
  }
  const std::string element = ElementType(type);
  if (!element.empty()) {
    members.emplace_back("type", Quoted("array"));
    members.emplace_back("items", SchemaOf(element, "", depth + 1));
  } else if (type == "std::string") {
    members.emplace_back("type", Quoted("string"));
  } else if (type == "bool") {
    members.emplace_back("type", Quoted("boolean"));
  } else {
    members.emplace_back("type", Quoted(type == "double" ? "number" : "integer"));
  }
  return ObjectText(members, depth);
}

Members MembersOfPart(const PartRow& part, const std::string& what, std::size_t depth) {
  Members members;
  if (!what.empty()) members.emplace_back("description", Quoted(what));
  members.emplace_back("type", Quoted("object"));
  Members figures;
  for (const FigureRow& figure : part.figures) {
    figures.emplace_back(figure.name, SchemaOf(figure.type, figure.what, depth + 2));
  }
  members.emplace_back("properties", ObjectText(figures, depth + 1));
  return members;
}

std::string SchemaText() {
  Members members = {{"$schema", Quoted("http://json-schema.org/draft-04/schema#")},
                     {"title", Quoted("A measurement of Hashrange")}};
  for (auto& member : MembersOfPart(Parts().back(), "", 0)) members.push_back(std::move(member));
  members.emplace_back("required", "[\n  \"version\"\n ]");
  const std::string distribution =
      ObjectText(MembersOfPart(kDistribution, kDistribution.what, 2), 2);
  members.emplace_back("definitions", ObjectText({{"distribution", distribution}}, 1));
  return ObjectText(members, 0) + "\n";
}

// --- The types ---

constexpr std::string_view kTypesBegin =
    R"(// A measurement: what tables did under one traffic. docs/measurement.schema.json in the repository is its schema. Units are
// capacity units, sizes are DynamoDB sizes in bytes, times are milliseconds since 1970 on the server's clock. An index that is
// an empty text is the table itself. The rows of src/measure/measurement.def in the repository make this file.
)";

std::string TypeScriptOf(const std::string& type) {
  const std::string element = ElementType(type);
  if (!element.empty()) return TypeScriptOf(element) + "[]";
  if (type == "std::string") return "string";
  if (type == "bool") return "boolean";
  if (type == "pair") return "[number, number]";
  return type.starts_with("std::") || type == "double" ? "number" : type;
}

std::string InterfaceText(const PartRow& part) {
  std::string text = "\n";
  if (!part.what.empty()) text += "/** " + part.what + " */\n";
  text += "export interface " + part.name + " {\n";
  for (const FigureRow& figure : part.figures) {
    if (!figure.what.empty()) text += "  /** " + figure.what + " */\n";
    text += "  " + figure.name + ": " + TypeScriptOf(figure.type) + "\n";
  }
  return text + "}\n";
}

std::string TypesText() {
  std::string text = std::string(kTypesBegin) + InterfaceText(kDistribution);
  for (const PartRow& part : Parts()) text += InterfaceText(part);
  return text;
}

TEST(MeasurementForms, SchemaAndTypesAreWhatTheRowsGive) {
  const std::pair<const char*, std::string> forms[] = {
      {"docs/measurement.schema.json", SchemaText()}, {"clients/js/measurement.d.ts", TypesText()}};
  for (const auto& [path, text] : forms) {
    if (std::getenv("HASHRANGE_WRITE_FORMS")) std::ofstream(SourceRoot() / path) << text;
    std::ifstream file(SourceRoot() / path);
    std::stringstream stored;
    stored << file.rdbuf();
    EXPECT_EQ(stored.str(), text) << path;
  }
}

}  // namespace
}  // namespace hashrange
