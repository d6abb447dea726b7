#include <string>
#include <string_view>
#include <vector>

#include "lab/language/joined_names.h"
#include "lab/language/lab_checks.h"
#include "lab/language/lab_condition_values.h"
#include "lab/language/lab_identity.h"
#include "lab/language/lab_names.h"

namespace hashrange {
namespace {

void CheckIdentified(int entity, std::vector<LabAttributeRef> known,
                     const std::vector<LabCondition>& constants, LabPlace place,
                     LabReading& reading) {
  for (const LabCondition& constant : constants) known.push_back(constant.attribute);
  if (IdentifiesInstance(reading.file, entity, known)) return;
  std::vector<std::string_view> names;
  for (const LabAttributeRef attribute : known) {
    names.push_back(LabAttributeAt(reading.file, attribute).name);
  }
  reading.Fail(place,
               "`by` does not say which " + EntityAt(reading.file, entity).name +
                   " is meant: one is identified by " + IdentityText(reading.file, entity) +
                   ", or by an attribute that is created as `unique`, and the caller knows " +
                   (names.empty() ? "nothing" : JoinedNames(names, "and")));
}

void CheckPattern(const LabPattern& pattern, LabReading& reading) {
  if (pattern.kind == LabPattern::Kind::kGet) {
    CheckIdentified(pattern.entities.front(), pattern.by, pattern.constants, pattern.place,
                    reading);
  }
  for (const LabWrite& write : pattern.writes) {
    const bool is_first = &write == &pattern.writes.front();
    if (write.kind != LabWrite::Kind::kCreate) {
      CheckIdentified(write.entity, write.by,
                      is_first ? pattern.constants : std::vector<LabCondition>{}, write.place,
                      reading);
    }
    WarnOfMissingValues(write.conditions, reading);
    WarnOfOtherValues(write, reading);
  }
  WarnOfMissingValues(pattern.constants, reading);
  WarnOfMissingValues(pattern.pick.where, reading);
}

}  // namespace

void CheckPatterns(LabReading& reading) {
  const std::vector<LabPattern>& patterns = reading.file.patterns;
  for (const LabPattern& pattern : patterns) {
    CheckPattern(pattern, reading);
    reading.EndPart();
  }
  reading.EndParts();
}

}  // namespace hashrange
