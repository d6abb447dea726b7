#include "lab/language/lab_node_json.h"

#include <algorithm>

#include "base/output_buffer.h"
#include "lab/language/lab_schema_tree.h"
#include "lab/language/plain_text.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

bool IsNothing(const LabNode& node) { return node.IsNull() && node.text.empty(); }

using Leaves = std::vector<const JsonValue*>;

// What the schema says of the place of one node. Where anything is allowed, there are no leaves.
struct AllowedHere {
  Leaves leaves = {};
  const JsonValue* best = nullptr;  // the leaf that fits the node best; null: none fits
};

// Returns whether the leaves want a template.
bool AllowTemplate(const Leaves& leaves) {
  return std::any_of(leaves.begin(), leaves.end(), [](const JsonValue* leaf) {
    const JsonValue* const format = leaf->Find("format");
    return format != nullptr && format->string() == "template";
  });
}

bool HaveMember(const Leaves& leaves, std::string_view name) {
  return std::any_of(leaves.begin(), leaves.end(), [&](const JsonValue* leaf) {
    const JsonValue* const properties = leaf->Find("properties");
    return properties != nullptr && properties->Find(name) != nullptr;
  });
}

class JsonMaker {
 public:
  LabNodeJson Make(const LabNode& node, const JsonValue& schema) {
    Write(node, &schema);
    out_.json = buffer_.view();
    return std::move(out_);
  }

 private:
  // `schema` is null where anything is allowed.
  void Write(const LabNode& node, const JsonValue* schema);
  void WriteScalar(const LabNode& node, const AllowedHere& allowed);
  void WriteList(const LabNode& node, const JsonValue* leaf);
  void WriteMap(const LabNode& node, const JsonValue* leaf);
  void LookForBraces(const LabNode& node, const Leaves& leaves);
  void LookAtName(const LabNode::Member& member, const JsonValue* leaf);
  void LookAtText(const LabNode& node, unsigned type, const AllowedHere& allowed);
  void Trap(LabPlace place, std::string sentence) {
    if (!out_.trap) out_.trap = LabFault{place, std::move(sentence)};
  }
  void Warn(LabPlace place, std::string sentence) {
    out_.warnings.push_back({place, std::move(sentence)});
  }

  LabNodeJson out_;
  OutputBuffer buffer_;
  JsonWriter writer_{buffer_};
};

void JsonMaker::Write(const LabNode& node, const JsonValue* schema) {
  AllowedHere allowed;
  if (schema != nullptr) allowed.leaves = SchemaLeaves(*schema);
  allowed.best = BestLeaf(allowed.leaves, node);
  if (schema != nullptr && node.is_flow) LookForBraces(node, allowed.leaves);
  switch (node.kind) {
    case LabNode::Kind::kScalar:
      return WriteScalar(node, allowed);
    case LabNode::Kind::kList:
      return WriteList(node, allowed.best);
    case LabNode::Kind::kMap:
      return WriteMap(node, allowed.best);
  }
}

void JsonMaker::WriteScalar(const LabNode& node, const AllowedHere& allowed) {
  const bool is_any = allowed.leaves.empty();
  const unsigned types = is_any ? unsigned{kAnySchemaType} : TypesOfLeaves(allowed.leaves);
  const unsigned type = TypeOfScalar(node, types);
  LookAtText(node, type, allowed);
  switch (type) {
    case kNullSchemaType:
      return writer_.Raw("null");
    case kBooleanSchemaType:
      return writer_.Bool(node.text == "true");
    case kIntegerSchemaType:
    case kNumberSchemaType:
      return writer_.Raw(node.text);
    default:
      return writer_.String(node.text);
  }
}

void JsonMaker::WriteList(const LabNode& node, const JsonValue* leaf) {
  const JsonValue* const schema = leaf == nullptr ? nullptr : SchemaOfElements(*leaf);
  writer_.BeginArray();
  for (const LabNode& element : node.elements) Write(element, schema);
  writer_.EndArray();
}

void JsonMaker::WriteMap(const LabNode& node, const JsonValue* leaf) {
  writer_.BeginObject();
  for (const LabNode::Member& member : node.members) {
    LookAtName(member, leaf);
    writer_.Name(member.name);
    Write(member.value, leaf == nullptr ? nullptr : SchemaOfMember(*leaf, member.name));
  }
  writer_.EndObject();
}

// `{customer_id}` without quotes is a map with one name and nothing behind it.
void JsonMaker::LookForBraces(const LabNode& node, const Leaves& leaves) {
  const unsigned types = TypesOfLeaves(leaves);
  if ((types & kStringSchemaType) == 0) return;
  if (node.kind == LabNode::Kind::kList) {
    if ((types & kArraySchemaType) != 0 || !AllowTemplate(leaves)) return;
    return Trap(node.place,
                "an unquoted `[` begins a list, and a template is expected here; put the template "
                "into quotes");
  }
  if (node.members.size() != 1 || !IsNothing(node.members[0].value)) return;
  const std::string& name = node.members[0].name;
  if (HaveMember(leaves, name) || name.find(':') != std::string::npos) return;
  const std::string what = "YAML reads the unquoted {" + name + "} as a map; ";
  Trap(node.place, AllowTemplate(leaves) ? what + "put the template into quotes: \"{" + name + "}\""
                                         : what + "write " + name + " without braces");
}

void JsonMaker::LookAtName(const LabNode::Member& member, const JsonValue* leaf) {
  const std::size_t colon = member.name.find(':');
  if (!member.is_quoted && colon != std::string::npos && IsNothing(member.value)) {
    Trap(member.place, "a blank is missing behind the `:` of " + member.name +
                           "; without it, YAML takes all of it for a name");
  }
  const JsonValue* const properties = leaf == nullptr ? nullptr : leaf->Find("properties");
  if (member.is_quoted || (properties != nullptr && properties->Find(member.name))) return;
  const std::string_view meaning = OtherMeaningOf(member.name);
  if (meaning.empty() || meaning == kPlainNumber) return;
  Warn(member.place, OtherMeaningSentence(member.name, meaning));
}

void JsonMaker::LookAtText(const LabNode& node, unsigned type, const AllowedHere& allowed) {
  if (node.is_quoted || allowed.leaves.empty()) return;
  if (IsNothing(node) && AllowTemplate(allowed.leaves)) {
    return Trap(node.place,
                "there is no text here; put templates into quotes, because ` #` and a `#` at the "
                "beginning start a comment");
  }
  // A form that is fixed needs no warning: another text would be an error.
  const JsonValue* const leaf = allowed.best;
  if (leaf == nullptr || (TypesOfLeaf(*leaf) & kStringSchemaType) == 0 ||
      leaf->Find("enum") != nullptr || leaf->Find("pattern") != nullptr) {
    return;
  }
  if (node.is_cut) {
    const std::string cut =
        "the text ends before ` #`, which begins a comment; put the text into "
        "quotes if what follows belongs to it";
    if (AllowTemplate(allowed.leaves)) return Trap(node.place, cut);
    Warn(node.place, cut);
  }
  const std::string_view meaning = OtherMeaningOf(node.text);
  if (meaning.empty() || type == kBooleanSchemaType || type == kNullSchemaType) return;
  if (meaning == kPlainNumber && type != kStringSchemaType) return;
  Warn(node.place, OtherMeaningSentence(node.text, meaning));
}

}  // namespace

LabNodeJson JsonOfLabNode(const LabNode& node, const JsonValue& schema) {
  return JsonMaker().Make(node, schema);
}

}  // namespace hashrange
