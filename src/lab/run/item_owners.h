// ItemOwners: which instance the item under each key belongs to, in a layout whose keys do not
// tell all instances apart. There, the item of one instance takes the place of another's, and calls
// about the other are answered wrong.
//
//   PK: "USER#{name}"        key          owner     lost
//   put User 1, "Ann"        USER#Ann     User 1
//   put User 2, "Ann"        USER#Ann     User 2    User 1
//   get User 1               finds the item of User 2: wrong
//   delete User 1            deletes the item of User 2: wrong; User 2 is lost, too
//
// Used by one thread at a time. Only layouts that need it have one (MayShareKeys), so other layouts
// do no work for it.
#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/lab_result.h"

namespace hashrange {

// An item that a call writes: its key, as a hash, and the instance that it is to belong to.
struct OwnedWrite {
  std::uint64_t key = 0;
  InstanceId id = {};
  WrittenItem::Effect effect = WrittenItem::Effect::kPut;

  friend bool operator==(const OwnedWrite&, const OwnedWrite&) = default;
};

class ItemOwners {
 public:
  // What is known of an answer. `kDoubtful`: what the tables lack may stand behind its limit, or is
  // inside of the items of others.
  enum class Verdict : std::uint8_t { kRight, kWrong, kDoubtful, kNotJudged };

  // A call of a get or a query, with the requests that it has made.
  struct ReadCall {
    int pattern = kLabNone;
    const LabCall& call;
    struct Request {
      const PlanStep& step;
      std::string_view body;
    };
    std::vector<Request> requests = {};
    std::uint64_t items = 0;  // returned
  };

  // Returns whether traffic may create an item under the key of another instance, by the templates
  // of the keys alone.
  static bool MayShareKeys(const LabFile& file, const LabLayout& layout);

  // All outlive the object.
  ItemOwners(const LabLayout& layout, const LayoutPlan& plan, const Population& population);

  // Takes the items of all instances in the order in which TableFill puts them, and returns which
  // of them replaced others. Ends early when `stop`, which may be null, becomes true.
  std::vector<ItemCollisions> Fill(const std::atomic<bool>* stop);

  // Appends what the call will write, as of before its new values. Changes no more than the
  // window of the call, for a while.
  void AppendWrites(int pattern, LabCall& call, std::vector<OwnedWrite>& writes) const;
  // Returns whether the writes are about the items of other instances. `is_done`: the tables have
  // them, else a condition did not hold.
  Verdict TakeWrites(const std::vector<OwnedWrite>& writes, bool is_done);
  // Returns whether the answer lacks an item, or has that of another instance.
  Verdict JudgeRead(const ReadCall& read);

 private:
  // What the caller of a get or a query knows.
  struct Question {
    std::vector<LabAttributeRef> known = {};  // of the picked instance
    // Of each entity whose items may be asked for: the attributes that have the same values.
    // Nothing: its items do not say whether they are asked for.
    struct Asked {
      int entity = kLabNone;   // with items of its own
      bool is_inside = false;  // what is asked for is inside of its items
      std::optional<std::vector<LabAttributeRef>> known = {};
    };
    std::vector<Asked> asked = {};
    // The numbers of the lost instances of these entities, by the values of what is known, present
    // ones and earlier ones.
    std::vector<absl::flat_hash_map<std::string, absl::btree_set<std::uint64_t>>> lost = {};
    bool lacks_some = false;     // there were too many
    std::uint64_t compared = 0;  // instances, over all calls
  };

  Question QuestionOf(int pattern) const;
  std::optional<std::uint64_t> KeyOf(std::size_t item, InstanceId id) const;
  std::optional<std::string> ValuesOf(InstanceId id,
                                      const std::vector<LabAttributeRef>& attributes) const;
  void Lose(InstanceId id);
  // Puts a lost instance where questions for its present values find it.
  void KeepLost(InstanceId id);
  bool IsLost(InstanceId id) const {
    return lost_[static_cast<std::size_t>(id.entity)].contains(id.number);
  }
  // Returns whether the tables lack an item of the instance that one of the requests reads.
  bool Lacks(InstanceId id, const ReadCall& read) const;
  bool Reads(const ReadCall::Request& request, std::size_t item, InstanceId id) const;
  bool IsAskedFor(InstanceId id, const LabPattern& pattern, const LabCall& call) const;
  Verdict JudgeGet(const ReadCall& read) const;
  // Judges the answer to a query that asks for the instance, which the tables lack.
  Verdict JudgeLack(InstanceId id, const ReadCall& read, Question& question) const;
  std::string NameOf(InstanceId id) const;
  std::string KeyText(std::size_t item, InstanceId id) const;

  const LabLayout& layout_;
  const LayoutPlan& plan_;
  const Population& population_;
  const LabFile& file_ = population_.file();
  std::vector<RequestTemplate> keys_ = {};  // of the items of the layout
  // By the hash of the table and the key. Among 10^8 keys, two have the same hash in one of 3,700
  // runs.
  absl::flat_hash_map<std::uint64_t, InstanceId> owners_ = {};
  std::vector<absl::flat_hash_set<std::uint64_t>> lost_ = {};  // by entity
  std::vector<Question> questions_ = {};                       // by pattern
  std::uint64_t kept_ = 0;                                     // instances in them
  mutable LabCall call_ = {};                                  // for KeyOf
  mutable std::string text_ = {};
};

// Returns a finding for each kind of items that replaced others (docs/service/21-layout-lab.md,
// section 5, rule 43).
std::vector<PlanFinding> FindCollidingItems(const std::vector<ItemCollisions>& collisions);

}  // namespace hashrange
