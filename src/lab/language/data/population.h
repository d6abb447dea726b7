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

#include <absl/container/flat_hash_map.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

  // Returns the instance to which the attribute, a kRef or kOfRef of the entity itself, refers. It
  // is an initial one, may be deleted, and stays the same when the attribute is changed. Entity
  // kLabNone: there is none to refer to.
  InstanceId ReferredBy(InstanceId id, int attribute) const {
    return values_.ReferredBy(id, attribute);
  }

  // Appends the instances that exist and refer to the instance by the attribute (ReferredBy), in
  // the order of their numbers. The first call for an attribute finds those of all instances, in
  // four bytes each.
  void AppendReferring(InstanceId id, LabAttributeRef attribute, std::vector<InstanceId>& out);

  // Returns whether the instance has the attribute (LabAttribute::present, and removals). The
  // attribute is of the instance's entity, or of an ancestor's, as in all functions below.
  bool Has(InstanceId id, LabAttributeRef attribute) const;
  // Appends the value as DynamoDB's JSON has it between the quotes, without escapes: text, the
  // number's canonical text, "true" or "false". Precondition: Has.
  void AppendValue(InstanceId id, LabAttributeRef attribute, std::string& out) const;
  std::string Value(InstanceId id, LabAttributeRef attribute) const;
  // Returns whether all conditions hold. One about an attribute that is absent does not hold.
  bool Matches(InstanceId id, const std::vector<LabCondition>& conditions) const;

  // Creates as many children of the entity as a parent has (LabEntity::count), and appends them.
  void CreateChildren(InstanceId parent, int entity, std::int64_t now_epoch_ms,
                      std::vector<InstanceId>& out);
  void Change(InstanceId id, int attribute, std::string value);
  void Remove(InstanceId id, int attribute);

  // Appends what the generator makes for an update of the instance; `draw` distinguishes updates.
  // Templates and copies are made from the present values.
  void AppendGenerated(InstanceId id, int attribute, const LabGenerator& generator,
                       std::uint64_t draw, std::int64_t now_epoch_ms, std::string& out) const;

  const LabFile& file() const { return file_; }

 private:
  // What traffic wrote: a value, or nothing where the attribute was removed.
  using Written = absl::flat_hash_map<std::uint64_t, std::optional<std::string>>;

  const std::optional<std::string>* FindWritten(InstanceId id, int attribute) const;
  std::optional<std::string>& WrittenAt(InstanceId id, int attribute);

  const LabFile& file_;
  ValueMaker values_;
  // The instances that refer to one by one attribute, of those with less than `known` numbers.
  struct Referring {
    LabAttributeRef attribute = {};
    std::uint64_t known = 0;
    absl::flat_hash_map<std::uint64_t, std::vector<std::uint32_t>> numbers = {};
  };

  std::vector<Written> written_;  // by entity
  std::vector<Referring> referring_ = {};
  mutable std::string value_ = {};  // for Matches
};

// Returns whether the condition holds for an attribute of the type that has the value.
bool ConditionHolds(const LabCondition& condition, LabType type, std::string_view value);

// Appends the text of a template for one instance. Returns false, and appends a part of the text at
// most, where the instance lacks an attribute.
bool AppendTemplate(const Population& population, InstanceId id, const LabTemplate& text,
                    std::string& out);

}  // namespace hashrange
