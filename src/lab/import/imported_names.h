// What the readers of models have in common. Used by one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/import/import_fields.h"
#include "lab/import/imported_model.h"
#include "lab/import/imported_template.h"

namespace hashrange {

// Returns a name for an entity that lab files allow and no entity of the model has. A changed name
// is remarked.
std::string NewEntityName(std::string_view name, const std::string& place, ImportedModel& model);

// The most entities of a model; each is compared with each. Attributes and the placeholders of keys
// together are bounded, too, and so are the placeholders of one entity's keys.
inline constexpr std::size_t kMostImportedEntities = 500;
inline constexpr std::size_t kMostImportedAttributes = 10'000;
inline constexpr std::size_t kMostImportedPlaceholders = 40;

// Adds the entity. Returns false, with a remark, where the model or the entity exceeds a limit.
bool AddImportedEntity(ImportedEntity entity, ImportedModel& model);

// Returns why there is no key of these attributes; empty: there is.
std::string RefusalOfKey(const std::vector<std::string>& names);

// Adds the table. Returns false, with a remark, where the table has no key that the service and lab
// files allow, or the model has a table of that name.
bool AddImportedTable(ImportedTable table, const std::string& place, ImportedModel& model);

// Returns a name that the service allows for a table or an index. A changed name is remarked.
std::string ServiceNameOf(std::string_view name, const std::string& place, ImportedModel& model);

// Adds the template of a key. One whose braces have no partner is remarked.
void AddImportedKey(const std::string& attribute, std::string_view index, std::string_view text,
                    const std::string& place, ImportedEntity& entity, ImportedModel& model,
                    TemplateStyle style = TemplateStyle::kBraces);

// Notes that the source does not require the attribute; what is in a key stays present, since
// nobody but the user knows in which share of the items.
void SetNotRequired(const ImportedEntity& entity, ImportedAttribute& attribute);

// Returns the type for "string", "number", "boolean", "S", "N", … in any case.
ImportedType ImportedTypeNamed(std::string_view name);

// Returns the member, which is a text or a list of texts.
std::vector<std::string> OneOrSeveralTexts(ImportFields& fields, std::string_view name);

// Sets the projection of the index by a name such as "ALL" and the list of attributes.
void SetImportedProjection(std::string_view name, std::vector<std::string> included,
                           ImportedIndex& index);

}  // namespace hashrange
