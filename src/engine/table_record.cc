#include "engine/table_record.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/record_fields.h"
#include "engine/schema_fields.h"
#include "engine/table_life_cycle.h"

namespace hashrange {

// ---- The fields. A number that was used once keeps its meaning for ever. ----

template <typename Fields>
void VisitFields(Fields& fields, Tag& tag) {
  fields.Field(1, tag.key);
  fields.Field(2, tag.value);
}

template <typename Fields>
void VisitFields(Fields& fields, ProvisionedThroughput& throughput) {
  fields.Field(1, throughput.read_units);
  fields.Field(2, throughput.write_units);
}

template <typename Fields>
void VisitFields(Fields& fields, OnDemandThroughput& throughput) {
  fields.Field(1, throughput.max_read_units);
  fields.Field(2, throughput.max_write_units);
}

template <typename Fields>
void VisitFields(Fields& fields, WarmThroughput& warm) {
  fields.Field(1, warm.read_units_per_second);
  fields.Field(2, warm.write_units_per_second);
  fields.Field(3, warm.is_updating);
  fields.Field(4, warm.is_given);
}

template <typename Fields>
void VisitFields(Fields& fields, ThroughputHistory& history) {
  fields.Field(1, history.last_increase_epoch_ms);
  fields.Field(2, history.last_decrease_epoch_ms);
  fields.Field(3, history.decreases_today);
}

template <typename Fields>
void VisitFields(Fields& fields, ContributorInsights& insights) {
  fields.Field(1, insights.enabled);
  fields.Enum(2, insights.mode, InsightsMode::kThrottledKeys);
  fields.Field(3, insights.rules_epoch_ms);
  fields.Field(4, insights.updated_epoch_ms);
}

template <typename Fields>
void VisitFields(Fields& fields, PointInTimeRecovery& recovery) {
  fields.Field(1, recovery.period_days);
  fields.Field(2, recovery.enabled_epoch_ms);
}

namespace {

struct StoredPolicy {
  std::string text;
  std::string revision_id;
};

}  // namespace

template <typename Fields>
void VisitFields(Fields& fields, StoredPolicy& policy) {
  fields.Field(1, policy.text);
  fields.Field(2, policy.revision_id);
}

template <typename Fields>
void VisitPolicy(Fields& fields, int number, PolicyRef& policy) {
  std::optional<StoredPolicy> stored;
  if constexpr (!Fields::kIsReading) {
    if (policy) stored = {policy->text(), policy->revision_id()};
  }
  fields.Field(number, stored);
  if constexpr (Fields::kIsReading) {
    policy = stored ? std::make_shared<const ResourcePolicy>(std::move(stored->text),
                                                             std::move(stored->revision_id))
                    : nullptr;
  }
}

template <typename Fields>
void VisitFields(Fields& fields, IndexVersion& index) {
  fields.Field(1, index.schema);
  fields.Enum(2, index.phase, IndexPhase::kDeletingUnfilled);
  fields.Field(3, index.throughput);
  fields.Field(4, index.throughput_history);
  fields.Field(5, index.on_demand);
  fields.Field(6, index.warm);
  fields.Field(7, index.insights);
}

template <typename Fields>
void VisitFields(Fields& fields, SseSpecification& sse) {
  fields.Field(1, sse.kms_key_arn);
  fields.Field(2, sse.is_updating);
}

template <typename Fields>
void VisitFields(Fields& fields, StreamSpecification& stream) {
  fields.Field(1, stream.enabled);
  fields.Field(2, stream.view_type);
  fields.Field(3, stream.id);
  VisitPolicy(fields, 4, stream.policy);
}

template <typename Fields>
void VisitFields(Fields& fields, KinesisDestination& destination) {
  fields.Field(1, destination.stream_arn);
  fields.Enum(2, destination.precision, TimePrecision::kMicrosecond);
  fields.Enum(3, destination.settled, DestinationStatus::kUpdating);
  fields.Enum(4, destination.change, DestinationStatus::kUpdating);
  fields.Field(5, destination.changed_epoch_ms);
}

template <typename Fields>
void VisitFields(Fields& fields, TableSettings& settings) {
  fields.Field(1, settings.attribute_definitions);
  fields.Field(2, settings.on_demand);
  fields.Field(3, settings.last_on_demand_epoch_ms);
  fields.Field(4, settings.throughput);
  fields.Field(5, settings.throughput_history);
  fields.Field(6, settings.on_demand_throughput);
  fields.Field(7, settings.warm);
  fields.Field(8, settings.deletion_protection);
  fields.Field(9, settings.table_class);
  fields.Field(10, settings.last_table_class_epoch_ms);
  fields.Field(11, settings.sse);
  fields.Field(12, settings.stream);
  fields.Field(13, settings.latest_stream_label);
  fields.Enum(14, settings.stream_switch, StreamSwitch::kDisabling);
  fields.Field(15, settings.ttl_attribute);
  fields.Field(16, settings.recovery);
  VisitPolicy(fields, 17, settings.policy);
  fields.Field(18, settings.insights);
  fields.Field(19, settings.destinations);
}

namespace {

// What all versions of a table have in common.
struct Identity {
  TableVersion& table;
};

// What a version becomes when its phase ends. It is a version of the same table, so that only its
// state is stored.
struct NextState {
  std::unique_ptr<TableVersion> version = std::make_unique<TableVersion>();
};

}  // namespace

template <typename Fields>
void VisitFields(Fields& fields, Identity& identity) {
  TableVersion& table = identity.table;
  fields.Field(1, table.account_id);
  fields.Field(2, table.region);
  fields.Field(3, table.name);
  fields.Field(4, table.table_id);
  fields.Field(5, table.arn);
  fields.Field(6, table.creation_epoch_ms);
  fields.Field(7, table.key);
}

template <typename Fields>
void VisitFields(Fields& fields, NextState& next);

// The fields of a version's state follow the fields of its identity in the same record.
template <typename Fields>
void VisitState(Fields& fields, TableVersion& table) {
  fields.Enum(8, table.phase.status, ResourceStatus::kActive);
  fields.Field(9, table.phase.ends_epoch_ms);
  std::optional<NextState> next;
  if constexpr (!Fields::kIsReading) {
    if (table.phase.next) next = {std::make_unique<TableVersion>(*table.phase.next)};
  }
  fields.Field(10, next);
  if constexpr (Fields::kIsReading) {
    table.phase.next =
        next ? TableRef::Adopt(std::exchange(next->version, nullptr).release()) : nullptr;
  }
  fields.Field(11, table.indexes);
  fields.Field(12, table.settings);
}

template <typename Fields>
void VisitFields(Fields& fields, NextState& next) {
  VisitState(fields, *next.version);
}

template <typename Fields>
void VisitFields(Fields& fields, TableVersion& table) {
  Identity identity{table};
  VisitFields(fields, identity);
  VisitState(fields, table);
}

namespace {

struct TagList {
  std::vector<Tag> tags;
};

template <typename Fields>
void VisitFields(Fields& fields, TagList& list) {
  fields.Field(1, list.tags);
}

Error DamagedTable(std::string_view problem) {
  return InternalError("the record of a table is damaged: " + std::string(problem));
}

// ---- The check: the engine relies on what a request was checked for. ----

constexpr std::string_view kViewTypes[] = {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE",
                                           "NEW_AND_OLD_IMAGES"};

bool IsUsableVectorIndex(const IndexSchema& index) {
  const VectorSchema& vector = *index.vector;
  const bool has_usable_key =
      (index.key.hash.empty() && index.key.range.empty()) || IsUsableKey(index.key, 1, 0);
  const auto is_usable = [](const KeyPart& filter) {
    return !filter.name.empty() && IsScalarKey(filter.type);
  };
  return has_usable_key && !vector.attribute.empty() && vector.dimensions >= 1 &&
         vector.dimensions <= kMaxDimensions && std::ranges::all_of(vector.filters, is_usable);
}

bool IsUsableIndex(const KeySchema& table, const IndexSchema& index) {
  if (index.name.empty() || !std::ranges::is_sorted(index.non_key_attributes)) return false;
  if (index.vector) return !index.is_local && IsUsableVectorIndex(index);
  if (!index.is_local) return IsUsableKey(index.key, kMaxKeyParts / 2, kMaxKeyParts / 2);
  const KeyPart& hash = table.hash[0];
  return IsUsableTableKey(index.key) && index.key.hash[0].name == hash.name &&
         index.key.hash[0].type == hash.type;
}

bool AreUsableIndexes(const TableVersion& table) {
  std::set<std::string_view> names;
  for (const IndexVersion& index : table.indexes) {
    if (!IsUsableIndex(table.key, index.schema)) return false;
    if (!names.insert(index.schema.name).second) return false;
  }
  return true;
}

// The version that follows shares the indexes of the same names with the version before it. It has
// no other local index, as those are created together with the table, and it has every index that
// is being created.
bool MayFollow(const TableVersion& next, const TableVersion& table) {
  const bool are_usable = std::ranges::all_of(next.indexes, [&](const IndexVersion& index) {
    const IndexVersion* const same = table.FindIndex(index.schema.name);
    if (!same) return !index.schema.is_local;
    return same->schema.is_local == index.schema.is_local &&
           EncodeRecord(same->schema.key) == EncodeRecord(index.schema.key) &&
           same->schema.is_vector() == index.schema.is_vector() &&
           (!index.schema.vector ||
            EncodeRecord(*same->schema.vector) == EncodeRecord(*index.schema.vector));
  });
  return are_usable && std::ranges::all_of(table.indexes, [&](const IndexVersion& index) {
           return index.status() != ResourceStatus::kCreating || next.FindIndex(index.schema.name);
         });
}

Status CheckState(const TableVersion& table) {
  if (!AreUsableIndexes(table)) return DamagedTable("it has an impossible index");
  const auto& stream = table.settings.stream;
  if (stream && std::ranges::find(kViewTypes, stream->view_type) == std::end(kViewTypes)) {
    return DamagedTable("its stream has an impossible view");
  }
  if (!table.phase.next) return {};
  if (!MayFollow(*table.phase.next, table)) {
    return DamagedTable("its next phase has other indexes");
  }
  return CheckState(*table.phase.next);
}

}  // namespace

std::string EncodeTable(const TableVersion& table) { return EncodeRecord(table); }

Result<std::unique_ptr<TableVersion>> DecodeTable(std::string_view bytes) {
  auto table = std::make_unique<TableVersion>();
  HR_RETURN_IF_ERROR(DecodeRecord(bytes, "the record of a table", table.get()));
  if (table->account_id.empty() || table->name.empty()) return DamagedTable("it has no name");
  if (!IsUsableTableKey(table->key)) return DamagedTable("it has an impossible key");
  table->tags = std::make_shared<TagSet>();
  EditWithNextPhase(table.get(), [first = table.get()](TableVersion* version) {
    version->account_id = first->account_id;
    version->region = first->region;
    version->name = first->name;
    version->table_id = first->table_id;
    version->arn = first->arn;
    version->creation_epoch_ms = first->creation_epoch_ms;
    version->key = first->key;
    version->tags = first->tags;
  });
  HR_RETURN_IF_ERROR(CheckState(*table));
  return table;
}

std::string EncodeTags(std::span<const Tag> tags) {
  return EncodeRecord(TagList{{tags.begin(), tags.end()}});
}

Result<std::vector<Tag>> DecodeTags(std::string_view bytes) {
  TagList list;
  HR_RETURN_IF_ERROR(DecodeRecord(bytes, "the record of tags", &list));
  if (list.tags.size() <= TagSet::kMaxTags) return std::move(list.tags);
  return InternalError("the record of tags has too many tags");
}

}  // namespace hashrange
