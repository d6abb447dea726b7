// CollectionDirectory: the item collections of a table or an index in the order of their HASH
// values, made by one pass over its items. CollectionDirectories keeps a few of them for the pages
// that are asked for next.
//
//   table ──▶ sample: EntityTemplates ──▶ pass: items by collection and entity ──▶ sorted
//
// A directory is what the table was when it was made. It is immutable: any thread may read it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "base/memory/memory_reserve.h"
#include "base/threads.h"
#include "base/work_queue.h"
#include "engine/engine.h"

namespace hashrange {

class CollectionDirectory {
 public:
  // The most bytes of collections and names that a directory stores.
  static constexpr std::size_t kMaxBytes = 64 << 20;
  // The most items from which the templates of entities are learnt.
  static constexpr std::int64_t kMaxSampled = 100'000;
  static constexpr std::size_t kMaxEntities = 100;
  static constexpr std::size_t kMaxAttributes = 60;

  struct Entity {
    std::vector<std::string> templates;  // of the HASH parts of the key, then of the RANGE parts
    std::uint64_t items = 0;
    std::uint64_t collections = 0;
    // The names of attributes of some of the items: the keys, then those that most items have.
    std::vector<std::string> attributes;
  };

  struct EntityCount {
    std::uint32_t entity = 0;  // its index in entities()
    std::uint32_t items = 0;
  };

  // One collection, as views of the directory. Items of no listed entity are in `items` only.
  struct Entry {
    std::string_view hash_parts;  // their encodings (value/key.h)
    std::uint32_t items = 0;
    std::span<const EntityCount> entities;  // ascending by entity
  };

  // Makes the directory of a table (`index` is null) or of an index that is no vector index. Nobody
  // writes to the table meanwhile, as to a prepared table (Catalog::PreparePrivate).
  // Errors: throws std::bad_alloc
  // Cost:   some hundred nanoseconds for each item.
  CollectionDirectory(const Engine& engine, const TableVersion& table, const IndexVersion* index,
                      std::size_t max_bytes = kMaxBytes);
  CollectionDirectory(const CollectionDirectory&) = delete;
  CollectionDirectory& operator=(const CollectionDirectory&) = delete;

  std::uint64_t items() const { return items_; }
  std::size_t collections() const { return slots_.size(); }
  // Whether there was no room for all collections. Then the directory has some of them, which are
  // spread evenly, and all figures are of these.
  bool is_cut() const { return is_cut_; }
  // Those with the most items come first; at most kMaxEntities.
  const std::vector<Entity>& entities() const { return entities_; }

  struct Selection {
    std::string_view begin = {};               // the least encoding of HASH parts
    std::optional<std::string_view> end = {};  // all encodings are less than it
    std::optional<std::uint32_t> entity = {};  // only collections with items of this entity
    std::size_t limit = 0;
  };
  struct Page {
    std::vector<Entry> entries;  // ascending by HASH parts
    bool has_more = false;
  };
  // Returns the first collections of the selection.
  // Cost: a search, and a step of some nanoseconds for each collection that is passed over.
  Page Find(const Selection& selection) const;

 private:
  class Maker;

  // A collection in the arena: then its counts, then the bytes of its HASH parts.
  struct Record {
    const Record* previous = nullptr;  // in the order of the pass
    std::uint32_t items = 0;
    std::uint32_t hash_bytes = 0;
    std::uint32_t count_number = 0;
    std::uint32_t counts_room = 0;  // how many counts the pass found

    std::span<EntityCount> counts() const;
    std::string_view hash_parts() const;
  };
  struct Slot {
    const Record* record = nullptr;
    // While the slots are sorted: some bytes of the key. Then the bit of each entity, modulo 64.
    std::uint64_t word = 0;
  };
  using Slots = std::vector<Slot, ReservedAllocator<Slot, MemoryPart::kArenas>>;

  static void Sort(Slots& slots);

  Arena arena_{256 << 10};
  Slots slots_;
  std::vector<Entity> entities_;
  std::uint64_t items_ = 0;
  bool is_cut_ = false;
};

// The directories that were used last. A work drops each when it was not used for kKeptUnused.
// Thread-safe, but for the destructor. Times are of the machine's steady clock.
class CollectionDirectories {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr std::size_t kMaxDirectories = 8;
  static constexpr std::chrono::seconds kKeptUnused{60};

  // `kept_unused`: for tests.
  explicit CollectionDirectories(std::chrono::milliseconds kept_unused = kKeptUnused)
      : kept_unused_(kept_unused) {}

  struct Kept {
    std::string id;        // never used twice
    std::string table_id;  // TableVersion::table_id
    std::string index;     // empty: of the table itself
    std::int64_t made_epoch_ms = 0;
    std::int64_t took_ms = 0;
    std::shared_ptr<const CollectionDirectory> directory;
  };
  using KeptRef = std::shared_ptr<const Kept>;

  // Returns the directory with this id if it is of this table and index; null: there is none.
  KeptRef Use(std::string_view id, std::string_view table_id, std::string_view index, Time now);
  // Keeps a directory, to which it gives an id, and returns it. When there are kMaxDirectories
  // already, the one that was not used for the longest time is dropped.
  KeptRef Keep(Kept directory, Time now);
  void Clear();

 private:
  struct Used {
    KeptRef kept;
    Time last;
  };

  // Drops the directories that were not used for kept_unused_.
  void DropUnused(Time now);
  // Does so as a work, which runs again until nothing is left.
  WorkQueue::NextRun DropAndWait();

  const std::chrono::milliseconds kept_unused_;
  Mutex mutex_;           // guards what follows
  std::list<Used> used_;  // the one that was used last comes last
  std::uint64_t made_ = 0;
  bool is_dropping_ = false;  // the work waits or runs

  WorkQueue dropper_{{.name = "dropping unused directories of collections"}};
};

}  // namespace hashrange
