// TableVersion: everything about a table except its items, as of one moment. Immutable
// and shared between threads: a request holds a reference to the version that it checked against.
// A change makes a new version and publishes it (catalog.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/live_memory.h"
#include "base/memory/ref_counted.h"
#include "engine/kinesis_destination.h"
#include "engine/tags.h"
#include "value/schema.h"

namespace hashrange {

class Table;       // engine/table.h: the items
class Index;       // engine/table.h: the entries of an index
class Stream;      // engine/stream/stream.h: the records of a stream
class ExpirySet;   // engine/ttl/expiry_set.h
class ReadLag;     // operation/read/read_lag.h
class ChangeTail;  // control/content/change_tails.h

// The resource policy of a table or of its stream (docs/service/17-global-tables-and-account.md,
// section D). Immutable; the versions of a table share it.
class ResourcePolicy {
 public:
  ResourcePolicy(std::string text, std::string revision_id);
  ~ResourcePolicy();
  ResourcePolicy(const ResourcePolicy&) = delete;
  ResourcePolicy& operator=(const ResourcePolicy&) = delete;

  const std::string& text() const { return text_; }  // a JSON document, as it was given
  const std::string& revision_id() const { return revision_id_; }

 private:
  std::string text_;
  std::string revision_id_;
  std::int64_t counted_bytes_;
};
using PolicyRef = std::shared_ptr<const ResourcePolicy>;  // null: there is no policy

// Which requests Contributor Insights look at.
enum class InsightsMode { kAccessedAndThrottledKeys, kThrottledKeys };
// The Contributor Insights of a table or index for which they were enabled once
// (docs/service/17-global-tables-and-account.md, section C). They are kept after they are disabled.
struct ContributorInsights {
  bool enabled = false;
  InsightsMode mode = InsightsMode::kAccessedAndThrottledKeys;
  std::int64_t rules_epoch_ms = 0;    // in the names of the rules: when they were enabled
  std::int64_t updated_epoch_ms = 0;  // LastUpdateDateTime
};

// Point-in-time recovery that is on (docs/service/16-backup-export-import.md, section B).
struct PointInTimeRecovery {
  std::int64_t period_days = 0;
  std::int64_t enabled_epoch_ms = 0;
};

enum class ResourceStatus { kCreating, kUpdating, kDeleting, kActive };

struct ProvisionedThroughput {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
};
struct OnDemandThroughput {  // nullopt: no limit; −1: a limit that is being removed
  std::optional<std::int64_t> max_read_units;
  std::optional<std::int64_t> max_write_units;
};
struct WarmThroughput {
  std::int64_t read_units_per_second = 0;
  std::int64_t write_units_per_second = 0;
  bool is_updating = false;  // a higher value is requested already
  bool is_given = false;     // in the request that created the table or added the index
};

// When throughput last changed. `decreases_today` is the number of decreases on the UTC day of the
// last decrease.
struct ThroughputHistory {
  std::optional<std::int64_t> last_increase_epoch_ms;
  std::optional<std::int64_t> last_decrease_epoch_ms;
  std::int64_t decreases_today = 0;
};

// Where an index is in its life cycle (engine/table_life_cycle.h). An index that is added to a
// table is CREATING in four phases: it is described as allocating and then as backfilling, and in
// both it is either filled or not, that is, every item of the table has been visited or not.
enum class IndexPhase {
  kAllocating,
  kAllocatingFilled,
  kBackfilling,
  kBackfilled,
  kActive,
  kUpdating,
  kDeleting,
  kDeletingUnfilled,  // the index is deleted while it is described as backfilling
};

struct IndexVersion {
  IndexSchema schema;
  // The catalog (Create, Prepare, Publish) sets the id together with `storage`. An id is never
  // reused within a table.
  std::uint32_t id = 0;
  // While the index is CREATING, a commit that keeps an item (Decision::Keep, or a Put of the
  // same) enters the item into the index, without a change in the log. So a backfill is made of
  // Range pages and commits that keep (engine/backfill/backfill.h).
  IndexPhase phase = IndexPhase::kActive;
  ProvisionedThroughput throughput;
  ThroughputHistory throughput_history;
  std::optional<OnDemandThroughput> on_demand;
  WarmThroughput warm;
  std::optional<ContributorInsights> insights;  // of a global index; nullopt: never enabled
  // Copied from version to version; null in a new index. Where it is null, Publish sets it to the
  // storage of the index of the same name in the version before, or to new storage.
  std::shared_ptr<Index> storage;

  ResourceStatus status() const;  // IndexStatus in answers
  bool is_allocating() const {
    return phase == IndexPhase::kAllocating || phase == IndexPhase::kAllocatingFilled;
  }
  // Whether the index is CREATING and items of the table have still to be visited.
  bool is_filling() const {
    return phase == IndexPhase::kAllocating || phase == IndexPhase::kBackfilling;
  }
};

struct StreamSpecification {
  bool enabled = false;
  std::string view_type;
  std::shared_ptr<Stream> storage = {};  // shared by all versions; null: nothing is recorded
  std::uint64_t id = 0;                  // of the stream, never used twice; 0: no storage
  PolicyRef policy = {};                 // of the stream
};
enum class StreamSwitch { kNone, kEnabling, kDisabling };
struct SseSpecification {
  std::string kms_key_arn;  // SSEType is always KMS, as AWS-owned keys are not described
  bool is_updating = false;
};

// Settings that the engine stores for the layers above.
struct TableSettings {
  std::vector<KeyPart> attribute_definitions;           // ascending by name
  bool on_demand = false;                               // BillingMode PAY_PER_REQUEST
  std::optional<std::int64_t> last_on_demand_epoch_ms;  // when it last became PAY_PER_REQUEST
  ProvisionedThroughput throughput;
  ThroughputHistory throughput_history;
  std::optional<OnDemandThroughput> on_demand_throughput;
  WarmThroughput warm;
  bool deletion_protection = false;
  std::optional<std::string> table_class;
  std::optional<std::int64_t> last_table_class_epoch_ms;  // when the table class last changed
  std::optional<SseSpecification> sse;
  std::optional<StreamSpecification> stream;
  std::string latest_stream_label;                   // empty: the table never had a stream
  StreamSwitch stream_switch = StreamSwitch::kNone;  // set while the switch is under way
  std::optional<std::string> ttl_attribute;          // set while time to live is enabled
  std::shared_ptr<ExpirySet> expiries;               // set while time to live is enabled
  std::shared_ptr<ReadLag> lag;                      // null: reads see what is stored
  std::shared_ptr<ChangeTail> tail;                  // null: no latest changes are kept
  std::optional<PointInTimeRecovery> recovery;       // set while point-in-time recovery is on
  PolicyRef policy;                                  // of the table
  std::optional<ContributorInsights> insights;       // of the table; nullopt: never enabled
  // In the order of the first requests for them. At most one of them is settled as kActive.
  std::vector<KinesisDestination> destinations;

  // Returns the destination to which changes are sent, or null.
  const KinesisDestination* ActiveDestination() const {
    for (const KinesisDestination& each : destinations) {
      if (each.settled == DestinationStatus::kActive) return &each;
    }
    return nullptr;
  }
};

// A count of references. A copy does not take over the count but starts with one owner. Every
// request changes the count, so its cache line contains nothing that requests read.
class alignas(64) ReferenceCount {
 public:
  ReferenceCount() = default;
  ReferenceCount(const ReferenceCount&) {}
  ReferenceCount& operator=(const ReferenceCount&) = delete;

  void Increment() { count_.fetch_add(1, std::memory_order_relaxed); }
  // Returns whether the reference was the last one.
  bool Decrement() { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

 private:
  std::atomic<std::uint32_t> count_{1};
};

inline constexpr std::int64_t kNeverEnds = INT64_MAX;

struct TableVersion;

// Where a table is in its life cycle (engine/table_life_cycle.h). When the phase ends, a table that
// is kDeleting is dropped, and any other becomes `next`. Nothing watches the time: whoever looks
// the table up after that time ends the phase (operation/table/table_transitions.h).
struct TablePhase {
  ResourceStatus status = ResourceStatus::kActive;
  std::int64_t ends_epoch_ms = kNeverEnds;
  Ref<const TableVersion> next;  // null: the table stays as it is, but is kActive
};

struct TableVersion {
  // Set by the catalog (Prepare, Publish). The catalog gives different threads different copies of
  // one version: two copies are of the same version when their numbers are equal.
  std::uint64_t number = 0;
  std::string account_id;
  std::string region;
  std::string name;
  std::string table_id;  // a UUID
  std::string arn;
  std::int64_t creation_epoch_ms = 0;
  TablePhase phase;
  KeySchema key;
  std::vector<IndexVersion> indexes;  // as declared: global, then local, then vector indexes
  TableSettings settings;
  std::shared_ptr<Table> table;  // shared by all versions; set by the catalog
  std::shared_ptr<TagSet> tags;  // shared by all versions; set by the catalog if null
  // Whether the table outlives the program: its changes are logged for the observer that stores
  // them (engine/catalog_observer.h). Set by the catalog.
  bool is_durable = false;

  ResourceStatus status() const { return phase.status; }  // TableStatus in answers
  // The settings and indexes that the table has when its phase has ended.
  const TableVersion& AfterPhase() const { return phase.next ? *phase.next : *this; }

  // Returns whether the table's changes are logged, for a stream, time to live, lagging reads, a
  // tail of changes, durability or a Kinesis stream.
  bool IsLogged() const {
    return settings.stream || settings.ttl_attribute || settings.lag || settings.tail ||
           is_durable || settings.ActiveDestination() != nullptr;
  }

  // Returns whether the table has vector indexes, which are the last of its indexes.
  bool HasVectorIndexes() const { return !indexes.empty() && indexes.back().schema.is_vector(); }

  // Returns the index of that name, or null.
  const IndexVersion* FindIndex(std::string_view index_name) const;
  IndexVersion* FindIndex(std::string_view index_name);

  void AddRef() const { references_.Increment(); }
  void Release() const {
    if (references_.Decrement()) delete this;
  }

  static void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return AllocateCounted(MemoryPart::kTables, bytes, alignment);
  }
  static void operator delete(void* block, std::align_val_t alignment) {
    FreeCounted(MemoryPart::kTables, block, alignment);
  }

  TableVersion() = default;
  // A copy has the number of `other`; if it is to be a new version, the catalog changes the number.
  TableVersion(const TableVersion& other) = default;
  TableVersion& operator=(const TableVersion&) = delete;

 private:
  mutable ReferenceCount references_;
};

using TableRef = Ref<const TableVersion>;

}  // namespace hashrange
