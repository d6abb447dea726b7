// collections, places and changes: the calls that show what tables contain, as a designer of keys
// looks at it: which item collections there are, where an item is in each index, and which items
// changed last.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/memory/memory_bound.h"
#include "base/random.h"
#include "base/text/text_encodings.h"
#include "base/text/time_text.h"
#include "control/call_input.h"
#include "control/content/change_tails.h"
#include "control/content/collection_directory.h"
#include "control/content/collection_walk.h"
#include "control/routes.h"
#include "engine/engine.h"
#include "operation/parameter/item_key.h"
#include "operation/read/start_key.h"
#include "value/key.h"
#include "value/vector.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

// --- collections ---

constexpr std::int64_t kMaxCollections = 200;
constexpr std::int64_t kDefaultCollections = 50;
constexpr std::int64_t kMaxFirstItems = 100;
// No item is added to an answer that has items of this size.
constexpr std::size_t kMaxFirstItemsBytes = 128 << 10;

// The table or the index whose collections are listed.
struct Source {
  TableRef table;
  const IndexVersion* index = nullptr;  // of `table`; null: the table itself

  const KeySchema& key() const { return index ? index->schema.key : table->key; }
};

Result<Source> FindSource(const ControlCall& call, const ControlObject& body) {
  Source source;
  HR_ASSIGN(source.table,
            FindTableOfCall(body, call.parts.shared_tables, call.parts.engine.catalog()));
  const auto name = body.Text("index");
  if (!name) return source;
  source.index = source.table->FindIndex(*name);
  if (!source.index) {
    return Error{ErrorCode::kResourceNotFoundException,
                 "Table " + Quoted(source.table->name) + " has no index " + Quoted(*name) + ".",
                 nullptr};
  }
  if (source.index->schema.is_vector()) {
    return ValidationError(Quoted(*name) + " is a vector index, which has no item collections.");
  }
  return source;
}

Result<std::int64_t> ReadCollectionLimit(const ControlObject& body) {
  const std::int64_t limit = body.Whole("limit").value_or(kDefaultCollections);
  if (limit >= 1 && limit <= kMaxCollections) return limit;
  return ValidationError("\"limit\" is from 1 to " + std::to_string(kMaxCollections) + ".");
}

// The first items of each collection, which a call may ask for.
struct FirstItems {
  std::size_t limit = 0;       // of one collection; 0: none
  std::size_t size_bytes = 0;  // of those that were written
};

Result<FirstItems> ReadFirstItems(const ControlObject& body) {
  const std::int64_t limit = body.Whole("items").value_or(0);
  if (limit <= kMaxFirstItems) return FirstItems{.limit = static_cast<std::size_t>(limit)};
  return ValidationError("\"items\" is at most " + std::to_string(kMaxFirstItems) + ".");
}

// Writes the member "first_page" of a collection: its first items as they are now, as a Query
// answers them. Writes nothing when no items are asked for, or when the answer has enough of them.
void WriteFirstPage(const ControlCall& call, const Source& source, const Position& begin,
                    FirstItems& written, JsonWriter& answer) {
  if (written.limit == 0 || written.size_bytes >= kMaxFirstItemsBytes) return;
  const Interval collection{begin, Position{begin.hash, PrefixEnd(begin.bytes, call.arena)}};
  RangeReader reader = call.parts.engine.Range(*source.table, source.index, collection, true);
  const IndexSchema* const projection = source.index ? &source.index->schema : nullptr;
  answer.BeginObject("first_page");
  answer.BeginArray("Items");
  ItemRef last;
  const Item* next = reader.Next();
  for (std::size_t i = 0; next && i < written.limit && written.size_bytes < kMaxFirstItemsBytes;
       ++i) {
    const ItemView item(source.table->key, next, projection);
    WriteItem(item, answer);
    written.size_bytes += VisibleSizeBytes(item);
    last = ItemRef::Share(next);
    next = reader.Next();
  }
  answer.EndArray();
  if (next && last) {
    WriteLastEvaluatedKey({source.table->key, last.get()}, source.index, answer);
  }
  answer.EndObject();
}

// Writes {"PK":{"S":"USER#ada"}} from the encodings of the HASH parts.
void WriteHashKey(std::string_view name, const KeySchema& key, std::string_view encoded,
                  Arena& arena, JsonWriter& answer) {
  answer.BeginObject(name);
  std::size_t at = 0;
  for (const KeyPart& part : key.hash) {
    answer.Name(part.name);
    WriteAttributeValue(DecodePart(encoded, &at, part.type, arena), answer);
  }
  answer.EndObject();
}

// Returns the least hash whose fraction of all hashes (FractionOf) is `fraction` or more. So a
// collection is found by the fraction that was written for it.
std::uint64_t HashAt(double fraction) {
  constexpr int kFractionBits = 53;
  if (fraction >= 1) return UINT64_MAX;
  return static_cast<std::uint64_t>(std::ceil(std::ldexp(fraction, kFractionBits)))
         << (64 - kFractionBits);
}

// Returns where the walk begins: behind the collection "after", at the fraction "at", or at the
// first collection.
Result<Position> ReadBegin(const ControlObject& body, const KeySchema& key, Arena& arena) {
  const JsonValue* const after = body.Find("after");
  const auto at = body.Number("at");
  if (after && at) return ValidationError("\"after\" and \"at\" exclude each other.");
  if (at) {
    if (*at >= 0 && *at <= 1) return Position{HashAt(*at), {}};
    return ValidationError("\"at\" is from 0 to 1.");
  }
  if (!after) return Position{};
  HR_ASSIGN(const auto attributes, ReadKeyJson(*after, arena, "after"));
  HR_RETURN_IF_ERROR(CheckHashKey(key, attributes, "after"));
  ValueView values[kMaxKeyParts];
  const std::span<ValueView> parts(values, key.hash.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = *FindAttribute(attributes, key.hash[i].name);
  }
  return Position{HashOfParts(parts), PrefixEnd(EncodeParts(parts, arena), arena)};
}

ControlResult ListInHashOrder(ControlCall& call, const ControlObject& body, const Source& source,
                              JsonWriter& answer) {
  HR_ASSIGN(const std::int64_t limit, ReadCollectionLimit(body));
  HR_ASSIGN(const Position begin, ReadBegin(body, source.key(), call.arena));
  HR_ASSIGN(FirstItems first_items, ReadFirstItems(body));
  CollectionWalk walk(call.parts.engine, *source.table, source.index, begin);
  answer.BeginObject();
  answer.StringMember("order", "hash");
  answer.BeginArray("collections");
  Collection latest;
  for (std::int64_t i = 0; i < limit && walk.HasNext(); ++i) {
    latest = walk.Next();
    answer.BeginObject();
    WriteHashKey("key", source.key(), latest.hash_parts, call.arena, answer);
    answer.DoubleMember("at", FractionOf(latest.hash));
    answer.IntegerMember("items", static_cast<std::int64_t>(latest.items));
    answer.BoolMember("has_more_items", latest.has_more_items);
    WriteFirstPage(call, source, {latest.hash, latest.hash_parts}, first_items, answer);
    answer.EndObject();
  }
  answer.EndArray();
  if (walk.HasNext()) WriteHashKey("after", source.key(), latest.hash_parts, call.arena, answer);
  answer.EndObject();
  return {};
}

// Says which collections a page in key order has.
struct KeyOrderInput {
  std::string_view begin;
  std::optional<std::string_view> end;
  std::optional<std::uint32_t> entity;
  std::size_t limit = 0;
};

Result<std::string_view> DecodeAfter(const JsonValue& after, Arena& arena) {
  const Error error = ValidationError("\"after\" is not what an answer in this order had.");
  if (after.type != JsonValue::Type::kString) return error;
  const std::string_view text = after.string();
  char* const bytes = arena.AllocateBytes(text.size());
  std::size_t size = 0;
  if (DecodeBase64(text, bytes, &size) != Base64Error::kNone) return error;
  return Successor({bytes, size}, arena);
}

Result<KeyOrderInput> ReadKeyOrder(const ControlObject& body, const KeySchema& key, Arena& arena) {
  KeyOrderInput input;
  HR_ASSIGN(const std::int64_t limit, ReadCollectionLimit(body));
  input.limit = static_cast<std::size_t>(limit);
  if (const auto prefix = body.Text("prefix")) {
    if (key.hash[0].type != AttributeType::kS) {
      return ValidationError("\"prefix\" is for keys of type S, and " + Quoted(key.hash[0].name) +
                             " is of type " + std::string(TypeTag(key.hash[0].type)) + ".");
    }
    input.begin = EncodePrefix({}, *prefix, arena);
    input.end = PrefixEnd(input.begin, arena);
  }
  if (const auto entity = body.Whole("entity")) {
    input.entity = static_cast<std::uint32_t>(std::min<std::int64_t>(*entity, UINT32_MAX));
  }
  if (const JsonValue* const after = body.Find("after")) {
    HR_ASSIGN(const std::string_view begin, DecodeAfter(*after, arena));
    input.begin = std::max(input.begin, begin);
  }
  return input;
}

// Makes a directory of the source as it is at one instant, and keeps it.
Result<CollectionDirectories::KeptRef> MakeDirectory(ControlCall& call, const Source& source) {
  const ControlParts& parts = call.parts;
  if (parts.memory) HR_RETURN_IF_ERROR(parts.memory->AdmitGrowth());
  const Stopwatch stopwatch;
  CollectionDirectories::Kept made;
  made.table_id = source.table->table_id;
  made.made_epoch_ms = parts.clock.NowEpochMs();
  Catalog& catalog = parts.engine.catalog();
  {
    const TablePin pin = catalog.Pin(source.table);
    const TableRef pinned =
        catalog.PreparePrivate(std::make_unique<TableVersion>(*pin.version), &pin);
    const IndexVersion* index = nullptr;
    if (source.index) {
      made.index = source.index->schema.name;
      index = pinned->FindIndex(made.index);
    }
    made.directory = std::make_shared<const CollectionDirectory>(parts.engine, *pinned, index);
  }
  made.took_ms = std::chrono::duration_cast<std::chrono::milliseconds>(stopwatch.elapsed()).count();
  return parts.directories.Keep(std::move(made), std::chrono::steady_clock::now());
}

Result<CollectionDirectories::KeptRef> FindOrMakeDirectory(ControlCall& call,
                                                           const ControlObject& body,
                                                           const Source& source) {
  if (const auto id = body.Text("directory")) {
    CollectionDirectories::KeptRef found = call.parts.directories.Use(
        *id, source.table->table_id, source.index ? source.index->schema.name : "",
        std::chrono::steady_clock::now());
    if (found) return found;
  }
  return MakeDirectory(call, source);
}

void WriteDirectory(const CollectionDirectories::Kept& kept, JsonWriter& answer) {
  const CollectionDirectory& directory = *kept.directory;
  answer.BeginObject("directory");
  answer.StringMember("id", kept.id);
  answer.IntegerMember("made_epoch_ms", kept.made_epoch_ms);
  answer.IntegerMember("took_ms", kept.took_ms);
  answer.IntegerMember("items", static_cast<std::int64_t>(directory.items()));
  answer.IntegerMember("collections", static_cast<std::int64_t>(directory.collections()));
  answer.BoolMember("is_cut", directory.is_cut());
  answer.EndObject();
}

void WriteEntities(const CollectionDirectory& directory, const KeySchema& key, JsonWriter& answer) {
  std::int64_t number = 0;
  WriteList("entities", directory.entities(), answer,
            [&](const CollectionDirectory::Entity& entity) {
              answer.BeginObject();
              answer.IntegerMember("entity", number++);
              answer.BeginObject("key");
              for (std::size_t i = 0; i < key.parts(); ++i) {
                answer.StringMember(key.part(i).name, entity.templates[i]);
              }
              answer.EndObject();
              answer.IntegerMember("items", static_cast<std::int64_t>(entity.items));
              answer.IntegerMember("collections", static_cast<std::int64_t>(entity.collections));
              WriteList("attributes", entity.attributes, answer,
                        [&](const std::string& name) { answer.String(name); });
              answer.EndObject();
            });
}

std::uint64_t HashOfEncoded(std::string_view hash_parts, const KeySchema& key, Arena& arena) {
  ValueView values[kMaxKeyParts];
  std::size_t at = 0;
  for (std::size_t i = 0; i < key.hash.size(); ++i) {
    values[i] = DecodePart(hash_parts, &at, key.hash[i].type, arena);
  }
  return HashOfParts(std::span(values, key.hash.size()));
}

void WriteEntry(const ControlCall& call, const Source& source,
                const CollectionDirectory::Entry& entry, FirstItems& first_items,
                JsonWriter& answer) {
  answer.BeginObject();
  WriteHashKey("key", source.key(), entry.hash_parts, call.arena, answer);
  answer.IntegerMember("items", entry.items);
  WriteList("entities", entry.entities, answer, [&](const auto& count) {
    answer.BeginObject();
    answer.IntegerMember("entity", count.entity);
    answer.IntegerMember("items", count.items);
    answer.EndObject();
  });
  const std::uint64_t hash = HashOfEncoded(entry.hash_parts, source.key(), call.arena);
  WriteFirstPage(call, source, {hash, entry.hash_parts}, first_items, answer);
  answer.EndObject();
}

ControlResult ListInKeyOrder(ControlCall& call, const ControlObject& body, const Source& source,
                             JsonWriter& answer) {
  const KeySchema& key = source.key();
  if (body.Has("at")) return ControlError(400, "\"at\" is for the order \"hash\".");
  HR_ASSIGN(const KeyOrderInput input, ReadKeyOrder(body, key, call.arena));
  HR_ASSIGN(FirstItems first_items, ReadFirstItems(body));
  HR_ASSIGN(const auto kept, FindOrMakeDirectory(call, body, source));
  const CollectionDirectory& directory = *kept->directory;
  if (input.entity && *input.entity >= directory.entities().size()) {
    return ControlError(400, "\"entity\" is the number of an entity; the directory has " +
                                 std::to_string(directory.entities().size()) + ".");
  }
  const CollectionDirectory::Page page = directory.Find(
      {.begin = input.begin, .end = input.end, .entity = input.entity, .limit = input.limit});
  answer.BeginObject();
  answer.StringMember("order", "key");
  WriteDirectory(*kept, answer);
  WriteEntities(directory, key, answer);
  WriteList("collections", page.entries, answer, [&](const CollectionDirectory::Entry& entry) {
    WriteEntry(call, source, entry, first_items, answer);
  });
  if (page.has_more) {
    const std::string_view latest = page.entries.back().hash_parts;
    std::string after(Base64Length(latest.size()), '\0');
    EncodeBase64(latest, after.data());
    answer.StringMember("after", after);
  }
  answer.EndObject();
  return {};
}

// Returns whether the collections are listed in the order of their keys.
Result<bool> ReadIsKeyOrder(const ControlObject& body) {
  const bool needs_directory = body.Has("entity") || body.Has("prefix") || body.Has("directory");
  const auto order = body.Text("order");
  if (!order) return needs_directory;
  if (*order == "key") return true;
  if (*order != "hash") return ValidationError("\"order\" is \"hash\" or \"key\".");
  if (!needs_directory) return false;
  return ValidationError("\"entity\", \"prefix\" and \"directory\" are for the order \"key\".");
}

// --- places ---

// Writes the member "key": the values of the key's attributes, all of which the item has.
void WriteKeyOf(ItemView item, const KeySchema& key, JsonWriter& answer) {
  answer.BeginObject("key");
  for (std::size_t i = 0; i < key.parts(); ++i) {
    answer.Name(key.part(i).name);
    WriteAttributeValue(*item.Find(key.part(i).name), answer);
  }
  answer.EndObject();
}

// Returns why the value of an attribute keeps the item out of an index; empty: it does not.
std::string ProblemOfKeyPart(ItemView item, const KeyPart& part, bool is_hash) {
  const auto value = item.Find(part.name);
  if (!value) return "The item has no attribute " + part.name + ".";
  if (value->type != part.type) {
    return "The attribute " + part.name + " is of type " + std::string(TypeTag(value->type)) +
           ", where the index takes " + std::string(TypeTag(part.type)) + ".";
  }
  if (CheckKeyValue(part, *value, is_hash).ok()) return {};
  return "The attribute " + part.name +
         (value->size == 0 ? " is empty." : " is longer than a key may be.");
}

std::string ProblemOfKey(ItemView item, const KeySchema& key) {
  for (std::size_t i = 0; i < key.parts(); ++i) {
    std::string problem = ProblemOfKeyPart(item, key.part(i), i < key.hash.size());
    if (!problem.empty()) return problem;
  }
  return {};
}

std::string ProblemOfVector(ItemView item, const IndexSchema& index) {
  const VectorSchema& vector = *index.vector;
  const auto value = item.Find(vector.attribute);
  if (!value) return "The item has no attribute " + vector.attribute + ".";
  if (CheckVector(*value, vector.dimensions).problem != VectorProblem::kNone) {
    return "The attribute " + vector.attribute + " is no list of " +
           std::to_string(vector.dimensions) + " numbers.";
  }
  for (const KeyPart& filter : vector.filters) {
    const auto filtered = item.Find(filter.name);
    if (filtered && filtered->type != filter.type) {
      return "The attribute " + filter.name + " is of type " +
             std::string(TypeTag(filtered->type)) + ", where the index takes " +
             std::string(TypeTag(filter.type)) + ".";
    }
  }
  return {};
}

// Returns whether an index that is being filled has the item already.
bool IsFilledWith(const Engine& engine, const TableVersion& table, const IndexVersion& index,
                  ItemView item, Arena& arena) {
  if (!index.is_filling()) return true;
  if (index.schema.is_vector()) return false;
  const Position position = *IndexPosition(index.schema.key, item, arena);
  const Interval place{position, Position{position.hash, Successor(position.bytes, arena)}};
  RangeReader reader = engine.Range(table, &index, place, true);
  return reader.Next() != nullptr;
}

// Returns why the index does not have the item, as a sentence; empty: it has the item.
std::string ReasonOfAbsence(const ControlCall& call, const TableVersion& table,
                            const IndexVersion& index, ItemView item) {
  std::string problem = ProblemOfKey(item, index.schema.key);
  if (problem.empty() && index.schema.is_vector()) problem = ProblemOfVector(item, index.schema);
  if (!problem.empty()) return problem;
  if (IsFilledWith(call.parts.engine, table, index, item, call.arena)) return {};
  return "The index is being filled and does not have the item yet.";
}

void WritePlaceInIndex(ItemView item, const IndexSchema& index, JsonWriter& answer) {
  answer.BeginObject();
  answer.StringMember("index", index.name);
  WriteKeyOf(item, index.key, answer);
  answer.IntegerMember("size_bytes", static_cast<std::int64_t>(ProjectedSizeBytes(index, item)));
  answer.BeginArray("missing");
  item.ForEach([&](const Attribute& attribute) {
    if (!index.Projects(item.schema(), attribute.name)) answer.String(attribute.name);
  });
  answer.EndArray();
  answer.EndObject();
}

// --- changes ---

void WriteTailState(const ChangeTails::State& state, JsonWriter& answer) {
  answer.BoolMember("enabled", state.is_enabled);
  answer.IntegerMember("limit", static_cast<std::int64_t>(state.limit));
  answer.IntegerMember("last_id", static_cast<std::int64_t>(state.last_id));
  answer.IntegerMember("forgotten", static_cast<std::int64_t>(state.forgotten));
}

void WriteChange(const KeptChange& change, const KeySchema& key, JsonWriter& answer) {
  const ItemView before(key, change.before.get()), after(key, change.after.get());
  answer.BeginObject();
  answer.IntegerMember("id", static_cast<std::int64_t>(change.id));
  answer.StringMember("time", InstantText(change.epoch_ms));
  answer.StringMember("event", !before.exists() ? "INSERT" : !after.exists() ? "REMOVE" : "MODIFY");
  WriteKeyOf(before.exists() ? before : after, key, answer);
  if (before.exists()) {
    answer.Name("old");
    WriteItem(before, answer);
  }
  if (after.exists()) {
    answer.Name("new");
    WriteItem(after, answer);
  }
  answer.BoolMember("by_ttl", change.origin == WriteOrigin::kTimeToLive);
  answer.EndObject();
}

}  // namespace

ControlResult ListCollections(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kCollectionsBody));
  HR_ASSIGN(const bool is_key_order, ReadIsKeyOrder(body));
  HR_ASSIGN(const Source source, FindSource(call, body));
  return is_key_order ? ListInKeyOrder(call, body, source, answer)
                      : ListInHashOrder(call, body, source, answer);
}

ControlResult ListPlaces(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kPlacesBody));
  HR_ASSIGN(const auto key, ReadKeyJson(*body.Find("key"), call.arena));
  HR_ASSIGN(const TableRef table,
            FindTableOfCall(body, call.parts.shared_tables, call.parts.engine.catalog()));
  HR_RETURN_IF_ERROR(CheckWholeKey(*table, key));
  const ItemAddress address{table.get(), PositionOf(table->key, key, call.arena)};
  ItemRef stored;
  call.parts.engine.Read({&address, 1}, {&stored, 1});
  if (!stored) {
    return ControlError(404,
                        "There is no item with this key in table " + Quoted(table->name) + ".");
  }
  const ItemView item(table->key, stored.get());
  answer.BeginObject();
  answer.Name("item");
  WriteItem(item, answer);
  answer.IntegerMember("size_bytes", static_cast<std::int64_t>(item.size_bytes()));
  answer.BeginArray("places");
  answer.BeginObject();
  WriteKeyOf(item, table->key, answer);
  answer.EndObject();
  std::vector<std::pair<std::string_view, std::string>> absent;
  for (const IndexVersion& index : table->indexes) {
    std::string reason = ReasonOfAbsence(call, *table, index, item);
    if (reason.empty()) {
      WritePlaceInIndex(item, index.schema, answer);
    } else {
      absent.emplace_back(index.schema.name, std::move(reason));
    }
  }
  answer.EndArray();
  WriteList("absent", absent, answer, [&](const auto& each) {
    answer.BeginObject();
    answer.StringMember("index", each.first);
    answer.StringMember("reason", each.second);
    answer.EndObject();
  });
  answer.EndObject();
  return {};
}

ControlResult ListChanges(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const CallQuery query, ReadCallQuery(call.request.query, kChangesQuery, call.arena));
  HR_ASSIGN(const TableRef table,
            FindTableOfCall(query, call.parts.shared_tables, call.parts.engine.catalog()));
  const std::string_view since = query.Find("since");
  const auto id = ParseCallId(since);
  if (!since.empty() && !id) {
    return ControlError(400, "\"since\" is not the id of a change: " + Quoted(since) + ".");
  }
  const ChangeTails::Page page = call.parts.change_tails.Find(*table, id.value_or(0));
  answer.BeginObject();
  WriteTailState(page.state, answer);
  if (id) answer.IntegerMember("missed", static_cast<std::int64_t>(page.missed));
  WriteList("changes", page.changes, answer,
            [&](const KeptChange& change) { WriteChange(change, table->key, answer); });
  answer.EndObject();
  return {};
}

ControlResult SwitchChanges(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kChangesBody));
  HR_ASSIGN(const AccountName account, ReadAccount(body, call.parts.shared_tables));
  const bool enables = body.Boolean("enabled").value_or(true);
  const auto limit = body.Whole("limit");
  if (limit && !enables) return ControlError(400, "\"limit\" is for \"enabled\":true.");
  if (limit && (*limit < 1 || *limit > static_cast<std::int64_t>(ChangeTails::kMaxLimit))) {
    return ControlError(400,
                        "\"limit\" is from 1 to " + std::to_string(ChangeTails::kMaxLimit) + ".");
  }
  Catalog& catalog = call.parts.engine.catalog();
  ChangeTails& tails = call.parts.change_tails;
  const std::string_view name = *body.Text("table");
  const std::optional<std::size_t> most(limit);
  if (!(enables ? tails.Enable(catalog, account, name, most)
                : tails.Disable(catalog, account, name))) {
    return ControlError(404, "There is no table " + Quoted(name) + ".");
  }
  HR_ASSIGN(const TableRef table, FindTableOfCall(body, call.parts.shared_tables, catalog));
  answer.BeginObject();
  WriteTailState(tails.StateOf(*table), answer);
  answer.EndObject();
  return {};
}

}  // namespace hashrange
