#include "lab/language/lab_identity.h"

#include <algorithm>

#include "lab/language/lab_names.h"

namespace hashrange {
namespace {

bool HasAttribute(const std::vector<LabAttributeRef>& known, LabAttributeRef attribute) {
  return std::ranges::find(known, attribute) != known.end();
}

bool IsUnique(const LabFile& file, LabAttributeRef attribute) {
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.entity != attribute.entity) continue;
      if (std::ranges::find(write.unique, attribute.attribute) != write.unique.end()) return true;
    }
  }
  return false;
}

bool KeepsWholeValue(const LabTemplatePart& part) {
  using Form = LabTemplatePart::Form;
  return part.attribute.entity != kLabNone && part.shards == 0 &&
         (part.form == Form::kAsIs || part.form == Form::kPadded || part.form == Form::kDescend);
}

void AddNew(LabAttributeRef attribute, std::vector<LabAttributeRef>& known) {
  if (!HasAttribute(known, attribute)) known.push_back(attribute);
}

// Adds what follows from the attribute: the parts of a template, what an ancestor's copy is of, and
// the identity of what has a unique value.
void AddWhatFollows(const LabFile& file, LabAttributeRef attribute,
                    std::vector<LabAttributeRef>& known) {
  const LabGenerator& generator = LabAttributeAt(file, attribute).generator;
  for (const LabTemplatePart& part : generator.text_template.parts) {
    if (KeepsWholeValue(part)) AddNew(part.attribute, known);
  }
  if (generator.kind == LabGenerator::Kind::kOfAncestor) AddNew(generator.other, known);
  if (!IsUnique(file, attribute)) return;
  for (const LabAttributeRef identity : IdentityOf(file, attribute.entity)) AddNew(identity, known);
}

}  // namespace

bool IdentifiesInstance(const LabFile& file, int entity,
                        const std::vector<LabAttributeRef>& known) {
  const LabEntity& described = EntityAt(file, entity);
  const bool is_single = described.parent == kLabNone && described.count.first == 1;
  if (is_single) return true;
  std::vector<LabAttributeRef> all = known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const LabAttributeRef attribute = all[i];
    AddWhatFollows(file, attribute, all);
  }
  return std::ranges::all_of(IdentityOf(file, entity),
                             [&](LabAttributeRef identity) { return HasAttribute(all, identity); });
}

}  // namespace hashrange
