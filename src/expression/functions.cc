#include "expression/functions.h"

#include "base/text/text_encodings.h"
#include "expression/update.h"

namespace hashrange {
namespace {

bool AttributeExists(const Argument& first, const Argument&) { return first.has_value(); }

bool AttributeNotExists(const Argument& first, const Argument&) { return !first.has_value(); }

bool AttributeTypeIs(const Argument& first, const Argument& second) {
  return first && second && TypeTag(first->type) == second->bytes();
}

bool BeginsWith(const Argument& first, const Argument& second) {
  if (!first || !second || first->type != second->type) return false;
  if (first->type != AttributeType::kS && first->type != AttributeType::kB) return false;
  return first->bytes().starts_with(second->bytes());
}

// memmem is linear in both lengths; std::string_view::find is not, and both texts come
// from the client.
bool ContainsBytes(std::string_view text, std::string_view run) {
  return run.empty() || memmem(text.data(), text.size(), run.data(), run.size()) != nullptr;
}

bool ListContains(ValueView list, ValueView element) {
  for (ListReader elements(list); !elements.done();) {
    if (elements.Next() == element) return true;
  }
  return false;
}

bool Contains(const Argument& first, const Argument& second) {
  if (!first || !second) return false;
  switch (first->type) {
    case AttributeType::kS:
    case AttributeType::kB:
      return second->type == first->type && ContainsBytes(first->bytes(), second->bytes());
    case AttributeType::kSS:
    case AttributeType::kNS:
    case AttributeType::kBS:
      return second->type == MemberTypeOf(first->type) && SetContains(*first, second->bytes());
    case AttributeType::kL:
      return ListContains(*first, *second);
    default:
      return false;
  }
}

std::optional<Number> Size(const Argument& argument) {
  if (!argument) return std::nullopt;
  switch (argument->type) {
    case AttributeType::kS:
      return Number::FromInteger(static_cast<std::int64_t>(Utf16Length(argument->bytes())));
    case AttributeType::kB:
      return Number::FromInteger(argument->size);
    case AttributeType::kN:
    case AttributeType::kBool:
    case AttributeType::kNull:
      return std::nullopt;
    default:
      return Number::FromInteger(MemberCount(*argument));
  }
}

// The second operand is evaluated only when the first has no value.
Result<UpdateValue> IfNotExists(const UpdateOperand& first, const UpdateOperand& second,
                                const UpdateSource& source) {
  if (const std::optional<ValueView> stored = source.Resolve(first.path)) {
    return UpdateValue{*stored, nullptr, nullptr};
  }
  return Evaluate(second, source);
}

// Turns `*value`, which has to be a list or a chain of lists, into a chain.
Status MakeChain(UpdateValue* value, Arena& arena) {
  if (value->first) return {};
  if (value->value.type != AttributeType::kL) return IncorrectOperandType();
  value->first = value->last = arena.New<UpdateValue::ListPart>(value->value, nullptr);
  return {};
}

Result<UpdateValue> ListAppend(const UpdateOperand& first, const UpdateOperand& second,
                               const UpdateSource& source) {
  HR_ASSIGN(UpdateValue front, Evaluate(first, source));
  HR_ASSIGN(UpdateValue back, Evaluate(second, source));
  HR_RETURN_IF_ERROR(MakeChain(&front, source.arena));
  HR_RETURN_IF_ERROR(MakeChain(&back, source.arena));
  front.last->next = back.first;
  front.last = back.last;
  return front;
}

constexpr TypeMask kSizable =
    kAnyType &
    ~(MaskOf(AttributeType::kN) | MaskOf(AttributeType::kBool) | MaskOf(AttributeType::kNull));
constexpr TypeMask kListOnly = MaskOf(AttributeType::kL);
constexpr ArgumentRule kAnything = {ArgumentForm::kAny, kAnyType};
constexpr ArgumentRule kDocumentPath = {ArgumentForm::kPath, kAnyType};
constexpr ArgumentRule kTypeTag = {ArgumentForm::kTypeName, MaskOf(AttributeType::kS)};
constexpr ArgumentRule kBeginning = {ArgumentForm::kAny, kTextOrBytes};
constexpr ArgumentRule kCountable = {ArgumentForm::kAny, kSizable};
constexpr ArgumentRule kList = {ArgumentForm::kAny, kListOnly};

constexpr FunctionPlace kTest = FunctionPlace::kCondition;
constexpr FunctionPlace kMeasure = FunctionPlace::kConditionOperand;
constexpr FunctionPlace kCompute = FunctionPlace::kUpdateOperand;

// Each row: name, place, arity, arguments, charge, the function itself (holds, measure or
// compute), the type of its result, and whether it is a whole value.
constexpr FunctionRow kFunctions[] = {
    {"attribute_exists", kTest, 1, {kDocumentPath, {}}, 0, AttributeExists, nullptr, nullptr},
    {"attribute_not_exists",
     kTest,
     1,
     {kDocumentPath, {}},
     0,
     AttributeNotExists,
     nullptr,
     nullptr},
    {"attribute_type", kTest, 2, {kAnything, kTypeTag}, 0, AttributeTypeIs, nullptr, nullptr},
    {"begins_with", kTest, 2, {kBeginning, kBeginning}, 0, BeginsWith, nullptr, nullptr},
    {"contains", kTest, 2, {kAnything, kAnything}, 0, Contains, nullptr, nullptr},
    {"size", kMeasure, 1, {kCountable, {}}, 0, nullptr, Size, nullptr},
    {"if_not_exists", kCompute, 2, {kDocumentPath, kAnything}, 39, nullptr, nullptr, IfNotExists},
    {"list_append",
     kCompute,
     2,
     {kList, kList},
     37,
     nullptr,
     nullptr,
     ListAppend,
     AttributeType::kL,
     true},
};

}  // namespace

const FunctionRow* FindFunction(std::string_view name) {
  for (const FunctionRow& row : kFunctions) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace hashrange
