// PutItem (docs/service/05-item-operations.md).
#include "operation/call/operations.h"
#include "operation/item/single_write.h"
#include "operation/parameter/item_key.h"

namespace hashrange {
namespace {

Result<SingleWriteOutcome> RunPutItem(Context& context, const RequestObject& json,
                                      const ConditionalWriteRequest& request) {
  HR_ASSIGN(const std::span<const Attribute> attributes, CheckedAttributes(context, json, request));
  HR_RETURN_IF_ERROR(CheckItemSize(attributes));
  HR_ASSIGN(const Condition condition, ReadConditionOfWrite(context, json, request));
  ItemRef item;  // allocated before the engine locks anything
  const auto check = [&](const TableVersion& table) -> Result<WriteTarget> {
    HR_RETURN_IF_ERROR(CheckItemFits(table, attributes));
    item = Item::Make(table.key, attributes);
    WriteTarget target{{item->hash(), item->key()}, attributes};
    if (context.gate) target.terms = context.Keep({.condition = condition});
    return target;
  };
  const auto decide = [&](const TableVersion&, ItemView before) {
    if (!condition.Matches(before)) return ConditionFails();
    return Decision::Put(item);
  };
  return CommitOne(context, request.table_name, request.options, check, decide);
}

}  // namespace

Status PutItem(Context& context, const RequestObject& json, JsonWriter& answer) {
  const ConditionalWriteRequest request = ReadConditionalWriteRequest(json, "Item");
  HR_ASSIGN(const SingleWriteOutcome outcome, RunPutItem(context, json, request));
  WriteConditionalWriteAnswer(request, outcome, answer);
  return {};
}

}  // namespace hashrange
