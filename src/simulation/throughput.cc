#include "simulation/throughput.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "base/memory/arena.h"
#include "engine/table_version.h"
#include "operation/call/access.h"
#include "operation/parameter/item_key.h"
#include "operation/read/key_interval.h"
#include "simulation/partitions/draw.h"
#include "simulation/throttling.h"
#include "value/key.h"

namespace hashrange {

// What an access took of its table (`index` is null) or of one of its global indexes.
struct UnitsTaken {
  const IndexVersion* index = nullptr;
  PositionSpan span;
  double units = 0;
  // Whether it is known before the access that it takes these units. It is not known what an
  // update does to the place of the item in an index.
  bool is_foreseen = true;
};

namespace {

// Where an access takes throughput: at which positions of its table and of the global indexes.

using AllUnitsTaken = absl::InlinedVector<UnitsTaken, 4>;

const KeySchema& KeyOf(const Access& access) {
  return access.index ? access.index->schema.key : access.table->key;
}

// Returns the end of what a Query or Scan reads, in ascending order. No item need be stored there.
Position EndOfRead(const Access& access, Arena& arena) {
  if (access.kind == Access::Kind::kScan) return {access.last_hash, {}};
  const KeyInterval interval = KeyIntervalOf(KeyOf(access), access.clauses, arena);
  return interval.interval.end.value_or(access.key);
}

bool IsBackward(const Access& access) {
  return access.kind == Access::Kind::kQuery && !access.terms->forward;
}

// A write of an index that takes an entry away and puts one elsewhere costs units at both places
// (docs/service/08-capacity.md, section 2).
void AddMove(const IndexVersion& index, const IndexMove& move, bool is_update,
             AllUnitsTaken* taken) {
  if (!move.before || !move.after || *move.before == *move.after) {
    const Position& position = move.after ? *move.after : *move.before;
    taken->push_back({&index, {position, position}, move.units, move.before || !is_update});
    return;
  }
  const double removed =
      std::min(move.units, std::ceil(static_cast<double>(move.bytes_before) / 1024));
  taken->push_back({&index, {*move.before, *move.before}, removed});
  taken->push_back({&index, {*move.after, *move.after}, move.units - removed, !is_update});
}

// Returns the index whose throughput an access by `index` uses; null: it uses the table's, as a
// local index does. A vector index has no throughput in units.
const IndexVersion* GlobalIndexOf(const IndexVersion* index) {
  return index && index->schema.is_global() ? index : nullptr;
}

// Calls visit(index) for what has throughput of its own: the table (null) and each global index.
template <typename Visit>
void ForEachResource(const TableVersion& table, const Visit& visit) {
  visit(nullptr);
  for (const IndexVersion& index : table.indexes) {
    if (GlobalIndexOf(&index)) visit(&index);
  }
}

Draw DrawOf(const Access& access) {
  const bool writes =
      access.kind == Access::Kind::kWrite || access.kind == Access::Kind::kConditionCheck;
  return {.direction = writes ? Direction::kWrite : Direction::kRead,
          .is_strong = access.consistent || access.in_transaction,
          .is_range = access.kind == Access::Kind::kQuery || access.kind == Access::Kind::kScan};
}

// Returns where an access begins. `is_cut`: the item collection that it reads is in several
// partitions; otherwise any position of the collection will do.
Position FirstPositionOf(const Access& access, bool is_cut, Arena& arena) {
  if (!is_cut || !IsBackward(access)) return access.key;
  return access.start ? *access.start : EndOfRead(access, arena);
}

// Returns the positions that an access has read or written in the table or index that it names.
PositionSpan PositionsOf(const Access& access, const Usage& usage, bool is_cut, Arena& arena) {
  const bool reads_many =
      access.kind == Access::Kind::kScan || (access.kind == Access::Kind::kQuery && is_cut);
  if (!reads_many) return {access.key, access.key};
  if (IsBackward(access)) {
    return {usage.resume.value_or(access.key), FirstPositionOf(access, is_cut, arena)};
  }
  return {access.key, usage.resume ? *usage.resume : EndOfRead(access, arena)};
}

// Returns what the access took. `span` is PositionsOf.
AllUnitsTaken UnitsTakenBy(const Access& access, const Usage& usage, const PositionSpan& span) {
  const TableVersion& table = *access.table;
  AllUnitsTaken taken;
  double of_table = usage.units;
  for (std::size_t i = 0; i < usage.index_units.size() && i < table.indexes.size(); ++i) {
    const IndexVersion* const index = GlobalIndexOf(&table.indexes[i]);
    if (usage.index_units[i] == 0 || !index) continue;
    of_table -= usage.index_units[i];
    if (index == access.index) taken.push_back({index, span, usage.index_units[i]});
  }
  if (of_table != 0) taken.push_back({nullptr, span, of_table});
  const bool is_update =
      access.kind == Access::Kind::kWrite && access.write_kind == WriteKind::kUpdate;
  for (const IndexMove& move : usage.index_moves) {
    const IndexVersion* const index = GlobalIndexOf(&table.indexes[move.index]);
    if (index && move.units != 0) AddMove(*index, move, is_update, &taken);
  }
  return taken;
}

// Returns the position that an item with these attributes, stored at `table_position`, has in the
// index; nothing if the attributes alone do not put the item there.
std::optional<Position> PositionInIndex(const KeySchema& index,
                                        std::span<const Attribute> attributes,
                                        const Position& table_position, Arena& arena) {
  absl::InlinedVector<ValueView, kMaxKeyParts> values;
  for (std::size_t i = 0; i < index.parts(); ++i) {
    const ValueView* const value = FindAttribute(attributes, index.part(i).name);
    if (!value || value->type != index.part(i).type) return std::nullopt;
    values.push_back(*value);
  }
  return IndexEntryPosition(index, values, table_position, arena);
}

// The least that an access can cost (docs/service/08-capacity.md, section 2).
double LeastUnits(const Access& access) {
  if (access.in_transaction) return 2;
  return DrawOf(access).direction == Direction::kWrite || access.consistent ? 1 : 0.5;
}

// The ids of indexes ascend in the order in which the indexes are created.
std::uint32_t NewestIndexId(const TableVersion& table) {
  std::uint32_t newest = 0;
  for (const IndexVersion& index : table.indexes) newest = std::max(newest, index.id);
  return newest;
}

// 0: the table itself.
std::uint64_t ResourceKey(const IndexVersion* index) {
  return index ? std::uint64_t{index->id} + 1 : 0;
}

// Returns whether the access reads an item collection that is in several partitions.
bool IsCut(const Access& access, const ResourceThroughput& resource) {
  return access.kind == Access::Kind::kQuery && resource.IsCut(access.key.hash);
}

ThrottlingReason ReasonOf(const IndexVersion* index, Direction direction, ThrottlingLimit limit) {
  return {.is_index = index != nullptr, .is_write = direction == Direction::kWrite, .limit = limit};
}

Error TooManyRules(const char* kind) {
  return Error{ErrorCode::kLimitExceededException,
               "There are " + std::to_string(Throughput::kMaxRules) + " " + kind +
                   " rules, which is the limit.",
               nullptr};
}

}  // namespace

Status Throughput::Enforce(EnforcementScope scope, bool is_enforced) {
  const std::int64_t now_ms = engine_.clock().NowEpochMs();
  MutexLock lock(mutex_);
  EnforcementRules rules = rules_;
  rules.Add(std::move(scope), is_enforced, now_ms);
  if (rules.all().size() > kMaxRules) return TooManyRules("throughput");
  rules_ = std::move(rules);
  AcceptRules();
  return {};
}

void Throughput::Clear(const EnforcementScope& scope) {
  MutexLock lock(mutex_);
  rules_.Remove(scope);
  AcceptRules();
}

std::vector<EnforcementRule> Throughput::Rules() const {
  MutexLock lock(mutex_);
  return rules_.all();
}

Status Throughput::ModelPartitions(PartitionRule rule) {
  const std::int64_t now_ms = engine_.clock().NowEpochMs();
  MutexLock lock(mutex_);
  PartitionRules rules = partition_rules_;
  rules.Add(std::move(rule), now_ms);
  if (rules.all().size() > kMaxRules) return TooManyRules("partition");
  partition_rules_ = std::move(rules);
  AcceptRules();
  return {};
}

void Throughput::EndPartitions(const EnforcementScope& scope) {
  MutexLock lock(mutex_);
  partition_rules_.Remove(scope);
  AcceptRules();
}

std::vector<PartitionRule> Throughput::ListPartitionRules() const {
  MutexLock lock(mutex_);
  return partition_rules_.all();
}

PartitionParameters Throughput::PartitionParametersOf(const TableVersion& table) const {
  std::lock_guard lock(mutex_);
  const PartitionRule* const rule = partition_rules_.RuleOf(table);
  return rule ? rule->parameters : PartitionParameters();
}

// The object is in the chain as long as there is a rule.
void Throughput::AcceptRules() {
  ++rules_version_;
  is_enforcing_ =
      !rules_.empty() || std::ranges::any_of(partition_rules_.all(), [](const PartitionRule& rule) {
        return rule.mode == PartitionMode::kEnforce;
      });
  if (!rules_.empty() || !partition_rules_.empty()) {
    return chain_.Activate(GateChain::Place::kPartitions, *this);
  }
  tables_.clear();
  chain_.Deactivate(GateChain::Place::kPartitions);
}

std::vector<ResourceState> Throughput::StateOf(const TableVersion& table) {
  std::vector<ResourceState> states;
  MutexLock lock(mutex_);
  TableState* const state = FindState(table);
  if (!state || state->regime.enforcement == 0) return states;
  ForEachResource(table, [&](const IndexVersion* index) {
    ResourceThroughput& resource = ResourceOf(*state, table, index);
    states.push_back({index ? index->schema.name : std::string(),
                      resource.Describe(Direction::kRead), resource.Describe(Direction::kWrite)});
  });
  return states;
}

std::vector<PartitionMap> Throughput::PartitionMapsOf(const TableVersion& table) {
  std::vector<PartitionMap> maps;
  MutexLock lock(mutex_);
  TableState* const state = FindState(table);
  if (!state || state->regime.partitions == 0) return maps;
  ForEachResource(table, [&](const IndexVersion* index) {
    auto map = ResourceOf(*state, table, index).Map(index != nullptr);
    if (!map) return;
    map->table = table.name;
    if (index) map->index = index->schema.name;
    map->mode = state->regime.enforced.partitions ? "enforce" : "watch";
    maps.push_back(*std::move(map));
  });
  return maps;
}

// A search takes no units: vector indexes have no throughput that is enforced.
std::optional<Error> Throughput::Enter(Call& call, const Access& access) {
  if (!is_enforcing_ || access.kind == Access::Kind::kSearch) return std::nullopt;
  const TableVersion& table = *access.table;
  const Draw draw = DrawOf(access);
  const IndexVersion* const index = GlobalIndexOf(access.index);
  Indexes short_of_units;
  {
    MutexLock lock(mutex_);
    TableState* const state = FindState(table);
    if (!state || state->regime.enforced.empty()) return std::nullopt;
    const LimitSet limits = state->regime.enforced;
    ResourceThroughput& resource = ResourceOf(*state, table, index);
    Arena arena;
    const Position position = FirstPositionOf(access, IsCut(access, resource), arena);
    if (const auto limit = resource.FindLimit(limits, draw, position)) {
      resource.AddRefused(draw, position, LeastUnits(access), *limit);
      return Refuse(*state, call, access, index, *limit);
    }
    if (access.kind == Access::Kind::kWrite) {
      for (const IndexVersion& each : table.indexes) {
        if (!GlobalIndexOf(&each)) continue;
        if (ResourceOf(*state, table, &each).HasLimitForWrites(limits)) {
          short_of_units.push_back(&each);
        }
      }
    }
    resource.TakeInAdvance(limits, draw, position, LeastUnits(access));
  }
  if (short_of_units.empty()) return std::nullopt;
  return EnterIndexes(call, access, short_of_units);
}

std::optional<Error> Throughput::EnterIndexes(const Call& call, const Access& access,
                                              const Indexes& indexes) {
  const TableVersion& table = *access.table;
  const ItemAddress address{&table, access.key};
  ItemRef stored;
  engine_.Read({&address, 1}, {&stored, 1});
  const ItemView before(table.key, stored.get());
  const Draw draw{Direction::kWrite};
  Arena arena;
  for (const IndexVersion* index : indexes) {
    const KeySchema& key = index->schema.key;
    std::optional<Position> was;
    if (before.exists()) was = IndexPosition(key, before, arena);
    const auto will_be = PositionInIndex(key, access.attributes, access.key, arena);
    MutexLock lock(mutex_);
    TableState* const state = FindState(table);
    if (!state) return std::nullopt;
    const LimitSet limits = state->regime.enforced;
    ResourceThroughput& resource = ResourceOf(*state, table, index);
    for (const std::optional<Position>& position : {was, will_be}) {
      if (!position) continue;
      const auto limit = resource.FindLimit(limits, draw, *position);
      if (!limit) continue;
      resource.AddRefused(draw, *position, 1, *limit);
      // The table has let the access in already, so its units are given back.
      ResourceOf(*state, table, nullptr)
          .TakeInAdvance(limits, draw, access.key, -LeastUnits(access));
      return Refuse(*state, call, access, index, *limit);
    }
  }
  return std::nullopt;
}

Error Throughput::Refuse(TableState& state, const Call& call, const Access& access,
                         const IndexVersion* index, ThrottlingLimit limit) const {
  std::optional<ErrorCode> code;
  if (limit == ThrottlingLimit::kKeyRange) code = state.key_range_error;
  return ThrottlingError(ReasonOf(index, DrawOf(access).direction, limit),
                         {*access.table, index, call.operation}, code);
}

void Throughput::Leave(Call&, const Access& access, const Usage& usage) {
  if (access.kind == Access::Kind::kSearch) return;
  MutexLock lock(mutex_);
  TableState* const state = FindState(*access.table);
  if (!state) return;
  const LimitSet limits = state->regime.enforced;
  if (!limits.empty()) {
    ResourceThroughput& resource = ResourceOf(*state, *access.table, GlobalIndexOf(access.index));
    Arena arena;
    const Position position = FirstPositionOf(access, IsCut(access, resource), arena);
    resource.TakeInAdvance(limits, DrawOf(access), position, -LeastUnits(access));
  }
  Settle(*state, access, usage, true);
}

void Throughput::Charge(Call&, const Access& access, const Usage& usage) {
  MutexLock lock(mutex_);
  if (TableState* const state = FindState(*access.table)) Settle(*state, access, usage, false);
}

void Throughput::Settle(TableState& state, const Access& access, const Usage& usage,
                        bool can_be_refused) {
  if (usage.units == 0) return;
  const TableVersion& table = *access.table;
  const Draw draw = DrawOf(access);
  const IndexVersion* const index = GlobalIndexOf(access.index);
  ResourceThroughput& own = ResourceOf(state, table, index);
  Arena arena;
  const PositionSpan span = PositionsOf(access, usage, IsCut(access, own), arena);
  const AllUnitsTaken taken = UnitsTakenBy(access, usage, span);
  Resources resources;
  for (const UnitsTaken& each : taken) {
    resources.push_back(each.index == index ? &own : &ResourceOf(state, table, each.index));
  }
  LimitSet limits = state.regime.enforced;
  const bool is_refused = can_be_refused && CountRefusal(state.regime, draw, taken, resources);
  if (!is_refused) {
    limits.declared |= state.regime.watched.declared;
    limits.partitions |= state.regime.watched.partitions;
  }
  if (limits.empty()) return;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    resources[i]->Take(limits, draw, taken[i].span, taken[i].units);
  }
}

bool Throughput::CountRefusal(const Regime& regime, Draw draw, std::span<const UnitsTaken> taken,
                              const Resources& resources) {
  if (regime.watched.empty()) return false;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i].is_foreseen) continue;
    const Position& position = taken[i].span.first;
    const auto limit = resources[i]->FindLimit(regime.watched, draw, position);
    if (!limit) continue;
    resources[i]->AddRefused(draw, position, taken[i].units, *limit);
    return true;
  }
  return false;
}

Throughput::Regime Throughput::RegimeOf(const TableVersion& table) const {
  Regime regime;
  if (const EnforcementRule* const rule = rules_.EnforcingRuleOf(table)) {
    regime.enforcement = rule->number;
    regime.enforced.declared = true;
  }
  const PartitionRule* const rule = partition_rules_.RuleOf(table);
  if (!rule) return regime;
  regime.partitions = rule->number;
  if (rule->mode == PartitionMode::kEnforce) {
    regime.enforced = {.declared = true, .partitions = true};
  } else {
    regime.watched = {.declared = !regime.enforced.declared, .partitions = true};
  }
  return regime;
}

Throughput::TableState* Throughput::FindState(const TableVersion& table) {
  if (rules_.empty() && partition_rules_.empty()) return nullptr;
  now_ms_ = engine_.clock().NowEpochMs();
  if (tables_.size() >= purge_at_) {
    std::erase_if(tables_, [](const auto& entry) { return entry.second.table.expired(); });
    purge_at_ = std::max<std::size_t>(64, 2 * tables_.size());
  }
  TableState& state = tables_[table.table.get()];
  const std::weak_ptr<Table>& owner = state.table;
  if (owner.owner_before(table.table) || table.table.owner_before(owner)) {
    state = {};
    state.table = table.table;
  }
  if (state.version < table.number) DropDeletedIndexes(state, table);
  if (state.rules != rules_version_) ApplyRules(state, table);
  const bool has_rule = state.regime.enforcement != 0 || state.regime.partitions != 0;
  return has_rule ? &state : nullptr;
}

void Throughput::ApplyRules(TableState& state, const TableVersion& table) {
  state.rules = rules_version_;
  const Regime before = std::exchange(state.regime, RegimeOf(table));
  const Regime& regime = state.regime;
  const bool has_new_model = regime.partitions != before.partitions;
  if (!has_new_model && regime.enforcement == before.enforcement) return;
  const EnforcementRule* const enforcement = rules_.EnforcingRuleOf(table);
  const PartitionRule* const partitions = partition_rules_.RuleOf(table);
  state.key_range_error = partitions ? partitions->key_range_error : std::nullopt;
  // The declared buckets stay as long as the same rule puts them in force.
  const bool has_new_buckets =
      regime.enforcement != before.enforcement || (regime.enforcement == 0 && has_new_model);
  if (has_new_buckets) {
    const std::int64_t since_ms = enforcement  ? enforcement->since_epoch_ms
                                  : partitions ? partitions->since_epoch_ms
                                               : 0;
    state.begin_ms = std::max(since_ms, table.creation_epoch_ms);
    state.newest_index_id = NewestIndexId(table);
  }
  for (auto& [key, resource] : state.resources) {
    if (has_new_buckets) resource.BeginDeclared(state.begin_ms);
    if (has_new_model) resource.EndPartitions();
  }
  // The model begins now, not when an index is first used.
  if (!partitions) return;
  ForEachResource(table, [&](const IndexVersion* index) { ResourceOf(state, table, index); });
}

void Throughput::DropDeletedIndexes(TableState& state, const TableVersion& table) {
  state.version = table.number;
  std::erase_if(state.resources, [&](const auto& entry) {
    return entry.first != 0 && std::ranges::none_of(table.indexes, [&](const IndexVersion& index) {
             return ResourceKey(&index) == entry.first;
           });
  });
}

ResourceThroughput& Throughput::ResourceOf(TableState& state, const TableVersion& table,
                                           const IndexVersion* index) {
  const std::uint64_t key = ResourceKey(index);
  const auto [found, is_new] = state.resources.try_emplace(key);
  ResourceThroughput& resource = found->second;
  if (is_new) {
    // An index that was created later has saved nothing.
    const bool is_later = index && index->id > state.newest_index_id;
    resource.BeginDeclared(is_later ? now_ms_ : state.begin_ms);
  }
  resource.Refresh(table, index, now_ms_);
  if (state.regime.partitions == 0) return resource;
  if (resource.WantsSize(now_ms_)) {
    resource.SetSize(engine_.StatisticsOf(table, index).size_bytes, now_ms_);
  }
  if (!resource.has_partitions()) {
    const PartitionRule& rule = *partition_rules_.RuleOf(table);
    resource.BeginPartitions(rule.parameters, rule.seed + key, ++models_, table, index);
  }
  return resource;
}

}  // namespace hashrange
