// ImportedModel: what a model that somebody has already says, in one form for all kinds of models.
// A reader for each kind fills it in (import_readers.h); what the source does not say is then
// completed (imported_entities.h, imported_patterns.h), and a lab file is written (lab_draft.h).
// Plain data.
//
//   ImportedModel ─┬─ tables ── indexes
//                  ├─ entities ── attributes, keys (templates of one table and its indexes)
//                  ├─ patterns
//                  └─ remarks     what was left out, a sentence each
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hashrange {

// One piece of the template of a key: the literal text before a placeholder, and the placeholder.
struct ImportedPart {
  std::string literal = {};
  std::string attribute = {};  // empty: the template ends with the literal
  std::string form = {};       // "08", "day"; empty: as it is
};
using ImportedTemplate = std::vector<ImportedPart>;

// The template of a key attribute of a table or of one of its indexes.
struct ImportedKey {
  std::string attribute = {};
  ImportedTemplate text = {};
  std::string index = {};  // empty: of the table
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

struct ImportedModel {
  std::string source = {};  // "the schema.json of AWS Labs"
  std::string layout = "as it is";
  std::vector<ImportedTable> tables = {};
  std::vector<ImportedEntity> entities = {};
  std::vector<ImportedPattern> patterns = {};
  std::vector<std::string> remarks = {};
  bool has_counts = false;  // the source says how many items there are
};

}  // namespace hashrange
