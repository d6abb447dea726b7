#include "lab/language/lab_schema.h"

#include <charconv>
#include <optional>

#include "lab/language/lab_node_json.h"
#include "lab/language/lab_schema_tree.h"
#include "lab/language/schema_sentence.h"
#include "wire/json_schema.h"

namespace hashrange {
namespace {

// A value of the file, or the name of a member that is not allowed.
struct FoundNode {
  const LabNode* node = nullptr;
  LabPlace place = {};
  std::string path = {};  // the names that lead to it: "traffic > 2 > for"
  std::string name = {};  // the last one
};

// Returns the next token of a JSON pointer, without its escapes.
std::string TakeToken(std::string_view& pointer) {
  pointer.remove_prefix(1);
  std::string token;
  while (!pointer.empty() && pointer[0] != '/') {
    char c = pointer[0];
    pointer.remove_prefix(1);
    if (c == '~' && !pointer.empty()) {
      c = pointer[0] == '1' ? '/' : '~';
      pointer.remove_prefix(1);
    }
    token += c;
  }
  return token;
}

void StepDown(FoundNode& found, std::string token) {
  const LabNode& node = *found.node;
  if (node.kind == LabNode::Kind::kList) {
    std::size_t index = 0;
    std::from_chars(token.data(), token.data() + token.size(), index);
    if (index >= node.elements.size()) return;
    found.node = &node.elements[index];
    found.place = found.node->place;
    token = std::to_string(index + 1);
  }
  for (const LabNode::Member& member : node.members) {
    if (member.name != token) continue;
    found.node = &member.value;
    found.place = member.value.place;
  }
  found.path += (found.path.empty() ? "" : " > ") + token;
  found.name = std::move(token);
}

LabPlace PlaceOfName(const LabNode& map, std::string_view name) {
  for (const LabNode::Member& member : map.members) {
    if (member.name == name) return member.place;
  }
  return map.place;
}

// The first place of a tree that does not follow the schema.
class FirstFaultSearch {
 public:
  explicit FirstFaultSearch(const LabNode& root) {
    at_.node = &root;
    at_.place = root.place;
  }

  // Validates the node that was reached by the schema at the pointer. Returns the sentence of what
  // is wrong; nothing where the node follows the schema.
  Result<std::optional<std::string>> Validate(const std::string& pointer);
  LabPlace place() const { return at_.place; }

 private:
  Result<std::optional<std::string>> Explain(const SchemaViolation& violation);
  std::string WithPath(std::string sentence) const {
    return at_.path.empty() ? sentence : at_.path + ": " + sentence;
  }

  FoundNode at_;
  // The schema whose alternatives the node `chosen_for_` was compared with; null: none yet.
  const JsonValue* alternatives_ = nullptr;
  const LabNode* chosen_for_ = nullptr;
};

Result<std::optional<std::string>> FirstFaultSearch::Validate(const std::string& pointer) {
  HR_ASSIGN(const JsonSchema schema, JsonSchema::Read(LabSchemaText(), pointer));
  const JsonValue* const tree = LabSchemaAt(pointer);
  if (tree == nullptr) return ValidationError("no schema at " + pointer);
  const LabNodeJson made = JsonOfLabNode(*at_.node, *tree);
  HR_ASSIGN(const std::optional<SchemaViolation> violation, schema.FirstViolation(made.json));
  if (!violation) return std::optional<std::string>{};
  return Explain(*violation);
}

Result<std::optional<std::string>> FirstFaultSearch::Explain(const SchemaViolation& violation) {
  const JsonValue* const schema = LabSchemaAt(violation.schema_pointer);
  if (schema == nullptr) return ValidationError("no schema at " + violation.schema_pointer);
  const LabNode* parent = at_.node;
  std::string parent_path = at_.path;
  for (std::string_view rest = violation.document_pointer; !rest.empty();) {
    parent = at_.node;
    parent_path = at_.path;
    StepDown(at_, TakeToken(rest));
  }
  const std::string_view keyword = violation.keyword;
  if (keyword == "additionalProperties") {
    at_.place = PlaceOfName(*parent, at_.name);
    at_.path = parent_path;
    if (parent == chosen_for_) {
      std::string sentence =
          ExclusiveMembersSentence(at_.name, LeadingMember(*schema), *alternatives_);
      if (!sentence.empty()) return std::optional(WithPath(std::move(sentence)));
    }
    return std::optional(WithPath(UnknownMemberSentence(at_.name, *schema)));
  }
  // The whole is not valid because of a part; the part says more.
  if (keyword == "anyOf" || keyword == "allOf") {
    const std::string list = violation.schema_pointer + '/' + violation.keyword;
    const JsonValue* const alternatives = schema->Find(keyword);
    const int best = keyword == "allOf" ? 0 : BestAlternative(*alternatives, *at_.node);
    if (best < 0) return std::optional(WithPath(NoAlternativeSentence(*at_.node, *schema)));
    alternatives_ = schema;
    chosen_for_ = at_.node;
    HR_ASSIGN(std::optional<std::string> inner, Validate(list + '/' + std::to_string(best)));
    if (inner) return inner;
  }
  return std::optional(WithPath(ViolationSentence(*at_.node, *schema, keyword)));
}

}  // namespace

Status CheckAgainstLabSchema(const LabNode& root, std::string_view name,
                             std::vector<std::string>* warnings) {
  const LabNodeJson made = JsonOfLabNode(root, LabSchemaTree());
  if (made.trap) return LabErrorAt(name, made.trap->place, made.trap->sentence);
  FirstFaultSearch search(root);
  HR_ASSIGN(const std::optional<std::string> sentence, search.Validate(""));
  if (sentence) return LabErrorAt(name, search.place(), *sentence);
  for (const LabFault& warning : made.warnings) {
    warnings->push_back(LabErrorAt(name, warning.place, warning.sentence).message);
  }
  return {};
}

}  // namespace hashrange
