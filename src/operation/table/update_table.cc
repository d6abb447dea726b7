// UpdateTable (docs/service/03-tables-and-indexes.md, section 7;
// 13-update-table-and-gsi-lifecycle.md, sections 1 to 6).
#include <algorithm>
#include <string>
#include <utility>

#include "engine/table_life_cycle.h"
#include "engine/throughput_history.h"
#include "operation/call/operations.h"
#include "operation/table/table_description.h"
#include "operation/table/table_lookup.h"
#include "operation/table/table_settings.h"
#include "operation/table/table_transitions.h"
#include "operation/table/update_table_request.h"

namespace hashrange {
namespace {

// Warm throughput rises to any throughput that a table is given, and never falls.
void RaiseWarm(const WarmThroughput& to, WarmThroughput* warm) {
  warm->read_units_per_second = std::max(warm->read_units_per_second, to.read_units_per_second);
  warm->write_units_per_second = std::max(warm->write_units_per_second, to.write_units_per_second);
}

void MergeWarm(const PartialUnits& units, WarmThroughput* warm) {
  warm->read_units_per_second = units.read.value_or(warm->read_units_per_second);
  warm->write_units_per_second = units.write.value_or(warm->write_units_per_second);
}

// Returns the current limits with those that the request gives.
OnDemandThroughput MergedLimits(const PartialUnits& units,
                                const std::optional<OnDemandThroughput>& current) {
  OnDemandThroughput limit = current.value_or(OnDemandThroughput());
  if (units.read) limit.max_read_units = units.read;
  if (units.write) limit.max_write_units = units.write;
  return limit;
}

// Returns the limits without those that −1 removes; nullopt: no limit is left.
std::optional<OnDemandThroughput> WithoutRemovedLimits(OnDemandThroughput limit) {
  if (limit.max_read_units == -1) limit.max_read_units.reset();
  if (limit.max_write_units == -1) limit.max_write_units.reset();
  return limit.max_read_units || limit.max_write_units ? std::optional(limit) : std::nullopt;
}

void MarkUpdating(IndexVersion* index) {
  index->phase = PhaseAfter(index->phase, IndexEvent::kUpdate);
}

// The switch to PAY_PER_REQUEST. The new mode and its units, which are zero, are described at once.
void SwitchToOnDemand(std::int64_t now_ms, TableChange* change) {
  TableSettings& during = change->during->settings;
  TableSettings& after = change->after->settings;
  StampChange(during.throughput, {}, now_ms, &during.throughput_history);
  during.on_demand = after.on_demand = true;
  during.throughput = after.throughput = {};
  after.last_on_demand_epoch_ms = now_ms;
  RaiseWarm(InitialWarmThroughput(true, {}), &after.warm);
  for (IndexVersion& index : change->during->indexes) {
    if (!index.schema.is_global()) continue;
    index.throughput = {};
    MarkUpdating(&index);
  }
  for (IndexVersion& index : change->after->indexes) {
    if (!index.schema.is_global()) continue;
    RecordChange(index.throughput, {}, now_ms, &index.throughput_history);
    index.throughput = {};
    RaiseWarm(InitialWarmThroughput(true, {}), &index.warm);
  }
}

// The switch to PROVISIONED is also described at once. `request` has the units of the table and of
// all its global indexes.
void SwitchToProvisioned(const UpdateTableRequest& request, TableChange* change) {
  for (TableVersion* version : {change->during.get(), change->after.get()}) {
    version->settings.on_demand = false;
    version->settings.throughput = *request.throughput;
    version->settings.on_demand_throughput.reset();
    for (IndexVersion& index : version->indexes) {
      if (!index.schema.is_global()) continue;
      const PartialUnits& units = *request.FindIndexUpdate(index.schema.name)->throughput;
      index.throughput = {*units.read, *units.write};
      index.on_demand.reset();
    }
  }
  for (IndexVersion& index : change->after->indexes) {
    RaiseWarm(InitialWarmThroughput(false, index.throughput), &index.warm);
  }
  for (IndexVersion& index : change->during->indexes) {
    if (index.schema.is_global()) MarkUpdating(&index);
  }
  RaiseWarm(InitialWarmThroughput(false, *request.throughput), &change->after->settings.warm);
}

// Switches the billing mode if the request asks for it, and with it the throughput of the table and
// its global indexes. Returns whether it was switched.
bool ApplyBillingMode(const UpdateTableRequest& request, std::int64_t now_ms, TableChange* change) {
  if (!request.on_demand || *request.on_demand == change->after->settings.on_demand) return false;
  change->takes_time = true;
  if (*request.on_demand) {
    SwitchToOnDemand(now_ms, change);
  } else {
    SwitchToProvisioned(request, change);
  }
  return true;
}

// The old units are described until the table is ACTIVE again.
void ApplyThroughput(const UpdateTableRequest& request, std::int64_t now_ms, TableChange* change) {
  if (!request.throughput) return;
  change->takes_time = true;
  TableSettings& during = change->during->settings;
  TableSettings& after = change->after->settings;
  StampChange(during.throughput, *request.throughput, now_ms, &during.throughput_history);
  RecordChange(after.throughput, *request.throughput, now_ms, &after.throughput_history);
  after.throughput = *request.throughput;
  RaiseWarm(InitialWarmThroughput(false, after.throughput), &after.warm);
}

void ApplyIndexThroughput(const PartialUnits& units, std::int64_t now_ms, IndexVersion* during,
                          IndexVersion* after) {
  const ProvisionedThroughput throughput{*units.read, *units.write};
  StampChange(during->throughput, throughput, now_ms, &during->throughput_history);
  RecordChange(after->throughput, throughput, now_ms, &after->throughput_history);
  after->throughput = throughput;
  RaiseWarm(InitialWarmThroughput(false, throughput), &after->warm);
  MarkUpdating(during);
}

void ApplyIndexUpdates(const UpdateTableRequest& request, bool is_switch, std::int64_t now_ms,
                       TableChange* change) {
  for (IndexVersion& after : change->after->indexes) {
    const IndexUpdate* asked = request.FindIndexUpdate(after.schema.name);
    if (!asked) continue;
    // An index of `after` that is not created by this request is in `during`, too.
    IndexVersion& during = *change->during->FindIndex(asked->name);
    change->takes_time = true;
    if (asked->throughput && !is_switch) {
      ApplyIndexThroughput(*asked->throughput, now_ms, &during, &after);
    }
    if (asked->on_demand && !asked->on_demand->empty()) {
      during.on_demand = MergedLimits(*asked->on_demand, after.on_demand);
      after.on_demand = WithoutRemovedLimits(*during.on_demand);
      MarkUpdating(&during);
    }
    if (asked->warm) {
      during.warm.is_updating = true;
      MergeWarm(*asked->warm, &after.warm);
    }
  }
}

void AddAttributeDefinition(const KeyPart& attribute, std::vector<KeyPart>* definitions) {
  const auto at = std::ranges::lower_bound(*definitions, attribute.name, {}, &KeyPart::name);
  if (at != definitions->end() && at->name == attribute.name) return;
  definitions->insert(at, attribute);
}

// Returns whether a key or a search schema of the table names the attribute.
bool IsUsed(const TableVersion& table, std::string_view attribute) {
  return table.key.Find(attribute) ||
         std::ranges::any_of(table.indexes, [attribute](const IndexVersion& index) {
           const IndexSchema& schema = index.schema;
           return schema.key.Find(attribute) ||
                  (schema.vector && schema.vector->FindFilter(attribute));
         });
}

void AddIndex(const IndexDefinition& definition, const std::vector<KeyPart>& attributes,
              IndexPhase phase, TableVersion* table) {
  IndexVersion index = MakeIndexVersion(definition, attributes, table->settings.on_demand);
  index.phase = phase;
  index.warm.is_given = definition.warm.has_value();
  for (const KeyPart& attribute : AttributesOf(index.schema)) {
    AddAttributeDefinition(attribute, &table->settings.attribute_definitions);
  }
  // Global indexes stand before local indexes, and vector indexes after them.
  const auto behind_global = std::ranges::find_if(
      table->indexes, [](const IndexVersion& other) { return !other.schema.is_global(); });
  table->indexes.insert(index.schema.is_vector() ? table->indexes.end() : behind_global,
                        std::move(index));
}

void RemoveIndex(std::string_view name, TableVersion* table) {
  std::erase_if(table->indexes,
                [name](const IndexVersion& index) { return index.schema.name == name; });
  std::erase_if(table->settings.attribute_definitions,
                [table](const KeyPart& attribute) { return !IsUsed(*table, attribute.name); });
}

// Creates or deletes an index. It is called after ApplyIndexUpdates, which expects every index of
// `after` in `during`.
void ApplyOnlineIndex(const UpdateTableRequest& request, TableChange* change) {
  const IndexUpdate* online = request.FindCreationOrDeletion();
  if (!online) return;
  change->takes_time = true;
  change->is_updating = true;
  if (online->created) {
    const std::vector<KeyPart> attributes = ReadAttributeDefinitions(request.json);
    AddIndex(*online->created, attributes, IndexPhase::kAllocating, change->during.get());
    AddIndex(*online->created, attributes, IndexPhase::kActive, change->after.get());
  } else {
    IndexVersion* const removed = change->during->FindIndex(online->name);
    removed->phase = PhaseAfter(removed->phase, IndexEvent::kRemoval);
    RemoveIndex(online->name, change->after.get());
  }
}

void ApplyOnDemandAndWarmThroughput(const UpdateTableRequest& request, TableChange* change) {
  TableSettings& during = change->during->settings;
  TableSettings& after = change->after->settings;
  if (request.max_on_demand) {
    during.on_demand_throughput = MergedLimits(*request.max_on_demand, after.on_demand_throughput);
    after.on_demand_throughput = WithoutRemovedLimits(*during.on_demand_throughput);
  }
  if (request.warm) {
    change->takes_time = true;
    during.warm.is_updating = true;
    MergeWarm(*request.warm, &after.warm);
  }
}

void ApplyEncryption(const Context& context, const UpdateTableRequest& request,
                     TableChange* change) {
  if (!request.json.Has("SSESpecification")) return;
  change->takes_time = true;
  TableSettings& during = change->during->settings;
  TableSettings& after = change->after->settings;
  after.sse = MakeSseSpecification(request.json, context);
  if (!during.sse) during.sse = after.sse;
  if (during.sse) during.sse->is_updating = true;
}

void ApplyTableClass(const UpdateTableRequest& request, std::int64_t now_ms, TableChange* change) {
  TableSettings& after = change->after->settings;
  if (!request.table_class || *request.table_class == after.table_class.value_or("STANDARD")) {
    return;
  }
  change->takes_time = true;
  after.table_class = request.table_class;
  after.last_table_class_epoch_ms = now_ms;
}

// Enables or disables the stream in both versions: the change is described at once.
void ApplyStream(const UpdateTableRequest& request, TableChange* change) {
  const auto asked = request.json.Object("StreamSpecification");
  if (!asked) return;
  const bool enables = asked->Boolean("StreamEnabled").value_or(false);
  change->takes_time = true;
  change->is_updating = true;
  change->during->settings.stream_switch =
      enables ? StreamSwitch::kEnabling : StreamSwitch::kDisabling;
  for (TableVersion* version : {change->during.get(), change->after.get()}) {
    auto& stream = version->settings.stream;
    stream.reset();
    if (enables) stream = {true, std::string(*asked->String("StreamViewType")), nullptr};
  }
}

// Returns the change that the request asks for. `request` has passed every check against `current`
// and against the version that follows it. Of the context, the result depends only on the time, the
// Region and the account.
TableChange MakeTableChange(const Context& context, const UpdateTableRequest& request,
                            const TableVersion& current) {
  TableChange change;
  change.during = std::make_unique<TableVersion>(current);
  change.after = std::make_unique<TableVersion>(current.AfterPhase());
  const std::int64_t now_ms = context.NowEpochMs();
  // The answer says UPDATING even if these members change nothing
  // (docs/service/13-update-table-and-gsi-lifecycle.md, section 3).
  if (request.on_demand || request.throughput || request.table_class) {
    change.is_updating = true;
  }
  const bool is_switch = ApplyBillingMode(request, now_ms, &change);
  if (!is_switch) ApplyThroughput(request, now_ms, &change);
  ApplyIndexUpdates(request, is_switch, now_ms, &change);
  ApplyOnlineIndex(request, &change);
  ApplyOnDemandAndWarmThroughput(request, &change);
  ApplyEncryption(context, request, &change);
  ApplyTableClass(request, now_ms, &change);
  ApplyStream(request, &change);
  if (request.deletion_protection) {
    change.during->settings.deletion_protection = *request.deletion_protection;
    change.after->settings.deletion_protection = *request.deletion_protection;
  }
  return change;
}

// Fills the new index, or lets the backfiller do it. The published version of the table already has
// the index.
void StartFilling(const Context& context, const TableVersion& table, const IndexUpdate& index) {
  IndexAddress address{table.account_id, table.region, table.name, index.name};
  if (context.backfiller) {
    context.backfiller->Start(std::move(address));
  } else {
    FillIndex(context.engine, std::move(address));
  }
}

// Returns the table as the answer describes it. Tries again when another change was published
// first.
Result<TableRef> RunUpdateTable(Context& context, const UpdateTableRequest& request) {
  HR_RETURN_IF_ERROR(CheckArn(context, request.table_name));
  HR_RETURN_IF_ERROR(CheckUpdateTableRequest(request));
  const IndexUpdate* online = request.FindCreationOrDeletion();
  if (online && online->created) HR_RETURN_IF_ERROR(context.AdmitGrowth());
  for (;;) {
    HR_ASSIGN(const TableRef table, FindTableToManage(context, request.table_name));
    HR_RETURN_IF_ERROR(CheckUpdateAdmitted(request, *table));
    HR_RETURN_IF_ERROR(CheckUpdateOfTable(request, table->AfterPhase()));
    TableChange change = MakeTableChange(context, request, *table);
    StreamOpening stream(context);
    stream.OpenFor(&change);
    const bool keeps_stream = change.after->settings.stream.has_value();
    TableRef changed = BeginUpdate(context, table, std::move(change));
    if (!changed) continue;
    stream.Keep();
    if (!keeps_stream) CloseStream(context, *table);
    if (online && online->created) StartFilling(context, *changed, *online);
    return changed;
  }
}

}  // namespace

Status UpdateTable(Context& context, const RequestObject& json, JsonWriter& answer) {
  const UpdateTableRequest request = ReadUpdateTableRequest(json);
  HR_ASSIGN(const TableRef table, RunUpdateTable(context, request));
  LogTable(*table, "changed");
  WriteTableAnswer(context, "TableDescription", *table, table->status(), answer);
  return {};
}

}  // namespace hashrange
