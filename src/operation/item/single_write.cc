#include "operation/item/single_write.h"

#include <algorithm>

#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/item_key.h"
#include "operation/parameter/legacy_parameters.h"
#include "operation/parameter/return_values.h"
#include "operation/table/table_lookup.h"
#include "wire/attribute_json.h"
#include "wire/validation_layer.h"

namespace hashrange {

SingleWriteOptions ReadSingleWriteOptions(const RequestObject& request) {
  return {.return_values = ReadReturnValues(request),
          .old_on_condition_failure = ReadOldOnConditionCheckFailure(request),
          .capacity = ReadReturnConsumedCapacity(request),
          .metrics = ReadReturnItemCollectionMetrics(request)};
}

namespace {

Access AccessOfWrite(const TableVersion& table, const WriteTarget& target, std::uint32_t member) {
  const bool is_delete = target.kind == WriteKind::kDelete;
  return {.kind = Access::Kind::kWrite,
          .table = &table,
          .key = target.position,
          .attributes = is_delete ? std::span<const Attribute>() : target.key,
          .write_kind = target.kind,
          .member = member,
          .terms = target.terms};
}

void LeaveRefusedWrite(const Context& context, const Access& access, const WriteOutcome& outcome,
                       std::size_t attempted_bytes) {
  if (!context.gate) return;
  if (outcome.error->code == ErrorCode::kInternalServerError) return context.Leave(access, {});
  const ItemView stored(access.table->key, outcome.before.get());
  context.Leave(access,
                UsageOfRefusal(std::max(WrittenSizeBytes(*access.table, stored), attempted_bytes),
                               kWriteFactor, stored, &*outcome.error));
}

}  // namespace

Result<SingleWriteOutcome> CommitOne(
    Context& context, std::string_view table_name, const SingleWriteOptions& options,
    absl::FunctionRef<Result<WriteTarget>(const TableVersion&)> check,
    absl::FunctionRef<Decision(const TableVersion&, ItemView before)> decide) {
  const GrowthLimit growth(context);
  for (;;) {
    HR_ASSIGN(TableRef table, FindTable(context, table_name));
    HR_ASSIGN(WriteTarget target, check(*table));
    // An access that is still open when the call throws outlives the item that is put.
    if (context.gate) target.position.bytes = context.arena.Copy(target.position.bytes);
    const Access access = AccessOfWrite(*table, target, options.member);
    if (auto refused = context.Enter(access)) return *std::move(refused);

    auto function = [&](ItemView before) {
      return growth.Check(*table, before, decide(*table, before));
    };
    const ItemWrite write{{table.get(), target.position}, function};
    WriteOutcome outcome;
    const CommitResult result = context.engine.Commit({&write, 1}, {&outcome, 1}, context.arena);
    if (result == CommitResult::kStale) {
      context.Leave(access, {.is_retried = true});
      continue;
    }
    if (result == CommitResult::kRefused) {
      LeaveRefusedWrite(context, access, outcome, options.attempted_bytes);
      if (outcome.error->code == ErrorCode::kConditionalCheckFailedException) {
        return ConditionalCheckFailed({table->key, outcome.before.get()},
                                      options.old_on_condition_failure);
      }
      return *std::move(outcome.error);
    }
    SingleWriteOutcome done{
        std::move(table), std::move(outcome.before), std::move(outcome.after), target.key, {}};
    if (options.capacity != ReturnConsumedCapacity::kNone || context.gate) {
      done.meter = CapacityMeter(*done.table, table_name, context.arena);
      done.meter.AddWrite(done.before_view(), done.after_view(), kWriteFactor);
    }
    if (context.gate) {
      context.Leave(access,
                    UsageOfWrite(done.meter, done.before_view(), done.after_view(), context.arena));
    }
    return done;
  }
}

void WriteSingleWriteMembers(const SingleWriteOutcome& outcome, const SingleWriteOptions& options,
                             JsonWriter& writer) {
  WriteConsumedCapacityMember(outcome.meter, options.capacity, writer);
  if (options.metrics && HasLocalIndex(*outcome.table)) {
    const std::string& hash_name = outcome.table->key.hash[0].name;
    writer.Name("ItemCollectionMetrics");
    WriteItemCollectionMetrics(hash_name, *FindAttribute(outcome.key, hash_name), writer);
  }
}

namespace {

Status CheckOldOrNone(ReturnValues return_values, ValidationLayer layer) {
  if (return_values == ReturnValues::kNone || return_values == ReturnValues::kAllOld) return {};
  return Enveloped(layer, ValidationError("ReturnValues can only be ALL_OLD or NONE"));
}

}  // namespace

ConditionalWriteRequest ReadConditionalWriteRequest(const RequestObject& request,
                                                    std::string_view attributes) {
  return {.table_name = *request.String("TableName"),
          .attributes = request.Find(attributes),
          .expressions = ReadExpressionParameters(request, {ExpressionKind::kCondition}),
          .options = ReadSingleWriteOptions(request)};
}

Result<std::span<const Attribute>> CheckedAttributes(Context& context, const RequestObject& json,
                                                     const ConditionalWriteRequest& request) {
  HR_RETURN_IF_ERROR(CheckExpressionParameters(json, request.expressions, context.layer,
                                               {"Expected"}, {ExpressionKind::kCondition}));
  // In a request that the older layer handles, this error is bare and precedes the errors of the
  // values.
  if (context.is_too_deep_for_layer) {
    HR_RETURN_IF_ERROR(CheckOldOrNone(request.options.return_values, ValidationLayer::kOlder));
  }
  HR_ASSIGN(const std::span<const Attribute> attributes,
            ReadAttributes(*request.attributes, context.layer, context.arena));
  HR_RETURN_IF_ERROR(CheckOldOrNone(request.options.return_values, context.layer));
  return attributes;
}

Result<Condition> ReadConditionOfWrite(Context& context, const RequestObject& json,
                                       const ConditionalWriteRequest& request) {
  HR_ASSIGN(const Condition expected, ReadExpected(json, context));
  HR_ASSIGN(const BoundExpressions bound,
            BindExpressions(request.expressions, context.layer, context.arena));
  return request.expressions.condition ? bound.condition : expected;
}

void WriteConditionalWriteAnswer(const ConditionalWriteRequest& request,
                                 const SingleWriteOutcome& outcome, JsonWriter& answer) {
  answer.BeginObject();
  if (request.options.return_values == ReturnValues::kAllOld) {
    WriteAttributesMember(outcome.before_view(), answer);
  }
  WriteSingleWriteMembers(outcome, request.options, answer);
  answer.EndObject();
}

}  // namespace hashrange
