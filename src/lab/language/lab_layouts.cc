// The part `layouts` of a lab file: tables with their keys, indexes and settings, the items that
// they store for each entity, and the requests of `serve`.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/memory/output_buffer.h"
#include "base/text/short_text.h"
#include "lab/language/joined_names.h"
#include "lab/language/lab_parts.h"
#include "lab/language/lab_templates.h"
#include "wire/json_writer.h"

namespace hashrange {

// `like`: a layout that is another layout but for what it says itself.

namespace {

bool IsMergeable(const LabNode& node) {
  return node.kind == LabNode::Kind::kMap && !node.Find("embed");
}

// Returns `over` on top of `base`, both of which are maps.
LabNode Merged(const LabNode& base, const LabNode& over) {
  LabNode result = over;
  result.members = base.members;
  for (const LabNode::Member& member : over.members) {
    const auto found = std::ranges::find(result.members, member.name, &LabNode::Member::name);
    if (found == result.members.end()) {
      result.members.push_back(member);
    } else if (member.value.IsNull()) {
      result.members.erase(found);
    } else if (IsMergeable(found->value) && IsMergeable(member.value)) {
      *found = {member.name, member.place, Merged(found->value, member.value)};
    } else {
      *found = member;
    }
  }
  return result;
}

class LikeResolver {
 public:
  LikeResolver(const LabNode& layouts, LabReading& reading)
      : layouts_(layouts), reading_(reading), names_(NamesIn(layouts.members)) {}

  // Returns the layout of the member, whole.
  LabNode Resolve(const LabNode::Member& layout);

 private:
  std::string CycleSentence(const std::string& name) const;

  const LabNode& layouts_;
  LabReading& reading_;
  const std::vector<std::string> names_;
  std::vector<std::string> open_;  // the layouts that lead to the one that is resolved, and it
};

LabNode LikeResolver::Resolve(const LabNode::Member& layout) {
  LabNode own = layout.value;
  const auto like = std::ranges::find(own.members, "like", &LabNode::Member::name);
  if (like == own.members.end()) return own;
  const LabName other = NameIn(like->value);
  const int number =
      FindName(other, names_, "there is no layout \"" + std::string(other.text) + "\"", reading_);
  if (number == kLabNone) return own;
  const LabNode::Member& base = layouts_.members[static_cast<std::size_t>(number)];
  open_.push_back(layout.name);
  if (std::ranges::find(open_, base.name) != open_.end()) {
    reading_.Fail(other.place, CycleSentence(base.name));
    return own;
  }
  const LabNode whole = Resolve(base);
  open_.pop_back();
  own.members.erase(like);
  return Merged(whole, own);
}

// Returns the sentence about a layout that leads to itself: "the layout "a" would be like itself:
// "a" is like "b", and "b" is like "a"".
std::string LikeResolver::CycleSentence(const std::string& name) const {
  const auto first = std::ranges::find(open_, name);
  std::string sentence = "the layout \"" + name + "\" would be like itself";
  if (open_.end() - first == 1) return sentence;
  for (auto at = first; at != open_.end(); ++at) {
    const bool is_last = at + 1 == open_.end();
    sentence += at == first ? ": \"" : is_last ? ", and \"" : ", \"";
    sentence += *at + "\" is like \"" + (is_last ? name : *(at + 1)) + "\"";
  }
  return sentence;
}

}  // namespace

std::vector<LabNode::Member> ResolveLikes(const LabNode& layouts, LabReading& reading) {
  std::vector<LabNode::Member> resolved;
  LikeResolver resolver(layouts, reading);
  for (const LabNode::Member& layout : layouts.members) {
    resolved.push_back({layout.name, layout.place, resolver.Resolve(layout)});
    if (!reading.ok()) break;
  }
  return resolved;
}

namespace {

// The service's rules for the names of tables, indexes and key attributes
// (docs/service/03-tables-and-indexes.md, section 1).

constexpr std::size_t kLongestName = 255;

// `what` is "a table".
void CheckServiceName(const LabNode::Member& member, std::string_view what, LabReading& reading) {
  constexpr std::size_t kShortestName = 3;
  const auto is_of_name = [](char c) {
    return IsLetter(c) || IsDigit(c) || c == '_' || c == '-' || c == '.';
  };
  const std::string& name = member.name;
  const bool is_allowed = name.size() >= kShortestName && name.size() <= kLongestName &&
                          std::ranges::all_of(name, is_of_name);
  if (is_allowed) return;
  reading.Fail(member.place, "the name of " + std::string(what) +
                                 " has 3 to 255 letters, digits, dots, hyphens and underscores, "
                                 "and this is \"" +
                                 name + "\"");
}

std::vector<std::string> ReadKeyNames(const LabNode& node, LabReading& reading) {
  std::vector<std::string> names;
  for (const LabName name : NamesInNode(node)) {
    names.emplace_back(name.text);
    if (name.text.size() <= kLongestName) continue;
    reading.Fail(name.place, "the name of a key attribute has 1 to 255 bytes, and this has " +
                                 std::to_string(name.text.size()));
  }
  return names;
}

// Returns a member that a layout needs, and may have of the one that it is `like`; null, with an
// error, where it has none.
const LabNode* Require(const LabNode& map, const char* name, const std::string& what,
                       LabReading& reading) {
  const LabNode* const member = map.Given(name);
  if (!member) reading.Fail(map.place, what + " needs `" + name + "`");
  return member;
}

// Keys, indexes and settings.

// Reads `[PK, SK]`, or `{hash: [a], range: [b, c]}`.
void ReadKey(const LabNode& node, std::vector<std::string>& hash, std::vector<std::string>& range,
             LabReading& reading) {
  if (node.kind == LabNode::Kind::kMap) {
    hash = ReadKeyNames(*node.Find("hash"), reading);
    if (const LabNode* const second = node.Find("range")) range = ReadKeyNames(*second, reading);
  } else {
    const std::vector<std::string> names = ReadKeyNames(node, reading);
    hash = {names.front()};
    if (names.size() == 2) range = {names.back()};
  }
}

void CheckNamesOfKey(const LabNode& node, const std::vector<std::string>& hash,
                     const std::vector<std::string>& range, LabReading& reading) {
  std::vector<std::string> names = hash;
  names.insert(names.end(), range.begin(), range.end());
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) == names.end()) return;
  reading.Fail(node.place, "`key` has an attribute twice");
}

LabThroughput ReadBilling(const LabNode& node) {
  LabThroughput throughput;
  throughput.on_demand = node.kind == LabNode::Kind::kScalar;
  TakeLabWhole(node, "read", throughput.read_units);
  TakeLabWhole(node, "write", throughput.write_units);
  return throughput;
}

// `Index` is LabIndex or LabVectorIndex.
template <typename Index>
void ReadProjection(const LabNode& node, Index& index, LabReading& reading) {
  using Projection = LabIndex::Projection;
  if (node.kind == LabNode::Kind::kList) {
    index.projection = Projection::kInclude;
    index.included = ReadKeyNames(node, reading);
  } else if (node.text == "keys_only") {
    index.projection = Projection::kKeysOnly;
  }
}

LabIndex ReadIndex(const LabNode::Member& member, const LabTable& table, LabReading& reading) {
  const LabNode& map = member.value;
  LabIndex index;
  index.name = member.name;
  index.place = member.place;
  CheckServiceName(member, "an index", reading);
  index.throughput = table.throughput;
  TakeLabFlag(map, "local", index.is_local);
  if (const LabNode* const key = Require(map, "key", "the index " + member.name, reading)) {
    ReadKey(*key, index.hash, index.range, reading);
    if (index.is_local && (index.hash.size() > 1 || index.range.size() > 1)) {
      reading.Fail(key->place,
                   "the key of a table, or of a local index, has one hash attribute and at most "
                   "one range attribute");
    }
    CheckNamesOfKey(*key, index.hash, index.range, reading);
    if (index.is_local && (index.hash != table.hash || index.range.empty())) {
      reading.Fail(key->place, "a local index has the hash attribute of its table, " +
                                   table.hash.front() + ", and a range attribute of its own");
    }
  }
  if (const LabNode* const projection = map.Given("projection")) {
    ReadProjection(*projection, index, reading);
  }
  const LabNode* const billing = map.Find("billing");
  if (!billing) return index;
  if (index.is_local) {
    const auto& name = *std::ranges::find(map.members, "billing", &LabNode::Member::name);
    reading.Fail(name.place,
                 "a local index has no `billing` of its own; it uses its table's units");
  } else if (!billing->IsNull()) {
    index.throughput = ReadBilling(*billing);
    if (index.throughput.on_demand == table.throughput.on_demand) return index;
    reading.Fail(billing->place,
                 "an index is billed as its table is, on demand or by provisioned units");
  }
  return index;
}

constexpr LabWord<LabVectorIndex::Distance> kDistances[] = {
    {"cosine", LabVectorIndex::Distance::kCosine},
    {"euclidean", LabVectorIndex::Distance::kEuclidean},
    {"dot_product", LabVectorIndex::Distance::kDotProduct},
};

LabVectorIndex ReadVectorIndex(const LabNode::Member& member, LabReading& reading) {
  const LabNode& map = member.value;
  LabVectorIndex index;
  index.name = member.name;
  index.place = member.place;
  CheckServiceName(member, "an index", reading);
  if (const auto* const name = Require(map, "attribute", "the index " + member.name, reading)) {
    index.attribute = name->text;
  }
  TakeLabWhole(map, "dimensions", index.dimensions);
  if (const LabNode* const distance = map.Given("distance_function")) {
    using Row = LabWord<LabVectorIndex::Distance>;
    index.distance = std::ranges::find(kDistances, distance->text, &Row::name)->meaning;
  }
  if (const LabNode* const hash = map.Given("hash")) index.hash = hash->text;
  if (const LabNode* const filters = map.Given("filters")) {
    index.filters = ReadKeyNames(*filters, reading);
  }
  if (const LabNode* const projection = map.Given("projection")) {
    ReadProjection(*projection, index, reading);
  }
  std::vector<std::string> names = SearchSchemaOf(index);
  names.push_back(index.attribute);
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) != names.end()) {
    reading.Fail(map.place, "the index " + member.name + " names an attribute twice");
  }
  return index;
}

void ReadVectorIndexes(const LabNode& node, LabTable& table, LabReading& reading) {
  for (const LabNode::Member& member : node.members) {
    if (member.value.IsNull()) continue;
    table.vector_indexes.push_back(ReadVectorIndex(member, reading));
    const bool is_taken =
        std::ranges::find(table.indexes, member.name, &LabIndex::name) != table.indexes.end();
    if (is_taken) reading.Fail(member.place, "the table has another index " + member.name);
  }
  if (!table.throughput.on_demand && !table.vector_indexes.empty()) {
    reading.Fail(node.place, "a table with vector indexes is billed on demand");
  }
}

// Reads all of a table but its items.
void ReadTable(const LabNode& map, LabTable& table, LabReading& reading) {
  const LabNode* const key = Require(map, "key", "the table " + table.name, reading);
  if (key) {
    ReadKey(*key, table.hash, table.range, reading);
    CheckNamesOfKey(*key, table.hash, table.range, reading);
  }
  if (!reading.ok()) return;
  if (const LabNode* const billing = map.Given("billing")) table.throughput = ReadBilling(*billing);
  const LabNode* const table_class = map.Given("class");
  table.is_infrequent_access = table_class && table_class->text == "infrequent_access";
  table.type_attribute = "entityType";
  if (const LabNode* const type = map.Given("type_attribute")) {
    const bool is_none = type->text == "none" && !type->is_quoted;
    table.type_attribute = is_none ? "" : type->text;
  }
  if (const LabNode* const ttl = map.Given("ttl")) table.ttl_attribute = ttl->text;
  TakeLabFlag(map, "stream", table.has_stream);
  if (const LabNode* const indexes = map.Given("indexes")) {
    for (const LabNode::Member& member : indexes->members) {
      if (!member.value.IsNull()) table.indexes.push_back(ReadIndex(member, table, reading));
    }
  }
  const LabNode* const vectors = map.Given("vector_indexes");
  if (vectors) ReadVectorIndexes(*vectors, table, reading);
}

// Items.

// One spec of an item, while it is read.
class ItemReader {
 public:
  ItemReader(const LabNode& node, int entity, const LabTable& table, LabReading& reading)
      : node_(node), table_(table), reading_(reading) {
    item_.entity = entity;
    item_.place = node.place;
  }

  LabItem Read();

 private:
  void ReadAttributeNames();
  void ReadItemKey(const std::string& name, bool is_of_table);
  LabItemKey ReadTemplateOf(const std::string& name, const LabNode& value);
  bool Stores(LabAttributeRef attribute) const;
  const std::string& EntityName() const { return EntityAt(reading_.file, item_.entity).name; }

  const LabNode& node_;
  const LabTable& table_;
  LabReading& reading_;
  LabItem item_;
};

void ItemReader::ReadAttributeNames() {
  const LabNode* const names = node_.Find("attributes");
  if (!names) return;
  item_.attributes.emplace();
  for (const LabName name : NamesInNode(*names)) {
    const LabAttributeRef attribute = FindStoredAttribute(item_.entity, name, reading_);
    if (attribute.entity == kLabNone) return;
    item_.attributes->push_back(attribute);
  }
}

// Returns whether the item has the attribute, apart from its keys.
bool ItemReader::Stores(LabAttributeRef attribute) const {
  if (attribute.entity == kLabNone) return false;
  return !item_.attributes ||
         std::ranges::find(*item_.attributes, attribute) != item_.attributes->end();
}

LabItemKey ItemReader::ReadTemplateOf(const std::string& name, const LabNode& value) {
  LabItemKey key;
  key.attribute = name;
  const LabNode* const text = value.Find("template");
  key.text = ReadTemplate(text ? *text : value, item_.entity, reading_);
  if (const LabNode* const when = value.Find("when")) {
    key.when = ReadConditions(*when, item_.entity, reading_);
  }
  if (reading_.ok()) CheckTemplateForms(key.text, reading_);
  return key;
}

void ItemReader::ReadItemKey(const std::string& name, bool is_of_table) {
  if (const LabNode* const value = node_.Given(name)) {
    item_.keys.push_back(ReadTemplateOf(name, *value));
    const bool may_be_absent = is_of_table && !item_.keys.back().when.empty();
    if (may_be_absent) {
      reading_.Fail(value->place, "\"" + name +
                                      "\" is of the table's key, which every item has; a "
                                      "`when` of the whole item stands beside it");
    }
    return;
  }
  const LabAttributeRef known = KnownAttribute(reading_.file, item_.entity, name);
  const LabAttributeRef stored = StoredAttribute(reading_.file, item_.entity, name);
  if (is_of_table ? known.entity != kLabNone : Stores(stored)) {
    LabItemKey key;
    key.attribute = name;
    key.text = BareTemplate(name, is_of_table ? known : stored, node_.place);
    item_.keys.push_back(std::move(key));
  } else if (name == table_.type_attribute) {
    item_.keys.push_back(
        {.attribute = name, .text = {.text = EntityName(), .parts = {{.literal = EntityName()}}}});
  } else if (is_of_table) {
    reading_.Fail(node_.place, "an item of " + EntityName() + " needs a template for the key \"" +
                                   name + "\", since " + EntityName() +
                                   " has no attribute of that name");
  }
}

LabItem ItemReader::Read() {
  ReadAttributeNames();
  if (const LabNode* const when = node_.Find("when")) {
    item_.when = ReadConditions(*when, item_.entity, reading_);
  }
  if (!reading_.ok()) return item_;
  const std::vector<std::string> of_table = TableKeyOf(table_);
  const std::vector<std::string> keys = AllKeysOf(table_);
  for (std::size_t i = 0; i < keys.size(); ++i) ReadItemKey(keys[i], i < of_table.size());
  for (const LabNode::Member& member : node_.members) {
    const bool is_other = member.name != "attributes" && member.name != "when" &&
                          !member.value.IsNull() &&
                          std::ranges::find(keys, member.name) == keys.end();
    if (is_other) item_.keys.push_back(ReadTemplateOf(member.name, member.value));
  }
  return std::move(item_);
}

// Reads `{embed: Order.lines, map_by: sku}`.
void ReadEmbedding(const LabNode& map, int entity, LabLayout& layout, LabReading& reading) {
  const LabFile& file = reading.file;
  LabEmbedding embedding;
  embedding.entity = entity;
  embedding.parent = EntityAt(file, entity).parent;
  embedding.place = map.place;
  const LabNode& target = *map.Find("embed");
  const std::size_t point = target.text.find('.');
  const std::string_view parent = std::string_view(target.text).substr(0, point);
  if (embedding.parent == kLabNone || EntityAt(file, embedding.parent).name != parent) {
    return reading.Fail(
        target.place,
        EntityAt(file, entity).name + " can be embedded in its parent " +
            (embedding.parent == kLabNone ? "only, and it has none"
                                          : EntityAt(file, embedding.parent).name + " only") +
            ", and this is \"" + target.text + "\"");
  }
  embedding.attribute = target.text.substr(point + 1);
  if (const LabNode* const map_by = map.Find("map_by")) {
    embedding.map_by = FindOwnAttribute(entity, NameIn(*map_by), reading);
    if (embedding.map_by != kLabNone)
      RefuseVector({entity, embedding.map_by}, map_by->place, reading);
  }
  layout.embeddings.push_back(std::move(embedding));
}

void ReadSpec(const LabNode& spec, int entity, int table, LabLayout& layout, LabReading& reading) {
  if (!reading.ok()) return;
  if (spec.Find("embed")) return ReadEmbedding(spec, entity, layout, reading);
  const LabTable& stored_in = layout.tables[static_cast<std::size_t>(table)];
  LabItem item = ItemReader(spec, entity, stored_in, reading).Read();
  item.table = table;
  layout.items.push_back(std::move(item));
}

// Reads the items of one table; the rest of the table has been read. The items of one entity keep
// the order of the file.
void ReadItems(const LabNode& node, int table, LabLayout& layout, LabReading& reading) {
  for (const LabNode::Member& member : node.members) {
    if (member.value.IsNull()) continue;
    const int entity = FindEntity(NameOf(member), reading);
    if (entity != kLabNone && member.value.kind != LabNode::Kind::kList) {
      ReadSpec(member.value, entity, table, layout, reading);
    }
    for (const LabNode& spec : member.value.elements) {
      if (entity != kLabNone) ReadSpec(spec, entity, table, layout, reading);
    }
    reading.EndPart();
  }
  reading.EndParts();
}

// `serve`: requests in DynamoDB's own JSON.

void WriteRequestScalar(const LabNode& node, JsonWriter& writer) {
  const bool is_literal = !node.is_quoted && (node.text == "true" || node.text == "false" ||
                                              PlainNumberText(node.text).has_value());
  if (node.IsNull()) return writer.Raw("null");
  if (is_literal) return writer.Raw(node.text);
  writer.String(node.text);
}

// Writes the node as JSON. In DynamoDB's JSON, the value of {S: …} and {N: …} is a text, which the
// file may write without quotes.
void WriteRequestNode(const LabNode& node, JsonWriter& writer) {
  if (node.kind == LabNode::Kind::kScalar) return WriteRequestScalar(node, writer);
  if (node.kind == LabNode::Kind::kList) {
    writer.BeginArray();
    for (const LabNode& element : node.elements) WriteRequestNode(element, writer);
    return writer.EndArray();
  }
  writer.BeginObject();
  for (const LabNode::Member& member : node.members) {
    writer.Name(member.name);
    const bool is_text = node.members.size() == 1 && (member.name == "S" || member.name == "N") &&
                         member.value.kind == LabNode::Kind::kScalar;
    if (is_text) {
      writer.String(member.value.text);
    } else {
      WriteRequestNode(member.value, writer);
    }
  }
  writer.EndObject();
}

LabRequest ReadRequest(const LabNode& node) {
  OutputBuffer json;
  JsonWriter writer(json);
  WriteRequestNode(node.members.front().value, writer);
  return {node.members.front().name, std::string(json.view()), node.place};
}

std::vector<LabServe> ReadServes(const LabNode& node, LabReading& reading) {
  std::vector<LabServe> serves;
  for (const LabNode::Member& member : node.members) {
    if (member.value.IsNull()) continue;
    LabServe serve;
    serve.pattern = FindPattern(NameOf(member), reading);
    for (const LabNode& element : member.value.elements) {
      serve.requests.push_back(ReadRequest(element));
    }
    serves.push_back(std::move(serve));
  }
  return serves;
}

// Layouts.

void ReadTables(const LabNode& node, LabLayout& layout, LabReading& reading) {
  if (node.members.empty()) {  // `like` brought them, and null removed them
    return reading.Fail(node.place, "`tables` has to be a map of tables");
  }
  for (const LabNode::Member& member : node.members) {
    if (member.value.IsNull()) continue;
    LabTable table;
    table.name = member.name;
    table.place = member.place;
    CheckServiceName(member, "a table", reading);
    ReadTable(member.value, table, reading);
    if (!reading.ok()) return;
    layout.tables.push_back(std::move(table));
    const int number = static_cast<int>(layout.tables.size()) - 1;
    const std::string what = "the table " + member.name;
    if (const LabNode* const items = Require(member.value, "items", what, reading)) {
      ReadItems(*items, number, layout, reading);
    }
  }
}

LabLayout ReadLayout(const LabNode::Member& member, LabReading& reading) {
  LabLayout layout;
  layout.name = member.name;
  layout.place = member.place;
  const std::string what = "the layout \"" + member.name + "\"";
  if (const LabNode* const tables = Require(member.value, "tables", what, reading)) {
    ReadTables(*tables, layout, reading);
  }
  if (const LabNode* const serve = member.value.Given("serve")) {
    layout.serves = ReadServes(*serve, reading);
  }
  if (reading.ok()) SetKeyTypes(layout, reading);
  if (reading.ok()) SetDimensions(layout, reading.file);
  return layout;
}

}  // namespace

void ReadLayouts(const LabNode& node, LabReading& reading) {
  for (const LabNode::Member& layout : ResolveLikes(node, reading)) {
    if (!reading.ok()) return;
    reading.file.layouts.push_back(ReadLayout(layout, reading));
  }
}

}  // namespace hashrange
