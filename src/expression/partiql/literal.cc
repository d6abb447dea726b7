// ReadLiteral: the values that are written in a statement (docs/service/11-partiql.md, sections 2
// and 3).
#include <span>
#include <vector>

#include "base/text/short_text.h"
#include "expression/partiql/ast_builder.h"
#include "value/number.h"
#include "value/value_writer.h"
#include "wire/older_number.h"

namespace hashrange::partiql {
namespace {

constexpr std::string_view kInvalidParameter = "One or more parameter values were invalid: ";

// Returns the name that a message gives to a node that is no literal. Only the names of calls and
// parameters are verified.
std::string_view DescribeKind(NodeKind kind) {
  switch (kind) {
    case NodeKind::kParameter:
      return "Parameter";
    case NodeKind::kPath:
      return "Path";
    case NodeKind::kMissing:
      return "Missing";
    default:
      return "Expression";
  }
}

class LiteralReader {
 public:
  LiteralReader(const ParsedStatement& parsed, Arena& arena, std::string* error)
      : text_(parsed.text), tree_(parsed.tree), arena_(arena), error_(error) {}

  // The recursion is no deeper than a value may be.
  bool ReadValue(std::uint16_t index, ValueView* value) {
    if (path_.size() >= static_cast<std::size_t>(kMaxDepth)) {
      return Refuse("Nesting Levels have exceeded supported limits" + UnderPath());
    }
    const Node& node = tree_.nodes[index];
    switch (node.kind) {
      case NodeKind::kString:
        *value = MakeString(arena_.Copy(std::string_view(Unquoted(node.token.In(text_)))));
        return true;
      case NodeKind::kNumber: {
        Number number;
        if (!ReadNumber(node, &number)) return false;
        *value = MakeNumber(number, arena_);
        return true;
      }
      case NodeKind::kTrue:
      case NodeKind::kFalse:
        *value = MakeBool(node.kind == NodeKind::kTrue);
        return true;
      case NodeKind::kNull:
        *value = MakeNull();
        return true;
      case NodeKind::kList:
        return ReadList(node, value);
      case NodeKind::kStruct:
        return ReadStruct(node, value);
      case NodeKind::kBag:
        return ReadBag(node, value);
      default:
        return RefuseKind(node);
    }
  }

 private:
  bool Refuse(std::string message) {
    *error_ = std::move(message);
    return false;
  }

  bool RefuseKind(const Node& node) {
    const bool is_call = node.kind == NodeKind::kCall;
    const std::string what =
        is_call ? LowerCase(node.token.In(text_)) : std::string(DescribeKind(node.kind));
    return Refuse("Unsupported data type: " + what + " under key root" + PathText() + " at " +
                  PlaceOf(text_, node.token));
  }

  std::string PathText() const {
    std::string path;
    for (const std::string& step : path_) path += step;
    return path;
  }
  std::string UnderPath() const { return " under root" + PathText(); }

  std::string NumberText(const Node& node) const {
    return (node.is_negated ? "-" : "") + std::string(node.token.In(text_));
  }

  bool ReadNumber(const Node& node, Number* number) {
    const std::string digits = NumberText(node);
    const NumberError error = ParseOlderNumber(digits, number);
    return error == NumberError::kNone || Refuse(NumberErrorMessage(error, digits) + UnderPath());
  }

  bool ReadList(const Node& node, ValueView* value) {
    const std::span<ValueView> elements = arena_.NewArray<ValueView>(node.count);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      path_.push_back("[" + std::to_string(i) + "]");
      if (!ReadValue(tree_.ChildrenOf(node)[i], &elements[i])) return false;
      path_.pop_back();
    }
    ValueWriter writer(arena_);
    writer.BeginList(node.count);
    for (const ValueView& element : elements) writer.Value(element);
    writer.End();
    *value = writer.Finish();
    return true;
  }

  // When a name is repeated, its last value counts (unverified).
  bool ReadStruct(const Node& node, ValueView* value) {
    const std::span<Attribute> room = arena_.NewArray<Attribute>(node.count / 2);
    for (std::size_t i = 0; i < room.size(); ++i) {
      const Node& key = tree_.nodes[tree_.ChildrenOf(node)[2 * i]];
      if (key.kind != NodeKind::kString) return RefuseKind(key);
      const std::string name = Unquoted(key.token.In(text_));
      if (name.empty()) return Refuse("Empty attribute name");
      path_.push_back("." + name);
      room[i].name = arena_.Copy(std::string_view(name));
      if (!ReadValue(tree_.ChildrenOf(node)[2 * i + 1], &room[i].value)) return false;
      path_.pop_back();
    }
    const std::span<Attribute> entries = SortAttributes(room);
    ValueWriter writer(arena_);
    writer.BeginMap(static_cast<std::uint32_t>(entries.size()));
    for (const Attribute& entry : entries) {
      writer.Name(entry.name);
      writer.Value(entry.value);
    }
    writer.End();
    *value = writer.Finish();
    return true;
  }

  // A bag is a set: its members are strings or numbers, all of the type of the first member.
  bool ReadBag(const Node& node, ValueView* value) {
    if (node.count == 0) return Refuse("Empty bags are not supported");
    const std::span<const std::uint16_t> children = tree_.ChildrenOf(node);
    const bool is_numbers = tree_.nodes[children[0]].kind == NodeKind::kNumber;
    const NodeKind wanted = is_numbers ? NodeKind::kNumber : NodeKind::kString;
    const std::span<std::string_view> members = arena_.NewArray<std::string_view>(children.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Node& member = tree_.nodes[children[i]];
      path_.push_back("[" + std::to_string(i) + "]");
      if (member.kind != wanted) return RefuseMember(member);
      Number number;
      if (is_numbers && !ReadNumber(member, &number)) return false;
      path_.pop_back();
      members[i] = is_numbers ? arena_.Copy(number.stored())
                              : arena_.Copy(std::string_view(Unquoted(member.token.In(text_))));
    }
    if (SortAndFindDuplicate(members)) return RefuseDuplicate(node, is_numbers);
    *value = MakeSet(is_numbers ? AttributeType::kNS : AttributeType::kSS, members, arena_);
    return true;
  }

  // The text of the message is unverified.
  bool RefuseMember(const Node& member) {
    return Refuse("Unsupported data type in a set" + UnderPath() + " at " +
                  PlaceOf(text_, member.token));
  }

  // The message lists the members as they were written. For numbers the service answers with
  // PartiQL's own message, which has the place within the value.
  bool RefuseDuplicate(const Node& bag, bool is_numbers) {
    std::string list;
    for (const std::uint16_t child : tree_.ChildrenOf(bag)) {
      const Node& member = tree_.nodes[child];
      list += list.empty() ? "" : ", ";
      list += is_numbers ? NumberText(member) : Unquoted(member.token.In(text_));
    }
    return Refuse(std::string(kInvalidParameter) + "Input collection [" + list +
                  "] contains duplicates" + (is_numbers ? "!" + UnderPath() : "."));
  }

  const std::string_view text_;
  const SyntaxTree& tree_;
  Arena& arena_;
  std::string* const error_;
  std::vector<std::string> path_;  // ".a", "[1]"
};

}  // namespace

bool ReadLiteral(const ParsedStatement& parsed, std::uint16_t node, Arena& arena, ValueView* value,
                 std::string* error) {
  return LiteralReader(parsed, arena, error).ReadValue(node, value);
}

}  // namespace hashrange::partiql
