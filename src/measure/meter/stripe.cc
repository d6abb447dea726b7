#include "measure/meter/stripe.h"

#include <algorithm>
#include <string>

#include "expression/expression_text.h"
#include "measure/meter/type_attribute.h"
#include "value/capacity.h"
#include "wire/json.h"

namespace hashrange {

// --- A call ---

namespace {

// Returns the table of a GetRecords call, "us-east-1:111122223333:table/shop": a shard iterator has
// the ARN of the stream in it, "arn:aws:dynamodb:us-east-1:111122223333:table/shop/stream/…".
std::string_view TableOfIterator(const JsonValue* request) {
  constexpr std::string_view kBefore = ":dynamodb:", kAfter = "/stream/";
  const JsonValue* const iterator = request ? request->Find("ShardIterator") : nullptr;
  if (!iterator || iterator->type != JsonValue::Type::kString) return {};
  const std::string_view text = iterator->string();
  const std::size_t at = text.find(kBefore);
  if (at == text.npos) return {};
  const std::string_view rest = text.substr(at + kBefore.size());
  return rest.substr(0, rest.find(kAfter));
}

}  // namespace

void Stripe::Count(const MeteredCall& call) {
  MutexLock lock(mutex_);
  if (is_closed_) return;
  StartAnewIfBroken();
  ++calls_;
  is_broken_ = true;  // unless the call is counted to its end
  CountCall(call);
  is_broken_ = false;
}

void Stripe::CountCall(const MeteredCall& call) {
  if (call.accesses.empty()) return CountOther(call);
  CountTime(call);
  const PatternTable::Number pattern = PatternOf(call);
  for (std::size_t i = 0; i < call.accesses.size(); ++i) {
    CountResources(*call.accesses[i], members_[i]);
  }
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

std::uint32_t Stripe::FindResource(const TableVersion& table, const IndexVersion* index) {
  const ResourceId id = ResourceIdOf(table, index);
  if (id.table != latest_table_) {
    latest_table_ = id.table;
    latest_numbers_.fill(kNoResource);
  }
  std::uint32_t* const at_hand = id.index < latest_numbers_.size()
                                     ? &latest_numbers_[static_cast<std::size_t>(id.index)]
                                     : nullptr;
  constexpr int kIndexBits = 16;
  const std::uint64_t key = id.table << kIndexBits | id.index;
  const auto found = resource_numbers_.find(key);
  const bool is_new = found == resource_numbers_.end();
  const bool is_full =
      counters_.resources.size() >= StripeCounters::kMaxResources || !shared_.has_room();
  if (is_new && is_full) return kNoResource;
  const auto number =
      is_new ? static_cast<std::uint32_t>(counters_.resources.size()) : found->second;
  if (is_new) {
    counters_.resources.emplace_back(table, index, shared_.settings.separators);
    MakeRoom(resource_numbers_);  // last: the counters may have used what was drawn
    resource_numbers_.emplace(key, number);
  }
  if (at_hand) *at_hand = number;
  return number;
}

void Stripe::StartAnewIfBroken() {
  if (!is_broken_) return;
  StripeCounters made;
  made.other_resources = calls_;
  counters_ = std::move(made);
  resource_numbers_.clear();
  latest_numbers_.fill(kNoResource);
  merges_ = 0;
  second_ = {};
  window_calls_ = 0;
  is_broken_ = false;
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
    if (access->is_unreported) continue;
    (access->is_write() ? second_.write_units : second_.read_units) += access->units;
  }
}

void Stripe::FinishSecond() {
  if (second_.calls == 0) return;
  std::uint32_t heated = 0;
  for (ResourceCounters& resource : counters_.resources) {
    if (heated++ == StripeCounters::kMaxHeated) break;
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
      WindowPart part{resource.id(), direction, counter.total(), counter.All()};
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

// --- The pattern of a call ---

namespace {

std::string_view KindOfAccess(const Access& access) {
  switch (access.kind) {
    case Access::Kind::kRead:
      return "get";
    case Access::Kind::kQuery:
      return "query";
    case Access::Kind::kScan:
      return "scan";
    case Access::Kind::kSearch:
      return "search";
    case Access::Kind::kConditionCheck:
      return "check";
    case Access::Kind::kWrite:
      break;
  }
  if (access.write_kind == WriteKind::kPut) return "put";
  return access.write_kind == WriteKind::kUpdate ? "update" : "delete";
}

// A vector index is no resource of its own: its table is, and a search has no key of the table.
const IndexVersion* ResourceIndexOf(const Access& access) {
  return access.kind == Access::Kind::kSearch ? nullptr : access.index;
}

bool HasKey(const Access& access) {
  return access.kind != Access::Kind::kScan && access.kind != Access::Kind::kSearch;
}

const KeySchema& KeyOfAccess(const Access& access) {
  return access.index ? access.index->schema.key : access.table->key;
}

const KeyClause* FindClause(const Access& access, const std::string& attribute) {
  const auto found = std::ranges::find(access.clauses, attribute, &KeyClause::attribute);
  return found == access.clauses.end() ? nullptr : &*found;
}

// What a statement demands of the stored item reads like the condition that would demand it.
std::string_view DemandOf(ItemExistence existence) {
  switch (existence) {
    case ItemExistence::kRequired:
      return "the item exists";
    case ItemExistence::kForbidden:
      return "the item does not exist";
    case ItemExistence::kAny:
    case ItemExistence::kConditionIfItemExists:
      break;
  }
  return "";
}

std::string ConditionText(const AccessTerms& terms) {
  std::string text(DemandOf(terms.existence));
  if (terms.condition.empty()) return text;
  if (!text.empty()) text += " AND ";
  AppendConditionText(terms.condition, &text);
  return text;
}

PatternMember DescribeMember(const MeteredAccess& metered) {
  const Access& access = metered.access;
  const AccessTerms& terms = metered.terms;
  PatternMember member;
  member.kind = KindOfAccess(access);
  member.table = access.table->name;
  if (access.index) member.index = access.index->schema.name;
  member.condition = ConditionText(terms);
  std::vector<std::string_view> names;
  ListConditionAttributes(terms.condition, &names);
  member.condition_attributes.assign(names.begin(), names.end());
  AppendProjectionText(terms.projection, &member.projection);
  ListProjectionAttributes(terms.projection, &names);
  member.projected_attributes.assign(names.begin(), names.end());
  AppendUpdateText(metered.update, &member.update);
  ListUpdatedAttributes(metered.update, &names);
  member.updated_attributes.assign(names.begin(), names.end());
  member.consistent = access.consistent;
  member.backward = !terms.forward;
  member.counts_only = terms.counts_only;
  member.limit = terms.limit;
  return member;
}

}  // namespace

void Stripe::Identify(const MeteredAccess& access, MemberIdentity* identity) {
  const Access& asked = access.access;
  const AccessTerms& terms = access.terms;
  identity->nodes.clear();
  identity->shape = 0;
  identity->resource = ResourceOf(*access.table, ResourceIndexOf(asked));
  if (!identity->is_counted()) return;
  ResourceCounters& resource = counters_.resources[identity->resource];
  const std::uint64_t merges = resource.merges();
  constexpr int kKindBit = 8, kWriteKindBit = 16;
  const std::uint64_t what = (asked.consistent ? 1 : 0) | (terms.forward ? 2 : 0) |
                             (terms.counts_only ? 4 : 0) |
                             static_cast<std::uint64_t>(asked.kind) << kKindBit |
                             static_cast<std::uint64_t>(asked.write_kind) << kWriteKindBit;
  // The number of the resource is another one in each stripe; pages are linked across stripes.
  const ResourceId& id = resource.id();
  std::uint64_t shape = MixHashes(MixHashes(MixHashes(1, id.table), id.index), what);
  if (asked.kind == Access::Kind::kSearch) shape = MixHashes(shape, asked.index->id);
  if (terms.limit != 0) shape = MixHashes(shape, static_cast<std::uint64_t>(terms.limit));
  if (asked.kind == Access::Kind::kQuery) {
    const KeySchema& key = KeyOfAccess(asked);
    for (std::size_t i = 0; i < key.parts(); ++i) {
      const KeyClause* const clause = FindClause(asked, key.part(i).name);
      if (!clause) continue;
      shape = MixHashes(shape, i * 16 + static_cast<std::uint64_t>(clause->op));
      identity->nodes.push_back(resource.Insert(i, clause->value));
      if (clause->op != KeyOperator::kBetween) continue;
      identity->nodes.push_back(resource.Insert(i, clause->upper));
    }
  } else if (HasKey(asked)) {
    resource.InsertPosition(asked.key.bytes, &identity->nodes);
  }
  text_.clear();
  if (terms.existence != ItemExistence::kAny) text_ += DemandOf(terms.existence);
  if (!terms.condition.empty()) AppendConditionText(terms.condition, &text_);
  text_ += '\n';
  if (!terms.projection.paths().empty()) AppendProjectionText(terms.projection, &text_);
  text_ += '\n';
  if (!access.update.actions().empty()) AppendUpdateText(access.update, &text_);
  identity->shape = MixHashes(shape, text_.size() == 2 ? 0 : HashOfToken(text_));
  merges_ += resource.merges() - merges;
  const AccessShape* const known = ShapeOf(access, *identity);
  // Clients choose the texts, so they may find two that have one hash.
  const bool is_right =
      known && known->resource == id && known->node_count == identity->nodes.size();
  if (!is_right) identity->resource = kNoResource;
}

const AccessShape* Stripe::ShapeOf(const MeteredAccess& access, const MemberIdentity& identity) {
  const auto found = counters_.shapes.find(identity.shape);
  if (found != counters_.shapes.end()) return &found->second;
  if (counters_.shapes.size() >= StripeCounters::kMaxShapes || !shared_.has_room()) return nullptr;
  AccessShape& shape = counters_.shapes[identity.shape];
  shape.resource = ResourceIdOf(*access.table, ResourceIndexOf(access.access));
  shape.node_count = identity.nodes.size();
  Describe(access, &shape);
  return &shape;
}

void Stripe::Describe(const MeteredAccess& access, AccessShape* shape) {
  const Access& asked = access.access;
  shape->member = DescribeMember(access);
  if (!HasKey(asked)) return;
  const KeySchema& key = KeyOfAccess(asked);
  for (std::size_t i = 0; i < key.parts(); ++i) {
    std::string_view op = "=";
    if (asked.kind == Access::Kind::kQuery) {
      const KeyClause* const clause = FindClause(asked, key.part(i).name);
      if (!clause) continue;
      op = KeyOperatorText(clause->op);
    }
    shape->member.key.push_back({key.part(i).name, std::string(op), {}, {}});
    shape->parts.push_back(i);
  }
}

PatternTable::Number Stripe::PatternOf(const MeteredCall& call) {
  const std::size_t count = call.accesses.size();
  if (members_.size() < count) members_.resize(count);
  const std::span<MemberIdentity> members(members_.data(), count);
  bool is_counted = false;
  for (std::size_t i = 0; i < count; ++i) {
    Identify(*call.accesses[i], &members[i]);
    is_counted |= members[i].is_counted();
  }
  const std::string_view name = call.call->pattern.substr(0, 100);
  if (!is_counted) return counters_.patterns.OtherOf(name, shared_.has_room());
  if (merges_ > 0) {
    MergePatterns();
    for (MemberIdentity& member : members) {
      if (member.is_counted()) FindNodes(&member);
    }
  }
  return counters_.patterns.NumberOf(call.call->operation, name, members, shared_.has_room());
}

void Stripe::FindNodes(MemberIdentity* member) const {
  const AccessShape& shape = counters_.shapes.find(member->shape)->second;
  const ResourceCounters& resource = counters_.resources[member->resource];
  std::size_t node = 0;
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    const KeyTree& tree = resource.tree(shape.parts[i]);
    const std::size_t end = node + (shape.member.key[i].op == "BETWEEN" ? 2 : 1);
    for (; node < end; ++node) member->nodes[node] = tree.Find(member->nodes[node]);
  }
}

void Stripe::MergePatterns() {
  if (merges_ == 0) return;
  merges_ = 0;
  counters_.sequences.Renumber(
      counters_.patterns.Merge([this](MemberIdentity* member) { FindNodes(member); }));
  StripeCounters::MapByHash<EntityCounters> before;
  before.swap(counters_.entities);
  for (auto& [hash, entity] : before) {
    const ResourceCounters& resource = counters_.resources[entity.resource];
    for (std::size_t i = 0; i < entity.nodes.size(); ++i) {
      entity.nodes[i] = resource.tree(i).Find(entity.nodes[i]);
    }
    EntityCounters& there =
        counters_.entities[HashOfEntity(entity.resource, entity.nodes, entity.type)];
    if (there.nodes.empty()) {
      there = std::move(entity);
    } else {
      there.inserted += entity.inserted;
      there.changed += entity.changed;
      there.removed += entity.removed;
      there.units.Add(entity.units);
      there.watched = std::max(there.watched, entity.watched);
    }
  }
}

// --- The counts of a pattern ---

namespace {

bool IsPaged(const Access& access) {
  return access.kind == Access::Kind::kQuery || access.kind == Access::Kind::kScan;
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

void Stripe::CountPattern(const MeteredCall& call, PatternTable::Number number) {
  PatternCounters& counters = counters_.patterns.At(number).counters;
  PatternMeasure& counts = counters.counts;
  ++counts.requests;
  counts.request_bytes.Add(static_cast<double>(call.call->request_bytes));
  if (call.duration) {
    counters.microseconds.Add(static_cast<double>(call.duration->count()) / 1000);
  }
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
    const bool is_write = access->is_write();
    if (access->is_unreported) {
      (is_write ? counters->counts.failed_write_units : counters->counts.failed_read_units) +=
          access->units;
      continue;
    }
    const bool is_search = access->access.kind == Access::Kind::kSearch;
    (is_search ? counters->counts.vector_bytes_searched : counters->counts.vector_bytes_written) +=
        access->vector_bytes;
    const auto direction = is_write ? &UnitsOfResource::write_units : &UnitsOfResource::read_units;
    const auto add = [&](const IndexVersion* index, double units) {
      const std::uint32_t resource = units == 0 ? kNoResource : ResourceOf(*access->table, index);
      if (resource != kNoResource) counters->units.At(resource).*direction += units;
    };
    add(nullptr, access->table_units());
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
    if (access->is_unreported) continue;
    if (access->is_write()) {
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
    const bool is_get = access->access.kind == Access::Kind::kRead;
    if (is_get && access->items_examined == 0) ++counts.missing;
    if (IsPaged(access->access) && access->items_returned == 0) ++counts.empty;
  }
  if (HasMembers(call.call->operation)) {
    counts.members_a_call.Add(static_cast<double>(call.members));
  }
  AddRequestSizes(sizes, &counters->pages);
  if (!call.accesses.empty() && IsPaged(call.accesses[0]->access)) {
    LinkPages(call, sizes, counters);
  }
}

// A SELECT may read several ranges: the first one begins behind the page before, and the page ends
// in the last one.
void Stripe::LinkPages(const MeteredCall& call, const RequestSizes& sizes,
                       PatternCounters* counters) {
  const auto& start = call.accesses.front()->start;
  const auto& resume = call.accesses.back()->resume;
  if (!start && !resume) return;
  const std::uint64_t what = members_[0].shape;
  PagesSoFar pages{sizes, 1};
  if (start) {
    const auto before = shared_.pages.Take(*start ^ what);
    if (!before) {
      ++counters->counts.calls;
    } else {
      AddRequestSizes(before->sizes, &counters->parts);
      AddRequestSizes(sizes, &counters->parts);
      counters->part_pages.Add(static_cast<double>(before->pages));
      counters->part_pages.Add(1);
      pages.sizes.Add(before->sizes);
      pages.pages += before->pages;
      AddRequestSizes(pages.sizes, &counters->wholes);
      counters->whole_pages.Add(static_cast<double>(pages.pages));
    }
  }
  if (resume) shared_.pages.Put(*resume ^ what, pages);
}

// --- Resources and entities ---

namespace {

double UnitsOfIndex(const MeteredAccess& access, std::size_t index) {
  return index < access.index_units.size() ? access.index_units[index] : 0;
}

std::size_t OrdinalOf(const Access& access) {
  return static_cast<std::size_t>(access.index - access.table->indexes.data());
}

}  // namespace

std::uint64_t HashOfEntity(std::uint32_t resource, std::span<const KeyTree::NodeId> nodes,
                           std::string_view type) {
  // MixHashes of two equal numbers is 0, from which the first node would follow as a table does. So
  // it begins with what is no table's number.
  constexpr std::uint64_t kNoTable = ~std::uint64_t{0};
  std::uint64_t hash =
      MixHashes(MixHashes(kNoTable, resource), type.empty() ? 0 : HashOfToken(type));
  for (const KeyTree::NodeId node : nodes) hash = MixHashes(hash, node);
  return hash;
}

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

void Stripe::CountResources(const MeteredAccess& access, const MemberIdentity& member) {
  const std::uint32_t table = ResourceOf(*access.table, nullptr);
  if (table == kNoResource) {
    ++counters_.other_resources;
    return;
  }
  ResourceCounters& resource = counters_.resources[table];
  const bool is_write = access.is_write();
  if (access.is_refused) {
    // The key of an index says nothing about the keys of its table.
    const Position key = access.access.index ? Position{} : access.access.key;
    if (!access.throttle.empty()) resource.CountThrottle(key);
    return;
  }
  if (access.is_unreported) {
    (is_write ? resource.failed_write_units : resource.failed_read_units) += access.units;
    return;
  }
  if (is_write) {
    CountWrite(access, table, member.nodes);
    return;
  }
  if (access.access.kind == Access::Kind::kSearch) return;  // it takes no units of a key
  resource.read_units += access.table_units();
  if (!access.access.index) return CountRead(access, table, access.units);
  // A local index has the partition keys of its table, of which it may have fetched whole items.
  if (access.table_units() > 0) CountRead(access, table, access.table_units());
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
    const std::uint64_t end = access.resume ? access.resume_hash : access.access.last_hash;
    return counters.CountRange(key.hash, end, units);
  }
  if (key.bytes.empty()) return;  // a SELECT that contradicts itself
  if (access.access.kind == Access::Kind::kQuery) {
    counters.CountKey(MeterDirection::kRead, key, units);
  } else {
    counters.CountItem(MeterDirection::kRead, key, units);
  }
}

void Stripe::CountWrite(const MeteredAccess& access, std::uint32_t table,
                        std::span<const KeyTree::NodeId> nodes) {
  ResourceCounters& counters = counters_.resources[table];
  const double units = access.table_units();
  counters.write_units += units;
  counters.CountItem(MeterDirection::kWrite, access.access.key, units);
  if (access.access.kind == Access::Kind::kConditionCheck || access.is_failed) return;
  counters.WatchOrder(access.access.key);
  CountEntity(access, table, nodes);
  for (const IndexMove& move : access.index_moves) {
    const std::uint32_t number = ResourceOf(*access.table, &access.table->indexes[move.index]);
    if (number == kNoResource || move.units == 0) continue;
    ResourceCounters& index = counters_.resources[number];
    index.write_units += move.units;
    const bool is_both = move.before && move.after && move.before != move.after;
    // A write that moves an entry costs both places (docs/service/08-capacity.md, section 2).
    const double of_after = is_both ? WriteUnitsOfSize(move.bytes_after) : move.units;
    if (move.after) {
      index.CountItem(MeterDirection::kWrite, *move.after, of_after);
      index.WatchOrder(*move.after);
    }
    if (is_both) {
      index.CountItem(MeterDirection::kWrite, *move.before, move.units - of_after);
    } else if (!move.after) {
      index.CountItem(MeterDirection::kWrite, *move.before, move.units);
    }
  }
}

// A write has one node for each part of its key.
void Stripe::CountEntity(const MeteredAccess& access, std::uint32_t table,
                         std::span<const KeyTree::NodeId> nodes) {
  if (access.bytes_before == 0 && access.bytes_after == 0) return;
  const ResourceCounters& resource = counters_.resources[table];
  nodes_.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes_.push_back(resource.tree(i).Find(nodes[i]));
  }
  const std::uint64_t hash = HashOfEntity(table, nodes_, access.type_value());
  auto found = counters_.entities.find(hash);
  if (found == counters_.entities.end()) {
    if (counters_.entities.size() >= StripeCounters::kMaxEntities || !shared_.has_room()) return;
    found = counters_.entities.emplace(hash, EntityCounters{}).first;
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
  entity.units.At(table).write_units += access.table_units();
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

// --- Readers ---

StripeCounters Stripe::Collect() {
  MutexLock lock(mutex_);
  StartAnewIfBroken();
  is_broken_ = !is_closed_;  // unless all is merged to its end
  FinishSecond();
  FinishWindow();
  MergePatterns();
  is_broken_ = false;
  return counters_;
}

void Stripe::Close() {
  MutexLock lock(mutex_);
  is_closed_ = true;
  counters_ = {};
  second_ = {};
  resource_numbers_.clear();
  latest_numbers_.fill(kNoResource);
}

}  // namespace hashrange
