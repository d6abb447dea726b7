#include "lab/language/schema_sentence.h"

#include <algorithm>
#include <vector>

#include "base/nearest_name.h"
#include "lab/language/joined_names.h"
#include "lab/language/lab_schema_tree.h"

namespace hashrange {
namespace {

using Names = std::vector<std::string_view>;

std::string DidYouMean(std::string_view given, const Names& names) {
  const std::string_view nearest = NearestName(given, names);
  return nearest.empty() ? "" : "; did you mean \"" + std::string(nearest) + "\"?";
}

// Adds the values of the leaf's `enum`.
void AddValues(const JsonValue& leaf, Names& out) {
  const JsonValue* const values = leaf.Find("enum");
  if (values == nullptr) return;
  for (const JsonValue& value : values->elements()) {
    if (value.type == JsonValue::Type::kString || value.type == JsonValue::Type::kNumberText) {
      out.push_back(value.string());
    }
    if (value.type == JsonValue::Type::kTrue) out.push_back("true");
  }
}

Names MembersOf(const JsonValue& leaf) {
  Names names;
  if (const JsonValue* const properties = leaf.Find("properties")) {
    for (const JsonMember& member : properties->members()) names.push_back(member.name);
  }
  return names;
}

struct TypeText {
  unsigned type;
  std::string_view text;
};
constexpr TypeText kTypeTexts[] = {
    {kStringSchemaType, "text"},
    {kNumberSchemaType, "a number"},
    {kIntegerSchemaType, "a whole number"},
    {kBooleanSchemaType, "true or false"},
    {kArraySchemaType, "a list"},
    {kObjectSchemaType, "a map"},
    {kNullSchemaType, "null"},
};

std::string TypesText(unsigned types) {
  Names names;
  for (const TypeText& row : kTypeTexts) {
    const bool is_said =
        row.type == kIntegerSchemaType && (types & kNumberSchemaType) != 0;  // by "a number"
    if ((types & row.type) != 0 && !is_said) names.push_back(row.text);
  }
  return JoinedNames(names, "or");
}

std::string ScalarText(const LabNode& node) {
  constexpr std::size_t kMostBytes = 60;
  if (TypeOfScalar(node, kNumberSchemaType) != kStringSchemaType) return node.text;
  std::size_t bytes = std::min(node.text.size(), kMostBytes);
  while (bytes < node.text.size() && (node.text[bytes] & 0xC0) == 0x80) --bytes;
  const bool is_cut = bytes < node.text.size();
  return (node.is_quoted ? "the text \"" : "\"") + node.text.substr(0, bytes) +
         (is_cut ? "…\"" : "\"");
}

std::string NodeText(const LabNode& node) {
  switch (node.kind) {
    case LabNode::Kind::kScalar:
      if (node.IsNull()) return node.text.empty() ? "nothing" : node.text;
      return ScalarText(node);
    case LabNode::Kind::kList:
      if (node.elements.empty()) return "an empty list";
      return "a list of " + std::to_string(node.elements.size());
    case LabNode::Kind::kMap:
      return node.members.empty() ? "an empty map" : "a map";
  }
  return "";
}

// Returns the names that a required list has and the node has not.
Names MissingMembers(const LabNode& node, const JsonValue& schema) {
  Names missing;
  const JsonValue* const required = schema.Find("required");
  if (required == nullptr) return missing;
  for (const JsonValue& name : required->elements()) {
    if (node.Find(name.string()) == nullptr) missing.push_back(name.string());
  }
  return missing;
}

// Returns "; write `lab: 1`" of a member that can have one value only.
std::string OnlyValueOf(std::string_view name, const JsonValue& schema) {
  const JsonValue* const member = SchemaOfMember(schema, name);
  Names values;
  if (member != nullptr) AddValues(*member, values);
  if (values.size() != 1) return {};
  return "; write `" + std::string(name) + ": " + std::string(values.front()) + "`";
}

std::string NotAllowed(const LabNode& node, const JsonValue& schema) {
  return NodeText(node) + " is not allowed here; allowed: " + AllowedText(schema);
}

}  // namespace

std::string AllowedText(const JsonValue& schema) {
  if (const JsonValue* const title = schema.Find("title")) return std::string(title->string());
  const std::vector<const JsonValue*> leaves = SchemaLeaves(schema);
  if (leaves.size() == 1 && leaves[0] != &schema && leaves[0]->Find("title") != nullptr) {
    return AllowedText(*leaves[0]);
  }
  Names values;
  for (const JsonValue* const leaf : leaves) AddValues(*leaf, values);
  return values.empty() ? TypesText(TypesOfLeaves(leaves)) : JoinedNames(values, "or");
}

std::string ViolationSentence(const LabNode& node, const JsonValue& schema,
                              std::string_view keyword) {
  const Names missing = MissingMembers(node, schema);
  if (keyword == "required" && !missing.empty()) {
    if (missing.size() > 1) return JoinedNames(missing, "and") + " are missing";
    return std::string(missing.front()) + " is missing" + OnlyValueOf(missing.front(), schema);
  }
  if (keyword != "enum") return NotAllowed(node, schema);
  Names values;
  AddValues(schema, values);
  const bool is_text = (TypesOfLeaf(schema) & kStringSchemaType) != 0;
  return NotAllowed(node, schema) + (is_text ? DidYouMean(node.text, values) : "");
}

std::string UnknownMemberSentence(std::string_view name, const JsonValue& schema) {
  const Names names = MembersOf(schema);
  return "the name \"" + std::string(name) +
         "\" is not known here; allowed: " + JoinedNames(names, "") + DidYouMean(name, names);
}

std::string ExclusiveMembersSentence(std::string_view name, std::string_view other,
                                     const JsonValue& schema) {
  for (const JsonValue* const leaf : SchemaLeaves(schema)) {
    if (other.empty() || name == other || LeadingMember(*leaf) != name) continue;
    return "only one of \"" + std::string(other) + "\" and \"" + std::string(name) +
           "\" may be here";
  }
  return {};
}

std::string NoAlternativeSentence(const LabNode& node, const JsonValue& schema) {
  const std::vector<const JsonValue*> leaves = SchemaLeaves(schema);
  if (node.kind == LabNode::Kind::kScalar) {
    Names values;
    for (const JsonValue* const leaf : leaves) AddValues(*leaf, values);
    return NotAllowed(node, schema) + DidYouMean(node.text, values);
  }
  Names leading;
  for (const JsonValue* const leaf : leaves) {
    const std::string_view name = LeadingMember(*leaf);
    if (!name.empty()) leading.push_back(name);
  }
  if (node.kind == LabNode::Kind::kList || leading.empty()) return NotAllowed(node, schema);
  std::string sentence = "a map has to have one of these names here: " + JoinedNames(leading, "");
  for (const LabNode::Member& member : node.members) {
    const std::string question = DidYouMean(member.name, leading);
    if (!question.empty()) return sentence + question;
  }
  return sentence;
}

}  // namespace hashrange
