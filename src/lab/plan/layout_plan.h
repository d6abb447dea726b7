// LayoutPlan: how a layout serves each access pattern, by which requests, and why. It is derived
// from the templates of the keys and from nothing else, so a lab can be explained without a run.
// Pure functions; any thread.
//
//   customer             GetItem shop
//   orders of a customer Query shop / GSI1, begins_with "ORDER#", backward, limit 20
//   orders of a product  Scan shop: no key begins with {sku}
//   place an order       TransactWriteItems: Put Order, Put Line …, Update Product …
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "lab/plan/call_shape.h"
#include "lab/plan/request_template.h"

namespace hashrange {

// An item that a request writes for each instance of a role.
struct WrittenItem {
  // The role, and those of the instances that are inside of the item and are written with it.
  std::vector<int> roles = {};
  // The JSON of the item's primary key, and its table. No pieces: the key is not known.
  RequestTemplate key = {};
};

// One request, or several alike, of a call. The steps of a call follow each other.
struct PlanStep {
  enum class Kind : std::uint8_t {
    kRequest,
    // BatchGetItem, 100 keys at most each, of the items that the step before returned: what the
    // projection of its index lacks. `request` has an empty list, "Keys":[], for the keys.
    kFetch,
  };
  Kind kind = Kind::kRequest;
  RequestTemplate request = {};
  int shards = 1;  // the request is made once for each shard, LabCall::shard from 0
  // The request is made once for each of these periods, `shards` at most, in place of shards.
  std::optional<TimeBuckets> buckets = {};
  // Not kLabNone: the request is made for each `each_count` instances of the role, beginning with
  // the one at the place `each_from`; with `each_once` only for the first of them, even if there is
  // none.
  int each = kLabNone;
  std::size_t each_from = 0;
  std::size_t each_count = 1;
  bool each_once = false;
  // Whether pages are read on (ExclusiveStartKey) until `items` items were returned, or to the end
  // when `items` is 0. With several shards, that holds for each shard.
  bool is_paged = false;
  std::int64_t items = 0;
  // The step finds what a later write needs; what it returns is not what the pattern asks for.
  bool is_lookup = false;
  // Of kFetch: the attributes of the table's key, in the items that the step before returned.
  std::vector<std::string> key_attributes = {};
  std::vector<WrittenItem> written = {};  // of a step that writes
  LabPlace place = {};                    // of a request of `serve`
};

// Returns how many requests the step takes for the call, pages and fetches aside.
std::size_t CountRequests(const PlanStep& step, const LabCall& call);
// Makes the call be about one of these requests, from 0: sets its shard and its window.
void SelectRequest(const PlanStep& step, std::size_t number, LabCall& call);

// How well keys serve a pattern.
enum class PlanService : std::uint8_t {
  kKey,        // every request has a full key, or a key condition that finds what is asked
  kFiltered,   // a key condition finds it among other items, which are read, too
  kFannedOut,  // one request for each shard, or for each period of a time
  kLookedUp,   // a write whose key has to be read first
  kScanned,    // no key serves it
  kDeclared,   // `serve:` says the requests
};

struct PatternPlan {
  int pattern = kLabNone;
  PlanService service = PlanService::kKey;
  std::vector<PlanStep> steps = {};
  bool sorts_at_client = false;
  // Of kScanned: the Scan reads nothing that is not asked for, as of an index that holds no more.
  bool scans_only_asked = false;
  // Sentences: why these requests, and what is left to do: a filter, a fetch, sorting.
  std::vector<std::string> reasons = {};
  // Sentences, one for each other key of the layout that could have served: why it does not.
  std::vector<std::string> rejected = {};
  // Of a write, sentences among the reasons: what its keys and items need and the caller does not
  // know, so that it is read first.
  std::vector<std::string> unknown = {};
  // What the pattern needs and this layout cannot give, such as an entity that is not stored; such
  // a pattern has no steps, and is not run.
  std::string impossible = {};
};

// A design rule that the file itself contradicts (docs/service/21-layout-lab.md, section 5, rules
// 39 to 42).
struct PlanFinding {
  std::string rule = {};      // "pattern-without-rate", "unserved-pattern", "key-without-tenant",
                              // "unenforced-unique"
  std::string severity = {};  // "severe", "warning"
  std::string what = {};      // a sentence
  std::string where = {};     // "shop / GSI1, pattern orders of a product"
  std::string evidence = {};
  std::string advice = {};
};

// The JSON of one item that is stored for each instance of an entity, with role 0 for the instance
// and, for each embedded entity in turn, roles 1, 2, … for its children. It renders to nothing for
// an instance that has no such item.
struct StoredItem {
  int entity = kLabNone;
  std::string table = {};
  std::vector<LabCondition> when = {};
  std::vector<int> embedded = {};  // entities
  RequestTemplate item = {};
};

struct LayoutPlan {
  std::vector<std::string> create_tables = {};  // the input of CreateTable, one each
  std::vector<std::string> update_ttls = {};    // the input of UpdateTimeToLive, where there is one
  std::vector<StoredItem> items = {};
  std::vector<CallShape> shapes = {};      // of each pattern of the file
  std::vector<PatternPlan> patterns = {};  // of each pattern of the file
  std::vector<PlanFinding> findings = {};
};

// Returns the plan of one layout of the file.
// Errors: ValidationException  a request of `serve:` cannot be understood; the sentence has its
// place
Result<LayoutPlan> PlanLayout(const LabFile& file, int layout);

}  // namespace hashrange
