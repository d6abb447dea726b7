#include "lab/language/lab_schema_tree.h"

#include <charconv>
#include <cmath>
#include <string>

#include "lab/language/lab_schema.h"

namespace hashrange {
namespace {

struct TypeName {
  std::string_view name;
  unsigned type;
};
constexpr TypeName kTypeNames[] = {
    {"null", kNullSchemaType},       {"boolean", kBooleanSchemaType},
    {"integer", kIntegerSchemaType}, {"number", kNumberSchemaType | kIntegerSchemaType},
    {"string", kStringSchemaType},   {"array", kArraySchemaType},
    {"object", kObjectSchemaType},
};

unsigned TypeNamed(std::string_view name) {
  for (const TypeName& row : kTypeNames) {
    if (row.name == name) return row.type;
  }
  return kNoSchemaType;
}

// The schema and the memory that it is in.
struct ParsedSchema {
  ParsedSchema() : text(LabSchemaText()) {
    text.push_back('\0');  // the parser's terminator
    const Result<const JsonValue*> parsed =
        ParseJsonData({text.data(), text.size() - 1}, JsonDialect::kDocument, arena);
    root = parsed.ok() ? *parsed : &nothing;
  }

  std::string text;
  Arena arena;
  JsonValue nothing;
  const JsonValue* root = nullptr;
};

// Follows references, and an `allOf` of one schema.
const JsonValue& Followed(const JsonValue& schema) {
  const JsonValue* at = &schema;
  for (;;) {
    if (const JsonValue* const reference = at->Find("$ref")) {
      at = LabSchemaAt(reference->string().substr(1));
    } else if (const JsonValue* const all = at->Find("allOf")) {
      at = &all->elements()[0];
    } else {
      return *at;
    }
  }
}

void AddLeaves(const JsonValue& schema, std::vector<const JsonValue*>& out) {
  const JsonValue& followed = Followed(schema);
  const JsonValue* const alternatives = followed.Find("anyOf");
  if (alternatives == nullptr) return out.push_back(&followed);
  for (const JsonValue& alternative : alternatives->elements()) AddLeaves(alternative, out);
}

bool IsJsonNumber(std::string_view text, bool& is_whole) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - from;
  };
  const bool has_leading_zero = text.substr(at).starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (has_leading_zero && whole > 1)) return false;
  is_whole = at == text.size();
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  if (at != text.size()) return false;
  double value = 0;
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
}

bool IsInEnum(const JsonValue& values, std::string_view text) {
  for (const JsonValue& value : values.elements()) {
    if (value.type == JsonValue::Type::kString && value.string() == text) return true;
    if (value.type == JsonValue::Type::kNumberText && value.string() == text) return true;
    if (value.type == JsonValue::Type::kTrue && text == "true") return true;
  }
  return false;
}

// Returns how well a leaf fits; below 0: not at all.
int ScoreOfScalar(const JsonValue& leaf, const LabNode& node, unsigned allowed) {
  const unsigned type = TypeOfScalar(node, allowed);
  if ((TypesOfLeaf(leaf) & type) == 0) return -1;
  const JsonValue* const values = leaf.Find("enum");
  if (values == nullptr || type == kNullSchemaType) return 1;
  return IsInEnum(*values, node.text) ? 2 : -1;
}

int ScoreOfMap(const JsonValue& leaf, const LabNode& node, bool is_only_map) {
  if ((TypesOfLeaf(leaf) & kObjectSchemaType) == 0) return -1;
  int score = is_only_map ? 1 : -1;
  const JsonValue* const properties = leaf.Find("properties");
  const JsonValue* const others = leaf.Find("additionalProperties");
  const std::string_view leading = LeadingMember(leaf);
  if (leading.empty())
    score = others != nullptr && others->type == JsonValue::Type::kObject ? 50 : 1;
  if (!leading.empty() && node.Find(leading) != nullptr) score = 100;
  if (score < 0 || properties == nullptr) return score;
  for (const LabNode::Member& member : node.members) {
    if (properties->Find(member.name) != nullptr) ++score;
  }
  return score;
}

}  // namespace

const JsonValue& LabSchemaTree() {
  static const ParsedSchema* const parsed = new ParsedSchema;
  return *parsed->root;
}

const JsonValue* LabSchemaAt(std::string_view pointer) {
  const JsonValue* value = &LabSchemaTree();
  while (!pointer.empty() && value != nullptr) {
    pointer.remove_prefix(1);
    const std::string_view token = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(token.size());
    if (value->type != JsonValue::Type::kArray) {
      value = value->Find(token);  // no name in the schema needs an escape
      continue;
    }
    std::size_t index = 0;
    const auto read = std::from_chars(token.data(), token.data() + token.size(), index);
    const bool is_index = read.ec == std::errc() && index < value->elements().size();
    value = is_index ? &value->elements()[index] : nullptr;
  }
  return value;
}

std::vector<const JsonValue*> SchemaLeaves(const JsonValue& schema) {
  std::vector<const JsonValue*> leaves;
  AddLeaves(schema, leaves);
  return leaves;
}

unsigned TypesOfLeaf(const JsonValue& leaf) {
  const JsonValue* const type = leaf.Find("type");
  if (type == nullptr) return kAnySchemaType;
  if (type->type == JsonValue::Type::kString) return TypeNamed(type->string());
  unsigned types = kNoSchemaType;
  for (const JsonValue& name : type->elements()) types |= TypeNamed(name.string());
  return types;
}

unsigned TypesOfLeaves(const std::vector<const JsonValue*>& leaves) {
  unsigned types = kNoSchemaType;
  for (const JsonValue* const leaf : leaves) types |= TypesOfLeaf(*leaf);
  return types;
}

const JsonValue* SchemaOfMember(const JsonValue& leaf, std::string_view name) {
  const JsonValue* const properties = leaf.Find("properties");
  const JsonValue* const known = properties == nullptr ? nullptr : properties->Find(name);
  if (known != nullptr) return known;
  const JsonValue* const others = leaf.Find("additionalProperties");
  return others != nullptr && others->type == JsonValue::Type::kObject ? others : nullptr;
}

const JsonValue* SchemaOfElements(const JsonValue& leaf) { return leaf.Find("items"); }

std::string_view LeadingMember(const JsonValue& leaf) {
  const JsonValue* const required = leaf.Find("required");
  return required == nullptr ? "" : required->elements()[0].string();
}

unsigned TypeOfScalar(const LabNode& node, unsigned allowed) {
  if (node.is_quoted) return kStringSchemaType;
  if (node.IsNull()) return kNullSchemaType;
  if ((allowed & kBooleanSchemaType) != 0 && (node.text == "true" || node.text == "false")) {
    return kBooleanSchemaType;
  }
  bool is_whole = false;
  if ((allowed & (kNumberSchemaType | kIntegerSchemaType)) != 0 &&
      IsJsonNumber(node.text, is_whole)) {
    return is_whole ? kIntegerSchemaType : kNumberSchemaType;
  }
  return kStringSchemaType;
}

const JsonValue* BestLeaf(const std::vector<const JsonValue*>& leaves, const LabNode& node) {
  const unsigned allowed = TypesOfLeaves(leaves);
  int maps = 0;
  for (const JsonValue* const leaf : leaves) maps += (TypesOfLeaf(*leaf) & kObjectSchemaType) != 0;
  const JsonValue* best = nullptr;
  int best_score = -1;
  for (const JsonValue* const leaf : leaves) {
    int score = -1;
    switch (node.kind) {
      case LabNode::Kind::kScalar:
        score = ScoreOfScalar(*leaf, node, allowed);
        break;
      case LabNode::Kind::kList:
        score = (TypesOfLeaf(*leaf) & kArraySchemaType) != 0 ? 1 : -1;
        break;
      case LabNode::Kind::kMap:
        score = ScoreOfMap(*leaf, node, maps == 1);
        break;
    }
    if (score > best_score) {
      best = leaf;
      best_score = score;
    }
  }
  return best;
}

int BestAlternative(const JsonValue& alternatives, const LabNode& node) {
  std::vector<const JsonValue*> all;
  for (const JsonValue& alternative : alternatives.elements()) AddLeaves(alternative, all);
  const JsonValue* const best = BestLeaf(all, node);
  if (best == nullptr) return -1;
  int place = 0;
  for (const JsonValue& alternative : alternatives.elements()) {
    for (const JsonValue* const leaf : SchemaLeaves(alternative)) {
      if (leaf == best) return place;
    }
    ++place;
  }
  return -1;
}

}  // namespace hashrange
