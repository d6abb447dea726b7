#include "simulation/throughput.h"

#include <algorithm>
#include <utility>

#include "operation/parameter/item_key.h"
#include "value/key.h"

namespace hashrange {
namespace {

Direction DirectionOf(const Access& access) {
  const bool writes =
      access.kind == Access::Kind::kWrite || access.kind == Access::Kind::kConditionCheck;
  return writes ? Direction::kWrite : Direction::kRead;
}

// Returns the index whose throughput an access by `index` uses; null: it uses the table's.
const IndexVersion* GlobalIndexOf(const IndexVersion* index) {
  return index && !index->schema.is_local ? index : nullptr;
}

// The least that an access can cost (docs/service/08-capacity.md, section 2).
double LeastUnits(const Access& access) {
  if (access.in_transaction) return 2;
  return DirectionOf(access) == Direction::kWrite ? 1 : 0.5;
}

// Returns whether an item with these attributes alone is in the index.
bool AttributesAreInIndex(const KeySchema& index, std::span<const Attribute> attributes) {
  for (std::size_t i = 0; i < index.parts(); ++i) {
    const ValueView* const value = FindAttribute(attributes, index.part(i).name);
    if (!value || value->type != index.part(i).type) return false;
  }
  return true;
}

// The ids of indexes ascend in the order in which the indexes are created.
std::uint32_t NewestIndexId(const TableVersion& table) {
  std::uint32_t newest = 0;
  for (const IndexVersion& index : table.indexes) newest = std::max(newest, index.id);
  return newest;
}

}  // namespace

Status Throughput::Enforce(EnforcementScope scope, bool is_enforced) {
  const std::int64_t now_ms = engine_.clock().NowEpochMs();
  std::lock_guard lock(mutex_);
  EnforcementRules rules = rules_;
  rules.Add(std::move(scope), is_enforced, now_ms);
  if (rules.all().size() > kMaxRules) {
    return Error{ErrorCode::kLimitExceededException,
                 "There are " + std::to_string(kMaxRules) + " throughput rules, which is the most.",
                 nullptr};
  }
  rules_ = std::move(rules);
  UpdateRegistration();
  return {};
}

void Throughput::Clear(const EnforcementScope& scope) {
  std::lock_guard lock(mutex_);
  rules_.Remove(scope);
  UpdateRegistration();
}

// The object is in the chain as long as there is a rule.
void Throughput::UpdateRegistration() {
  if (!rules_.empty()) return chain_.Activate(GateChain::Place::kThroughput, *this);
  tables_.clear();
  chain_.Deactivate(GateChain::Place::kThroughput);
}

std::vector<EnforcementRule> Throughput::Rules() const {
  std::lock_guard lock(mutex_);
  return rules_.all();
}

std::vector<ResourceState> Throughput::StateOf(const TableVersion& table) {
  std::vector<ResourceState> states;
  std::lock_guard lock(mutex_);
  const EnforcementRule* const rule = rules_.EnforcingRuleOf(table);
  if (!rule) return states;
  TableBuckets& buckets = BucketsOf(table, *rule);
  const auto add = [&](std::string name, const IndexVersion* index) {
    states.push_back({std::move(name), Describe(buckets, table, index, Direction::kRead),
                      Describe(buckets, table, index, Direction::kWrite)});
  };
  add({}, nullptr);
  for (const IndexVersion& index : table.indexes) {
    if (GlobalIndexOf(&index)) add(index.schema.name, &index);
  }
  return states;
}

std::optional<Error> Throughput::Enter(Call& call, const Access& access) {
  const TableVersion& table = *access.table;
  const Direction direction = DirectionOf(access);
  const IndexVersion* const resource = GlobalIndexOf(access.index);
  Indexes exhausted;
  {
    std::lock_guard lock(mutex_);
    const std::int64_t now_ms = engine_.clock().NowEpochMs();  // under the lock, so times ascend
    const EnforcementRule* const rule = rules_.EnforcingRuleOf(table);
    if (!rule) return std::nullopt;
    TableBuckets& buckets = BucketsOf(table, *rule);
    Side* const side = FindSide(buckets, table, resource, direction);
    if (side && !side->bucket->IsOpen(now_ms)) {
      ++side->throttled;
      return ThrottlingError(ThrottlingReasonOf(table, resource, direction),
                             {table, resource, call.operation});
    }
    if (access.kind == Access::Kind::kWrite) {
      for (const IndexVersion& index : table.indexes) {
        if (!GlobalIndexOf(&index)) continue;
        Side* const of_index = FindSide(buckets, table, &index, direction);
        if (of_index && !of_index->bucket->IsOpen(now_ms)) exhausted.push_back(&index);
      }
    }
    if (side) side->bucket->Take(LeastUnits(access), now_ms);
  }
  const IndexVersion* const changed = FirstChanged(access, exhausted);
  if (!changed) return std::nullopt;
  return RefuseForIndex(call, access, changed);
}

const IndexVersion* Throughput::FirstChanged(const Access& access, const Indexes& exhausted) const {
  if (exhausted.empty()) return nullptr;
  const ItemAddress address{access.table, access.key};
  ItemRef stored;
  engine_.Read({&address, 1}, {&stored, 1});
  const ItemView before(access.table->key, stored.get());
  for (const IndexVersion* index : exhausted) {
    const KeySchema& key = index->schema.key;
    const bool was_there = before.exists() && BelongsTo(key, before);
    if (was_there || AttributesAreInIndex(key, access.attributes)) return index;
  }
  return nullptr;
}

// The table has let the access in already, so its units are given back.
Error Throughput::RefuseForIndex(const Call& call, const Access& access,
                                 const IndexVersion* index) {
  const TableVersion& table = *access.table;
  std::lock_guard lock(mutex_);
  if (TableBuckets* const buckets = FindBuckets(table)) {
    TakeUnits(*buckets, access, nullptr, -LeastUnits(access));
    if (Side* const side = FindSide(*buckets, table, index, Direction::kWrite)) ++side->throttled;
  }
  return ThrottlingError(ThrottlingReasonOf(table, index, Direction::kWrite),
                         {table, index, call.operation});
}

void Throughput::Leave(Call&, const Access& access, const Usage& usage) {
  std::lock_guard lock(mutex_);
  TableBuckets* const buckets = FindBuckets(*access.table);
  if (!buckets) return;
  TakeUsage(*buckets, access, usage);
  TakeUnits(*buckets, access, GlobalIndexOf(access.index), -LeastUnits(access));
}

void Throughput::Charge(Call&, const Access& access, const Usage& usage) {
  std::lock_guard lock(mutex_);
  const EnforcementRule* const rule = rules_.EnforcingRuleOf(*access.table);
  if (rule) TakeUsage(BucketsOf(*access.table, *rule), access, usage);
}

void Throughput::TakeUsage(TableBuckets& buckets, const Access& access, const Usage& usage) {
  const TableVersion& table = *access.table;
  double of_table = usage.units;
  for (std::size_t i = 0; i < usage.index_units.size() && i < table.indexes.size(); ++i) {
    const double units = usage.index_units[i];
    const IndexVersion* const index = GlobalIndexOf(&table.indexes[i]);
    if (units == 0 || !index) continue;
    of_table -= units;
    TakeUnits(buckets, access, index, units);
  }
  TakeUnits(buckets, access, nullptr, of_table);
}

Throughput::TableBuckets& Throughput::BucketsOf(const TableVersion& table,
                                                const EnforcementRule& rule) {
  if (TableBuckets* const there = FindBuckets(table)) {
    if (there->rule == rule.number) return *there;
  }
  if (tables_.size() >= purge_at_) {
    absl::erase_if(tables_, [](const auto& entry) { return entry.second.table.expired(); });
    purge_at_ = std::max<std::size_t>(64, 2 * tables_.size());
  }
  TableBuckets& made = tables_[table.table.get()];
  made = {.table = table.table,
          .rule = rule.number,
          .begin_epoch_ms = std::max(rule.since_epoch_ms, table.creation_epoch_ms),
          .newest_index_id = NewestIndexId(table),
          .own = {},
          .indexes = {}};
  return made;
}

Throughput::TableBuckets* Throughput::FindBuckets(const TableVersion& table) {
  const auto found = tables_.find(table.table.get());
  if (found == tables_.end()) return nullptr;
  const std::weak_ptr<Table>& owner = found->second.table;
  const bool is_same = !owner.owner_before(table.table) && !table.table.owner_before(owner);
  return is_same ? &found->second : nullptr;
}

Throughput::Side* Throughput::FindSide(TableBuckets& buckets, const TableVersion& table,
                                       const IndexVersion* index, Direction direction) {
  Sides& sides = index ? buckets.indexes[index->id] : buckets.own;
  Side& side = sides[static_cast<std::size_t>(direction)];
  const auto limit = ThroughputLimitOf(table, index, direction);
  if (!limit) {
    side.bucket.reset();
    return nullptr;
  }
  const std::int64_t now_ms = engine_.clock().NowEpochMs();
  if (!side.bucket) {
    // An index that was created later has saved nothing.
    const bool is_later = index && index->id > buckets.newest_index_id;
    const std::int64_t begin_ms = std::min(buckets.begin_epoch_ms, now_ms);
    side.bucket.emplace(limit->units_per_second, TokenBucket::kTableBurstMs,
                        is_later ? now_ms : begin_ms);
  } else {
    const std::int64_t changed_ms = limit->changed_epoch_ms;
    side.bucket->SetRate(limit->units_per_second, changed_ms > 0 ? changed_ms : now_ms, now_ms);
  }
  return &side;
}

void Throughput::TakeUnits(TableBuckets& buckets, const Access& access, const IndexVersion* index,
                           double units) {
  if (units == 0) return;
  Side* const side = FindSide(buckets, *access.table, index, DirectionOf(access));
  if (side) side->bucket->Take(units, engine_.clock().NowEpochMs());
}

std::optional<BucketState> Throughput::Describe(TableBuckets& buckets, const TableVersion& table,
                                                const IndexVersion* index, Direction direction) {
  Side* const side = FindSide(buckets, table, index, direction);
  if (!side) return std::nullopt;
  return BucketState{side->bucket->units_per_second(),
                     side->bucket->UnitsLeft(engine_.clock().NowEpochMs()), side->throttled};
}

}  // namespace hashrange
