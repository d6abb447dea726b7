// ImportedModel: what a model that somebody has already says, in one form for all kinds of models.
// It is plain data; the functions fill it in and look things up. Used by one thread.
//
//   ImportedModel ─┬─ tables ── indexes
//                  ├─ entities ── attributes, keys (templates of one table and its indexes)
//                  ├─ patterns
//                  └─ remarks     what was left out, a sentence each
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/import/imported_template.h"

namespace hashrange {

// The template of a key attribute of a table or of one of its indexes.
struct ImportedKey {
  std::string attribute = {};
  ImportedTemplate text = {};
  std::string index = {};  // empty: of the table
  // Which samples gave the template: "user_id in 3 of 3 samples"; empty: there are none.
  std::string evidence = {};
  // What the source does not decide. The template is then what is read until somebody answers.
  // Empty: the source decides.
  std::string question = {};
};

enum class ImportedType : std::uint8_t { kText, kNumber, kFlag, kOther };

struct ImportedAttribute {
  std::string name = {};
  ImportedType type = ImportedType::kText;
  // The generator in YAML, where the source says how the values come about; empty: by the name, the
  // type and the size.
  std::string generator = {};
  // Of the identities in keys: "uuid", "ulid", "digits"; empty: not known.
  std::string id_form = {};
  double mean_bytes = 0;     // of a value; 0: not known
  double distinct = 0;       // how many values there are in all items; 0: not known
  double present = 1;        // the share of the items that have the attribute
  bool is_optional = false;  // the source says so, without a share
  // "iso", "seconds", "milliseconds"; empty: it is not known to be a time.
  std::string time_form = {};
  std::string note = {};  // a comment; empty: none
};

struct ImportedEntity {
  std::string name = {};
  std::string place = {};  // in the source: "tables[0].entities.User"
  std::string table = {};
  std::string type = {};  // the value of the table's type attribute; empty: not known
  std::vector<ImportedKey> keys = {};
  std::vector<ImportedAttribute> attributes = {};
  // Placeholders of keys that are no attributes, as far as the source describes them.
  std::vector<ImportedAttribute> only_in_keys = {};
  std::vector<std::string> notes = {};
  double items = 0;          // how many there are; 0: not known
  double most_children = 0;  // of one parent; 0: not known

  // What ArrangeEntities finds out.
  std::string identity = {};  // the name of the first attribute
  std::string parent = {};    // the entity's name; empty: none
  std::string twin = {};      // the entity that has the same identities; empty: none
  bool is_distinct = false;   // `distinct` of the identity
  bool is_stored = true;      // false: it was made for the ids in keys and has no item
};

struct ImportedIndex {
  std::string name = {};
  std::vector<std::string> hash = {};
  std::vector<std::string> range = {};
  bool is_local = false;
  std::string projection = "all";  // "all", "keys_only"; empty: `included`
  std::vector<std::string> included = {};
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;

  // Returns the attributes of the key, first the ones of the hash.
  std::vector<std::string> Keys() const;
};

struct ImportedTable {
  std::string name = {};
  std::string hash = {};
  std::string range = {};  // empty: none
  std::vector<ImportedIndex> indexes = {};
  bool is_infrequent_access = false;
  std::int64_t read_units = 0;  // 0: on demand
  std::int64_t write_units = 0;
  std::string type_attribute = {};  // empty: none
  std::string ttl_attribute = {};
  bool has_stream = false;
};

struct ImportedPattern {
  enum class Verb : std::uint8_t { kGet, kQuery, kCreate, kUpdate, kDelete, kNone };
  enum class Range : std::uint8_t { kNone, kFrom, kTo, kBetween, kPrefix };

  std::string name = {};
  std::string place = {};
  Verb verb = Verb::kNone;                 // kNone: it cannot be expressed, and its notes say why
  std::vector<std::string> entities = {};  // of a query several; the first leads
  std::vector<std::string> by = {};
  Range range = Range::kNone;
  std::string range_attribute = {};
  std::string order = {};
  bool is_descending = false;
  std::int64_t limit = 0;
  std::vector<std::string> returns = {};
  bool is_consistent = false;
  std::int64_t batch = 0;  // 0: one instance
  bool is_transaction = false;
  double calls_per_second = 0;  // 0: not known
  bool picks_by_zipf = false;
  std::vector<std::string> with = {};      // child entities
  std::vector<std::string> set = {};       // attributes that are set
  std::vector<std::string> remove = {};    // attributes that are removed
  std::vector<ImportedPattern> also = {};  // other writes of the same call; names are empty
  std::vector<std::string> notes = {};
};

// Returns "get", "query" and so on; empty for kNone.
std::string_view VerbName(ImportedPattern::Verb verb);

struct ImportedModel {
  std::string source = {};  // "the schema.json of AWS Labs"
  std::string layout = "as it is";
  std::vector<ImportedTable> tables = {};
  std::vector<ImportedEntity> entities = {};
  std::vector<ImportedPattern> patterns = {};
  std::vector<std::string> remarks = {};
  bool has_counts = false;      // the source says how many items there are
  std::string partitions = {};  // "{write_units: 100}"; empty: as the service's
};

// Return what has that name; null when there is none.
ImportedEntity* FindImportedEntity(ImportedModel& model, std::string_view name);
const ImportedEntity* FindImportedEntity(const ImportedModel& model, std::string_view name);
const ImportedTable* FindImportedTable(const ImportedModel& model, std::string_view name);
ImportedAttribute* FindImportedAttribute(ImportedEntity& entity, std::string_view name);
const ImportedAttribute* FindImportedAttribute(const ImportedEntity& entity, std::string_view name);

// Returns the parent of the entity, its parent, and so on.
std::vector<const ImportedEntity*> AncestorsOf(const ImportedModel& model,
                                               const ImportedEntity& entity);

// Returns whether a caller may name the attribute of the entity: it is its own, or the identity of
// an ancestor.
bool IsKnownOf(const ImportedModel& model, const ImportedEntity& entity, std::string_view name);

// Returns the templates of the partition key and of the sort key of the table, or of the index;
// empty where the entity has none.
struct ImportedKeyPair {
  ImportedTemplate partition = {};
  ImportedTemplate sort = {};
};
ImportedKeyPair KeyPairOf(const ImportedModel& model, const ImportedEntity& entity,
                          std::string_view index);

// Returns the placeholders of both templates, each once.
std::vector<std::string> PlaceholdersOf(const ImportedKeyPair& keys);

// Returns a name for an entity that lab files allow and no entity of the model has. A changed name
// is remarked.
std::string NewEntityName(std::string_view name, const std::string& place, ImportedModel& model);

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

// Adds a key that is the attribute of its own name, unless the entity has a template for it.
void AddBareKey(const std::string& attribute, const std::string& index, ImportedEntity& entity);

// Notes that the source does not require the attribute; what is in a key stays present, since
// nobody but the user knows in which share of the items.
void SetNotRequired(const ImportedEntity& entity, ImportedAttribute& attribute);

// Returns the type for "string", "number", "boolean", "S", "N", … in any case.
ImportedType ImportedTypeNamed(std::string_view name);

// Adds to a table without items one entity that has the attributes of its keys.
void AddTablesWithoutItems(ImportedModel& model);

// Sets the projection of the index by a name such as "ALL" and the list of attributes.
void SetImportedProjection(std::string_view name, std::vector<std::string> included,
                           ImportedIndex& index);

}  // namespace hashrange
