#include "operation/statement/statement_write.h"

#include <algorithm>

#include "operation/item/update_checks.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/item_key.h"
#include "operation/parameter/return_values.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

using partiql::BoundStatement;
using partiql::KeyMatch;
using partiql::Returning;
using partiql::StatementKind;

// One write of a statement. Check validates it against the schema and prepares it. Decide is the
// function that the commit runs, and needs what Check has prepared.
class StatementWrite {
 public:
  StatementWrite(const BoundStatement& bound, Arena& arena) : bound_(bound), arena_(arena) {}

  Result<WriteTarget> Check(const TableVersion& table) {
    const StatementKind kind = bound_.statement->kind;
    if (kind == StatementKind::kInsert) {
      HR_RETURN_IF_ERROR(CheckItemFits(table, bound_.item));
      item_ = Item::Make(table.key, bound_.item);
      return WriteTarget{{item_->hash(), item_->key()}, bound_.item};
    }
    HR_ASSIGN(const KeyMatch match, MatchWrittenKey(bound_, table.key, arena_));
    HR_RETURN_IF_ERROR(CheckKey(table.key, match.key));
    if (kind == StatementKind::kUpdate) {
      HR_RETURN_IF_ERROR(CheckUpdateTargets(table, bound_.update));
    }
    key_ = match.key;
    condition_ =
        match.has_more ? LinkCondition(bound_.statement->where, match.rest, arena_) : Condition();
    return WriteTarget{PositionOf(table.key, key_, arena_), key_,
                       kind == StatementKind::kDelete ? WriteKind::kDelete : WriteKind::kUpdate};
  }

  AccessTerms Terms() const {
    switch (bound_.statement->kind) {
      case StatementKind::kInsert:
        return {.existence = ItemExistence::kForbidden};
      case StatementKind::kUpdate:
        return {.condition = condition_,
                .update = arena_.New<Update>(bound_.update),
                .existence = ItemExistence::kRequired};
      default:
        return {.condition = condition_, .existence = ItemExistence::kConditionIfItemExists};
    }
  }

  Decision Decide(const TableVersion& table, ItemView before) const {
    switch (bound_.statement->kind) {
      case StatementKind::kInsert:
        return before.exists() ? Decision::Refuse(DuplicateItem()) : Decision::Put(item_);
      case StatementKind::kUpdate:
        if (!before.exists() || !condition_.Matches(before)) return ConditionFails();
        return DecideUpdate(table, bound_.update, key_, before, arena_);
      default:
        // Without a stored item a DELETE succeeds, whatever its condition is.
        if (before.exists() && !condition_.Matches(before)) return ConditionFails();
        return Decision::Erase();
    }
  }

 private:
  const BoundStatement& bound_;
  Arena& arena_;
  ItemRef item_;
  std::span<const Attribute> key_;
  Condition condition_;
};

}  // namespace

Result<KeyMatch> MatchWrittenKey(const BoundStatement& bound, const KeySchema& key, Arena& arena) {
  const KeyMatch match = partiql::MatchKey(bound, key, arena);
  if (!match.is_whole) {
    return ValidationError(
        "Where clause does not contain a mandatory equality on all key attributes");
  }
  if (match.repeated) {
    return ValidationError("Multiple conditions on same key " + match.repeated->name +
                           ". Only single item Update/Insert/Delete are supported");
  }
  return match;
}

Result<WriteTarget> CheckStatementWrite(const BoundStatement& bound, const TableVersion& table,
                                        Arena& arena) {
  if (bound.statement->kind == StatementKind::kInsert) {
    HR_RETURN_IF_ERROR(CheckItemFits(table, bound.item));
    return WriteTarget{PositionOf(table.key, bound.item, arena), bound.item};
  }
  return StatementWrite(bound, arena).Check(table);
}

Result<SingleWriteOutcome> RunStatementWrite(Context& context, const BoundStatement& bound,
                                             const SingleWriteOptions& options,
                                             std::optional<std::size_t>* charged_bytes) {
  HR_RETURN_IF_ERROR(CheckItemSize(bound.item));
  StatementWrite write(bound, context.arena);
  const auto check = [&](const TableVersion& table) -> Result<WriteTarget> {
    HR_ASSIGN(WriteTarget target, write.Check(table));
    if (context.gate) target.terms = context.Keep(write.Terms());
    return target;
  };
  const auto decide = [&](const TableVersion& table, ItemView before) {
    *charged_bytes = std::max(WrittenSizeBytes(table, before), options.attempted_bytes);
    return write.Decide(table, before);
  };
  return CommitOne(context, bound.statement->table, options, check, decide);
}

ReturnedItem MakeReturnedItem(const SingleWriteOutcome& outcome, const BoundStatement& bound,
                              Arena& arena) {
  switch (bound.statement->returning) {
    case Returning::kNone:
      break;
    case Returning::kAllOld:
      return {outcome.before_view(), {}};
    case Returning::kAllNew:
      return {outcome.after_view(), {}};
    case Returning::kModifiedOld:
      return {{}, bound.update.Targets(arena).Apply(outcome.before_view(), arena)};
    case Returning::kModifiedNew:
      return {{}, bound.update.Targets(arena).Apply(outcome.after_view(), arena)};
  }
  return {};
}

void WriteReturnedItem(const ReturnedItem& returned, JsonWriter& writer) {
  if (returned.item.exists()) {
    WriteItem(returned.item, writer);
  } else {
    WriteAttributes(returned.parts, writer);
  }
}

}  // namespace hashrange
