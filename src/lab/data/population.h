// Population: all instances of a lab file's entities. Each value is a pure function of (seed, entity,
// number, attribute), so only what traffic created, changed or deleted is remembered, and for each
// parent, where its children begin. The same file, scale and changes give the same values.
//
// The instances that are there at the beginning have the numbers 0 to InitialCount − 1, and the
// children of one parent have numbers that follow each other. What traffic creates has the next
// numbers.
//
// Used by one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lab/file/lab_file.h"

namespace hashrange {

struct InstanceId {
  int entity = kLabNone;
  std::uint64_t number = 0;

  friend bool operator==(const InstanceId&, const InstanceId&) = default;
};

class Population {
 public:
  // `scale` multiplies how many instances there are of entities without a parent; it is at least 1.
  // `file` outlives the population.
  Population(const LabFile& file, std::uint64_t scale);

  std::uint64_t InitialCount(int entity) const;
  // Returns how many numbers are used: the initial ones and those that traffic created.
  std::uint64_t Count(int entity) const;
  bool Exists(InstanceId id) const;  // it was not deleted

  // Returns the instance itself or its ancestor of that entity.
  InstanceId AncestorOf(InstanceId id, int entity) const;
  InstanceId ParentOf(InstanceId id) const;  // entity kLabNone: it has no parent
  // Appends the children of one entity that exist, in the order of their numbers.
  void AppendChildren(InstanceId parent, int entity, std::vector<InstanceId>& out) const;
  // Returns the instance to which the attribute, a kRef or kOfRef of the entity itself, refers.
  InstanceId ReferredBy(InstanceId id, int attribute) const;

  // Returns whether the instance has the attribute (LabAttribute::present, and removals). The
  // attribute is of the instance's entity, or of an ancestor's, as in all functions below.
  bool Has(InstanceId id, LabAttributeRef attribute) const;
  // Appends the value as DynamoDB's JSON has it between the quotes, without escapes: text, the
  // number's canonical text, "true" or "false". Precondition: Has.
  void AppendValue(InstanceId id, LabAttributeRef attribute, std::string& out) const;
  std::string Value(InstanceId id, LabAttributeRef attribute) const;
  // Returns whether all conditions hold. One about an attribute that is absent does not hold.
  bool Matches(InstanceId id, const std::vector<LabCondition>& conditions) const;

  // Returns a new instance, whose times are `now_epoch_ms`. It exists at once.
  InstanceId Create(int entity, InstanceId parent, std::uint64_t now_epoch_ms);
  // Creates as many children of the entity as a parent has (LabEntity::count).
  void CreateChildren(InstanceId parent, int entity, std::uint64_t now_epoch_ms,
                      std::vector<InstanceId>& out);
  void Change(InstanceId id, int attribute, std::string value);
  void Remove(InstanceId id, int attribute);
  void Delete(InstanceId id);

  // Appends what the generator makes for an update of the instance; `draw` distinguishes updates.
  void AppendGenerated(InstanceId id, int attribute, const LabGenerator& generator,
                       std::uint64_t draw, std::int64_t now_epoch_ms, std::string& out) const;

  const LabFile& file() const { return file_; }

 private:
  const LabFile& file_;
};

// Returns the number from 0 to `shards` − 1 that `shard(attribute, shards)` is for a value.
int ShardOf(std::string_view value, int shards);

// Appends a value in a placeholder's form (LabTemplatePart::Form, shards).
void AppendFormed(const LabTemplatePart& part, std::string_view value, std::string& out);

// Appends the text of a template for one instance. Returns false, and appends a part of the text at
// most, where the instance lacks an attribute.
bool AppendTemplate(const Population& population, InstanceId id, const LabTemplate& text,
                    std::string& out);

}  // namespace hashrange
