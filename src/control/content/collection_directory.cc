#include "control/content/collection_directory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <utility>

#include "base/random.h"
#include "base/stable_sort.h"
#include "control/content/collection_walk.h"
#include "control/content/entity_templates.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {
namespace {

// Attributes are counted on the first items of each entity.
constexpr std::uint32_t kMaxWatched = 500;
constexpr std::size_t kMaxWatchedNames = 200;

// The attributes of some items of an entity: how many of the items have each of them.
struct WatchedAttributes {
  std::map<std::string, std::uint32_t, std::less<>> items;
  std::uint32_t watched = 0;
};

// Returns the names, the key attributes first, then those that most items have.
std::vector<std::string> ListAttributes(const WatchedAttributes& watched, const KeySchema& key,
                                        const KeySchema& table_key) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (std::size_t i = 0; i < key.parts(); ++i) add(key.part(i).name);
  for (std::size_t i = 0; i < table_key.parts(); ++i) add(table_key.part(i).name);
  std::vector<std::pair<std::uint32_t, std::string_view>> others;
  for (const auto& [name, items] : watched.items) others.emplace_back(items, name);
  StableSort(others, std::greater<>(), [](const auto& each) { return each.first; });
  for (const auto& [items, name] : others) {
    if (names.size() >= CollectionDirectory::kMaxAttributes) break;
    add(std::string(name));
  }
  return names;
}

constexpr std::uint64_t BitOf(std::uint32_t entity) { return std::uint64_t{1} << (entity % 64); }

// Returns the eight bytes of the key from `depth` on, so that words are ordered as the bytes are.
// Bytes behind the end of the key are zero.
std::uint64_t WordAt(std::string_view key, std::size_t depth) {
  unsigned char bytes[sizeof(std::uint64_t)] = {};
  if (depth < key.size()) {
    std::memcpy(bytes, key.data() + depth, std::min(sizeof bytes, key.size() - depth));
  }
  std::uint64_t word = 0;
  for (const unsigned char byte : bytes) word = word << 8 | byte;
  return word;
}

}  // namespace

std::span<CollectionDirectory::EntityCount> CollectionDirectory::Record::counts() const {
  // The record and what follows it are in the arena, which is not constant.
  auto* const first = reinterpret_cast<EntityCount*>(const_cast<Record*>(this) + 1);
  return {first, count_number};
}

std::string_view CollectionDirectory::Record::hash_parts() const {
  const auto* const counts = reinterpret_cast<const EntityCount*>(this + 1);
  return {reinterpret_cast<const char*>(counts + counts_room), hash_bytes};
}

// Makes one directory.
class CollectionDirectory::Maker {
 public:
  Maker(CollectionDirectory& directory, const Engine& engine, const TableVersion& table,
        const IndexVersion* index, std::size_t max_bytes)
      : directory_(directory),
        engine_(engine),
        table_(table),
        index_(index),
        key_(index ? index->schema.key : table.key),
        templates_(table, index),
        bytes_left_(max_bytes) {}

  void Make() {
    Sample();
    Walk();
    ListEntities();
    FillSlots();
  }

 private:
  // Returns whether there is room for so many bytes, which are then taken.
  bool TakeBytes(std::size_t bytes) {
    if (bytes > bytes_left_) return false;
    bytes_left_ -= bytes;
    return true;
  }

  // One item of each `step` items in the order of the hashes is in the sample. It is drawn:
  // collections that are made alike would else always be met at the same of their items.
  void Sample() {
    constexpr std::uint64_t kSeed = 1;  // the same items give the same entities
    const std::int64_t items = engine_.StatisticsOf(table_, index_).item_count;
    const std::int64_t step = std::max<std::int64_t>((items + kMaxSampled - 1) / kMaxSampled, 1);
    Random random(kSeed);
    RangeReader reader = engine_.Range(table_, index_, {}, true);
    std::int64_t place = 0, drawn = 0;  // in the present `step` items
    while (const Item* const item = reader.Next()) {
      if (place == 0) {
        drawn = static_cast<std::int64_t>(random.Next() % static_cast<std::uint64_t>(step));
      }
      if (place == drawn) templates_.Learn(ItemView(table_.key, item));
      if (++place == step) place = 0;
    }
    templates_.Settle();
  }

  // The items are fetched some at a time, so that the processor does not wait for each of them.
  // They live as long as the table.
  void Walk() {
    constexpr std::size_t kAhead = 16;
    RangeReader reader = engine_.Range(table_, index_, {}, true);
    std::array<const Item*, kAhead> items;
    for (bool has_more = true; has_more;) {
      std::size_t count = 0;
      while (count < kAhead && has_more) {
        const Item* const item = reader.Next();
        has_more = item != nullptr;
        if (!has_more) break;
        constexpr std::size_t kLine = 64;
        __builtin_prefetch(item);
        __builtin_prefetch(reinterpret_cast<const char*>(item) + kLine);
        items[count++] = item;
      }
      for (const Item* const item : std::span(items.data(), count)) {
        if (!Visit(ItemView(table_.key, item))) return;
      }
    }
    FinishCollection();
  }

  // Returns false when there is no room for a further collection.
  bool Visit(ItemView item) {
    if (items_ == 0 || !IsOfPresent(item)) {
      if (!FinishCollection()) return false;
      item_arena_.Reset();
      present_ = EncodedHashParts(key_, index_ != nullptr, item, item_arena_);
      templates_.SetCollection(item);
    }
    ++items_;
    Count(item);
    return true;
  }

  // Returns whether the item is of the collection that is counted. No encoding of HASH parts is the
  // beginning of another.
  bool IsOfPresent(ItemView item) {
    if (!index_) return item.item()->key().starts_with(present_);
    item_arena_.Reset();
    return EncodedHashParts(key_, true, item, item_arena_) == present_;
  }

  void Count(ItemView item) {
    const auto entity = templates_.EntityOf(item);
    if (!entity) return;
    if (*entity >= watched_.size()) watched_.resize(*entity + 1);
    WatchAttributes(item, watched_[*entity]);
    for (EntityCount& count : counts_) {
      if (count.entity != *entity) continue;
      ++count.items;
      return;
    }
    counts_.push_back({*entity, 1});
  }

  void WatchAttributes(ItemView item, WatchedAttributes& watched) {
    if (watched.watched >= kMaxWatched) return;
    ++watched.watched;
    const ItemView visible(table_.key, item.item(), index_ ? &index_->schema : nullptr);
    visible.ForEach([&](const Attribute& attribute) {
      const auto found = watched.items.find(attribute.name);
      if (found != watched.items.end()) {
        ++found->second;
      } else if (watched.items.size() < kMaxWatchedNames && TakeBytes(attribute.name.size())) {
        watched.items.emplace(attribute.name, 1);
      }
    });
  }

  // Adds the collection whose items were counted. Returns false when there is no room for it.
  bool FinishCollection() {
    if (items_ == 0) return true;
    const std::size_t counts_bytes = counts_.size() * sizeof(EntityCount);
    const std::size_t bytes = sizeof(Record) + counts_bytes + present_.size();
    directory_.is_cut_ = !TakeBytes(bytes + sizeof(Slot));
    if (directory_.is_cut_) return false;
    void* const room = directory_.arena_.Allocate(bytes, alignof(Record));
    const auto counts = static_cast<std::uint32_t>(counts_.size());
    auto* const record =
        new (room) Record{latest_, static_cast<std::uint32_t>(items_),
                          static_cast<std::uint32_t>(present_.size()), counts, counts};
    std::ranges::copy(counts_, record->counts().begin());
    std::memcpy(const_cast<char*>(record->hash_parts().data()), present_.data(), present_.size());
    latest_ = record;
    ++collections_;
    directory_.items_ += items_;
    found_.resize(templates_.size());
    for (const EntityCount& count : counts_) {
      found_[count.entity].items += count.items;
      ++found_[count.entity].collections;
    }
    counts_.clear();
    items_ = 0;
    return true;
  }

  // Lists the entities with the most items, and sets their numbers.
  void ListEntities() {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < found_.size(); ++i) {
      found_[i].templates = templates_.TemplatesOf(i);
      if (found_[i].items > 0) order.push_back(i);
    }
    std::ranges::sort(order, [this](std::uint32_t a, std::uint32_t b) {
      const Entity &left = found_[a], &right = found_[b];
      return left.items != right.items ? left.items > right.items
                                       : left.templates < right.templates;
    });
    if (order.size() > kMaxEntities) order.resize(kMaxEntities);
    numbers_.assign(found_.size(), kNotListed);
    for (const std::uint32_t each : order) {
      numbers_[each] = static_cast<std::uint32_t>(directory_.entities_.size());
      found_[each].attributes = ListAttributes(watched_[each], key_, table_.key);
      directory_.entities_.push_back(std::move(found_[each]));
    }
  }

  // Gives the counts of a record the numbers of the listed entities.
  void NumberCounts(Record& record) const {
    const std::span<EntityCount> counts = record.counts();
    std::uint32_t kept = 0;
    for (const EntityCount& count : counts) {
      const std::uint32_t number = numbers_[count.entity];
      if (number != kNotListed) counts[kept++] = {number, count.items};
    }
    record.count_number = kept;
    std::ranges::sort(record.counts(), {}, &EntityCount::entity);
  }

  void FillSlots() {
    directory_.slots_.reserve(collections_);
    for (Record* record = latest_; record; record = const_cast<Record*>(record->previous)) {
      NumberCounts(*record);
      directory_.slots_.push_back({record, 0});
    }
    Sort(directory_.slots_);
    for (Slot& slot : directory_.slots_) {
      slot.word = 0;
      for (const EntityCount& count : slot.record->counts()) slot.word |= BitOf(count.entity);
    }
  }

  static constexpr std::uint32_t kNotListed = UINT32_MAX;

  CollectionDirectory& directory_;
  const Engine& engine_;
  const TableVersion& table_;
  const IndexVersion* const index_;
  const KeySchema& key_;
  EntityTemplates templates_;
  std::size_t bytes_left_;
  // The collection that is counted: its HASH parts, its items, those of each entity.
  std::string present_;
  Arena item_arena_{4 << 10};
  std::uint64_t items_ = 0;
  std::vector<EntityCount> counts_;
  // What was counted so far; entities have the numbers of `templates_`.
  Record* latest_ = nullptr;
  std::size_t collections_ = 0;
  std::vector<Entity> found_;
  std::vector<WatchedAttributes> watched_;
  std::vector<std::uint32_t> numbers_;  // of the listed entities
};

CollectionDirectory::CollectionDirectory(const Engine& engine, const TableVersion& table,
                                         const IndexVersion* index, std::size_t max_bytes) {
  Maker(*this, engine, table, index, max_bytes).Make();
}

// Sorts by eight bytes of the keys, then each run of equal words by the next eight bytes. This
// reads a key once for each eight bytes, not once for each comparison. No key is the beginning of
// another, so a run ends before its shortest key does.
void CollectionDirectory::Sort(Slots& slots) {
  struct Run {
    std::size_t begin, end, depth;
  };
  std::vector<Run> open = {{0, slots.size(), 0}};
  while (!open.empty()) {
    const Run run = open.back();
    open.pop_back();
    const std::span<Slot> part(slots.data() + run.begin, run.end - run.begin);
    for (Slot& slot : part) slot.word = WordAt(slot.record->hash_parts(), run.depth);
    std::ranges::sort(part, {}, &Slot::word);
    for (std::size_t i = 0; i < part.size();) {
      std::size_t next = i + 1;
      while (next < part.size() && part[next].word == part[i].word) ++next;
      if (next - i > 1) open.push_back({run.begin + i, run.begin + next, run.depth + 8});
      i = next;
    }
  }
}

CollectionDirectory::Page CollectionDirectory::Find(const Selection& selection) const {
  const auto key_of = [](const Slot& slot) { return slot.record->hash_parts(); };
  const auto begin = std::ranges::lower_bound(slots_, selection.begin, {}, key_of);
  const auto end =
      selection.end ? std::ranges::lower_bound(slots_, *selection.end, {}, key_of) : slots_.end();
  const auto is_selected = [&](const Slot& slot) {
    if (!selection.entity) return true;
    if ((slot.word & BitOf(*selection.entity)) == 0) return false;
    const auto counts = slot.record->counts();
    return std::ranges::find(counts, *selection.entity, &EntityCount::entity) != counts.end();
  };
  Page page;
  for (auto at = begin; at < end; ++at) {
    if (!is_selected(*at)) continue;
    page.has_more = page.entries.size() == selection.limit;
    if (page.has_more) break;
    page.entries.push_back({key_of(*at), at->record->items, at->record->counts()});
  }
  return page;
}

// --- The directories that are kept ---

CollectionDirectories::KeptRef CollectionDirectories::Use(std::string_view id,
                                                          std::string_view table_id,
                                                          std::string_view index, Time now) {
  DropUnused(now);
  MutexLock lock(mutex_);
  const auto found =
      std::ranges::find_if(used_, [&](const Used& used) { return used.kept->id == id; });
  if (found == used_.end()) return nullptr;
  if (found->kept->table_id != table_id || found->kept->index != index) return nullptr;
  found->last = now;
  used_.splice(used_.end(), used_, found);
  return found->kept;
}

CollectionDirectories::KeptRef CollectionDirectories::Keep(Kept directory, Time now) {
  DropUnused(now);
  std::list<Used> dropped;  // is freed after the lock is released
  KeptRef kept;
  {
    MutexLock lock(mutex_);
    directory.id = "d" + std::to_string(++made_);
    kept = std::make_shared<const Kept>(std::move(directory));
    used_.push_back({kept, now});
    if (used_.size() > kMaxDirectories) dropped.splice(dropped.end(), used_, used_.begin());
    if (std::exchange(is_dropping_, true)) return kept;
  }
  if (!dropper_.Post([this] { return DropAndWait(); }, {.delay = kept_unused_})) {
    MutexLock lock(mutex_);
    is_dropping_ = false;  // the next directory tries again
  }
  return kept;
}

WorkQueue::NextRun CollectionDirectories::DropAndWait() {
  constexpr std::chrono::milliseconds kShortest{1};
  const Time now = std::chrono::steady_clock::now();
  DropUnused(now);
  MutexLock lock(mutex_);
  is_dropping_ = !used_.empty();
  if (!is_dropping_) return WorkQueue::kDone;
  const auto left = used_.front().last + kept_unused_ - now;
  return std::max(kShortest, std::chrono::ceil<std::chrono::milliseconds>(left));
}

void CollectionDirectories::DropUnused(Time now) {
  std::list<Used> dropped;
  MutexLock lock(mutex_);
  while (!used_.empty() && now - used_.front().last >= kept_unused_) {
    dropped.splice(dropped.end(), used_, used_.begin());
  }
}

void CollectionDirectories::Clear() {
  std::list<Used> dropped;
  MutexLock lock(mutex_);
  dropped.swap(used_);
}

}  // namespace hashrange
