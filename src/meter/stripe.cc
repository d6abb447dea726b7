#include "meter/stripe.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "engine/table.h"
#include "meter/type_attribute.h"
#include "wire/json.h"

namespace hashrange {
namespace {

bool IsWriteAccess(const Access& access) {
  return access.kind == Access::Kind::kWrite || access.kind == Access::Kind::kConditionCheck;
}

bool IsPaged(const Access& access) {
  return access.kind == Access::Kind::kQuery || access.kind == Access::Kind::kScan;
}

// Returns the units of the table itself.
double TableUnits(const MeteredAccess& access) {
  return std::accumulate(access.index_units.begin(), access.index_units.end(), access.units,
                         std::minus<>());
}

double UnitsOfIndex(const MeteredAccess& access, std::size_t index) {
  return index < access.index_units.size() ? access.index_units[index] : 0;
}

std::size_t OrdinalOf(const Access& access) {
  return static_cast<std::size_t>(access.index - access.table->indexes.data());
}

bool HasMembers(std::string_view operation) {
  return operation.starts_with("Batch") || operation.starts_with("Transact") ||
         operation == "ExecuteTransaction";
}

// Returns the app id of the SDK that sent the call: "app/shop" in its user agent.
std::string_view AppIdOf(std::string_view user_agent) {
  constexpr std::string_view kApp = " app/";
  const std::size_t at = user_agent.find(kApp);
  if (at == user_agent.npos) return {};
  const std::string_view rest = user_agent.substr(at + kApp.size());
  return rest.substr(0, std::min<std::size_t>(rest.find(' '), 64));
}

}  // namespace

std::string EntityKey(std::uint32_t resource, const std::vector<KeyTree::NodeId>& nodes,
                      std::string_view type) {
  std::string key(reinterpret_cast<const char*>(&resource), sizeof(resource));
  key.append(reinterpret_cast<const char*>(nodes.data()), nodes.size() * sizeof(nodes[0]));
  return key.append(type);
}

namespace {

// Returns the table of a GetRecords call: a shard iterator has the ARN of the stream in it,
// "…:table/shop/stream/…".
std::string_view TableOfIterator(const JsonValue* request) {
  constexpr std::string_view kBefore = ":table/";
  const JsonValue* const iterator = request ? request->Find("ShardIterator") : nullptr;
  if (!iterator || iterator->type != JsonValue::Type::kString) return {};
  const std::string_view text = iterator->string();
  const std::size_t at = text.find(kBefore);
  if (at == text.npos) return {};
  const std::string_view rest = text.substr(at + kBefore.size());
  return rest.substr(0, rest.find('/'));
}

}  // namespace

std::vector<std::string> NamesOfNoPlaceholder(const TableVersion& table,
                                              const std::string& type_attribute) {
  std::vector<std::string> names(kUsualTypeAttributes.begin(), kUsualTypeAttributes.end());
  if (!type_attribute.empty()) names.push_back(type_attribute);
  const auto add = [&](const KeySchema& key) {
    for (std::size_t part = 0; part < key.parts(); ++part) names.push_back(key.part(part).name);
  };
  add(table.key);
  for (const IndexVersion& index : table.indexes) add(index.schema.key);
  return names;
}

StripeCounters Stripe::Collect() {
  std::lock_guard lock(mutex_);
  FinishSecond();
  FinishWindow();
  MergePatterns();
  return counters_;
}

void Stripe::Close() {
  std::lock_guard lock(mutex_);
  is_closed_ = true;
  counters_ = {};
  resource_numbers_.clear();
}

void Stripe::Count(const MeteredCall& call) {
  std::lock_guard lock(mutex_);
  if (is_closed_) return;
  if (call.accesses.empty()) return CountOther(call);
  CountTime(call);
  const PatternTable::Number pattern = PatternOf(call);
  for (const MeteredAccess* access : call.accesses) CountResources(call, *access);
  CountPattern(call, pattern);
  counters_.sequences.Watch(call, pattern);
}

// Calls that accessed no item: they failed before, or are no calls of items.
void Stripe::CountOther(const MeteredCall& call) {
  if (call.error) {
    AddCount(counters_.other_errors, ErrorInfoOf(call.error->code).name);
    CountTime(call);
  } else if (call.call->operation == "GetRecords") {
    AddCount(counters_.stream_reads, TableOfIterator(call.call->request));
  }
}

std::uint32_t Stripe::ResourceOf(const TableVersion& table, const IndexVersion* index) {
  const ResourceId id = ResourceIdOf(table, index);
  constexpr int kIndexBits = 16;
  const auto [place, is_new] =
      resource_numbers_.try_emplace(id.table << kIndexBits | id.index, kNoResource);
  if (!is_new) return place->second;
  if (counters_.resources.size() >= StripeCounters::kMaxResources) return kNoResource;
  place->second = static_cast<std::uint32_t>(counters_.resources.size());
  counters_.resources.emplace_back(table, index, shared_.settings.separators);
  return place->second;
}

// --- Resources ---

void Stripe::CountResources(const MeteredCall& call, const MeteredAccess& access) {
  const std::uint32_t table = ResourceOf(*access.table, nullptr);
  if (table == kNoResource) {
    ++counters_.other_resources;
    return;
  }
  ResourceCounters& resource = counters_.resources[table];
  const bool is_write = IsWriteAccess(access.access);
  if (access.is_refused) {
    if (!access.throttle.empty()) resource.CountThrottle(access.access.key);
    return;
  }
  if (call.error) {
    (is_write ? resource.failed_write_units : resource.failed_read_units) += access.units;
    return;
  }
  if (is_write) {
    CountWrite(access, table);
    return;
  }
  resource.read_units += TableUnits(access);
  if (!access.access.index) return CountRead(access, table, access.units);
  const double units = UnitsOfIndex(access, OrdinalOf(access.access));
  const std::uint32_t index = ResourceOf(*access.table, access.access.index);
  if (index == kNoResource) return;
  counters_.resources[index].read_units += units;
  CountRead(access, index, units);
}

void Stripe::CountRead(const MeteredAccess& access, std::uint32_t resource, double units) {
  ResourceCounters& counters = counters_.resources[resource];
  const Position& key = access.access.key;
  if (access.access.kind == Access::Kind::kScan) {
    counters.CountRange(key.hash, access.resume ? access.resume_hash : UINT64_MAX, units);
  } else {
    counters.CountKey(MeterDirection::kRead, key, access.access.kind == Access::Kind::kRead, units);
  }
}

void Stripe::CountWrite(const MeteredAccess& access, std::uint32_t table) {
  ResourceCounters& counters = counters_.resources[table];
  const double units = TableUnits(access);
  counters.write_units += units;
  counters.CountKey(MeterDirection::kWrite, access.access.key, true, units);
  if (access.access.kind == Access::Kind::kConditionCheck) return;
  counters.WatchOrder(access.access.key);
  CountEntity(access, table);
  for (const IndexMove& move : access.index_moves) {
    const std::uint32_t number = ResourceOf(*access.table, &access.table->indexes[move.index]);
    if (number == kNoResource || move.units == 0) continue;
    ResourceCounters& index = counters_.resources[number];
    index.write_units += move.units;
    const bool is_both = move.before && move.after && move.before != move.after;
    // A write that moves an entry costs both places (docs/service/08-capacity.md, section 2).
    const double of_after =
        is_both ? std::max(1.0, std::ceil(static_cast<double>(move.bytes_after) / 1024))
                : move.units;
    if (move.after) {
      index.CountKey(MeterDirection::kWrite, *move.after, true, of_after);
      index.WatchOrder(*move.after);
    }
    if (is_both) {
      index.CountKey(MeterDirection::kWrite, *move.before, true, move.units - of_after);
    } else if (!move.after) {
      index.CountKey(MeterDirection::kWrite, *move.before, true, move.units);
    }
  }
}

void Stripe::CountEntity(const MeteredAccess& access, std::uint32_t table) {
  if (access.bytes_before == 0 && access.bytes_after == 0) return;
  nodes_.clear();
  counters_.resources[table].InsertPosition(access.access.key.bytes, &nodes_);
  text_ = EntityKey(table, nodes_, access.type_value());
  auto found = counters_.entities.find(text_);
  if (found == counters_.entities.end()) {
    if (counters_.entities.size() >= StripeCounters::kMaxEntities) return;
    found = counters_.entities.emplace(text_, EntityCounters{}).first;
    found->second.resource = table;
    found->second.nodes = nodes_;
    found->second.type = access.type_value();
  }
  EntityCounters& entity = found->second;
  ++(access.bytes_before == 0  ? entity.inserted
     : access.bytes_after == 0 ? entity.removed
                               : entity.changed);
  if (access.item && entity.watched < StripeCounters::kWatchedItems) {
    ++entity.watched;
    WatchNames(access, table);
  }
  entity.units.At(table).write_units += TableUnits(access);
  for (const IndexMove& move : access.index_moves) {
    const std::uint32_t index = ResourceOf(*access.table, &access.table->indexes[move.index]);
    if (index != kNoResource) entity.units.At(index).write_units += move.units;
  }
}

void Stripe::WatchNames(const MeteredAccess& access, std::uint32_t table) {
  const TableVersion& version = *access.table;
  const std::vector<std::string> excluded =
      NamesOfNoPlaceholder(version, shared_.settings.type_attribute);
  const ItemView item(version.key, access.item.get());
  const auto watch = [&](std::uint32_t number, const KeySchema& key) {
    ResourceCounters& resource = counters_.resources[number];
    const std::uint64_t merges = resource.merges();
    for (std::size_t part = 0; part < key.parts(); ++part) {
      const auto value = item.Find(key.part(part).name);
      if (!value || value->type != AttributeType::kS) continue;
      const KeyTree::NodeId leaf = resource.Insert(part, *value);
      counters_.names.Watch(item, {number, part, resource.tree(part)}, value->bytes(), leaf,
                            excluded);
    }
    merges_ += resource.merges() - merges;
  };
  watch(table, version.key);
  for (const IndexMove& move : access.index_moves) {
    const std::uint32_t number = ResourceOf(version, &version.indexes[move.index]);
    if (move.after && number != kNoResource) watch(number, version.indexes[move.index].schema.key);
  }
}

// --- Patterns ---

void Stripe::CountPattern(const MeteredCall& call, PatternTable::Number number) {
  PatternCounters& counters = counters_.patterns.At(number).counters;
  PatternMeasure& counts = counters.counts;
  ++counts.requests;
  counts.request_bytes.Add(static_cast<double>(call.call->request_bytes));
  counters.microseconds.Add(static_cast<double>(call.duration.count()) / 1000);
  bool has_start = false, is_replay = false;
  for (const MeteredAccess* access : call.accesses) {
    has_start = has_start || access->start;
    is_replay = is_replay || access->is_replay;
    counts.failed_conditions += access->is_condition_failure ? 1 : 0;
    counts.conflicts += access->is_conflict ? 1 : 0;
    if (access->is_refused && !call.error) ++counts.unprocessed;
    if (!access->throttle.empty()) AddCount(counts.throttles, access->throttle);
  }
  counts.calls += has_start ? 0 : 1;
  counts.replays += is_replay ? 1 : 0;
  const std::string_view app = AppIdOf(call.call->user_agent);
  if (!app.empty()) AddCount(counts.callers, app);
  if (call.error) AddCount(counts.errors, ErrorInfoOf(call.error->code).name);
  CountUnits(call, &counters);
  if (!call.error) CountSizes(call, &counters);
}

void Stripe::CountUnits(const MeteredCall& call, PatternCounters* counters) {
  for (const MeteredAccess* access : call.accesses) {
    const bool is_write = IsWriteAccess(access->access);
    if (call.error) {
      (is_write ? counters->counts.failed_write_units : counters->counts.failed_read_units) +=
          access->units;
      continue;
    }
    const auto direction = is_write ? &UnitsOfResource::write_units : &UnitsOfResource::read_units;
    const auto add = [&](const IndexVersion* index, double units) {
      const std::uint32_t resource = units == 0 ? kNoResource : ResourceOf(*access->table, index);
      if (resource != kNoResource) counters->units.At(resource).*direction += units;
    };
    add(nullptr, TableUnits(*access));
    for (std::size_t i = 0; i < access->index_units.size(); ++i) {
      add(&access->table->indexes[i], access->index_units[i]);
    }
    for (const IndexMove& move : access->index_moves) {
      if (!move.before || !move.after || move.before == move.after) continue;
      const std::uint32_t resource =
          ResourceOf(*access->table, &access->table->indexes[move.index]);
      if (resource != kNoResource) ++counters->units.At(resource).moved;
    }
  }
}

void Stripe::CountSizes(const MeteredCall& call, PatternCounters* counters) {
  PatternMeasure& counts = counters->counts;
  RequestSizes sizes;
  for (const MeteredAccess* access : call.accesses) {
    if (IsWriteAccess(access->access)) {
      sizes.writes = true;
      sizes.write_units += access->units;
      if (access->access.kind != Access::Kind::kWrite || access->is_failed) continue;
      if (access->bytes_before == 0 && access->bytes_after == 0) continue;
      ++(access->bytes_before == 0  ? counts.inserted
         : access->bytes_after == 0 ? counts.removed
                                    : counts.changed);
      counts.item_bytes_written += static_cast<double>(access->bytes_after);
      counts.changed_bytes += static_cast<double>(access->changed_bytes);
      continue;
    }
    sizes.reads = true;
    sizes.read_units += access->units;
    sizes.items_examined += static_cast<double>(access->items_examined);
    sizes.items_returned += static_cast<double>(access->items_returned);
    sizes.bytes_examined += static_cast<double>(access->bytes_examined);
    sizes.bytes_returned += static_cast<double>(access->bytes_returned);
    const bool is_get = access->access.kind == Access::Kind::kRead && !access->is_replay;
    if (is_get && access->items_examined == 0) ++counts.missing;
    if (IsPaged(access->access) && access->items_returned == 0) ++counts.empty;
  }
  if (HasMembers(call.call->operation)) {
    counts.members_a_call.Add(static_cast<double>(call.accesses.size()));
  }
  AddSizes(sizes, &counters->pages);
  if (!call.accesses.empty() && IsPaged(call.accesses[0]->access)) {
    LinkPages(*call.accesses[0], sizes, counters);
  }
}

void Stripe::LinkPages(const MeteredAccess& access, const RequestSizes& sizes,
                       PatternCounters* counters) {
  if (!access.start && !access.resume) return;
  const std::uint64_t what =
      ResourceIdOf(*access.table, access.access.index).table * 31 + members_[0].shape;
  PagesSoFar pages{sizes, 1};
  if (access.start) {
    if (const auto before = shared_.pages.Take(*access.start ^ what)) {
      AddSizes(before->sizes, &counters->parts);
      AddSizes(sizes, &counters->parts);
      counters->part_pages.Add(static_cast<double>(before->pages));
      counters->part_pages.Add(1);
      pages.sizes.Add(before->sizes);
      pages.pages += before->pages;
      AddSizes(pages.sizes, &counters->wholes);
      counters->whole_pages.Add(static_cast<double>(pages.pages));
    }
  }
  if (access.resume) shared_.pages.Put(*access.resume ^ what, pages);
}

// --- Time ---

void Stripe::CountTime(const MeteredCall& call) {
  const std::int64_t second = call.epoch_ms - call.epoch_ms % TimeCounter::kSecondMs;
  if (second != second_epoch_ms_) {
    FinishSecond();
    second_epoch_ms_ = second;
  }
  const std::int64_t window = call.epoch_ms - call.epoch_ms % shared_.windows.window_ms();
  if (window != window_epoch_ms_) {
    FinishWindow();
    window_epoch_ms_ = window;
  }
  ++window_calls_;
  ++second_.calls;
  if (call.error) ++second_.errors;
  for (const MeteredAccess* access : call.accesses) {
    if (!access->throttle.empty()) ++second_.throttles[access->throttle];
    if (call.error) continue;
    (IsWriteAccess(access->access) ? second_.write_units : second_.read_units) += access->units;
  }
}

void Stripe::FinishSecond() {
  if (second_.calls == 0) return;
  for (ResourceCounters& resource : counters_.resources) {
    if (!resource.has_second_heat) continue;
    second_.heat[resource.id()] = resource.second_heat;
    resource.second_heat = {};
    resource.has_second_heat = false;
  }
  shared_.time.Add(second_epoch_ms_, second_);
  second_ = {};
}

void Stripe::FinishWindow() {
  if (window_calls_ == 0) return;
  std::vector<WindowPart> parts;
  for (ResourceCounters& resource : counters_.resources) {
    for (const auto direction : {MeterDirection::kRead, MeterDirection::kWrite}) {
      TopCounter& counter =
          direction == MeterDirection::kRead ? resource.window_read : resource.window_written;
      if (counter.empty()) continue;
      WindowPart part{resource.id(), direction, counter.total(), counter.MissedAtMost(),
                      counter.All()};
      if (part.keys.size() > WindowCounter::kKeysOfPart) {
        part.keys.resize(WindowCounter::kKeysOfPart);
      }
      parts.push_back(std::move(part));
      counter.Clear();
    }
  }
  shared_.windows.Add(window_epoch_ms_, window_calls_, parts);
  window_calls_ = 0;
}

}  // namespace hashrange
