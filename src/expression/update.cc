// A bound update: what it makes of an item, what it is charged, and how it is bound.
//
// First every action is evaluated on the item as it was, in the order of the text; then all changes
// are written in one pass over the maps and lists that change. Targets never overlap, so that no
// action depends on the change of another.
#include "expression/update.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/memory/arena.h"
#include "base/text/short_text.h"
#include "expression/binding.h"
#include "expression/expression.h"
#include "expression/path.h"
#include "value/attribute_value.h"
#include "value/number.h"
#include "value/value_writer.h"

namespace hashrange {
namespace {

Error MissingOperand() {
  return ValidationError(
      "The provided expression refers to an attribute that does not exist in the item");
}

Result<UpdateValue> EvaluateArithmetic(const UpdateOperand& operand, const UpdateSource& source) {
  HR_ASSIGN(const UpdateValue first, Evaluate(*operand.first, source));
  HR_ASSIGN(const UpdateValue second, Evaluate(*operand.second, source));
  for (const UpdateValue* value : {&first, &second}) {
    if (value->first || value->value.type != AttributeType::kN) return IncorrectOperandType();
  }
  const Number a = Number::FromStored(first.value.bytes());
  const Number b = Number::FromStored(second.value.bytes());
  Number result;
  const NumberError error = operand.form == UpdateOperand::Form::kSum
                                ? Number::Add(a, b, &result)
                                : Number::Subtract(a, b, &result);
  if (error != NumberError::kNone) return ValidationError(NumberErrorMessage(error, {}));
  return UpdateValue{MakeNumber(result, source.arena), nullptr, nullptr};
}

// Returns the type of the operand, if it is known without an item. A call whose result has no
// fixed type has the type of its second operand. The recursion is no deeper than the number of
// operators that an expression may have.
std::optional<AttributeType> OperandType(const UpdateOperand& operand) {
  switch (operand.form) {
    case UpdateOperand::Form::kValue:
      return operand.value.type;
    case UpdateOperand::Form::kPath:
      return std::nullopt;
    case UpdateOperand::Form::kCall:
      return operand.function->result_type ? operand.function->result_type
                                           : OperandType(*operand.second);
    default:
      return AttributeType::kN;
  }
}

}  // namespace

std::optional<AttributeType> GivenType(const UpdateAction& action) {
  if (action.verb == UpdateVerb::kRemove || action.verb == UpdateVerb::kDelete) return std::nullopt;
  if (action.value) return action.value->type;
  return OperandType(*action.operand);
}

Error IncorrectOperandType() {
  return ValidationError("An operand in the update expression has an incorrect data type");
}

Error UpdatedItemTooLarge() {
  return ValidationError("Item size to update has exceeded the maximum allowed size");
}

std::optional<ValueView> UpdateSource::FindAttribute(std::string_view name) const {
  if (before.exists()) return before.Find(name);
  for (const Attribute& attribute : key) {
    if (attribute.name == name) return attribute.value;
  }
  return std::nullopt;
}

std::optional<ValueView> UpdateSource::Resolve(Path path) const {
  const std::optional<ValueView> attribute = FindAttribute(path.front().name);
  if (!attribute) return std::nullopt;
  return Descend(path.subspan(1), *attribute);
}

// The recursion is no deeper than the number of operators that an expression may have.
Result<UpdateValue> Evaluate(const UpdateOperand& operand, const UpdateSource& source) {
  switch (operand.form) {
    case UpdateOperand::Form::kValue:
      return UpdateValue{operand.value, nullptr, nullptr};
    case UpdateOperand::Form::kPath:
      if (const std::optional<ValueView> value = source.Resolve(operand.path)) {
        return UpdateValue{*value, nullptr, nullptr};
      }
      return MissingOperand();
    case UpdateOperand::Form::kCall:
      return operand.function->compute(*operand.first, *operand.second, source);
    default:
      return EvaluateArithmetic(operand, source);
  }
}

namespace {

using Members = std::span<std::string_view>;

Members MembersOf(ValueView set, Arena& arena) {
  const Members members = arena.NewArray<std::string_view>(MemberCount(set));
  SetReader reader(set);
  for (std::string_view& member : members) member = reader.Next();
  return members;
}

// Returns the set of the members of `a` and of `b`, two sets of one type. The members of a set are
// sorted. Cost: linear.
ValueView SetUnion(ValueView a, ValueView b, Arena& arena) {
  const Members left = MembersOf(a, arena);
  const Members right = MembersOf(b, arena);
  const Members all = arena.NewArray<std::string_view>(left.size() + right.size());
  const auto end =
      std::set_union(left.begin(), left.end(), right.begin(), right.end(), all.begin());
  return MakeSortedSet(a.type, all.first(static_cast<std::size_t>(end - all.begin())), arena);
}

// Returns the members of `from` that are not in `taken`; none when no member is left.
// Cost: linear.
std::optional<ValueView> SetDifference(ValueView from, ValueView taken, Arena& arena) {
  const Members left = MembersOf(from, arena);
  const Members right = MembersOf(taken, arena);
  const Members rest = arena.NewArray<std::string_view>(left.size());
  const auto end =
      std::set_difference(left.begin(), left.end(), right.begin(), right.end(), rest.begin());
  if (end == rest.begin()) return std::nullopt;
  return MakeSortedSet(from.type, rest.first(static_cast<std::size_t>(end - rest.begin())), arena);
}

// A packed value takes at most seven bytes for each byte of its DynamoDB size (a set of one
// empty string in a list), so no item can hold more than this. The limit bounds the memory that
// one small statement can take by appending a large list to itself.
constexpr std::size_t kMaxResultBytes = 8 * kMaxItemSizeBytes;

// What one action does to its target.
struct TargetChange {
  Path target;
  bool erases = false;
  ValueView value;
};

// The changes that an update's actions make, evaluated one after the other.
class ChangePlan {
 public:
  ChangePlan(const UpdateSource& source, std::size_t actions, UpdateForm form)
      : source_(source), form_(form), changes_(source.arena.NewArray<TargetChange>(actions)) {}

  Status AddAction(const UpdateAction& action) {
    TargetChange change;
    change.target = action.target;
    bool has_effect = true;
    switch (action.verb) {
      case UpdateVerb::kSet: {
        HR_ASSIGN(change.value, ValueOfSet(action));
        break;
      }
      case UpdateVerb::kRemove:
        change.erases = true;
        break;
      case UpdateVerb::kAdd: {
        HR_ASSIGN(change.value, ValueOfAdd(action));
        break;
      }
      case UpdateVerb::kDelete: {
        HR_ASSIGN(has_effect, PlanDelete(action, &change));
        break;
      }
    }
    HR_RETURN_IF_ERROR(CheckParent(action.target));
    if (has_effect) changes_[count_++] = change;
    result_bytes_ += change.value.size;
    if (result_bytes_ > kMaxResultBytes) return UpdatedItemTooLarge();
    return {};
  }

  // Returns the changes.
  // Errors: ValidationException  a value would be nested too deep in the item
  Result<std::span<const TargetChange>> Finish() const {
    for (const TargetChange& change : changes_.first(count_)) {
      if (change.erases) continue;
      const std::size_t above = change.target.size() - 1;
      if (above + static_cast<std::size_t>(NestingDepth(change.value)) > kMaxDepth) {
        return TooDeep();
      }
    }
    return std::span<const TargetChange>(changes_.first(count_));
  }

 private:
  Result<ValueView> ValueOfSet(const UpdateAction& action) {
    if (!action.operand) return *action.value;
    HR_ASSIGN(const UpdateValue result, Evaluate(*action.operand, source_));
    return result.first ? JoinLists(result) : Result<ValueView>(result.value);
  }

  // Returns the lists of a chain as one: a new count, and their packed elements end to end.
  Result<ValueView> JoinLists(const UpdateValue& chain) {
    std::uint32_t count = 0;
    std::size_t bytes = 0;
    for (const UpdateValue::ListPart* part = chain.first; part; part = part->next) {
      count += MemberCount(part->list);
      bytes += ElementBytes(part->list).size();
    }
    if (bytes > kMaxResultBytes) return UpdatedItemTooLarge();
    const std::size_t size = VarintBytes(count) + bytes;
    char* const begin = source_.arena.AllocateBytes(size);
    char* out = WriteVarint(count, begin);
    for (const UpdateValue::ListPart* part = chain.first; part; part = part->next) {
      const std::string_view elements = ElementBytes(part->list);
      out = std::copy(elements.begin(), elements.end(), out);
    }
    return ValueView(AttributeType::kL, {begin, size});
  }

  static std::string_view ElementBytes(ValueView list) {
    const char* at = list.data;
    ReadVarint(at);
    return {at, static_cast<std::size_t>(list.data + list.size - at)};
  }

  Result<ValueView> ValueOfAdd(const UpdateAction& action) {
    const ValueView addend = *action.value;
    const std::optional<ValueView> stored = source_.Resolve(action.target);
    if (!stored) return addend;
    if (stored->type != addend.type) return StoredTypeDiffers();
    if (IsSet(addend.type)) return SetUnion(*stored, addend, source_.arena);
    if (addend.type == AttributeType::kL) return Append(*stored, addend);
    Number sum;
    const NumberError error =
        Number::Add(Number::FromStored(stored->bytes()), Number::FromStored(addend.bytes()), &sum);
    if (error != NumberError::kNone) return ValidationError(NumberErrorMessage(error, {}));
    return MakeNumber(sum, source_.arena);
  }

  Result<ValueView> Append(ValueView list, ValueView tail) {
    UpdateValue::ListPart last{tail, nullptr};
    UpdateValue::ListPart first{list, &last};
    return JoinLists({list, &first, &last});
  }

  Error StoredTypeDiffers() const {
    if (form_ != UpdateForm::kAttributeUpdates) return IncorrectOperandType();
    return ValidationError("Type mismatch for attribute to update");
  }

  Error TooDeep() const {
    std::string text = "Nesting Levels have exceeded supported limits";
    if (form_ != UpdateForm::kStatement) {
      text += ": Attributes in the item have nested levels beyond supported limit";
    }
    return ValidationError(std::move(text));
  }

  // Returns whether the action changes anything, and fills in `change` when it does.
  Result<bool> PlanDelete(const UpdateAction& action, TargetChange* change) {
    const std::optional<ValueView> stored = source_.Resolve(action.target);
    if (!stored) return false;
    if (stored->type != action.value->type) return StoredTypeDiffers();
    const std::optional<ValueView> rest = SetDifference(*stored, *action.value, source_.arena);
    change->erases = !rest;
    if (rest) change->value = *rest;
    return true;
  }

  Status CheckParent(Path target) const {
    if (target.size() == 1) return {};
    const std::optional<ValueView> parent = source_.Resolve(target.first(target.size() - 1));
    const AttributeType wanted = target.back().is_index ? AttributeType::kL : AttributeType::kM;
    if (parent && parent->type == wanted) return {};
    return ValidationError(
        "The document path provided in the update expression is invalid for update");
  }

  const UpdateSource& source_;
  const UpdateForm form_;
  const std::span<TargetChange> changes_;
  std::size_t count_ = 0;
  std::size_t result_bytes_ = 0;
};

// Writes the changed maps and lists. Every node that does not end a path exists in the item,
// and is a map or a list as its children require: ChangePlan has checked the parents.
class Rewriter {
 public:
  Rewriter(std::span<const TargetChange> changes, Arena& arena)
      : changes_(changes), arena_(arena) {}

  // Whether the updated item has a value at `node`; true without a node.
  bool Keeps(const PathNode* node) const {
    return !node || !node->ends_path() || !changes_[node->path].erases;
  }
  // Returns the new value at a node that is kept. `old` is the old value; null: there was none.
  ValueView Rewrite(const PathNode& node, const ValueView* old) {
    if (node.ends_path()) return changes_[node.path].value;
    ValueWriter writer(arena_);
    WriteContainer(node, *old, &writer);
    return writer.Finish();
  }

 private:
  // Calls visit(name, old value or null, node or null) for each entry that the map had before the
  // update or may have after it.
  template <typename Visit>
  static void MergeEntries(const PathNode* child, ValueView map, Visit visit) {
    MapReader entries(map);
    bool has_entry = !entries.done();
    Attribute entry;
    if (has_entry) entry = entries.Next();
    while (has_entry || child) {
      const bool is_before = has_entry && (!child || entry.name < child->element.name);
      const bool is_same = has_entry && child && entry.name == child->element.name;
      visit(is_before ? entry.name : child->element.name,
            is_before || is_same ? &entry.value : nullptr, is_before ? nullptr : child);
      if (!is_before) child = child->next_sibling;
      if (is_before || is_same) {
        has_entry = !entries.done();
        if (has_entry) entry = entries.Next();
      }
    }
  }

  // Calls visit("", old value or null, node or null) for each element that the list had before the
  // update or may have after it. Nodes behind the end of the list are appended in the order of
  // their indices.
  template <typename Visit>
  static void MergeElements(const PathNode* child, ValueView list, Visit visit) {
    std::uint64_t index = 0;
    for (ListReader elements(list); !elements.done(); ++index) {
      const ValueView element = elements.Next();
      const bool is_same = child && child->element.index == index;
      visit(std::string_view(), &element, is_same ? child : nullptr);
      if (is_same) child = child->next_sibling;
    }
    for (; child; child = child->next_sibling) visit(std::string_view(), nullptr, child);
  }

  template <typename Visit>
  static void Merge(const PathNode& node, ValueView container, Visit visit) {
    if (container.type == AttributeType::kM) {
      MergeEntries(node.first_child, container, visit);
    } else {
      MergeElements(node.first_child, container, visit);
    }
  }

  // The recursion is as deep as the stored item.
  void WriteContainer(const PathNode& node, ValueView old_container, ValueWriter* writer) {
    std::uint32_t count = 0;
    Merge(node, old_container, [&](std::string_view, const ValueView*, const PathNode* child) {
      count += Keeps(child);
    });
    const bool is_map = old_container.type == AttributeType::kM;
    is_map ? writer->BeginMap(count) : writer->BeginList(count);
    Merge(node, old_container,
          [&](std::string_view name, const ValueView* old, const PathNode* child) {
            if (!Keeps(child)) return;
            if (is_map) writer->Name(name);
            if (child && !child->ends_path()) {
              WriteContainer(*child, *old, writer);
            } else {
              writer->Value(child ? changes_[child->path].value : *old);
            }
          });
    writer->End();
  }

  const std::span<const TargetChange> changes_;
  Arena& arena_;
};

// Returns the attributes after the changes, ascending by name as `before` is.
std::span<const Attribute> AssembleAttributes(std::span<const Attribute> before,
                                              std::span<const TargetChange> changes, Arena& arena) {
  const std::span<Path> targets = arena.NewArray<Path>(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) targets[i] = changes[i].target;
  const std::span<Attribute> after = arena.NewArray<Attribute>(before.size() + changes.size());
  Rewriter rewriter(changes, arena);
  std::size_t count = 0;
  auto old = before.begin();
  const PathNode* node = BuildPathTree(targets, arena)->first_child;
  for (; node; node = node->next_sibling) {
    const std::string_view name = node->element.name;
    while (old != before.end() && TextLess(old->name, name)) after[count++] = *old++;
    const ValueView* value = nullptr;
    if (old != before.end() && SameText(old->name, name)) value = &old++->value;
    if (rewriter.Keeps(node)) after[count++] = {name, rewriter.Rewrite(*node, value)};
  }
  while (old != before.end()) after[count++] = *old++;
  return after.first(count);
}

}  // namespace

Result<std::span<const Attribute>> Update::Apply(ItemView before, std::span<const Attribute> key,
                                                 Arena& arena) const {
  const UpdateSource source{before, key, arena};
  ChangePlan plan(source, actions_.size(), form_);
  for (const UpdateAction& action : actions_) HR_RETURN_IF_ERROR(plan.AddAction(action));
  HR_ASSIGN(const std::span<const TargetChange> changes, plan.Finish());
  const std::span<const Attribute> attributes =
      before.exists() ? before.Attributes(arena) : SortAttributes(arena.Copy(key));
  return AssembleAttributes(attributes, changes, arena);
}

Projection Update::Targets(Arena& arena) const {
  const std::span<Path> targets = arena.NewArray<Path>(actions_.size());
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = actions_[i].target;
  return Projection(BuildPathTree(targets, arena), targets);
}

namespace {

// The statement charge (docs/service/02-types-and-sizes.md, section 8) follows from the expression
// and its values; only ADD on a set depends on the stored item. These are charges in bytes.
constexpr std::size_t kStatementCharge = 3;
constexpr std::size_t kAssignmentCharge = 19;  // SET, ADD
constexpr std::size_t kRemovalCharge = 1;      // REMOVE, DELETE
constexpr std::size_t kTargetElementCharge = 4;
constexpr std::size_t kPathCharge = 1;
constexpr std::size_t kPathElementCharge = 14;
constexpr std::size_t kSumCharge = 34;
constexpr std::size_t kDifferenceCharge = 37;

std::size_t PathElementBytes(const PathElement& element) {
  if (!element.is_index) return element.name.size();
  std::size_t digits = 1;
  for (std::uint64_t rest = element.index; rest >= 10; rest /= 10) ++digits;
  return digits;
}

std::size_t ChargeOfTarget(Path target) {
  std::size_t bytes = PathElementBytes(target.front());
  for (const PathElement& element : target.subspan(1)) {
    bytes += kTargetElementCharge + PathElementBytes(element);
  }
  return bytes;
}

std::size_t ChargeOfPath(Path path) {
  std::size_t bytes = kPathCharge;
  for (const PathElement& element : path) bytes += kPathElementCharge + PathElementBytes(element);
  return bytes;
}

std::size_t ChargeOfOperand(const UpdateOperand& operand) {
  std::size_t own = 0;
  switch (operand.form) {
    case UpdateOperand::Form::kValue:
      return SizeBytes(operand.value);
    case UpdateOperand::Form::kPath:
      return ChargeOfPath(operand.path);
    case UpdateOperand::Form::kCall:
      own = operand.function->charge_bytes;
      break;
    case UpdateOperand::Form::kSum:
      own = kSumCharge;
      break;
    case UpdateOperand::Form::kDifference:
      own = kDifferenceCharge;
      break;
  }
  return own + ChargeOfOperand(*operand.first) + ChargeOfOperand(*operand.second);
}

// For a set, only the members that the stored set lacks are charged.
std::size_t ChargeOfAddend(ValueView value, std::optional<ValueView> stored) {
  if (!IsSet(value.type) || !stored || stored->type != value.type) return SizeBytes(value);
  std::size_t bytes = 0;
  SetReader known(*stored);
  std::optional<std::string_view> least;  // the stored member that is compared
  for (SetReader added(value); !added.done();) {
    const std::string_view member = added.Next();
    while ((!least || *least < member) && !known.done()) least = known.Next();
    if (least && *least == member) continue;
    const bool is_number = value.type == AttributeType::kNS;
    bytes += is_number ? static_cast<std::size_t>(NumberSizeBytes(member)) : member.size();
  }
  return bytes;
}

std::size_t ChargeOfAction(const UpdateAction& action, ItemView before) {
  const std::size_t target = ChargeOfTarget(action.target);
  switch (action.verb) {
    case UpdateVerb::kSet:
      return kAssignmentCharge + target +
             (action.operand ? ChargeOfOperand(*action.operand) : SizeBytes(*action.value));
    case UpdateVerb::kAdd:
      return kAssignmentCharge + target +
             ChargeOfAddend(*action.value, Resolve(action.target, before));
    default:
      return kRemovalCharge + target;
  }
}

}  // namespace

std::size_t Update::StatementCharge(ItemView before) const {
  std::size_t bytes = kStatementCharge;
  for (const UpdateAction& action : actions_) bytes += ChargeOfAction(action, before);
  return bytes;
}

// The binding: docs/service/04-expressions.md, section 8, rows 4 to 11, one row after the other
// over the whole expression.

namespace {

// Returns the name of a type as the messages of ADD and DELETE print it.
std::string_view LongNameOf(AttributeType type) {
  static constexpr std::string_view kNames[kAttributeTypes] = {
      "STRING",     "NUMBER",     "BINARY",     "BOOLEAN", "NULL",
      "STRING_SET", "NUMBER_SET", "BINARY_SET", "LIST",    "MAP"};
  return kNames[static_cast<int>(type)];
}

class UpdateBinder {
 public:
  explicit UpdateBinder(const AstBinding& from)
      : from_(from),
        ast_(from.ast),
        operands_(from.arena.NewArray<UpdateOperand>(from.ast.nodes.size())) {}

  Result<Update> Bind() {
    HR_RETURN_IF_ERROR(BindPaths());
    HR_RETURN_IF_ERROR(BindValues());
    HR_RETURN_IF_ERROR(CheckTargets());
    for (const AstAction& action : ast_.actions) HR_RETURN_IF_ERROR(CheckAddOrDelete(action));
    HR_RETURN_IF_ERROR(CheckOperands(&UpdateBinder::CheckPlace));
    HR_RETURN_IF_ERROR(CheckOperands(&UpdateBinder::CheckCount));
    HR_RETURN_IF_ERROR(CheckOperands(&UpdateBinder::CheckPathRequired));
    HR_RETURN_IF_ERROR(CheckOperands(&UpdateBinder::CheckTypes));
    LinkOperands();
    return Update(MakeActions(), Paths(),
                  from_.kind == ExpressionKind::kStatement ? UpdateForm::kStatement
                                                           : UpdateForm::kExpression);
  }

 private:
  Status BindPaths() {
    for (std::size_t i = 0; i < ast_.nodes.size(); ++i) {
      if (ast_.nodes[i].kind != AstNode::Kind::kPath) continue;
      operands_[i].form = UpdateOperand::Form::kPath;
      HR_ASSIGN(operands_[i].path, BindPath(from_, ast_.nodes[i]));
    }
    return {};
  }

  Status BindValues() {
    for (std::size_t i = 0; i < ast_.nodes.size(); ++i) {
      if (ast_.nodes[i].kind != AstNode::Kind::kValue) continue;
      HR_ASSIGN(operands_[i].value, BindValue(from_, ast_.nodes[i]));
    }
    return {};
  }

  Status CheckTargets() {
    const std::span<Path> targets = from_.arena.NewArray<Path>(ast_.actions.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      targets[i] = operands_[ast_.actions[i].target].path;
    }
    return CheckPathsDistinct(from_.kind, targets, from_.arena);
  }

  // Checks the type of the operand of ADD or DELETE; other actions have no such rule.
  Status CheckAddOrDelete(const AstAction& action) const {
    if (action.verb != UpdateVerb::kAdd && action.verb != UpdateVerb::kDelete) return {};
    const AttributeType type = operands_[action.operand].value.type;
    const bool is_add = action.verb == UpdateVerb::kAdd;
    if (IsSet(type) || (is_add && type == AttributeType::kN)) return {};
    const std::string verb = is_add ? "ADD" : "DELETE";
    return ExpressionError(from_.kind,
                           "Incorrect operand type for operator or function; operator: " + verb +
                               ", operand type: " + std::string(LongNameOf(type)) +
                               ", typeSet: ALLOWED_FOR_" + verb + "_OPERAND");
  }

  using NodeCheck = Status (UpdateBinder::*)(const AstNode&) const;
  Status CheckOperands(NodeCheck check) const {
    for (const AstNode& node : ast_.nodes) {
      const bool takes_operands =
          node.kind == AstNode::Kind::kCall || node.kind == AstNode::Kind::kOperator;
      if (takes_operands) HR_RETURN_IF_ERROR((this->*check)(node));
    }
    return {};
  }

  // Checks that no operand of the function or sum is a call that has to be a whole value. In a
  // statement such calls are accepted anywhere (unverified).
  Status CheckPlace(const AstNode& node) const {
    if (from_.kind == ExpressionKind::kStatement) return {};
    for (std::size_t i = 0; i < node.count; ++i) {
      const FunctionRow* const function = ChildOf(node, i).function;
      if (!function || !function->is_whole_value) continue;
      return ExpressionError(
          from_.kind,
          "The function is not allowed to be used this way in an expression; function: " +
              std::string(function->name));
    }
    return {};
  }

  Status CheckCount(const AstNode& node) const {
    if (!node.function || node.count == node.function->arity) return {};
    return ExpressionError(from_.kind, IncorrectOperandCountText(node.function->name, node.count));
  }

  const AstNode& ChildOf(const AstNode& node, std::size_t i) const {
    return ast_.nodes[ast_.ChildrenOf(node)[i]];
  }

  Status CheckPathRequired(const AstNode& node) const {
    if (!node.function || node.function->arguments[0].form != ArgumentForm::kPath) return {};
    if (ChildOf(node, 0).kind == AstNode::Kind::kPath) return {};
    return ExpressionError(from_.kind, PathRequiredText(node.function->name));
  }

  // Checks only values: the type at a path or of a call is known only on an item.
  Status CheckTypes(const AstNode& node) const {
    for (std::size_t i = 0; i < node.count; ++i) {
      if (ChildOf(node, i).kind != AstNode::Kind::kValue) continue;
      const AttributeType type = operands_[ast_.ChildrenOf(node)[i]].value.type;
      const TypeMask allowed =
          node.function ? node.function->arguments[i].types : MaskOf(AttributeType::kN);
      if (Allows(allowed, type)) continue;
      const std::string_view name = node.function ? node.function->name : OperatorName(node.op);
      return ExpressionError(from_.kind, IncorrectOperandTypeText(name, TypeTag(type)));
    }
    return {};
  }

  void LinkOperands() {
    for (std::size_t i = 0; i < ast_.nodes.size(); ++i) {
      const AstNode& node = ast_.nodes[i];
      UpdateOperand& operand = operands_[i];
      if (node.kind == AstNode::Kind::kCall) {
        operand.form = UpdateOperand::Form::kCall;
        operand.function = node.function;
      } else if (node.kind == AstNode::Kind::kOperator) {
        operand.form = node.op == Operator::kPlus ? UpdateOperand::Form::kSum
                                                  : UpdateOperand::Form::kDifference;
      } else {
        continue;
      }
      const std::span<const std::uint16_t> children = ast_.ChildrenOf(node);
      operand.first = &operands_[children[0]];
      operand.second = &operands_[children[1]];
    }
  }

  std::span<const UpdateAction> MakeActions() {
    const std::span<UpdateAction> actions = from_.arena.NewArray<UpdateAction>(ast_.actions.size());
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const AstAction& from = ast_.actions[i];
      UpdateAction& action = actions[i];
      action.verb = from.verb;
      action.target = operands_[from.target].path;
      if (from.verb == UpdateVerb::kRemove) continue;
      const UpdateOperand& operand = operands_[from.operand];
      if (from.verb == UpdateVerb::kSet) action.operand = &operand;
      if (operand.form == UpdateOperand::Form::kValue) action.value = &operand.value;
    }
    return actions;
  }

  std::span<const Path> Paths() {
    const std::span<Path> paths = from_.arena.NewArray<Path>(ast_.nodes.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < ast_.nodes.size(); ++i) {
      if (ast_.nodes[i].kind == AstNode::Kind::kPath) paths[count++] = operands_[i].path;
    }
    return paths.first(count);
  }

  const AstBinding& from_;
  const Ast& ast_;
  const std::span<UpdateOperand> operands_;
};

}  // namespace

Result<Update> BindUpdateAst(const AstBinding& from) { return UpdateBinder(from).Bind(); }

Result<Update> BindUpdate(std::string_view text, Placeholders& placeholders, Arena& arena) {
  HR_ASSIGN(const Ast* ast, ParseChecked(ExpressionKind::kUpdate, text));
  return BindUpdateAst({ExpressionKind::kUpdate, *ast, text, placeholders, arena});
}

}  // namespace hashrange
