// PatternPlan: how a layout serves one access pattern, by which requests, and why. Plain data, and
// pure functions of it; any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/request/lab_call.h"
#include "lab/plan/request/pattern_cost.h"
#include "lab/plan/request/request_template.h"

namespace hashrange {

// An item that a request writes for each instance of a role.
struct WrittenItem {
  enum class Effect : std::uint8_t { kPut, kUpdate, kDelete };
  Effect effect = Effect::kPut;
  // The role, and the roles of the instances that are inside of the item and are written with it.
  std::vector<int> roles = {};
  // The JSON of the item's primary key, and its table. No nodes: the key is not known.
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
  // With periods, it is made once for each shard of each of these, LabCall::period from 0.
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
  // Of kFetch with `items`: only so many of them, the first ones by this attribute of theirs.
  std::string merge_by = {};
  bool merges_backward = false;
  std::vector<WrittenItem> written = {};  // of a step that writes
  LabPlace place = {};                    // of a request of `serve`
};

// Returns how many requests there are at most for each instance: shards times periods.
std::size_t MostFanOut(const PlanStep& step);
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
  // What a call is expected to take; nothing is known of a plan that the layout declares itself.
  PatternCost cost = {};
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

// Returns the text with one stop at its end.
inline std::string AsSentence(std::string text) {
  if (!text.ends_with('.')) text += '.';
  return text;
}

// Lists of names without repeats, in the order in which the names came.
inline bool HasName(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}
inline void AddName(const std::string& name, std::vector<std::string>& names) {
  if (!HasName(names, name)) names.push_back(name);
}

}  // namespace hashrange
