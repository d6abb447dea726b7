// Population: all instances of a lab file's entities. Each value is a pure function of (seed,
// entity, number, attribute), so only what traffic created, changed or deleted is remembered, and
// for each parent, where its children begin. The same file, scale and changes give the same values.
//
// The instances that are there at the beginning have the numbers 0 to InitialCount − 1, and the
// children of one parent have numbers that follow each other. What traffic creates has the next
// numbers.
//
// Used by one thread at a time.
#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lab/language/data/instances.h"
#include "lab/language/data/placeholder_form.h"
#include "lab/language/data/value_maker.h"
#include "lab/language/lab_file.h"

namespace hashrange {

class Population : public Instances {
 public:
  // `scale` multiplies how many instances there are of entities without a parent; it is at least 1.
  // `file` outlives the population. When `stop`, which may be null, becomes true while the
  // instances are counted, the population has fewer.
  Population(const LabFile& file, std::uint64_t scale, const std::atomic<bool>* stop = nullptr);
  Population(const Population&) = delete;
  Population& operator=(const Population&) = delete;

  // Errors: ValidationException  an entity would have more than kMostInstances instances; the
  //         population has fewer then, and is not to be used
  Status Check() const;

  // Returns the instance to which the attribute, a kRef or kOfRef of the entity itself, refers; it
  // may be deleted. Entity kLabNone: the instance lacks the attribute, or traffic wrote a value
  // that no instance has. The first question about a value that traffic wrote, other than a
  // sequence, finds the values of all instances, in about 16 bytes each.
  InstanceId ReferredBy(InstanceId id, int attribute) const;

  // Appends the instances that exist and refer to the instance by the attribute (ReferredBy), in
  // the order of their numbers. The first call for an attribute finds those of all instances, in
  // about five bytes each; after that, changes of the attribute are followed.
  void AppendReferring(InstanceId id, LabAttributeRef attribute, std::vector<InstanceId>& out);

  // Returns whether the instance has the attribute (LabAttribute::present, and removals). The
  // attribute is of the instance's entity, or of an ancestor's, as in all functions below.
  bool Has(InstanceId id, LabAttributeRef attribute) const;
  // Appends the value as DynamoDB's JSON has it between the quotes, without escapes: text, the
  // number's canonical text, "true" or "false"; of a vector its elements, which are JSON.
  // Precondition: Has.
  void AppendValue(InstanceId id, LabAttributeRef attribute, std::string& out) const;
  std::string Value(InstanceId id, LabAttributeRef attribute) const;
  // Returns whether all conditions hold. One about an attribute that is absent does not hold.
  bool Matches(InstanceId id, const std::vector<LabCondition>& conditions) const;

  // Creates as many children of the entity as a parent has (LabEntity::count), and appends them.
  void CreateChildren(InstanceId parent, int entity, std::int64_t now_epoch_ms,
                      std::vector<InstanceId>& out);
  void Change(InstanceId id, int attribute, std::string value) {
    Write(id, attribute, std::move(value));
  }
  void Remove(InstanceId id, int attribute) { Write(id, attribute, std::nullopt); }

  // Appends what the generator makes for an update of the instance; `draw` distinguishes updates.
  // Templates and copies are made from the present values.
  void AppendGenerated(InstanceId id, int attribute, const LabGenerator& generator,
                       std::uint64_t draw, std::int64_t now_epoch_ms, std::string& out) const;

  const LabFile& file() const { return file_; }

 private:
  // What traffic wrote: a value, or nothing where the attribute was removed.
  using Written = absl::flat_hash_map<std::uint64_t, std::optional<std::string>>;

  // The instances that refer to one by one attribute, of those with less than `known` numbers.
  struct Referring {
    LabAttributeRef attribute = {};
    std::uint64_t known = 0;
    absl::flat_hash_map<std::uint64_t, absl::btree_set<std::uint32_t>> numbers = {};
  };
  // Which instance has a value of one attribute, by its hash, of those with less than `known`
  // numbers; of several instances, the first.
  struct ByValue {
    std::uint64_t known = 0;
    absl::flat_hash_map<std::uint64_t, std::uint32_t> numbers = {};
  };

  const std::optional<std::string>* FindWritten(InstanceId id, int attribute) const;
  void Write(InstanceId id, int attribute, std::optional<std::string> value);
  InstanceId FindByValue(LabAttributeRef attribute, const std::string& value) const;

  const LabFile& file_;
  ValueMaker values_;
  std::vector<Written> written_;  // by entity
  std::vector<Referring> referring_ = {};
  mutable std::map<std::pair<int, int>, ByValue> by_value_ = {};  // by entity and attribute
  mutable std::string value_ = {};                                // for Matches
};

// Returns whether the condition holds for an attribute of the type that has the value.
bool ConditionHolds(const LabCondition& condition, LabType type, std::string_view value);

// Appends the text of a template for one instance. Returns false, and appends a part of the text at
// most, where the instance lacks an attribute.
bool AppendTemplate(const Population& population, InstanceId id, const LabTemplate& text,
                    std::string& out);

}  // namespace hashrange
