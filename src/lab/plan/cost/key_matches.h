// KeyMatches: how many instances of an entity have what a caller knows, for each kind of instance
// that a call may be about, and which of these calls is the most frequent. Immutable after it was
// made; any thread.
//
//   query: Order, by: [customer_id], pick: zipf
//     case 1    22 % of the calls: the first Customer    200 orders
//     case 2    11 %: the second                         131
//     …
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <span>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/cost/file_model.h"
#include "lab/plan/cost/spread.h"

namespace hashrange {

// Whose values a caller knows.
struct CallSubject {
  const FileModel& model;
  int entity = kLabNone;                     // the role's instance has the values
  std::span<const double> pick_shares = {};  // of each band of its ranks; empty: all alike
  double hottest_pick = 0;                   // the share of the instance that is picked most
  double created_share = 0;                  // of the picks: instances that calls have created
  // Where a call is about all instances that belong or refer to one of `owner`: which share of all
  // these falls into each band of the owner's ranks.
  int owner = kLabNone;
  std::vector<double> owner_shares = {};
  bool refers_to_owner = false;  // those that a call is about refer to it, and are not its own
  const std::vector<LabCondition>& constants;  // known besides
  // The attribute by which those that are asked for refer to the role's instance, where that one
  // has the attribute, too; entity kLabNone: the role's instance is one of them.
  LabAttributeRef referred_by = {};
};

// Returns the subject of a pattern's calls that have an instance of the role.
CallSubject SubjectOf(const FileModel& model, int pattern, int role);

class KeyMatches {
 public:
  // Instances of one entity that have the values of some placeholders of its keys.
  struct Group {
    int entity = kLabNone;
    // What binds them to the values: they belong to one instance of `owner`, or they refer to one
    // by `reference`.
    int owner = kLabNone;
    LabAttributeRef reference = {};
    std::vector<LabTemplatePart> known = {};
    // Of the instances that are bound so: the share that has the values which are the same in each
    // case, and the attributes that refer to another instance in each case.
    double share = 1;
    std::vector<LabAttributeRef> by_case = {};
    // The share of the owners that have the constants of which the instances have copies: others
    // have none of the instances.
    double of_owners = 1;
  };

  // The cases are those of the values of `known`. `subject` outlives the object.
  KeyMatches(const CallSubject& subject, int entity, const std::vector<LabTemplatePart>& known);

  // Returns the entity whose ranks tell the cases apart; kLabNone: there is one case.
  int ranked() const { return ranked_; }
  std::size_t cases() const { return shares_.size(); }
  double share(std::size_t number) const { return shares_[number]; }  // of the calls

  Group GroupOf(int entity, const std::vector<LabTemplatePart>& known) const;
  // Returns how many instances the group has in that case.
  Moments Count(const Group& group, std::size_t number) const;
  // The same of those that calls have created.
  Moments CountCreated(const Group& group, std::size_t number) const;

 private:
  void FindAnchor(Group& group) const;
  bool IsIdentified(int owner, const std::vector<LabTemplatePart>& known) const;
  double SharePicked(LabAttributeRef reference) const;
  double ShareOf(const Group& group, std::size_t number) const;
  double SizeBias(const Group& group, std::size_t number) const;
  // Returns the band of the owner's ranks that the case is about.
  int BandOf(const Group& group, std::size_t number) const;

  const CallSubject& subject_;
  int ranked_ = kLabNone;
  std::vector<double> shares_ = {1};
};

// Returns the share of the calls that the hottest value of one placeholder has.
double HottestOfPart(const CallSubject& subject, const LabTemplatePart& part);
// Returns the share of the hottest value of several placeholders together, by the share of each:
// those that do not depend on each other divide the calls.
double HottestOfAll(const LabFile& file, const std::vector<LabTemplatePart>& parts,
                    absl::FunctionRef<double(const LabTemplatePart&)> hottest);

// Returns the share of the calls that the value of a template with which most calls are about has:
// of a partition key, the share of the hottest key. Placeholders that a call asks for one by one,
// as shards and periods are, are the caller's affair.
double HottestShare(const CallSubject& subject, const std::vector<LabTemplatePart>& known);

}  // namespace hashrange
