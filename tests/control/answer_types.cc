#include "control/answer_types.h"

#include <rapidjson/document.h>

#include <algorithm>
#include <map>
#include <vector>

#include "control/routes.h"

namespace hashrange {
namespace {

struct MemberRow {
  std::string_view name;
  std::string_view type;
  bool is_optional = false;
};

using ObjectRows = std::map<std::string_view, std::vector<MemberRow>>;

const ObjectRows& Objects() {
  static const ObjectRows objects = [] {
    ObjectRows rows;
    std::vector<MemberRow>* members = nullptr;
#define HR_OBJECT(name, what) members = &rows[#name];
#define HR_HAS(name, type, what) members->push_back({#name, type});
#define HR_MAY_HAVE(name, type, what) members->push_back({#name, type, true});
#define HR_OBJECT_END
#include "control/routes.def"
    return rows;
  }();
  return objects;
}

// Returns the parts of a type that are joined by `joint`: "A | B".
std::vector<std::string_view> PartsOf(std::string_view type, std::string_view joint) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = type.find(joint)) != type.npos;
       type.remove_prefix(end + joint.size())) {
    parts.push_back(type.substr(0, end));
  }
  parts.push_back(type);
  return parts;
}

// Returns whether the JSON is {"S":"…"} or another AttributeValue with one of these tags.
bool IsTagged(const rapidjson::Value& json, std::string_view tags) {
  if (!json.IsObject() || json.MemberCount() != 1) return false;
  const std::string tag = " " + std::string(json.MemberBegin()->name.GetString()) + " ";
  return tags.find(tag) != tags.npos;
}

bool AreTagged(const rapidjson::Value& json, std::string_view tags) {
  return json.IsObject() &&
         std::all_of(json.MemberBegin(), json.MemberEnd(),
                     [&](const auto& each) { return IsTagged(each.value, tags); });
}

// The types that are not in the rows.
bool IsOfPlainType(std::string_view type, const rapidjson::Value& json) {
  if (type == "string" || type == "Operation") return json.IsString();
  if (type == "number") return json.IsNumber();
  if (type == "boolean") return json.IsBool();
  if (type == "true") return json.IsTrue();
  if (type == "Key") return AreTagged(json, " S N B ");
  if (type == "StoredItem") return AreTagged(json, " S N B BOOL NULL SS NS BS L M ");
  if (type == "ErrorBody") return json.IsObject();
  return type.starts_with('\'') && json.IsString() &&
         type == "'" + std::string(json.GetString()) + "'";
}

std::string ProblemOf(std::string_view type, const rapidjson::Value& json, SeenRows& seen);

// `type` is the name of an object of the rows, or several that are joined.
std::string ProblemOfObject(std::string_view type, const rapidjson::Value& json, SeenRows& seen) {
  std::string problem;
  std::size_t known = 0;
  for (const std::string_view name : PartsOf(type, " & ")) {
    for (const MemberRow& row : Objects().at(name)) {
      const std::string place = std::string(name) + "." + std::string(row.name);
      const auto found = json.FindMember(std::string(row.name).c_str());
      const bool is_there = found != json.MemberEnd();
      if (!is_there && !row.is_optional) return place + " is missing";
      seen.insert(is_there ? place : place + "?");
      if (!is_there) continue;
      ++known;
      problem = ProblemOf(row.type, found->value, seen);
      if (!problem.empty()) return place + ": " + problem;
    }
  }
  return known == json.MemberCount() ? "" : std::string(type) + " has a member without a row";
}

std::string ProblemOfElements(std::string_view type, const rapidjson::Value& json, SeenRows& seen) {
  constexpr std::string_view kMap = "Record<string, ";
  std::string problem;
  if (type.ends_with("[]") && json.IsArray()) {
    for (const auto& each : json.GetArray()) {
      problem = ProblemOf(type.substr(0, type.size() - 2), each, seen);
      if (!problem.empty()) break;
    }
    return problem;
  }
  if (type.starts_with(kMap) && json.IsObject()) {
    for (const auto& each : json.GetObject()) {
      problem =
          ProblemOf(type.substr(kMap.size(), type.size() - kMap.size() - 1), each.value, seen);
      if (!problem.empty()) break;
    }
    return problem;
  }
  return "is not of type " + std::string(type);
}

std::string ProblemOf(std::string_view type, const rapidjson::Value& json, SeenRows& seen) {
  std::string problem;
  for (const std::string_view part : PartsOf(type, " | ")) {
    if (IsOfPlainType(part, json)) return {};
    SeenRows seen_here;
    const bool is_object = Objects().contains(PartsOf(part, " & ").front());
    if (is_object && !json.IsObject()) {
      problem = "is no " + std::string(part);
    } else {
      problem = is_object ? ProblemOfObject(part, json, seen_here)
                          : ProblemOfElements(part, json, seen_here);
    }
    if (!problem.empty()) continue;
    seen.merge(seen_here);
    return {};
  }
  return problem;
}

// Returns the type of the answers of a call; empty: the rows have none.
std::string_view AnswerTypeOf(std::string_view method, std::string_view path) {
  path = path.substr(0, path.find('?'));
  const auto found = std::ranges::find_if(
      Routes(), [&](const Route& route) { return route.method == method && route.path == path; });
  return found == Routes().end() ? "" : found->answer;
}

}  // namespace

std::string ProblemOfAnswer(std::string_view method, std::string_view path, std::string_view body,
                            SeenRows* seen) {
  const std::string_view type = AnswerTypeOf(method, path);
  // A text is an answer of its own: it may look like JSON.
  if (type.empty() || type.ends_with(" | string")) return {};
  rapidjson::Document json;
  json.Parse(body.data(), body.size());
  if (json.HasParseError()) return "is no JSON";
  SeenRows all;
  return ProblemOf(type, json, seen ? *seen : all);
}

SeenRows AllRows() {
  SeenRows rows;
  for (const auto& [object, members] : Objects()) {
    for (const MemberRow& row : members) {
      const std::string place = std::string(object) + "." + std::string(row.name);
      rows.insert(place);
      if (row.is_optional) rows.insert(place + "?");
    }
  }
  return rows;
}

}  // namespace hashrange
