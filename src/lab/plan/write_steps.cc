#include "lab/plan/write_steps.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lab/language/data/placeholder_form.h"
#include "lab/plan/item_pieces.h"
#include "lab/plan/read_question.h"

namespace hashrange {
namespace {

using ActionKind = WriteAction::Kind;
using Kind = RequestPiece::Kind;

struct ActionNames {
  const char* operation;  // as a request of its own
  const char* member;     // in a transaction
};

ActionNames NamesOf(ActionKind kind) {
  switch (kind) {
    case ActionKind::kPut:
      return {"PutItem", "Put"};
    case ActionKind::kUpdate:
      return {"UpdateItem", "Update"};
    case ActionKind::kDelete:
      return {"DeleteItem", "Delete"};
    case ActionKind::kCheck:
      return {"", "ConditionCheck"};
  }
  return {"", ""};
}

class StepBuilder {
 public:
  StepBuilder(const PlannerInput& input, const LabPattern& pattern, const WriteActions& actions,
              PatternPlan& plan)
      : input_(input), pattern_(pattern), actions_(actions), plan_(plan) {}

  void Build() {
    Actions all;
    for (const WriteAction& action : actions_.actions()) all.push_back(&action);
    if (all.empty()) return;
    if (pattern_.batch > 1 && !WantsTransaction()) {
      if (AreBatchable()) return AddBatches(std::move(all));
      if (!WantsSingles()) return AddForEach(all);
    }
    if (WantsSingles() && (all.size() > 1 || Most(*all.front()) > 1)) {
      plan_.reasons.push_back(
          "The file wants no transaction: the requests follow each other, and a failure leaves "
          "some of them undone.");
      return AddSingles(all);
    }
    AddChildren(all);
    const WriteAction& first = *all.front();
    if (all.size() > 1 || Most(first) > 1 || WantsTransaction()) return AddTransactions(all);
    if (first.kind != ActionKind::kCheck) return AddSingles(all);
    plan_.reasons.push_back(
        "A check alone is a transaction of one, because no other request has only a condition.");
    AddTransactions(all);
  }

 private:
  using Actions = std::vector<const WriteAction*>;

  bool WantsTransaction() const { return pattern_.is_transaction.value_or(false); }
  bool WantsSingles() const { return pattern_.is_transaction.has_value() && !WantsTransaction(); }
  double Most(const WriteAction& action) const { return actions_.MostInstances(action.role); }
  const std::string& TableName(const WriteAction& action) const {
    return input_.layout.tables[static_cast<std::size_t>(action.item->table)].name;
  }
  const std::string& EntityName(const WriteAction& action) const {
    return EntityAt(input_.file, action.item->entity).name;
  }

  // Returns whether the file has conditions of its own.
  bool HasOwnConditions() const {
    return std::any_of(pattern_.writes.begin(), pattern_.writes.end(), [](const LabWrite& write) {
      return !write.conditions.empty() || !write.unique.empty();
    });
  }

  // Returns whether there are conditions that the writes depend on, which a batch cannot have.
  bool HasConditions() const { return HasOwnConditions() || actions_.requires_what_was_read(); }

  bool AreBatchable() const {
    const auto& all = actions_.actions();
    return !HasConditions() && std::all_of(all.begin(), all.end(), [](const WriteAction& action) {
      return action.kind == ActionKind::kPut || action.kind == ActionKind::kDelete;
    });
  }

  bool IsDeleteOfMany(const WriteAction& action) const {
    return action.kind == ActionKind::kDelete && Most(action) > 1 &&
           !action.expression.HasCondition();
  }

  // Takes the deletes of children out of the actions: nothing has to agree with them but the
  // parent, which is deleted after them. So a call that fails half-way can be made again.
  void AddChildren(Actions& all) {
    if (WantsTransaction() || HasOwnConditions()) return;
    Actions children;
    for (const WriteAction* const action : all) {
      const int role = actions_.RootRole(action->role);
      const bool is_apart = std::all_of(all.begin(), all.end(), [&](const WriteAction* other) {
        return actions_.RootRole(other->role) != role || IsDeleteOfMany(*other);
      });
      if (is_apart) children.push_back(action);
    }
    if (children.empty() || children.size() == all.size()) return;
    std::erase_if(all, [&](const WriteAction* action) {
      return std::find(children.begin(), children.end(), action) != children.end();
    });
    plan_.reasons.push_back("Each " + EntityName(*children.front()) +
                            " is deleted before, in batches, which cost half as much as a "
                            "transaction; a call that fails half-way can be made again.");
    AddBatchesOf(std::move(children));
  }

  // Appends `"Item":{…}` or `"Key":{…}`.
  void AppendTarget(const WriteAction& action, std::vector<RequestPiece>& pieces) const {
    if (action.kind == ActionKind::kPut) {
      AppendText("\"Item\":", pieces);
      std::vector<RequestPiece> item;
      AppendItem(input_, *action.item, action.role, action.child_roles, item);
      AppendPieces(std::move(item), pieces);
      return;
    }
    AppendText("\"Key\":", pieces);
    std::vector<RequestPiece> key;
    AppendPrimaryKey(input_, *action.item, {.role = action.role}, key);
    for (RequestPiece& piece : key) KnowOldValue(action, piece);
    AppendPieces(std::move(key), pieces);
  }

  // Puts the value into a key's slot that the call's conditions say, or marks what is replaced.
  void KnowOldValue(const WriteAction& action, RequestPiece& piece) const {
    if (piece.kind != Kind::kSlot) return;
    const LabTemplatePart& part = piece.slot.part;
    const auto& changed = action.applies.changed;
    piece.slot.is_old = std::find(changed.begin(), changed.end(), part.attribute) != changed.end();
    const std::string* const value = actions_.OldValue(action.role, part.attribute);
    if (value == nullptr) return;
    std::string text;
    AppendFormed(part, *value, text);
    RequestPiece known = {.kind = Kind::kText};
    AppendEscaped(text, known.text);
    piece = std::move(known);
  }

  // Returns the members of a request that does the action, without braces.
  std::vector<RequestPiece> Body(const WriteAction& action) const {
    std::vector<RequestPiece> pieces;
    AppendText("\"TableName\":\"" + TableName(action) + "\",", pieces);
    AppendTarget(action, pieces);
    action.expression.AppendMembers(pieces);
    return pieces;
  }

  // Appends the pieces as one piece, for each instance of the action's role, where it applies.
  void AppendForInstances(const WriteAction& action, std::vector<RequestPiece> body,
                          std::vector<RequestPiece>& pieces) const {
    RequestPiece head = {.kind = Kind::kJoined};
    if (action.IsSometimes()) head = action.applies;
    if (Most(action) <= 1) return AppendGroup(std::move(head), std::move(body), pieces);
    std::vector<RequestPiece> one;
    AppendGroup(std::move(head), std::move(body), one);
    RequestPiece each = {.kind = Kind::kEach, .text = ",", .role = action.role};
    each.beside = actions_.BesideRoles(action.role);
    AppendGroup(std::move(each), std::move(one), pieces);
  }

  // Returns what the actions write.
  std::vector<WrittenItem> WrittenBy(const Actions& some) const {
    std::vector<WrittenItem> written;
    for (const WriteAction* const action : some) {
      if (action->kind == ActionKind::kCheck) continue;
      WrittenItem& item = written.emplace_back();
      item.roles = {action->role};
      item.roles.insert(item.roles.end(), action->inner_roles.begin(), action->inner_roles.end());
      item.key.table = TableName(*action);
      const auto source = action->kind == ActionKind::kPut ? RequestSlot::Source::kNewValue
                                                           : RequestSlot::Source::kAttribute;
      std::vector<RequestPiece> key;
      AppendPrimaryKey(input_, *action->item, {.role = action->role, .source = source}, key);
      AppendForInstances(*action, std::move(key), item.key.pieces);
    }
    return written;
  }

  std::string TableOfAll(const Actions& some) const {
    for (const WriteAction* const action : some) {
      if (TableName(*action) != TableName(*some.front())) return {};
    }
    return TableName(*some.front());
  }

  // One request for each action and instance; many deletes are batches, and come first.
  void AddSingles(const Actions& all) {
    Actions deletes;
    Actions others;
    for (const WriteAction* const action : all) {
      (IsDeleteOfMany(*action) ? deletes : others).push_back(action);
    }
    AddBatchesOf(std::move(deletes));
    for (const WriteAction* const one : others) {
      const WriteAction& action = *one;
      if (action.kind == ActionKind::kCheck) {
        plan_.reasons.push_back("The check of " + EntityName(action) +
                                " is left out, because only a transaction can have it.");
        continue;
      }
      PlanStep step = {
          .request = {.operation = NamesOf(action.kind).operation, .table = TableName(action)}};
      std::vector<RequestPiece> body = {};
      AppendText("{", body);
      AppendPieces(Body(action), body);
      AppendText("," + std::string(kReturnConsumedCapacity) + "}", body);
      AppendForInstances(action, std::move(body), step.request.pieces);
      if (Most(action) > 1) step.each = action.role;
      step.written = WrittenBy({&action});
      plan_.steps.push_back(std::move(step));
    }
  }

  void AddBatches(Actions all) {
    const bool has_condition = std::any_of(all.begin(), all.end(), [](const WriteAction* action) {
      return action->expression.HasCondition();
    });
    if (has_condition) {
      const bool is_put = all.front()->kind == ActionKind::kPut;
      plan_.reasons.push_back(is_put
                                  ? "BatchWriteItem has no conditions: an item that is there "
                                    "already is replaced."
                                  : "BatchWriteItem has no conditions: to delete an item that is "
                                    "not there is no error.");
    }
    AddBatchesOf(std::move(all));
  }

  // Batches of the actions of each role, 25 actions at most each.
  void AddBatchesOf(Actions left) {
    while (!left.empty()) {
      const int role = actions_.RootRole(left.front()->role);
      Actions some;
      std::erase_if(left, [&](const WriteAction* action) {
        if (actions_.RootRole(action->role) != role) return false;
        some.push_back(action);
        return true;
      });
      PlanStep step = {.request = {.operation = "BatchWriteItem", .table = TableOfAll(some)}};
      const int room = std::max(1, kMostBatchActions / static_cast<int>(some.size()));
      if (actions_.MostInstances(role) > room) {
        step.each = role;
        step.each_count = static_cast<std::size_t>(room);
      }
      step.written = WrittenBy(some);
      AppendBatch(std::move(some), step.request.pieces);
      plan_.steps.push_back(std::move(step));
    }
  }

  void AppendBatch(Actions some, std::vector<RequestPiece>& pieces) const {
    std::vector<RequestPiece> tables;
    while (!some.empty()) {
      const std::string& name = TableName(*some.front());
      std::vector<RequestPiece> members;
      std::erase_if(some, [&](const WriteAction* action) {
        if (TableName(*action) != name) return false;
        const bool is_put = action->kind == ActionKind::kPut;
        std::vector<RequestPiece> body;
        AppendText(is_put ? R"({"PutRequest":{)" : R"({"DeleteRequest":{)", body);
        AppendTarget(*action, body);
        AppendText("}}", body);
        AppendForInstances(*action, std::move(body), members);
        return true;
      });
      AppendGroup(
          {.kind = Kind::kJoined, .text = ",", .before = "\"" + name + "\":[", .after = "]"},
          std::move(members), tables);
    }
    AppendGroup({.kind = Kind::kJoined,
                 .text = ",",
                 .before = R"({"RequestItems":{)",
                 .after = "}," + std::string(kReturnConsumedCapacity) + "}"},
                std::move(tables), pieces);
  }

  RequestTemplate Transaction(const Actions& some) const {
    RequestTemplate request = {.operation = "TransactWriteItems", .table = TableOfAll(some)};
    std::vector<RequestPiece> members;
    for (const WriteAction* const action : some) {
      std::vector<RequestPiece> body;
      AppendText("{\"" + std::string(NamesOf(action->kind).member) + "\":{", body);
      AppendPieces(Body(*action), body);
      AppendText("}}", body);
      AppendForInstances(*action, std::move(body), members);
    }
    AppendGroup({.kind = Kind::kJoined,
                 .text = ",",
                 .before = R"({"TransactItems":[)",
                 .after = "]," + std::string(kReturnConsumedCapacity) + "}"},
                std::move(members), request.pieces);
    return request;
  }

  // Independent instances, each of which has a request of its own.
  void AddForEach(const Actions& all) {
    const bool is_single = all.size() == 1 && all.front()->kind != ActionKind::kCheck;
    plan_.reasons.push_back("Each of the " + std::to_string(pattern_.batch) + " instances has a " +
                            (is_single ? "request" : "transaction") + " of its own" +
                            (HasConditions() ? ", because a batch has no conditions." : "."));
    if (is_single) return AddSingles(all);
    plan_.steps.push_back({.request = Transaction(all),
                           .each = actions_.RootRole(all.front()->role),
                           .written = WrittenBy(all)});
  }

  void AddTransactions(const Actions& all) {
    Actions fixed;
    Actions repeated;
    double most = 0;
    for (const WriteAction* const action : all) {
      (Most(*action) > 1 ? repeated : fixed).push_back(action);
      most += Most(*action);
    }
    if (all.size() > 1) {
      plan_.reasons.push_back("One transaction, so that its items agree.");
    } else if (most <= 1 && fixed.front()->kind != ActionKind::kCheck) {
      plan_.reasons.push_back(
          "The file wants a transaction, which costs twice the units of a request of its own.");
    }
    if (most > kMostTransactionActions) return AddSplitTransactions(fixed, std::move(repeated));
    plan_.steps.push_back({.request = Transaction(all), .written = WrittenBy(all)});
  }

  // Splits what may be more than 100 actions: the first transaction has what is done once, and as
  // many instances of the first role as fit; the others have the rest, role by role.
  void AddSplitTransactions(const Actions& fixed, Actions left) {
    bool is_first = true;
    while (!left.empty()) {
      const int role = actions_.RootRole(left.front()->role);
      Actions some;
      std::erase_if(left, [&](const WriteAction* action) {
        if (actions_.RootRole(action->role) != role) return false;
        some.push_back(action);
        return true;
      });
      const auto per_instance = static_cast<int>(some.size());
      std::size_t done = 0;
      if (is_first && !fixed.empty()) {
        const int room = kMostTransactionActions - static_cast<int>(fixed.size());
        done = static_cast<std::size_t>(std::max(0, room / per_instance));
        Actions first = fixed;
        first.insert(first.end(), some.begin(), some.end());
        plan_.steps.push_back({.request = Transaction(first),
                               .each = role,
                               .each_count = done,
                               .each_once = true,
                               .written = WrittenBy(first)});
      }
      const std::string& name = EntityName(*some.front());
      plan_.reasons.push_back(
          "A transaction has at most 100 actions: of more than " +
          std::to_string(done > 0 ? static_cast<int>(done)
                                  : kMostTransactionActions / per_instance) +
          " of " + name +
          " in one call, the rest is written by further transactions, which can "
          "fail alone.");
      plan_.steps.push_back({.request = Transaction(some),
                             .each = role,
                             .each_from = done,
                             .each_count = static_cast<std::size_t>(
                                 std::max(1, kMostTransactionActions / per_instance)),
                             .written = WrittenBy(some)});
      is_first = false;
    }
  }

  const PlannerInput& input_;
  const LabPattern& pattern_;
  const WriteActions& actions_;
  PatternPlan& plan_;
};

}  // namespace

void AppendWriteSteps(const PlannerInput& input, const LabPattern& pattern,
                      const WriteActions& actions, PatternPlan& plan) {
  StepBuilder(input, pattern, actions, plan).Build();
}

}  // namespace hashrange
