// The steps from a model to a lab file, in their order, each in the file of its name. Pure
// functions; any thread.
//
//   JSON ──▶ Read…Model ──▶ ArrangeEntities ──▶ CompletePatterns ──▶ WriteLabDraft ──▶ YAML
//            for each kind     identities, parents                     lab_draft.h
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/import/imported_model.h"
#include "lab/import/lab_draft.h"
#include "measure/measurement.h"
#include "wire/json.h"
#include "wire/owned_json.h"

namespace hashrange {

// The readers of models, one for each kind. Each returns what the source says; nothing is completed
// yet.
// Errors of all of them: ValidationException  the JSON does not have the form of the kind, so that
//        nothing can be read; the sentence names the place. What can be left out is remarked
//        instead

// The schema.json of AWS Labs (docs/service/21-layout-lab.md, section 1).
Result<ImportedModel> ReadSchemaJsonModel(const JsonValue& json);

// What the samples of an entity say about one of its keys.
struct SampledKey {
  std::string attribute = {};
  std::string evidence = {};  // "user_id in 3 of 3 samples"
  std::string question = {};  // what the samples do not decide; empty: they decide
};
struct SampledEntity {
  std::string name = {};  // what the entity's name ends with: "#follower"; empty: nothing
  // The whole name, where the source has one for these samples; empty: it has none.
  std::string given_name = {};
  std::vector<SampledKey> keys = {};
  std::set<std::string> samples = {};  // SampleName of each
};
// Returns what tells a sample from others of the model: its table, and the texts of the table's
// keys.
std::string SampleName(std::string_view table, std::string_view hash, std::string_view range);

// A measurement: of live traffic, or of tables that were filled from files.
Result<ImportedModel> ReadMeasuredModel(const Measurement& measurement);
// A measurement of samples, after GroupSamples. `sampled` has an element for each entity.
Result<ImportedModel> ReadSampledModel(const Measurement& measurement,
                                       const std::vector<SampledEntity>& sampled);

// dynamodb_data_model.json, in either of its forms: with CreateTable inputs, items and lines of the
// AWS CLI, which are called in a database of this process; or with rates and sizes.
Result<ImportedModel> ReadDataModel(const JsonValue& json);

// A model of NoSQL Workbench: by its sample data where it has some, otherwise by its facets.
Result<ImportedModel> ReadWorkbenchModel(const JsonValue& json);

// A schema of OneTable.
Result<ImportedModel> ReadOneTableModel(const JsonValue& json);

// One or several entities of ElectroDB.
Result<ImportedModel> ReadElectroModel(std::span<const JsonValue* const> entities);

// The items of tables that are samples, by the name of the table. `pages` has their text.
struct SampleItems {
  std::vector<OwnedJson> pages = {};
  std::map<std::string, std::vector<const JsonValue*>> by_table = {};
};

// Replaces the entities and the key templates of a measurement of samples: what few items show is
// decided by the items themselves (sample_keys.cc). Returns an element for each entity. What
// exceeds a limit is remarked.
std::vector<SampledEntity> GroupSamples(const SampleItems& items, Measurement& measurement,
                                        std::vector<std::string>& remarks);

// Returns a name for what follows the template's text in a key attribute: "order_id" behind
// "ORDER#", and "sk_id" where no word precedes. `kind` is of a PlaceholderMeasure.
std::string NameOfKeyPart(const ImportedTemplate& before, std::string_view attribute,
                          std::string_view kind);

// The two steps around a measured model (measured_model.cc), which gives the entities of a
// measurement their names and attributes by the templates of their keys.

// Few items show less than many: a text that is a value, as in "READER#alice" and "READER#bob",
// looks like a constant where there are only some of them. Finds entities whose items have the same
// type and nearly the same attributes, and whose keys differ only behind a literal; makes
// placeholders of what differs, there and in all keys with the same beginning; and merges such
// entities, and the patterns that ask for the same thing then.
void MergeAlikeEntities(Measurement& measurement);

// An entity of the measurement and its name in the model.
struct MeasuredEntity {
  const EntityMeasure* measured = nullptr;
  std::string name = {};
};

// Adds the patterns to the model, which has the entities. Their rates are the calls in a second of
// the measurement.
void AddMeasuredPatterns(const Measurement& measurement,
                         const std::vector<MeasuredEntity>& entities, ImportedModel& model);

// Completes the entities of a model: which attribute identifies an entity, and which entity is the
// parent of which. Both follow from the templates of keys:
//
//   User   PK "USER#{user_id}"   SK "PROFILE"              identified by user_id
//   Order  PK "USER#{user_id}"   SK "ORDER#{order_id}"     of User, identified by order_id
//   Item   PK "ORDER#{order_id}" SK "ITEM#{sku}"           of Order, identified by sku
//
// Gives all entities and attributes names that lab files allow, each once, and adds the attributes
// that only keys have. Entities without a key are left out. Where a partition key has an identity
// that no entity has, an entity is made that has no item. What is changed or left out is remarked.
void ArrangeEntities(ImportedModel& model);

// Completes the access patterns: gives each pattern a name of its own, and takes out of it what its
// entity does not have, with a note. A model without patterns gets those that its keys serve.
void CompletePatterns(ImportedModel& model);

// Returns the parts of the lab file, from `lab: 1` on. What cannot be written is added to the
// remarks of the model.
LabDraft WriteLabDraft(ImportedModel& model);

}  // namespace hashrange
