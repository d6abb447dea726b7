// FileModel: what the declarations of a lab file say in numbers, before a single instance is made:
// how many instances there are, how many belong to one of another entity, how large their values
// are, how often two of them have the same value, and which of them calls are about. Every cost of
// a layout is computed from it. Made once for a file; immutable after that, so any thread may use
// it.
//
// What is picked most has most of everything: a `zipf` pick, a `ref` and a count of children by
// `zipf` rank the instances of an entity in the same order. So figures are kept for bands of ranks:
// the first ranks one by one, later ones together.
//
//   ranks of Customer   1 | 2 | 3 | 4–5 | 6–8 | …   5,000
//   picked                22 %  11 %  …
//   orders of each       200   131    …
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/cost/spread.h"
#include "lab/plan/request/lab_call.h"

namespace hashrange {

// Ranks from `first` to `last`, both included, from 1.
struct RankBand {
  double first = 1;
  double last = 1;

  double count() const { return last - first + 1; }
};

// How many there are in a share of the calls.
struct CountCase {
  double share = 1;
  Moments count = {};
};

// How an instance of an entity leads to one of another.
struct InstanceLink {
  int entity = kLabNone;
  int via = kLabNone;  // its attribute that refers to the other; kLabNone: it belongs to the other
  int other = kLabNone;
};

// What the declared traffic has made of the data by the time at which the costs are asked for.
// Empty: the traffic begins then.
struct FileAge {
  struct OfEntity {
    double first = 0;     // instances that were there at the beginning, and still are
    double later = 0;     // instances that calls have created since, and that still are
    double later_ms = 0;  // how long ago the first of these was created
  };
  double age_ms = 0;
  std::vector<OfEntity> entities = {};  // of each entity of the file
};

// The times that an attribute has, or those that its value is a copy of, in milliseconds. Those of
// the first instances count from the beginning of the traffic, those of an instance that a call
// creates from the call.
struct AttributeTimes {
  int entity = kLabNone;  // the one that has the time
  double earliest_ms = 0;
  double latest_ms = 0;
  double earliest_of_new_ms = 0;
  double latest_of_new_ms = 0;
};
// Returns nothing where the values are no times.
std::optional<AttributeTimes> TimesOf(const LabFile& file, LabAttributeRef attribute);

// Of a range of which nothing is known.
inline constexpr double kUsualShare = 0.3;

// No particular band: an instance that is any of its entity, all alike.
inline constexpr int kAnyBand = -1;

class FileModel {
 public:
  // The file outlives the model.
  explicit FileModel(const LabFile& file, FileAge age = {});
  FileModel(const FileModel&) = delete;
  FileModel& operator=(const FileModel&) = delete;

  const LabFile& file() const { return file_; }
  double age_ms() const { return age_.age_ms; }
  // `pattern` is the number of a pattern, or of another form (PatternForm), in all functions.
  const CallShape& shape(int pattern) const { return At(shapes_, pattern); }
  // Returns how many instances the role has in a call of the pattern, on average.
  double MeanInRole(int pattern, int role) const;
  // Returns how many different ones there are: a transaction writes each once.
  double MeanDifferent(int pattern, int role) const;
  // Returns to how many different instances so many instances lead, of each band of the other
  // entity.
  std::vector<double> DifferentLedTo(const InstanceLink& link, const Moments& count) const;
  // Returns how many instances of the role, which is of children or of those that refer, there are
  // for the instance that they belong or refer to.
  std::vector<CountCase> CountsInRole(int pattern, int role) const;

  // Return how many instances there are when the traffic of the file begins, how many of them calls
  // have created by the average call of the traffic, and both together.
  double Initial(int entity) const { return At(entities_, entity).initial; }
  double Created(int entity) const { return At(entities_, entity).created; }
  double Instances(int entity) const { return Initial(entity) + Created(entity); }

  // Returns how many calls of the pattern the whole traffic has.
  double Calls(int pattern) const;
  // Returns which share of the role's instances falls into each band of its entity; empty: that is
  // not known.
  std::vector<double> SharesInRole(int pattern, int role) const;
  // Return how many instances the whole traffic would create and delete, if there are enough.
  double CreatedInAll(int entity) const { return At(entities_, entity).created_in_all; }
  double DeletedInAll(int entity) const { return At(entities_, entity).deleted_in_all; }

  // Returns which share of all instances that calls are about, of such a role, belongs or refers to
  // those of each band of the owner's entity; empty where that is not known.
  std::vector<double> SharesOfFound(int pattern, int role) const;

  const std::vector<RankBand>& Bands(int entity) const { return At(entities_, entity).bands; }
  // Returns which share of a pattern's picks falls into each band of the picked entity, role 0.
  std::span<const double> PickShares(int pattern) const { return At(pick_shares_, pattern); }
  // Returns the share of a pattern's picks that the instance gets which is picked most.
  double HottestPick(int pattern) const { return At(hottest_picks_, pattern); }
  // Returns the share of a pattern's picks that is of instances which calls have created.
  double CreatedPickShare(int pattern) const;
  // Returns which share of an attribute's references falls into each band of the entity to which
  // the attribute refers, by the average call of the traffic, whose updates give other references;
  // the attribute is a kRef.
  std::span<const double> ReferenceShares(LabAttributeRef attribute) const {
    return OfAttribute(attribute).reference_shares;
  }

  // Returns how many instances of the entity belong to one instance of its ancestor, or of itself;
  // `band` is a band of the ancestor's ranks or kAnyBand.
  Moments Descendants(int entity, int ancestor, int band) const;
  // The same of those that calls have created by the average call of the traffic.
  Moments CreatedDescendants(int entity, int ancestor, int band) const;
  // Returns how many children one parent has.
  const Spread& Children(int entity) const { return At(entities_, entity).children; }
  // Returns how many children the parent of one child has: parents of many are met more often.
  Spread ChildrenWithSiblings(int entity) const;

  // Returns the bytes of an attribute's value in an item that has it.
  const Spread& ValueBytes(LabAttributeRef attribute) const {
    return OfAttribute(attribute).value_bytes;
  }
  // Returns how long the text of a key is, on average.
  double TextBytes(const LabTemplate& text) const;

  // Returns the share of instances that have the attribute.
  double Present(LabAttributeRef attribute) const { return OfAttribute(attribute).present; }
  // Returns how likely it is that two instances have the same value.
  double SameValueShare(LabAttributeRef attribute) const { return OfAttribute(attribute).same; }
  // The same for what a placeholder makes of the value.
  double SameValueShare(const LabTemplatePart& part) const;
  // Returns the share of the text that most instances have in the placeholder.
  double GreatestValueShare(const LabTemplatePart& part) const;
  // Returns which share of the instances meets the condition.
  double ShareOf(const LabCondition& condition) const;
  // Returns which share of the instances the range leaves, of those that were there when the
  // traffic began. `widened_ms` is how much longer a range of times is, as a coarse form makes it.
  double ShareOf(const LabRange& range, double widened_ms = 0) const;
  // The same of the times between two instants, in milliseconds from the beginning of the traffic.
  double ShareOfTimes(LabAttributeRef attribute, double from_ms, double to_ms) const;
  // Returns when so large a share of the traffic's calls has been made, in milliseconds from its
  // beginning; the rate of a phase counts as even.
  double MomentOfCalls(double share) const;

 private:
  struct OfEntity {
    double initial = 0;
    double created = 0;
    double created_in_all = 0;
    double deleted_in_all = 0;
    std::vector<RankBand> bands = {};
    Spread children = Spread(1);
    // Of each band of the parent's ranks: how many children one parent has.
    std::vector<Moments> children_by_band = {};
    std::vector<double> created_by_band = {};  // of these, created by calls
  };
  struct OfValue {
    Spread value_bytes = {};
    double text_bytes = 0;
    double present = 1;
    double same = 1;
    double greatest = 1;
    Spread numbers = {};  // of a number: the values
    std::vector<double> reference_shares = {};
    bool is_known = false;
  };

  template <typename T>
  static const T& At(const std::vector<T>& list, int place) {
    return list[static_cast<std::size_t>(place)];
  }
  const OfValue& OfAttribute(LabAttributeRef ref) const {
    return At(At(values_, ref.entity), ref.attribute);
  }

  void Make();
  void MakePicks();
  void CountInitial();
  void CountCreated();
  void MakeBands();
  void MakeChildren();
  void AddCreatedChildren();
  void MixReferences(LabAttributeRef attribute);
  std::vector<double> SharesOfParents(int pattern, int role) const;
  double ShareWrittenBefore(int pattern, int role) const;
  void MakeValue(LabAttributeRef ref, int depth);
  void MakeDrawnValue(LabAttributeRef ref, OfValue& value) const;
  void MakeDerivedValue(LabAttributeRef ref, int depth, OfValue& value);
  std::vector<double> SharesOfBands(int entity, double count, double exponent) const;
  std::vector<double> DistinctShares(int entity, int other,
                                     const std::vector<double>& shares) const;
  std::vector<double> SharesOfPick(int entity, const LabPick& pick) const;
  double HottestOf(int entity, const LabPick& pick, std::span<const double> shares) const;
  bool ComesAlong(int entity) const;
  double FirstInstances(int entity) const;
  void AgeChildren(int entity);
  std::vector<double> SharesOfLater(int entity) const;
  std::vector<double> SharesOfPicksSince(int pattern) const;
  struct Bound {
    std::string_view value;
    bool is_in = false;   // the value counts as below the bound
    double later_ms = 0;  // of a time
  };
  // Returns which share of the attribute's values is below the bound; nothing where that is not
  // known.
  std::optional<double> ShareBelow(LabAttributeRef attribute, const Bound& bound) const;
  double ShareAlike(LabAttributeRef attribute, double alike_ms) const;
  double ShareOfPrefix(LabAttributeRef attribute, int characters) const;

  const LabFile& file_;
  const FileAge age_;
  std::vector<CallShape> shapes_ = {};
  // Of each write of each pattern: how many instances a call writes.
  std::vector<std::vector<double>> written_ = {};
  std::vector<OfEntity> entities_ = {};
  std::vector<std::vector<OfValue>> values_ = {};
  std::vector<std::vector<double>> pick_shares_ = {};
  std::vector<double> hottest_picks_ = {};
};

// Returns which share of the values that the generator makes meets the condition; nothing where the
// values are not among a few that the file names.
std::optional<double> ShareMade(const LabCondition& condition, LabType type,
                                const LabGenerator& generator);

}  // namespace hashrange
