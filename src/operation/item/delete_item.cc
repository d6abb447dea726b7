// DeleteItem (docs/service/05-item-operations.md).
#include "operation/call/operations.h"
#include "operation/item/single_write.h"
#include "operation/parameter/item_key.h"

namespace hashrange {
namespace {

Result<SingleWriteOutcome> RunDeleteItem(Context& context, const RequestObject& json,
                                         const ConditionalWriteRequest& request) {
  HR_ASSIGN(const std::span<const Attribute> key, CheckedAttributes(context, json, request));
  HR_ASSIGN(const Condition condition, ReadConditionOfWrite(context, json, request));

  const auto check = [&](const TableVersion& table) -> Result<WriteTarget> {
    HR_RETURN_IF_ERROR(CheckKey(table.key, key));
    WriteTarget target{PositionOf(table.key, key, context.arena), key, WriteKind::kDelete};
    if (context.gate) target.terms = context.Keep({.condition = condition});
    return target;
  };
  const auto decide = [&](const TableVersion&, ItemView before) {
    if (!condition.Matches(before)) return ConditionFails();
    return Decision::Erase();
  };
  return CommitOne(context, request.table_name, request.options, check, decide);
}

}  // namespace

Status DeleteItem(Context& context, const RequestObject& json, JsonWriter& answer) {
  const ConditionalWriteRequest request = ReadConditionalWriteRequest(json, "Key");
  HR_ASSIGN(const SingleWriteOutcome outcome, RunDeleteItem(context, json, request));
  WriteConditionalWriteAnswer(request, outcome, answer);
  return {};
}

}  // namespace hashrange
