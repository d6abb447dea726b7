// Names for what a measurement has no names for: the placeholders of keys, and entities without a
// type. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lab/import/imported_model.h"
#include "measure/measurement.h"

namespace hashrange {

// Returns the template of a key attribute of an entity, whose placeholders have the names of the
// attributes that they equal, or names made of the text before them: "ORDER#{…}" has order_id.
// Nothing: the braces have no partner.
std::optional<ImportedTemplate> MeasuredTemplate(const Measurement& measurement,
                                                 const EntityMeasure& entity,
                                                 std::string_view index, std::string_view attribute,
                                                 std::string_view text);

// Returns the attribute `name` as the placeholder of that name in the template shows it: the form
// of its values, their mean size and how many there are.
ImportedAttribute AttributeOfPlaceholder(const Measurement& measurement,
                                         const EntityMeasure& entity, std::string_view index,
                                         std::string_view attribute, std::string_view text,
                                         std::string_view name);

// Returns a name made of the constant parts of the entity's keys: "UserProfile".
std::string MeasuredEntityName(const EntityMeasure& entity);

// Notes in `made` what the keys of the entity show of the attribute `name`: its form.
void DescribeInKeys(const Measurement& measurement, const EntityMeasure& entity,
                    std::string_view name, ImportedAttribute& made);

}  // namespace hashrange
