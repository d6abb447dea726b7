// Functions that find entities and attributes by their names. Pure functions, but for what they
// report to `reading`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/language/lab_document.h"
#include "lab/language/lab_entity_tree.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Something that the file names, and where.
struct LabName {
  std::string_view text = {};
  LabPlace place = {};
};
inline LabName NameIn(const LabNode& node) { return {node.text, node.place}; }

// Return the attribute, the identity of the direct parent included (or, for KnownAttribute, of any
// ancestor). Entity kLabNone: there is none of that name.
LabAttributeRef StoredAttribute(const LabFile& file, int entity, std::string_view name);
LabAttributeRef KnownAttribute(const LabFile& file, int entity, std::string_view name);

// Returns the attributes that say which instance it is: the identities of the entity and, unless it
// is global, of its ancestors up to the nearest global one.
std::vector<LabAttributeRef> IdentityOf(const LabFile& file, int entity);
// Returns "order_id and sku".
std::string IdentityText(const LabFile& file, int entity);

// Returns the place of the name in `names`; kLabNone where it is not there, which is reported: the
// sentence goes on with the names that are.
int FindName(LabName name, std::span<const std::string> names, const std::string& sentence,
             LabReading& reading);
// These report a name that is not known, and return kLabNone then.
int FindEntity(LabName name, LabReading& reading);
int FindOwnAttribute(int entity, LabName name, LabReading& reading);
LabAttributeRef FindStoredAttribute(int entity, LabName name, LabReading& reading);
LabAttributeRef FindKnownAttribute(int entity, LabName name, LabReading& reading);
// For "Product.sku".
LabAttributeRef FindDottedAttribute(LabName name, LabReading& reading);

// Returns the names in a list of texts, or the name in a single text. Reports other nodes, with
// `what` as the subject.
std::vector<LabName> ReadNames(const LabNode& node, std::string_view what, LabReading& reading);

}  // namespace hashrange
