// AskedInterval: the key condition of one Query, for the items of one entity or of several: how far
// what a caller knows covers a key (KeyCoverage), which interval of the key that is, and what else
// lies inside of it. Pure functions; any thread.
//
//   by customer_id    GSI1PK: "CUST#{customer_id}"             known
//   order created_at  GSI1SK: "ORDER#{created_at}#{order_id}"  known up to ORDER#; the order holds
//
//   GSI1PK = "CUST#‹customer_id›", GSI1SK begins with "ORDER#"
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/plan/read/read_obstacle.h"
#include "lab/plan/read/read_question.h"
#include "lab/plan/request/layout_keys.h"

namespace hashrange {

// What a key condition asks of one attribute of a key.
struct AskedTerm {
  enum class Op : std::uint8_t { kEqual, kBeginsWith, kBetween, kAtLeast, kAtMost };
  std::string attribute = {};
  LabType type = LabType::kString;
  Op op = Op::kEqual;
  KeyText value = {};
  KeyText end = {};  // of kBetween
};

// The sort key from the attribute on that the caller does not know entirely.
struct OpenSortKey {
  std::string attribute = {};
  LabType type = LabType::kString;
  const LabTemplate* text = nullptr;
  KeyText prefix = {};        // what is known of it
  LabTemplatePart next = {};  // the first placeholder that is unknown
  bool is_last = false;       // nothing follows the placeholder
  std::string behind = {};    // the text behind the placeholder, up to the next one
};

// How far what a caller knows covers one key of a layout, for the items of one entity.
struct KeyCoverage {
  const LabItem* item = nullptr;
  LabKey key = {};
  std::optional<ReadObstacle> obstacle = {};  // why the key does not serve; nothing: it does
  int shards = 1;                             // of a partition key with a shard that is unknown
  // Of a partition key with a part of a time: the periods that the range touches, or those that
  // have data, which are walked through one after another.
  std::optional<TimeBuckets> buckets = {};
  bool is_walk = false;
  // The partition key, then the known attributes of the sort key.
  std::vector<AskedTerm> equal = {};
  std::size_t hash_count = 0;            // how many of them are the partition key
  std::optional<OpenSortKey> open = {};  // nothing: the key is known entirely
};

// Returns why the key does not hold all of the item's instances that the caller may ask for, as a
// sparse index does not; nothing: it does.
std::optional<ReadObstacle> GapOfKey(const ReadQuestion& question, const LabItem& item, LabKey key);

KeyCoverage CoverKey(const ReadQuestion& question, const LabItem& item, LabKey key);

// How the values of the first unknown placeholder of a sort key sort: not as the attribute does, as
// it does but for what the form leaves out, or as it does, forward or backward.
enum class SortableForm : std::uint8_t { kNot, kCoarse, kForward, kBackward };
SortableForm FormOfOrder(const LabFile& file, const OpenSortKey& open);

struct AskedInterval {
  LabKey key = {};
  std::vector<const LabItem*> items = {};  // of each entity that is asked
  int shards = 1;                          // in each of the periods, if there are any
  std::optional<TimeBuckets> buckets = {};
  bool is_walk = false;  // periods are asked one after another, until enough items were returned
  std::vector<AskedTerm> terms = {};
  std::size_t hash_count = 0;        // how many of the terms are the partition key
  bool is_full = false;              // all attributes of the key are known
  bool has_range = false;            // the pattern's range is a part of the condition
  bool has_exact_range = false;      // … and it leaves nothing to filter
  bool has_order = false;            // items come in the order that the pattern asks
  std::string order_attribute = {};  // of the sort key, by which they do; empty: any order is asked
  bool is_backward = false;
  // Of several entities in order: how many items there are of those that are not sorted. They are
  // read first, besides the pattern's limit.
  int beside = 0;
  std::vector<const LabItem*> others = {};  // items that may lie inside, too
  bool leaves_out_others = false;           // the last of the terms is there for nothing else
};

// Returns how many requests there are at most: shards times periods.
std::size_t FanOutOf(const AskedInterval& interval);
// Returns whether a walk for the pattern asks the newest period first.
bool WalksBackward(const LabPattern& pattern);

// Returns the interval that holds the items of all coverages, which have the same key, no obstacle,
// and the same partition key.
AskedInterval IntervalOf(const ReadQuestion& question, const std::vector<KeyCoverage>& coverages);

// Returns the interval of a Scan for the item: everything that the key holds.
AskedInterval WholeOf(const ReadQuestion& question, const LabItem& item, LabKey key);

// Returns whether the partition keys of two coverages of one key have the same value.
bool HaveSameHash(const KeyCoverage& one, const KeyCoverage& other);

// Returns the placeholders of the item's key that the interval's condition knows.
std::vector<LabTemplatePart> KnownPlaceholders(const ReadQuestion& question, const LabItem& item,
                                               const AskedInterval& interval);

}  // namespace hashrange
