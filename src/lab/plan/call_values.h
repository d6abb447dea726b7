// CallValues: the values of attributes for one call, before and after what the call changes. Used
// by one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/plan/request_template.h"

namespace hashrange {

class CallValues {
 public:
  // Both outlive the object.
  CallValues(const Population& population, const LabCall& call)
      : population_(population), call_(call) {}

  // Returns whether the instance has the attribute, as of before or after the call.
  bool Has(InstanceId id, LabAttributeRef attribute, bool after) const;
  // Appends the value; nothing where the instance lacks the attribute.
  void AppendValue(InstanceId id, LabAttributeRef attribute, bool after, std::string& out) const;
  // Returns whether the call gives another value to the attribute, or adds or removes it.
  bool Changes(InstanceId id, LabAttributeRef attribute) const;
  // Returns whether all conditions hold as of then.
  bool Matches(InstanceId id, const std::vector<LabCondition>& conditions, bool after) const;

 private:
  // Returns what the call gives to the attribute; null when it leaves the attribute alone.
  const LabNewValue* NewValue(InstanceId id, LabAttributeRef attribute) const;
  bool HoldsAfter(InstanceId id, const LabCondition& condition) const;

  const Population& population_;
  const LabCall& call_;
};

}  // namespace hashrange
