// How the layout serves a write: what is looked up first, and by which requests the actions on its
// items are made: single ones, batches, transactions.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lab/language/data/placeholder_form.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/planner.h"
#include "lab/plan/write_actions.h"

namespace hashrange {
namespace {

using ActionKind = WriteAction::Kind;
using Actions = std::vector<const WriteAction*>;

// The most actions of a TransactWriteItems, and of a BatchWriteItem.
constexpr int kMostTransactionActions = 100;
constexpr int kMostBatchActions = 25;
// The most keys of a BatchGetItem.
constexpr double kMostKeysOfFetch = 100;

// --- Look-ups ---

void AddReason(std::string sentence, PatternPlan& plan) { AddName(sentence, plan.reasons); }

// Returns whether a sentence is about the index already.
bool IsSaid(const std::string& index, const PatternPlan& plan) {
  const std::string about = " " + index + ": ";
  return std::ranges::any_of(plan.reasons, [&](const std::string& sentence) {
    return sentence.find(about) != sentence.npos;
  });
}

// Makes the request only where the call has an instance of the role.
void AskWhereThereIsOne(int role, RequestTemplate& request) {
  RequestNodes nodes;
  AppendWhere({.role = role, .may_be_missing = true}, std::move(request.nodes), nodes);
  request.nodes = std::move(nodes);
}

// Adds the steps of a look-up, which is made for each instance of the role `each`; kLabNone: once.
// `why` is its reason.
void AddLookUp(PatternPlan found, int each, std::string why, PatternPlan& plan) {
  if (!found.impossible.empty()) {
    plan.impossible = found.impossible;
    return;
  }
  for (PlanStep& step : found.steps) {
    step.is_lookup = true;
    if (each != kLabNone && !IsFetch(step)) step.each = each;
    plan.steps.push_back(std::move(step));
  }
  if (plan.service != PlanService::kScanned) {
    plan.service =
        found.service == PlanService::kScanned ? PlanService::kScanned : PlanService::kLookedUp;
  }
  plan.cost.Add(found.cost);
  plan.rejected.insert(plan.rejected.end(), found.rejected.begin(), found.rejected.end());
  AddReason(std::move(why), plan);
  for (std::string& sentence : found.reasons) AddReason(std::move(sentence), plan);
}

// Returns why the item has to be looked up; empty where the caller knows what is needed.
std::string WhyLookedUp(const LabFile& file, const CallerKnowledge& known, const WriteNeed& need) {
  if (need.is_whole_item) return need.why;
  std::vector<std::string> unknown;
  for (const LabAttributeRef one : need.attributes) {
    if (Knows(file, known, need.look_up.role, one)) continue;
    AddName(LabAttributeAt(file, one).name, unknown);
  }
  std::string names;
  for (const std::string& name : unknown) names += (names.empty() ? "" : ", ") + name;
  if (names.empty()) return {};
  return need.why + " needs " + names + ", which the caller does not know";
}

// Returns whether the look-up finds the role's instances: it is about the role, or about the
// ancestors of another role's instances, which are the instances of this one.
bool Finds(const WriteCall& call, const WriteLookUp& look_up, int role) {
  const CallRole& one = call.shape.roles[static_cast<std::size_t>(role)];
  const bool is_ancestor = one.source == CallRole::Source::kAncestor &&
                           one.entity == look_up.entity && one.of_role == look_up.role;
  return role == look_up.role || is_ancestor;
}

// What has to be known of an item.
struct NeededOfItem {
  std::vector<LabAttributeRef> attributes = {};
  bool is_whole = false;  // and everything else that the item holds
};

// Returns all that the actions need of what the look-up finds and the caller does not know.
NeededOfItem NeededOf(const WriteCall& call, const WriteLookUp& look_up,
                      const CallerKnowledge& known, const WriteActions& done) {
  NeededOfItem needed;
  for (const auto& notes : done.notes) {
    for (const WriteNote& note : notes) {
      const auto* const need = std::get_if<WriteNeed>(&note);
      if (need == nullptr || need->look_up.is_of_children) continue;
      const int role = need->look_up.role;
      if (!Finds(call, look_up, role)) continue;
      needed.is_whole |= need->is_whole_item;
      for (const LabAttributeRef one : need->attributes) {
        const bool is_new = std::ranges::find(needed.attributes, one) == needed.attributes.end();
        if (is_new && !Knows(call.input.file, known, role, one)) needed.attributes.push_back(one);
      }
    }
  }
  return needed;
}

// Plans the look-up of what is needed. It is impossible where an item does not hold all of that, as
// the identity of a grandparent.
PatternPlan PlanLookUpOf(const WriteCall& call, WriteLookUp look_up, const NeededOfItem& needed) {
  look_up.returns = needed.attributes;
  PatternPlan found = PlanLookUp(call.model, call.number, look_up);
  if (!needed.is_whole || !found.impossible.empty()) return found;
  look_up.returns.clear();
  return PlanLookUp(call.model, call.number, look_up);
}

void AddNeed(const WriteCall& call, const WriteActions& done, const WriteNeed& need,
             CallerKnowledge& known, PatternPlan& plan) {
  if (need.look_up.is_of_children) {
    return AddLookUp(PlanLookUp(call.model, call.number, need.look_up), kLabNone, need.why, plan);
  }
  const int role = need.look_up.role;
  const std::string why = WhyLookedUp(call.input.file, known, need);
  if (why.empty() || known[role].is_all || !plan.impossible.empty()) return;
  const NeededOfItem needed = NeededOf(call, need.look_up, known, done);
  for (int one = 0; one < static_cast<int>(call.shape.roles.size()); ++one) {
    if (Finds(call, need.look_up, one)) known[one].is_all = true;  // from now on
  }
  const std::string sentence =
      "The " + EntityAt(call.input.file, need.look_up.entity).name + " is read first: " + why;
  const bool is_for_each = MostInstances(call.input.file, call.shape, role) > 1;
  PatternPlan found = PlanLookUpOf(call, need.look_up, needed);
  const double instances = call.model.file_model().MeanInRole(call.number, role);
  found.cost.Multiply(instances);
  if (MayBeMissing(call.input.file, call.shape, role)) {
    for (PlanStep& step : found.steps) {
      if (!IsFetch(step)) AskWhereThereIsOne(role, step.request);
    }
  }
  // What an index lacks is fetched for all instances together.
  if (instances > 1 && std::ranges::any_of(found.steps, IsFetch)) {
    found.cost.requests -= instances - std::ceil(instances / kMostKeysOfFetch);
  }
  AddLookUp(std::move(found), is_for_each ? role : kLabNone, AsSentence(sentence), plan);
  plan.unknown.push_back(sentence);
}

// Returns the steps that look up what the actions need and the caller does not know, and all
// reasons so far.
PatternPlan PlanLookUps(const WriteCall& call, CallerKnowledge known, const WriteActions& done) {
  PatternPlan plan;
  for (const auto& notes : done.notes) {
    for (const WriteNote& note : notes) {
      if (const auto* const reason = std::get_if<WriteReason>(&note)) {
        const bool is_needed = reason->index.empty() || !IsSaid(reason->index, plan);
        if (is_needed) AddReason(reason->sentence, plan);
      } else if (const auto* const need = std::get_if<WriteNeed>(&note)) {
        AddNeed(call, done, *need, known, plan);
      } else {
        plan.impossible = std::get<WriteObstacle>(note).sentence;
      }
    }
    if (!plan.impossible.empty()) break;
  }
  return plan;
}

// --- Groups: which actions are made by one request ---

// Actions that are made together, by one request or by one request for each few instances.
struct WriteGroup {
  enum class Kind : std::uint8_t { kSingle, kBatch, kTransaction };
  Kind kind = Kind::kSingle;
  Actions actions = {};
  int each = kLabNone;  // as in PlanStep
  std::size_t each_from = 0;
  std::size_t each_count = 1;
  bool each_once = false;
};

struct WriteGroups {
  std::vector<WriteGroup> groups = {};
  std::vector<std::string> reasons = {};
};

bool WantsTransaction(const WriteCall& call) { return call.pattern.is_transaction.value_or(false); }
bool WantsSingles(const WriteCall& call) {
  return call.pattern.is_transaction.has_value() && !WantsTransaction(call);
}
double Most(const WriteCall& call, const WriteAction& action) {
  return MostInstances(call.input.file, call.shape, action.role);
}
const std::string& TableName(const WriteCall& call, const WriteAction& action) {
  return TableOfItem(call.input.layout, *action.item).name;
}
const std::string& EntityName(const WriteCall& call, const WriteAction& action) {
  return EntityAt(call.input.file, action.item->entity).name;
}

// Returns whether the file has conditions of its own.
bool HasOwnConditions(const WriteCall& call) {
  const auto& writes = call.pattern.writes;
  return std::ranges::any_of(writes, [](const LabWrite& write) {
    return !write.conditions.empty() || !write.unique.empty();
  });
}

bool IsDeleteOfMany(const WriteCall& call, const WriteAction& action) {
  return action.kind == ActionKind::kDelete && Most(call, action) > 1 &&
         !action.expression.HasCondition();
}

// Takes the actions of the first action's role out of `left`, with all roles that have as many
// instances.
Actions TakeRole(const WriteCall& call, Actions& left) {
  const int role = RootRole(call.shape, left.front()->role);
  Actions some;
  std::erase_if(left, [&](const WriteAction* action) {
    if (RootRole(call.shape, action->role) != role) return false;
    some.push_back(action);
    return true;
  });
  return some;
}

// Batches of the actions of each role, 25 actions at most each.
void AddBatches(const WriteCall& call, Actions left, WriteGroups& groups) {
  while (!left.empty()) {
    const int role = RootRole(call.shape, left.front()->role);
    WriteGroup group = {.kind = WriteGroup::Kind::kBatch, .actions = TakeRole(call, left)};
    const int room = std::max(1, kMostBatchActions / static_cast<int>(group.actions.size()));
    if (MostInstances(call.input.file, call.shape, role) > room) {
      group.each = role;
      group.each_count = static_cast<std::size_t>(room);
    }
    groups.groups.push_back(std::move(group));
  }
}

void SayBatchHasNoConditions(const Actions& all, WriteGroups& groups) {
  const bool has_condition = std::ranges::any_of(
      all, [](const WriteAction* action) { return action->expression.HasCondition(); });
  if (!has_condition) return;
  const bool is_put = all.front()->kind == ActionKind::kPut;
  groups.reasons.push_back(is_put ? "BatchWriteItem has no conditions: an item that is there "
                                    "already is replaced."
                                  : "BatchWriteItem has no conditions: to delete an item that is "
                                    "not there is no error.");
}

// One request for each action and instance; many deletes are batches, and come first.
void AddSingles(const WriteCall& call, const Actions& all, WriteGroups& groups) {
  Actions deletes;
  Actions others;
  for (const WriteAction* const action : all) {
    (IsDeleteOfMany(call, *action) ? deletes : others).push_back(action);
  }
  AddBatches(call, std::move(deletes), groups);
  for (const WriteAction* const action : others) {
    if (action->kind == ActionKind::kCheck) {
      groups.reasons.push_back("The check of " + EntityName(call, *action) +
                               " is left out, because only a transaction can have it.");
      continue;
    }
    groups.groups.push_back(
        {.actions = {action}, .each = Most(call, *action) > 1 ? action->role : kLabNone});
  }
}

// Takes the deletes of children out of the actions: nothing has to agree with them but the parent,
// which is deleted after them. So a call that fails half-way can be made again.
void TakeChildren(const WriteCall& call, Actions& all, WriteGroups& groups) {
  if (WantsTransaction(call) || HasOwnConditions(call)) return;
  Actions children;
  for (const WriteAction* const action : all) {
    const int role = RootRole(call.shape, action->role);
    const bool is_apart = std::ranges::all_of(all, [&](const WriteAction* other) {
      return RootRole(call.shape, other->role) != role || IsDeleteOfMany(call, *other);
    });
    if (is_apart) children.push_back(action);
  }
  if (children.empty() || children.size() == all.size()) return;
  std::erase_if(all, [&](const WriteAction* action) {
    return std::ranges::find(children, action) != children.end();
  });
  groups.reasons.push_back("Each " + EntityName(call, *children.front()) +
                           " is deleted before, in batches, which cost half as much as a "
                           "transaction; a call that fails half-way can be made again.");
  AddBatches(call, std::move(children), groups);
}

// Takes out of the actions what is written for each of the instances that were found: there may be
// thousands, so it follows the rest, and each write may fail alone.
Actions TakeFound(const WriteCall& call, Actions& all) {
  Actions found;
  if (WantsTransaction(call)) return found;
  std::erase_if(all, [&](const WriteAction* action) {
    const int role = RootRole(call.shape, action->role);
    for (std::size_t i = 0; i < call.pattern.writes.size(); ++i) {
      const bool is_found = call.pattern.writes[i].found_by.entity != kLabNone &&
                            RootRole(call.shape, call.shape.writes[i].role) == role;
      if (!is_found) continue;
      found.push_back(action);
      return true;
    }
    return false;
  });
  return found;
}

// Adds what was taken out: in batches, and one by one what a batch cannot have.
void AddFound(const WriteCall& call, const Actions& found, WriteGroups& groups) {
  Actions batched;
  Actions singles;
  for (const WriteAction* const action : found) {
    const bool is_batchable =
        action->kind == ActionKind::kPut || action->kind == ActionKind::kDelete;
    (is_batchable ? batched : singles).push_back(action);
  }
  const auto say = [&](const Actions& some, const char* how) {
    AddName(EntityName(call, *some.front()) + " is written after the rest, " + how +
                ": there may be more than a transaction can hold, and readers may see some of "
                "them before others.",
            groups.reasons);
  };
  if (!batched.empty()) say(batched, "in batches");
  AddBatches(call, batched, groups);
  if (!singles.empty()) say(singles, "by one request each");
  AddSingles(call, singles, groups);
}

// Splits what may be more than 100 actions: the first transaction has what is done once, and as
// many instances of the first role as fit; the others have the rest, role by role.
void AddSplitTransactions(const WriteCall& call, const Actions& fixed, Actions left,
                          WriteGroups& groups) {
  bool is_first = true;
  while (!left.empty()) {
    const int role = RootRole(call.shape, left.front()->role);
    const Actions some = TakeRole(call, left);
    const auto per_instance = static_cast<int>(some.size());
    std::size_t done = 0;
    if (is_first && !fixed.empty()) {
      const int room = kMostTransactionActions - static_cast<int>(fixed.size());
      done = static_cast<std::size_t>(std::max(0, room / per_instance));
      Actions first = fixed;
      first.insert(first.end(), some.begin(), some.end());
      groups.groups.push_back({.kind = WriteGroup::Kind::kTransaction,
                               .actions = std::move(first),
                               .each = role,
                               .each_count = done,
                               .each_once = true});
    }
    const int most = kMostTransactionActions / per_instance;
    groups.reasons.push_back("A transaction has at most 100 actions: of more than " +
                             std::to_string(done > 0 ? static_cast<int>(done) : most) + " of " +
                             EntityName(call, *some.front()) +
                             " in one call, the rest is written by further transactions, which can "
                             "fail alone.");
    groups.groups.push_back({.kind = WriteGroup::Kind::kTransaction,
                             .actions = some,
                             .each = role,
                             .each_from = done,
                             .each_count = static_cast<std::size_t>(std::max(1, most))});
    is_first = false;
  }
}

void AddTransactions(const WriteCall& call, const Actions& all, WriteGroups& groups) {
  Actions fixed;
  Actions repeated;
  double most = 0;
  for (const WriteAction* const action : all) {
    (Most(call, *action) > 1 ? repeated : fixed).push_back(action);
    most += Most(call, *action);
  }
  if (all.size() > 1) {
    groups.reasons.push_back("One transaction, so that its items agree.");
  } else if (most <= 1 && fixed.front()->kind != ActionKind::kCheck) {
    groups.reasons.push_back(
        "The file wants a transaction, which costs twice the units of a request of its own.");
  }
  if (most > kMostTransactionActions) {
    return AddSplitTransactions(call, fixed, std::move(repeated), groups);
  }
  groups.groups.push_back({.kind = WriteGroup::Kind::kTransaction, .actions = all});
}

// Independent instances, each of which has a request of its own.
void AddForEach(const WriteCall& call, const Actions& all, bool has_conditions,
                WriteGroups& groups) {
  const bool is_single = all.size() == 1 && all.front()->kind != ActionKind::kCheck;
  groups.reasons.push_back("Each of the " + std::to_string(call.pattern.batch) +
                           " instances has a " + (is_single ? "request" : "transaction") +
                           " of its own" +
                           (has_conditions ? ", because a batch has no conditions." : "."));
  if (is_single) return AddSingles(call, all, groups);
  groups.groups.push_back({.kind = WriteGroup::Kind::kTransaction,
                           .actions = all,
                           .each = RootRole(call.shape, all.front()->role)});
}

// Returns how actions that do not depend on what was found are grouped into requests, and why.
WriteGroups GroupsOf(const WriteCall& call, Actions all, bool requires_what_was_read) {
  WriteGroups groups;
  if (all.empty()) return groups;
  if (call.pattern.batch > 1 && !WantsTransaction(call)) {
    // Conditions that the writes depend on, which a batch cannot have.
    const bool has_conditions = HasOwnConditions(call) || requires_what_was_read;
    const bool is_batchable =
        !has_conditions && std::ranges::all_of(all, [](const WriteAction* action) {
          return action->kind == ActionKind::kPut || action->kind == ActionKind::kDelete;
        });
    if (is_batchable) {
      SayBatchHasNoConditions(all, groups);
      AddBatches(call, std::move(all), groups);
      return groups;
    }
    if (!WantsSingles(call)) {
      AddForEach(call, all, has_conditions, groups);
      return groups;
    }
  }
  if (WantsSingles(call) && (all.size() > 1 || Most(call, *all.front()) > 1)) {
    groups.reasons.push_back(
        "The file wants no transaction: the requests follow each other, and a failure leaves "
        "some of them undone.");
    AddSingles(call, all, groups);
    return groups;
  }
  TakeChildren(call, all, groups);
  const WriteAction& first = *all.front();
  const bool is_alone = all.size() == 1 && Most(call, first) <= 1 && !WantsTransaction(call);
  if (is_alone && first.kind != ActionKind::kCheck) {
    AddSingles(call, all, groups);
    return groups;
  }
  if (is_alone) {
    groups.reasons.push_back(
        "A check alone is a transaction of one, because no other request has only a condition.");
  }
  AddTransactions(call, all, groups);
  return groups;
}

// Returns how all actions are grouped into requests, and why.
WriteGroups GroupsOf(const WriteCall& call, const WriteActions& done) {
  Actions all;
  for (const WriteAction& action : done.actions) all.push_back(&action);
  const Actions found = TakeFound(call, all);
  WriteGroups groups = GroupsOf(call, std::move(all), done.requires_what_was_read);
  AddFound(call, found, groups);
  return groups;
}

// --- Requests ---

struct ActionNames {
  const char* operation;  // as a request of its own
  const char* member;     // in a transaction
};
ActionNames NamesOf(ActionKind kind) {
  static constexpr ActionNames kNames[] = {{"PutItem", "Put"},
                                           {"UpdateItem", "Update"},
                                           {"DeleteItem", "Delete"},
                                           {"", "ConditionCheck"}};
  return kNames[static_cast<std::size_t>(kind)];
}

// What the templates of a write's requests are made of.
struct RequestSource {
  const WriteCall& call;
  const CallerKnowledge& known;
};

// Returns the value that an attribute of the role's instances has before the call wherever the
// call's conditions hold; null: they do not say it.
const std::string* OldValue(const CallerKnowledge& known, int role, LabAttributeRef attribute) {
  const auto found = known.find(role);
  if (found == known.end()) return nullptr;
  for (const LabCondition& one : found->second.old_values) {
    if (one.attribute == attribute) return &one.values.front();
  }
  return nullptr;
}

// Puts the value into a key's slot that the call's conditions say, or marks what is replaced.
void KnowOldValue(const CallerKnowledge& known, const WriteAction& action, RequestNode& node) {
  auto* const slot = std::get_if<RequestSlot>(&node.value);
  if (slot == nullptr) return;
  const LabTemplatePart& part = slot->part;
  const auto& changed = action.applies.changed;
  slot->is_old = std::ranges::find(changed, part.attribute) != changed.end();
  const std::string* const value = OldValue(known, action.role, part.attribute);
  if (value == nullptr) return;
  std::string text;
  AppendFormed(part, *value, text);
  RequestText escaped;
  AppendEscaped(text, escaped.text);
  node.value = std::move(escaped);
}

// Appends `"Item":{…}` or `"Key":{…}`.
void AppendTarget(const RequestSource& source, const WriteAction& action, RequestNodes& nodes) {
  const PlannerInput& input = source.call.input;
  RequestNodes target;
  if (action.kind == ActionKind::kPut) {
    AppendText("\"Item\":", nodes);
    AppendItem(input, *action.item, action.role, action.child_roles, target);
  } else {
    AppendText("\"Key\":", nodes);
    AppendPrimaryKey(input, *action.item, {.role = action.role}, target);
    for (RequestNode& node : target) KnowOldValue(source.known, action, node);
  }
  AppendNodes(std::move(target), nodes);
}

// Returns the members of a request that does the action, without braces.
RequestNodes MembersOf(const RequestSource& source, const WriteAction& action) {
  RequestNodes nodes;
  AppendText("\"TableName\":\"" + TableName(source.call, action) + "\",", nodes);
  AppendTarget(source, action, nodes);
  action.expression.AppendMembers(nodes);
  return nodes;
}

// Appends the body as one node, for each instance of the action's role, where the action applies.
void AppendForInstances(const WriteCall& call, const WriteAction& action, RequestNodes body,
                        RequestNodes& nodes) {
  if (Most(call, action) <= 1) return AppendWhere(action.applies, std::move(body), nodes);
  RequestEach each = {.between = ",",
                      .role = action.role,
                      .beside = BesideRoles(call.shape, action.role),
                      .body = {}};
  AppendWhere(action.applies, std::move(body), each.body);
  nodes.push_back({std::move(each)});
}

// Returns what the actions write.
std::vector<WrittenItem> WrittenBy(const WriteCall& call, const Actions& some) {
  std::vector<WrittenItem> written;
  for (const WriteAction* const action : some) {
    if (action->kind == ActionKind::kCheck) continue;
    WrittenItem& item = written.emplace_back();
    if (action->kind == ActionKind::kUpdate) item.effect = WrittenItem::Effect::kUpdate;
    if (action->kind == ActionKind::kDelete) item.effect = WrittenItem::Effect::kDelete;
    item.roles = {action->role};
    item.roles.insert(item.roles.end(), action->inner_roles.begin(), action->inner_roles.end());
    item.key.table = TableName(call, *action);
    const auto source = action->kind == ActionKind::kPut ? RequestSlot::Source::kNewValue
                                                         : RequestSlot::Source::kAttribute;
    RequestNodes key;
    AppendPrimaryKey(call.input, *action->item, {.role = action->role, .source = source}, key);
    AppendForInstances(call, *action, std::move(key), item.key.nodes);
  }
  return written;
}

// Returns the table that all actions are about; empty where they are about several.
std::string TableOfAll(const WriteCall& call, const Actions& some) {
  const std::string& name = TableName(call, *some.front());
  const bool is_one = std::ranges::all_of(
      some, [&](const WriteAction* action) { return TableName(call, *action) == name; });
  return is_one ? name : std::string();
}

std::string CapacityMember(const WriteCall& call) {
  const bool has_vectors = std::ranges::any_of(call.input.layout.tables, [](const LabTable& table) {
    return !table.vector_indexes.empty();
  });
  return std::string(has_vectors ? kReturnIndexCapacity : kReturnConsumedCapacity);
}

void WriteSingle(const RequestSource& source, const WriteAction& action, RequestNodes& nodes) {
  RequestNodes body;
  AppendText("{", body);
  AppendNodes(MembersOf(source, action), body);
  AppendText("," + CapacityMember(source.call) + "}", body);
  AppendForInstances(source.call, action, std::move(body), nodes);
}

void WriteBatch(const RequestSource& source, Actions some, RequestNodes& nodes) {
  RequestNodes tables;
  while (!some.empty()) {
    const std::string& name = TableName(source.call, *some.front());
    RequestNodes members;
    std::erase_if(some, [&](const WriteAction* action) {
      if (TableName(source.call, *action) != name) return false;
      const bool is_put = action->kind == ActionKind::kPut;
      RequestNodes body;
      AppendText(is_put ? R"({"PutRequest":{)" : R"({"DeleteRequest":{)", body);
      AppendTarget(source, *action, body);
      AppendText("}}", body);
      AppendForInstances(source.call, *action, std::move(body), members);
      return true;
    });
    tables.push_back({RequestJoined{.before = "\"" + name + "\":[",
                                    .between = ",",
                                    .after = "]",
                                    .members = std::move(members)}});
  }
  nodes.push_back({RequestJoined{.before = R"({"RequestItems":{)",
                                 .between = ",",
                                 .after = "}," + CapacityMember(source.call) + "}",
                                 .members = std::move(tables)}});
}

void WriteTransaction(const RequestSource& source, const Actions& some, RequestNodes& nodes) {
  RequestNodes members;
  for (const WriteAction* const action : some) {
    RequestNodes body;
    AppendText("{\"" + std::string(NamesOf(action->kind).member) + "\":{", body);
    AppendNodes(MembersOf(source, *action), body);
    AppendText("}}", body);
    AppendForInstances(source.call, *action, std::move(body), members);
  }
  nodes.push_back({RequestJoined{.before = R"({"TransactItems":[)",
                                 .between = ",",
                                 .after = "]," + CapacityMember(source.call) + "}",
                                 .members = std::move(members)}});
}

PlanStep StepOf(const RequestSource& source, const WriteGroup& group) {
  PlanStep step = {.each = group.each,
                   .each_from = group.each_from,
                   .each_count = group.each_count,
                   .each_once = group.each_once,
                   .written = WrittenBy(source.call, group.actions)};
  step.request.table = TableOfAll(source.call, group.actions);
  switch (group.kind) {
    case WriteGroup::Kind::kSingle:
      step.request.operation = NamesOf(group.actions.front()->kind).operation;
      WriteSingle(source, *group.actions.front(), step.request.nodes);
      break;
    case WriteGroup::Kind::kBatch:
      step.request.operation = "BatchWriteItem";
      WriteBatch(source, group.actions, step.request.nodes);
      break;
    case WriteGroup::Kind::kTransaction:
      step.request.operation = "TransactWriteItems";
      WriteTransaction(source, group.actions, step.request.nodes);
      break;
  }
  return step;
}

// Returns how many requests a call takes for the group on average.
double RequestsOf(const WriteCall& call, const WriteGroup& group) {
  const FileModel& model = call.model.file_model();
  const bool is_single = group.kind == WriteGroup::Kind::kSingle;
  const bool is_of_one = group.each == kLabNone || group.each_once;
  const int first = group.actions.front()->role;
  if (is_of_one) return is_single ? std::min(1.0, model.MeanInRole(call.number, first)) : 1;
  const double instances = model.MeanInRole(call.number, group.each);
  // An instance that is missing takes no request.
  if (is_single) return instances;
  const double rest = std::max(0.0, instances - static_cast<double>(group.each_from));
  const auto each = static_cast<double>(std::max<std::size_t>(1, group.each_count));
  return std::max(std::min(1.0, rest), std::ceil(rest / each - 1e-9));
}

// Returns a sentence about the key of the first action's item.
std::string ReasonOfKey(const WriteCall& call, const WriteAction& first) {
  const bool is_put = first.kind == ActionKind::kPut;
  return TableName(call, first) +
         (is_put ? ": the item is put under the key " : ": the caller knows the key ") +
         PrimaryKeyText(call.input.layout, *first.item);
}

}  // namespace

PatternPlan PlanWrite(const LayoutModel& model, int pattern) {
  const PlannerInput input = {model.file_model().file(), model.layout()};
  const WriteCall call = {input, model, pattern};
  const CallerKnowledge known = KnowledgeOfCaller(call);
  const WriteActions done = ActionsOf(call, known);
  PatternPlan plan = PlanLookUps(call, known, done);
  if (!plan.impossible.empty()) {
    return {.pattern = pattern, .impossible = std::move(plan.impossible)};
  }
  plan.pattern = pattern;
  const WriteGroups groups = GroupsOf(call, done);
  std::vector<PlannedAction> planned;
  for (const WriteGroup& group : groups.groups) {
    plan.steps.push_back(StepOf({call, known}, group));
    plan.cost.requests += RequestsOf(call, group);
    // The rest of what one transaction cannot hold is the same actions again.
    if (group.each_from > 0) continue;
    for (const WriteAction* const action : group.actions) {
      planned.push_back({action, group.kind == WriteGroup::Kind::kTransaction});
    }
  }
  plan.cost.Add(CostOfActions(call, planned));
  plan.reasons.insert(plan.reasons.end(), groups.reasons.begin(), groups.reasons.end());
  if (plan.reasons.empty() && !plan.steps.empty()) {
    plan.reasons.push_back(ReasonOfKey(call, done.actions.front()));
  }
  // Reasons stand in lists, and have no full stop there.
  for (std::string& reason : plan.reasons) {
    if (reason.ends_with('.')) reason.pop_back();
  }
  return plan;
}

}  // namespace hashrange
