// Templates: texts with placeholders, "ORDER#{created_at:month}#{score:08}#{shard(customer_id,
// 8)}". Braces that begin no placeholder are written twice: "{{" and "}}". Pure functions, but for
// what they report to `reading`.
#pragma once

#include <optional>
#include <string_view>

#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Returns the template of a text, whose placeholders are attributes that the entity knows. Reports
// a placeholder that cannot be understood, and an attribute that is not known.
LabTemplate ReadTemplate(const LabNode& node, int entity, LabReading& reading);

// Returns the template `{name}`.
LabTemplate BareTemplate(std::string_view name, LabAttributeRef attribute, LabPlace place);

// Returns the form of a part of a time by its name, "month"; nothing for other names.
std::optional<LabTemplatePart::Form> TimeFormNamed(std::string_view name);

// Returns whether the text has a placeholder, or braces that are written twice.
bool HasBraces(std::string_view text);

// Reports forms that do not fit the types of their attributes: "{title:08}" for a text. Types have
// to be known.
void CheckTemplateForms(const LabTemplate& text, LabReading& reading);

// Returns whether the template is one placeholder as it is, "{created_at}".
bool IsBarePlaceholder(const LabTemplate& text);

}  // namespace hashrange
