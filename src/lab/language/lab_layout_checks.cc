// What follows from the items of a layout, and whether it can be meant: the types of its keys,
// their sizes, items that replace each other, what is embedded, and names that nothing has.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "lab/language/joined_names.h"
#include "lab/language/lab_parts.h"
#include "lab/language/lab_templates.h"

namespace hashrange {

// The types of keys.

namespace {

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool IsHash(const LabTable& table, const std::string& name) {
  return Has(table.hash, name) ||
         std::ranges::any_of(table.indexes,
                             [&](const LabIndex& index) { return Has(index.hash, name); }) ||
         std::ranges::find(table.vector_indexes, name, &LabVectorIndex::hash) !=
             table.vector_indexes.end();
}

bool IsRange(const LabTable& table, const std::string& name) {
  return Has(table.range, name) || std::ranges::any_of(table.indexes, [&](const LabIndex& index) {
           return Has(index.range, name);
         });
}

LabType TypeOfTemplate(const LabFile& file, const LabTemplate& text) {
  if (!IsBarePlaceholder(text)) return LabType::kString;
  return LabAttributeAt(file, text.parts.front().attribute).type;
}

void ReportUnusedKey(const LabLayout& layout, const LabTable& table, const std::string& name,
                     LabReading& reading) {
  std::string where = "the table " + table.name;
  LabPlace place = table.place;
  std::string way_out;
  for (const LabIndex& index : table.indexes) {
    const bool has_it = Has(index.hash, name) || Has(index.range, name);
    if (!has_it) continue;
    where = "the index " + index.name;
    place = index.place;
    way_out = "; `" + index.name + ": null` leaves an index of another layout out";
    break;
  }
  for (const LabVectorIndex& index : table.vector_indexes) {
    if (!Has(SearchSchemaOf(index), name)) continue;
    return reading.Fail(index.place,
                        "in the layout \"" + layout.name + "\", no item has \"" + name +
                            "\", an attribute of the search schema of the index " + index.name);
  }
  reading.Fail(place, "in the layout \"" + layout.name + "\", no item has \"" + name +
                          "\", a key attribute of " + where + way_out);
}

// Reports a template whose type the key cannot have.
void CheckType(LabType type, std::optional<LabType> others, const LabItemKey& key,
               LabReading& reading) {
  if (type == LabType::kBool || type == LabType::kVector) {
    reading.Fail(key.text.place, "the key \"" + key.attribute + "\" would be " +
                                     (type == LabType::kBool ? "true or false" : "a vector") +
                                     ", and a key is a text or a number");
  }
  if (others && *others != type) {
    reading.Fail(key.text.place,
                 "the key \"" + key.attribute +
                     "\" would be a number in one item and a text in another one; a "
                     "number becomes text with a form, such as \"{score:08}\"");
  }
}

// Returns the type of one key attribute, by all items of the table that have it.
LabType TypeOfKey(const LabLayout& layout, int table, const std::string& name,
                  LabReading& reading) {
  std::optional<LabType> type;
  for (const LabItem& item : layout.items) {
    if (item.table != table) continue;
    for (const LabItemKey& key : item.keys) {
      if (key.attribute != name) continue;
      const LabType of_template = TypeOfTemplate(reading.file, key.text);
      CheckType(of_template, type, key, reading);
      type = of_template;
    }
  }
  if (!type) {
    ReportUnusedKey(layout, layout.tables[static_cast<std::size_t>(table)], name, reading);
  }
  return type.value_or(LabType::kString);
}

}  // namespace

void SetDimensions(LabLayout& layout, const LabFile& file) {
  for (const LabItem& item : layout.items) {
    for (LabVectorIndex& index :
         layout.tables[static_cast<std::size_t>(item.table)].vector_indexes) {
      const LabAttributeRef ref = StoredAttribute(file, item.entity, index.attribute);
      if (index.dimensions > 0 || ref.entity == kLabNone) continue;
      index.dimensions = DimensionsOf(file, ref);
    }
  }
}

void SetKeyTypes(LabLayout& layout, LabReading& reading) {
  for (std::size_t table = 0; table < layout.tables.size(); ++table) {
    for (const std::string& name : AllKeysOf(layout.tables[table])) {
      const LabType type = TypeOfKey(layout, static_cast<int>(table), name, reading);
      layout.tables[table].key_types[name] = type;
    }
  }
}

// The sizes of keys: a template whose values are always too long is an error. Where only some
// values are, the fill finds that.

namespace {

std::size_t LeastBytes(const LabFile& file, const LabTemplate& text);

// Returns the fewest bytes that a value of the attribute may have, as far as that is easily known.
// The sources of an attribute lie before it, so this ends.
std::size_t LeastBytes(const LabFile& file, LabAttributeRef attribute) {
  const LabGenerator& generator = LabAttributeAt(file, attribute).generator;
  switch (generator.kind) {
    case LabGenerator::Kind::kConstant:
      return generator.text.size();
    case LabGenerator::Kind::kTemplate:
      return LeastBytes(file, generator.text_template);
    case LabGenerator::Kind::kText:
      return static_cast<std::size_t>(std::clamp(LeastOf(generator.distribution), 0.0, 1e9));
    case LabGenerator::Kind::kChoice: {
      const auto shortest = std::ranges::min_element(
          generator.choices, {}, [](const auto& choice) { return choice.value.size(); });
      return shortest == generator.choices.end() ? 0 : shortest->value.size();
    }
    case LabGenerator::Kind::kRef:
    case LabGenerator::Kind::kOfRef:
    case LabGenerator::Kind::kOfAncestor:
      return LeastBytes(file, generator.other);
    default:
      return static_cast<std::size_t>(generator.width);
  }
}

std::size_t LeastBytes(const LabFile& file, const LabTemplate& text) {
  using Form = LabTemplatePart::Form;
  std::size_t bytes = 0;
  for (const LabTemplatePart& part : text.parts) {
    bytes += part.literal.size();
    const bool keeps_value = part.form == Form::kAsIs || part.form == Form::kLower ||
                             part.form == Form::kUpper || part.form == Form::kPrefix;
    if (part.attribute.entity == kLabNone || part.shards > 0 || !keeps_value) continue;
    const std::size_t value = LeastBytes(file, part.attribute);
    const auto width = static_cast<std::size_t>(part.width);
    bytes += part.form == Form::kPrefix ? std::min(width, value) : value;
  }
  return bytes;
}

void CheckKeySizes(const LabLayout& layout, LabReading& reading) {
  for (const LabItem& item : layout.items) {
    const LabTable& table = layout.tables[static_cast<std::size_t>(item.table)];
    for (const LabItemKey& key : item.keys) {
      const bool is_range = IsRange(table, key.attribute);
      if (!is_range && !IsHash(table, key.attribute)) continue;
      const std::size_t longest = is_range ? kMostRangeKeyBytes : kMostHashKeyBytes;
      const std::size_t least = LeastBytes(reading.file, key.text);
      if (least <= longest) continue;
      reading.Fail(key.text.place, "in the layout \"" + layout.name + "\", " + key.attribute +
                                       " of " + EntityAt(reading.file, item.entity).name +
                                       " would have " + std::to_string(least) +
                                       " bytes or more by the template \"" + key.text.text +
                                       "\", and a " + (is_range ? "sort key" : "partition key") +
                                       " has " + std::to_string(longest) + " at most");
    }
  }
}

// The checks of one layout.

// The warnings so far, by line and column: what a layout has from another one is said once.
using LabWarned = std::set<std::tuple<int, int, std::string>>;

// Checks one layout.
class LayoutCheck {
 public:
  LayoutCheck(const LabLayout& layout, LabWarned& warned, LabReading& reading)
      : layout_(layout), warned_(warned), reading_(reading), file_(reading.file) {}

  void CheckKeys();
  void CheckItems();
  void CheckEmbeddings();
  void CheckTables();
  void WarnOfEntitiesNotStored();

 private:
  const LabTable& TableOf(const LabItem& item) const {
    return layout_.tables[static_cast<std::size_t>(item.table)];
  }
  void CheckOrderOfForms(const LabItem& item, const LabItemKey& key);
  void CheckOtherAttribute(const LabItem& item, const LabItemKey& key);
  template <typename Index>
  void CheckProjection(const Index& index, const LabTable& table);
  void CheckVectors(const LabVectorIndex& index, int table);
  void CheckTtl(const LabTable& table, int number);
  std::string Prefix() const { return "in the layout \"" + layout_.name + "\", "; }
  void Fail(LabPlace place, const std::string& sentence) {
    reading_.Fail(place, Prefix() + sentence);
  }
  void Warn(LabPlace place, const std::string& sentence) {
    if (!warned_.insert({place.line, place.column, sentence}).second) return;
    reading_.Warn(place, Prefix() + sentence);
  }

  const LabLayout& layout_;
  LabWarned& warned_;
  LabReading& reading_;
  const LabFile& file_;
};

bool HaveSameText(const LabTemplate& a, const LabTemplate& b) {
  return std::ranges::equal(a.parts, b.parts,
                            [](const LabTemplatePart& x, const LabTemplatePart& y) {
                              return x.literal == y.literal && x.attribute == y.attribute &&
                                     x.form == y.form && x.width == y.width && x.shards == y.shards;
                            });
}

// Returns whether two items of one table always have the same key.
bool HaveSameKey(const LabItem& a, const LabItem& b, std::size_t parts) {
  if (a.table != b.table || !a.when.empty() || !b.when.empty()) return false;
  for (std::size_t i = 0; i < parts; ++i) {
    if (!HaveSameText(a.keys[i].text, b.keys[i].text)) return false;
  }
  return true;
}

void LayoutCheck::CheckKeys() {
  for (std::size_t i = 0; i < layout_.items.size(); ++i) {
    const LabItem& item = layout_.items[i];
    const std::size_t parts = TableKeyOf(TableOf(item)).size();
    for (std::size_t j = 0; j < i; ++j) {
      const LabItem& other = layout_.items[j];
      if (!HaveSameKey(item, other, parts)) continue;
      Fail(item.place, "this item of " + EntityAt(file_, item.entity).name +
                           " has the same key as the one of " + EntityAt(file_, other.entity).name +
                           " in line " + std::to_string(other.place.line) +
                           ", so one of them would replace the other");
    }
    if (KeyIdentifiesInstance(file_, TableOf(item), item)) continue;
    const std::string& name = EntityAt(file_, item.entity).name;
    Warn(item.place, "items of " + name + " may replace each other: their key does not have " +
                         IdentityText(file_, item.entity) + ", by which they are identified");
  }
}

// A template for an attribute that is no key is stored as it is; a name that is nearly a key, or
// that is one in another layout, was probably meant as a key.
void LayoutCheck::CheckOtherAttribute(const LabItem& item, const LabItemKey& key) {
  const LabTable& table = TableOf(item);
  const LabAttributeRef own = StoredAttribute(file_, item.entity, key.attribute);
  if (own.entity != kLabNone &&
      !(IsBarePlaceholder(key.text) && key.text.parts.front().attribute == own)) {
    Warn(key.text.place, "this template takes the place of the attribute \"" + key.attribute +
                             "\" of " + EntityAt(file_, item.entity).name);
  }
  if (table.key_types.contains(key.attribute) || key.attribute == table.ttl_attribute) return;
  const std::vector<std::string> keys = AllKeysOf(table);
  const std::vector<std::string_view> names(keys.begin(), keys.end());
  const std::string question = DidYouMean(key.attribute, names);
  bool is_key_elsewhere = false;
  for (const LabLayout& other : file_.layouts) {
    for (const LabTable& described : other.tables) {
      is_key_elsewhere = is_key_elsewhere || described.key_types.contains(key.attribute);
    }
  }
  if (question.empty() && !is_key_elsewhere) return;
  Warn(key.text.place, "\"" + key.attribute + "\" is no key of the table " + table.name +
                           " or of its indexes, so it is stored as a plain attribute" + question);
}

void LayoutCheck::CheckOrderOfForms(const LabItem& item, const LabItemKey& key) {
  if (!IsRange(TableOf(item), key.attribute)) return;
  for (const LabTemplatePart& part : key.text.parts) {
    const bool is_number =
        part.form == LabTemplatePart::Form::kPadded || part.form == LabTemplatePart::Form::kDescend;
    if (!is_number) continue;
    const char* const why =
        WhyFormDoesNotSort(BoundsOfNumber(file_, part.attribute), part.form, part.width);
    if (why == nullptr) continue;
    Warn(key.text.place, "by the template \"" + key.text.text + "\", items do not sort by \"" +
                             LabAttributeAt(file_, part.attribute).name + "\": it " + why);
  }
}

void LayoutCheck::CheckItems() {
  for (const LabItem& item : layout_.items) {
    for (const LabItemKey& key : item.keys) {
      CheckOrderOfForms(item, key);
      CheckOtherAttribute(item, key);
      WarnOfMissingValues(key.when, reading_);
    }
    WarnOfMissingValues(item.when, reading_);
  }
}

void LayoutCheck::CheckEmbeddings() {
  for (const LabEmbedding& embedding : layout_.embeddings) {
    const std::string& name = EntityAt(file_, embedding.entity).name;
    const std::string& parent = EntityAt(file_, embedding.parent).name;
    if (!IsStored(layout_, embedding.parent)) {
      Fail(embedding.place, name + " is embedded in " + parent + ", of which no item is stored");
    }
    if (StoredAttribute(file_, embedding.parent, embedding.attribute).entity != kLabNone) {
      Fail(embedding.place, parent + " has an attribute \"" + embedding.attribute +
                                "\" already; what is embedded needs a name of its own");
    }
    for (const LabEmbedding& other : layout_.embeddings) {
      if (&other == &embedding) break;
      if (other.parent != embedding.parent || other.attribute != embedding.attribute) continue;
      Fail(embedding.place, EntityAt(file_, other.entity).name + " is embedded as \"" +
                                embedding.attribute + "\", too");
    }
    const LabEntity& child = EntityAt(file_, embedding.entity);
    const bool may_repeat = embedding.map_by != kLabNone && embedding.map_by != child.distinct &&
                            !(embedding.map_by == 0 && child.identity_is_global);
    if (!may_repeat) continue;
    Warn(embedding.place, "two of " + name + " of one " + parent + " may have the same \"" +
                              LabAttributeAt(file_, {embedding.entity, embedding.map_by}).name +
                              "\", and only one of them is in the map then");
  }
}

// Returns whether an item of the layout may have an attribute of that name.
bool MayHaveAttribute(const LabFile& file, const LabLayout& layout, const LabTable& table,
                      const std::string& name) {
  if (table.key_types.contains(name) || name == table.type_attribute) return true;
  const auto has_it = [&](const LabEntity& entity) {
    return std::ranges::find(entity.attributes, name, &LabAttribute::name) !=
           entity.attributes.end();
  };
  if (std::ranges::any_of(file.entities, has_it)) return true;
  if (std::ranges::find(layout.embeddings, name, &LabEmbedding::attribute) !=
      layout.embeddings.end()) {
    return true;
  }
  return std::ranges::any_of(layout.items, [&](const LabItem& item) {
    return std::ranges::find(item.keys, name, &LabItemKey::attribute) != item.keys.end();
  });
}

// `Index` is LabIndex or LabVectorIndex.
template <typename Index>
void LayoutCheck::CheckProjection(const Index& index, const LabTable& table) {
  for (const std::string& name : index.included) {
    if (MayHaveAttribute(file_, layout_, table, name)) continue;
    std::vector<std::string_view> names;
    for (const LabEntity& entity : file_.entities) {
      for (const LabAttribute& attribute : entity.attributes) names.push_back(attribute.name);
    }
    Warn(index.place, "the index " + index.name + " projects \"" + name + "\", which no item has" +
                          DidYouMean(name, names));
  }
}

// The items of the table that have the attribute of the index have vectors in it, all of one
// length.
void LayoutCheck::CheckVectors(const LabVectorIndex& index, int table) {
  for (const LabItem& item : layout_.items) {
    if (item.table != table) continue;
    const LabAttributeRef ref = StoredAttribute(file_, item.entity, index.attribute);
    const bool is_other =
        std::ranges::find(item.keys, index.attribute, &LabItemKey::attribute) != item.keys.end();
    const bool is_stored =
        ref.entity != kLabNone &&
        (!item.attributes || std::ranges::find(*item.attributes, ref) != item.attributes->end());
    if (!is_other && !is_stored) continue;
    const int dimensions = is_other ? 0 : DimensionsOf(file_, ref);
    if (dimensions == index.dimensions) continue;
    return Fail(index.place,
                "\"" + index.attribute + "\" of " + EntityAt(file_, item.entity).name +
                    (dimensions == 0
                         ? " is no vector"
                         : " has " + std::to_string(dimensions) + " dimensions, and the index " +
                               index.name + " has " + std::to_string(index.dimensions)));
  }
  if (index.dimensions == 0) {
    Fail(index.place, "no item of its table has \"" + index.attribute +
                          "\", whose vectors the index " + index.name + " has");
  }
}

void LayoutCheck::CheckTtl(const LabTable& table, int number) {
  if (table.ttl_attribute.empty()) return;
  bool is_stored = false;
  for (const LabItem& item : layout_.items) {
    if (item.table != number) continue;
    if (std::ranges::find(item.keys, table.ttl_attribute, &LabItemKey::attribute) !=
        item.keys.end()) {
      is_stored = true;
    }
    const LabAttributeRef attribute = StoredAttribute(file_, item.entity, table.ttl_attribute);
    if (attribute.entity == kLabNone) continue;
    is_stored = true;
    const LabAttribute& time = LabAttributeAt(file_, attribute);
    const bool is_seconds = time.type == LabType::kNumber &&
                            time.generator.time_form != LabGenerator::TimeForm::kMilliseconds;
    if (is_seconds) continue;
    Warn(table.place, "items of " + EntityAt(file_, item.entity).name + " would never expire: \"" +
                          time.name + "\" is no number of seconds; `form: seconds` makes it one");
  }
  if (!is_stored) {
    Fail(table.place, "no item of the table " + table.name + " has \"" + table.ttl_attribute +
                          "\", the attribute of `ttl`");
  }
}

void LayoutCheck::CheckTables() {
  for (std::size_t table = 0; table < layout_.tables.size(); ++table) {
    const LabTable& described = layout_.tables[table];
    for (const LabIndex& index : described.indexes) CheckProjection(index, described);
    for (const LabVectorIndex& index : described.vector_indexes) {
      CheckProjection(index, described);
      CheckVectors(index, static_cast<int>(table));
    }
    CheckTtl(described, static_cast<int>(table));
  }
}

// Returns whether a pattern cannot be served where the entity is not stored.
bool IsNeeded(const LabFile& file, int entity) {
  if (IsNeededByReads(file, entity)) return true;
  return std::ranges::any_of(file.patterns, [&](const LabPattern& pattern) {
    if (pattern.kind != LabPattern::Kind::kWrite) return false;
    return pattern.writes.front().entity == entity ||
           std::ranges::any_of(pattern.writes, [&](const LabWrite& write) {
             return std::ranges::find(write.with, entity) != write.with.end();
           });
  });
}

void LayoutCheck::WarnOfEntitiesNotStored() {
  for (std::size_t entity = 0; entity < file_.entities.size(); ++entity) {
    const int number = static_cast<int>(entity);
    if (IsStored(layout_, number) || !IsNeeded(file_, number)) continue;
    Warn(layout_.place,
         file_.entities[entity].name + " is not stored, so patterns that need it cannot be served");
  }
}

}  // namespace

void CheckLayouts(LabReading& reading) {
  LabWarned warned;
  for (const LabLayout& layout : reading.file.layouts) {
    LayoutCheck check(layout, warned, reading);
    check.CheckKeys();
    CheckKeySizes(layout, reading);
    check.CheckItems();
    check.CheckEmbeddings();
    check.CheckTables();
    check.WarnOfEntitiesNotStored();
  }
}

}  // namespace hashrange
