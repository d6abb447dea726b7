// CheckUpdateAdmitted: the changes of a table that are refused while another change takes place
// (docs/service/13-update-table-and-gsi-lifecycle.md, section 6).
#include <string>
#include <string_view>

#include "operation/call/error_texts.h"
#include "operation/table/table_transitions.h"
#include "operation/table/update_table_request.h"

namespace hashrange {
namespace {

using Action = IndexUpdate::Action;

// Returns the index that is being created or deleted, or null. A table has at most one.
const IndexVersion* FindOnlineIndex(const TableVersion& table) {
  for (const IndexVersion& index : table.indexes) {
    const bool is_creating = index.status() == ResourceStatus::kCreating;
    if (is_creating || index.status() == ResourceStatus::kDeleting) return &index;
  }
  return nullptr;
}

// Why a table is UPDATING. It is not UPDATING when an index is only backfilled.
enum class Busy { kNo, kStreamSwitch, kIndexCreation, kIndexDeletion, kThroughput, kTableClass };

Busy BusyWith(const TableVersion& table) {
  if (table.status() != ResourceStatus::kUpdating) return Busy::kNo;
  if (table.settings.stream_switch != StreamSwitch::kNone) return Busy::kStreamSwitch;
  const IndexVersion* online = FindOnlineIndex(table);
  if (online && online->is_allocating()) return Busy::kIndexCreation;
  if (online && online->status() == ResourceStatus::kDeleting) return Busy::kIndexDeletion;
  const bool is_class =
      table.phase.next && table.phase.next->settings.table_class != table.settings.table_class;
  return is_class ? Busy::kTableClass : Busy::kThroughput;
}

// What a request asks for, as far as it can be refused here. Deletion protection, encryption and
// warm throughput of a table can always be changed.
enum class Asked { kIndexUpdate, kOnlineIndex, kThroughput, kOnDemandLimit, kStream, kTableClass };

bool AsksFor(const UpdateTableRequest& request, const TableVersion& table, Asked asked) {
  switch (asked) {
    case Asked::kIndexUpdate:
      return !request.index_updates.empty() && !request.FindCreationOrDeletion();
    case Asked::kOnlineIndex:
      return request.FindCreationOrDeletion();
    case Asked::kThroughput:
      // PAY_PER_REQUEST for a table that is on demand already asks for nothing.
      return request.throughput ||
             (request.on_demand && !(*request.on_demand && table.settings.on_demand));
    case Asked::kOnDemandLimit:
      return request.max_on_demand.has_value();
    case Asked::kStream:
      return request.json.Has("StreamSpecification");
    case Asked::kTableClass:
      break;
  }
  return request.table_class.has_value();
}

// In texts: {T} the table, {I} the index that is created or deleted, {C} the new table class, {L}
// the label of the stream that is switched, {O} ENABLE or DISABLE.
struct Refusal {
  Asked asked;
  Busy busy;
  std::string_view text;
};
constexpr Refusal kRefusals[] = {
    {Asked::kThroughput, Busy::kIndexCreation,
     "Can't change table IOPS when an index is being created. Table: {T} Indexes: [{I}]"},
    {Asked::kThroughput, Busy::kIndexDeletion,
     "Can't change table IOPS when an index is being deleted. Table: {T} Indexes: [{I}]"},
    {Asked::kThroughput, Busy::kThroughput, "Table IOPS are currently being updated. Table: {T}"},
    {Asked::kOnlineIndex, Busy::kThroughput,
     "Can't create or delete indexes while table IOPS are being updated. Table: {T}"},
    {Asked::kOnlineIndex, Busy::kTableClass,
     "Can't create or delete an index when a table class update is in progress. Table: {T} "
     "TableClassUpdateInProgress: {C}"},
    {Asked::kIndexUpdate, Busy::kThroughput, "Table IOPS are currently being updated. Table: {T}"},
    {Asked::kOnDemandLimit, Busy::kIndexCreation,
     "OnDemandThroughput cannot be updated while index creation is in progress for indexes: [{I}]"},
    {Asked::kOnDemandLimit, Busy::kIndexDeletion,
     "OnDemandThroughput cannot be updated while index deletion is in progress for indexes: [{I}]"},
    {Asked::kOnDemandLimit, Busy::kThroughput,
     "OnDemandThroughput cannot be updated while BillingMode update is in progress"},
    {Asked::kOnDemandLimit, Busy::kTableClass,
     "OnDemandThroughput cannot be updated while TableClass update is in progress. "
     "TableClassUpdateInProgress: {C}"},
    {Asked::kStream, Busy::kIndexCreation,
     "Can't change stream status when an index is being created. Table: {T} Indexes: [{I}]"},
    {Asked::kStream, Busy::kIndexDeletion,
     "Can't change stream status when an index is being deleted. Table: {T} Indexes: [{I}]"},
    {Asked::kStream, Busy::kThroughput,
     "Can't enable or disable stream while table IOPS are being updated. Table: {T}"},
    {Asked::kStream, Busy::kTableClass,
     "Can't change stream status when a table class update is in progress. Table: {T} "
     "TableClassUpdateInProgress: {C}"},
    {Asked::kTableClass, Busy::kTableClass,
     "Can't update table class when a table class update is in progress. Table: {T} "
     "TableClassUpdateInProgress: {C}"},
    {Asked::kStream, Busy::kStreamSwitch,
     "A stream status change is currently in progress. Table: {T} Stream: {L} Operation: {O}"},
    {Asked::kOnDemandLimit, Busy::kStreamSwitch,
     "OnDemandThroughput cannot be updated while stream status update is in progress"},
    {Asked::kThroughput, Busy::kStreamSwitch,
     "Can't change table IOPS when stream status is being updated. Table: {T} Stream: {L} "
     "Operation: {O}"},
    {Asked::kOnlineIndex, Busy::kStreamSwitch,
     "Can't create or delete an index when stream status is being updated. Table: {T} Stream: {L} "
     "Operation: {O}"},
    // The texts of the next two rows are made after the pattern of the rows above.
    {Asked::kIndexUpdate, Busy::kStreamSwitch,
     "Can't change table IOPS when stream status is being updated. Table: {T} Stream: {L} "
     "Operation: {O}"},
    {Asked::kTableClass, Busy::kStreamSwitch,
     "Can't update table class when stream status is being updated. Table: {T} Stream: {L} "
     "Operation: {O}"},
    // The service's texts for the pairs below are not known.
    {Asked::kThroughput, Busy::kTableClass, "Table is being updated: {T}"},
    {Asked::kIndexUpdate, Busy::kTableClass, "Table is being updated: {T}"},
    {Asked::kTableClass, Busy::kThroughput, "Table is being updated: {T}"},
    {Asked::kTableClass, Busy::kIndexCreation, "Table is being updated: {T}"},
    {Asked::kTableClass, Busy::kIndexDeletion, "Table is being updated: {T}"},
};

std::string RefusalText(const Refusal& refusal, const TableVersion& table) {
  const bool enables = table.settings.stream_switch == StreamSwitch::kEnabling;
  std::string text;
  for (std::size_t i = 0; i < refusal.text.size(); ++i) {
    if (refusal.text[i] != '{') {
      text.push_back(refusal.text[i]);
      continue;
    }
    const char what = refusal.text[i + 1];
    if (what == 'T') text.append(table.name);
    if (what == 'I') text.append(FindOnlineIndex(table)->schema.name);
    if (what == 'C') text.append(table.phase.next->settings.table_class.value_or("STANDARD"));
    if (what == 'L') text.append(table.settings.latest_stream_label);
    if (what == 'O') text.append(enables ? "ENABLE" : "DISABLE");
    i += 2;
  }
  return text;
}

Error IndexInUse(std::string_view text, const TableVersion& table, const IndexVersion& index) {
  return ResourceInUse(Concatenated({text, " Table: ", table.name, " Index: ", index.schema.name}));
}

// Checks the status of the index that the request changes.
Status CheckIndexFree(const IndexUpdate& change, const TableVersion& table) {
  const IndexVersion* index = table.FindIndex(change.name);
  if (!index) return {};
  if (index->status() == ResourceStatus::kDeleting) {
    return IndexInUse("Index is being deleted.", table, *index);
  }
  if (index->status() == ResourceStatus::kUpdating && change.action != Action::kCreate) {
    return IndexInUse("Index is being updated.", table, *index);
  }
  if (index->status() != ResourceStatus::kCreating) return {};
  // The service's text has two spaces here.
  if (change.action == Action::kCreate) {
    return IndexInUse("Index is being created. ", table, *index);
  }
  if (!index->is_allocating()) return {};
  return change.IsUpdate()
             ? IndexInUse("Index is being created but is not backfilling yet.", table, *index)
             : IndexInUse(
                   "Index creation is in resource allocation phase. Retry deletion during "
                   "backfilling phase or when the index is active.",
                   table, *index);
}

// Only one index can be created or deleted at a time. A request may name the index that is being
// created: an index that is backfilling can be deleted.
Status CheckOnlyOnlineIndex(const UpdateTableRequest& request, const TableVersion& table) {
  const IndexUpdate* asked = request.FindCreationOrDeletion();
  const IndexVersion* online = FindOnlineIndex(table);
  if (!asked || !online || asked->name == online->schema.name) return {};
  return TooManyOnlineIndexes();
}

}  // namespace

Error TooManyOnlineIndexes() {
  return Error{ErrorCode::kLimitExceededException,
               "Subscriber limit exceeded: Only 1 online index can be created or deleted "
               "simultaneously per table",
               nullptr};
}

Status CheckUpdateAdmitted(const UpdateTableRequest& request, const TableVersion& table) {
  HR_RETURN_IF_ERROR(CheckNotCreatingOrDeleting(table));
  for (const IndexUpdate& change : request.index_updates) {
    HR_RETURN_IF_ERROR(CheckIndexFree(change, table));
  }
  HR_RETURN_IF_ERROR(CheckOnlyOnlineIndex(request, table));
  const Busy busy = BusyWith(table);
  for (const Refusal& refusal : kRefusals) {
    if (refusal.busy != busy || !AsksFor(request, table, refusal.asked)) continue;
    return ResourceInUse(RefusalText(refusal, table));
  }
  return {};
}

}  // namespace hashrange
