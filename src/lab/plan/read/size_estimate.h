// SizeEstimate: how many instances there are, how large their items are and how many of them a key
// condition finds, on average, from the generators and distributions of a lab file. Plans are
// chosen by it; nothing that is reported as a figure comes from it. Used by one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/read/asked_interval.h"

namespace hashrange {

class SizeEstimate {
 public:
  // `constants` are what the pattern says of values; all outlive the object.
  SizeEstimate(const LabFile& file, const LabLayout& layout,
               const std::vector<LabCondition>& constants)
      : file_(file), layout_(layout), constants_(constants) {}

  double Instances(int entity) const;
  // Returns the bytes of an item in its table, embedded entities included.
  double ItemBytes(const LabItem& item) const;
  // Returns the bytes of what a key has of the item: all of it, or the projection of the index.
  double BytesInKey(const LabItem& item, LabKey key) const;
  // Returns how many instances of the entity have one value of each of the placeholders; 1 or more.
  double Matching(int entity, const std::vector<LabTemplatePart>& placeholders) const;
  // Returns the share of the entity's instances whose item is stored and is in the key, a sparse
  // index. What the instances of the placeholders have is known, and does not make the share
  // smaller.
  double ShareInKey(const LabItem& item, LabKey key,
                    const std::vector<LabTemplatePart>& placeholders) const;
  // Returns the share of the instances that the range leaves.
  double ShareOfRange(const LabRange& range) const;

 private:
  double ValueBytes(LabAttributeRef ref) const;
  double TemplateBytes(const LabTemplate& text) const;
  double AttributeBytes(LabAttributeRef ref) const;
  double KeyBytes(const LabItem& item, const std::vector<std::string>& attributes) const;
  double EmbeddedBytes(int entity) const;
  // Returns which share of the instances has a value that the condition asks for; nothing where
  // that value is as good as any other.
  std::optional<double> ShareOfCondition(const LabCondition& condition) const;
  // Returns which share of the entity's instances has one value of the placeholder.
  double ShareOf(int entity, const LabTemplatePart& part) const;
  double SpanMs(LabAttributeRef ref) const;

  const LabFile& file_;
  const LabLayout& layout_;
  const std::vector<LabCondition>& constants_;
};

}  // namespace hashrange
