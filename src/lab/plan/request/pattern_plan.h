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

// A value that an item of an answer has: of the attribute `name`, or where that is a key of the
// template `text`, of the placeholder at the place `part` in it.
struct AnsweredValue {
  std::string name = {};
  LabTemplate text = {};
  std::size_t part = 0;
};

// An attribute of a key that is made from an item of an answer.
struct FetchedKeyAttribute {
  std::string name = {};
  LabType type = LabType::kString;
  LabTemplate text = {};                 // no parts: it is the item's attribute of the same name
  std::vector<AnsweredValue> from = {};  // of each placeholder of `text`
};

// How a step asks one period of a time after another: all shards of a period at once, then those of
// the next period, until so many items were returned or no period is left. It ends after
// kMostTimeBuckets periods at most.
struct PeriodWalk {
  bool is_backward = false;  // from the newest period to the oldest
  std::int64_t items = 0;
  // How many periods a call is expected to ask: on average, and the number that 99 of 100 calls do
  // not exceed.
  double mean_periods = 0;
  double p99_periods = 0;
};

// One request, or several alike, of a call. The steps of a call follow each other.
struct PlanStep {
  enum class Kind : std::uint8_t {
    kRequest,
    // BatchGetItem, 100 keys at most each, of the items that the step before returned: what the
    // projection of its index lacks. `request` has an empty list, "Keys":[], for the keys.
    kFetch,
    // The same of other items, to which those that the call has returned so far refer.
    kFetchReferred,
  };
  Kind kind = Kind::kRequest;
  RequestTemplate request = {};
  int shards = 1;  // the request is made once for each shard, LabCall::shard from 0
  // With periods, it is made once for each shard of each of these, LabCall::period from 0.
  std::optional<TimeBuckets> buckets = {};
  std::optional<PeriodWalk> walk = {};  // over the periods, which are asked at once without it
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
  // The step finds what a later step needs; what it returns is not what the pattern asks for.
  bool is_lookup = false;
  // The step reads what the pattern returns of other instances than those that it asks for. It is a
  // look-up, too: its items are not those that are asked for.
  bool is_of_others = false;
  std::vector<FetchedKeyAttribute> fetched_key = {};  // of a fetch: of the table's key
  // Of a fetch with `items`: only for so many items, the first ones by this attribute of theirs.
  std::string merge_by = {};
  bool merges_backward = false;
  std::vector<WrittenItem> written = {};  // of a step that writes
  LabPlace place = {};                    // of a request of `serve`
};

inline bool IsFetch(const PlanStep& step) { return step.kind != PlanStep::Kind::kRequest; }

// Returns the JSON of the step's request for readers, as ReadableRequest does; of a fetch with one
// key, whose placeholders are what items of the answer have: {"PK":{"S":"USER#{author}"}}.
std::string ReadableStep(const LabFile& file, const PlanStep& step);

// Returns how many requests there are at most for each instance: shards times periods.
std::size_t MostFanOut(const PlanStep& step);
// Returns how many requests the step takes for the call, pages and fetches aside; of a walk, for
// one period.
std::size_t CountRequests(const PlanStep& step, const LabCall& call);
// Makes the call be about one of these requests, from 0: sets its shard, its window and, but for a
// walk, its period.
void SelectRequest(const PlanStep& step, std::size_t number, LabCall& call);

// Returns how many periods a walk of the call asks at most.
std::size_t CountPeriods(const TimeBuckets& buckets, std::int64_t now_epoch_ms);
// Returns the number of the period, from 0, the earliest, that a walk asks at this place, from 0.
std::size_t PeriodAt(const TimeBuckets& buckets, std::int64_t now_epoch_ms, bool is_backward,
                     std::size_t place);

// How well keys serve a pattern.
enum class PlanService : std::uint8_t {
  kKey,        // every request has a full key, or a key condition that finds what is asked
  kFiltered,   // a key condition finds it among other items, which are read, too
  kFannedOut,  // one request for each shard, or for each period of a time
  kLookedUp,   // a write whose key has to be read first
  kScanned,    // no key serves it, or a Scan costs much less
  kDeclared,   // `serve:` says the requests
  kSearched,   // a vector index serves a search
};

struct PatternPlan {
  int pattern = kLabNone;
  int form = kLabNone;  // the other form in which its calls ask (PatternForm); kLabNone: its own
  PlanService service = PlanService::kKey;
  std::vector<PlanStep> steps = {};
  // What a call is expected to take; nothing is known of a plan that the layout declares itself.
  PatternCost cost = {};
  bool sorts_at_client = false;
  // Of kScanned: the Scan reads nothing that is not asked for, as of an index that holds no more.
  bool scans_only_asked = false;
  bool scan_beats_keys = false;  // of kScanned: keys serve it, too, at more than twice the cost
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
