// The statement charge of an update (docs/service/02-types-and-sizes.md, section 8). It follows
// from the expression and its values; only ADD on a set depends on the stored item.
#include "expression/expression.h"
#include "expression/update.h"

namespace hashrange {
namespace {

// Charges in bytes.
constexpr std::size_t kStatement = 3;
constexpr std::size_t kAssignment = 19;  // SET, ADD
constexpr std::size_t kRemoval = 1;      // REMOVE, DELETE
constexpr std::size_t kTargetElement = 4;
constexpr std::size_t kPath = 1;
constexpr std::size_t kPathElement = 14;
constexpr std::size_t kSum = 34;
constexpr std::size_t kDifference = 37;

std::size_t ElementBytes(const PathElement& element) {
  if (!element.is_index) return element.name.size();
  std::size_t digits = 1;
  for (std::uint64_t rest = element.index; rest >= 10; rest /= 10) ++digits;
  return digits;
}

std::size_t ChargeOfTarget(Path target) {
  std::size_t bytes = ElementBytes(target.front());
  for (const PathElement& element : target.subspan(1)) {
    bytes += kTargetElement + ElementBytes(element);
  }
  return bytes;
}

std::size_t ChargeOfPath(Path path) {
  std::size_t bytes = kPath;
  for (const PathElement& element : path) bytes += kPathElement + ElementBytes(element);
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
      own = kSum;
      break;
    case UpdateOperand::Form::kDifference:
      own = kDifference;
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
      return kAssignment + target +
             (action.operand ? ChargeOfOperand(*action.operand) : SizeBytes(*action.value));
    case UpdateVerb::kAdd:
      return kAssignment + target + ChargeOfAddend(*action.value, Resolve(action.target, before));
    default:
      return kRemoval + target;
  }
}

}  // namespace

std::size_t Update::StatementCharge(ItemView before) const {
  std::size_t bytes = kStatement;
  for (const UpdateAction& action : actions_) bytes += ChargeOfAction(action, before);
  return bytes;
}

}  // namespace hashrange
