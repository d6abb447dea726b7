// AskedInterval: the key condition of one Query, for the items of one entity or of several, and
// what else lies inside of it. Pure functions; any thread.
//
//   PK = "ORDER#‹order_id›"                           Order METADATA, Line ITEM#{sku}
//   GSI1PK = "CUST#‹customer_id›", GSI1SK begins with "ORDER#"
#pragma once

#include <vector>

#include "lab/plan/key_coverage.h"

namespace hashrange {

struct AskedInterval {
  LabKey key = {};
  std::vector<const LabItem*> items = {};  // of each entity that is asked
  int shards = 1;
  std::optional<TimeBuckets> buckets = {};  // the periods of a fan-out, in place of shards
  std::vector<AskedTerm> terms = {};
  std::size_t hash_count = 0;    // how many of the terms are the partition key
  bool is_full = false;          // all attributes of the key are known
  bool has_range = false;        // the pattern's range is a part of the condition
  bool has_exact_range = false;  // … and it leaves nothing to filter
  bool has_order = false;        // items come in the order that the pattern asks
  bool is_backward = false;
  std::vector<const LabItem*> others = {};  // items that may lie inside, too
};

// Returns the interval that holds the items of all coverages, which have the same key, no obstacle,
// and the same partition key.
AskedInterval IntervalOf(const ReadQuestion& question, const std::vector<KeyCoverage>& coverages);

// Returns the interval of a Scan for the item: everything that the key holds.
AskedInterval WholeOf(const ReadQuestion& question, const LabItem& item, LabKey key);

// Returns whether the partition keys of two coverages of one key have the same value.
bool HaveSameHash(const KeyCoverage& one, const KeyCoverage& other);

// Returns whether there are values of the placeholders by which the texts are equal.
bool CanBeEqual(const KeyText& one, const KeyText& other);

// Returns the placeholders of the item's key that the interval's condition knows.
std::vector<LabTemplatePart> KnownPlaceholders(const ReadQuestion& question, const LabItem& item,
                                               const AskedInterval& interval);

}  // namespace hashrange
