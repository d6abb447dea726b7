#include "measure/meter/item_walk.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <unordered_map>
#include <utility>

#include "base/text/short_text.h"
#include "measure/key_templates.h"
#include "measure/meter/type_attribute.h"
#include "value/key.h"
#include "value/number.h"
#include "wire/attribute_json.h"

namespace hashrange {

// --- Attributes ---

namespace {

bool HasAny(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return name.find(word) != name.npos; });
}

// A number alone does not say that it is a time; its attribute's name does.
bool SoundsLikeTime(std::string_view name) {
  const std::string lowered = LowerCase(name);
  return SoundsLikeExpiry(name) || lowered.ends_with("at") || lowered.ends_with("_ts") ||
         HasAny(lowered, {"time", "date", "created", "updated", "modified"});
}

std::string_view TimeFormOf(const Attribute& attribute) {
  if (attribute.value.type == AttributeType::kS) {
    constexpr std::size_t kShortestDate = 10;
    const std::string_view text = attribute.value.bytes();
    if (text.size() < kShortestDate) return {};
    const KeyToken token = FirstToken(text, KeySeparators({}));
    return token.kind == KeyTokenKind::kDate && token.text.size() == text.size() ? "ISO" : "";
  }
  if (attribute.value.type != AttributeType::kN || !SoundsLikeTime(attribute.name)) return {};
  const std::string text = Number::FromStored(attribute.value.bytes()).ToText();
  const double number = std::strtod(text.c_str(), nullptr);
  if (number >= 1e9 && number < 1e10) return "seconds";
  if (number >= 1e12 && number < 1e13) return "milliseconds";
  return {};
}

constexpr std::string_view kBetweenWords = ", ";

// Adds a word to a list of words that is text: "N, S".
void AddWord(std::string_view word, std::string* list) {
  if (word.empty()) return;
  std::size_t at = 0;
  while (at < list->size()) {
    const std::size_t end = std::min(list->find(kBetweenWords, at), list->size());
    if (std::string_view(*list).substr(at, end - at) == word) return;
    at = end + kBetweenWords.size();
  }
  if (!list->empty()) list->append(kBetweenWords);
  list->append(word);
}

}  // namespace

bool SoundsLikeExpiry(std::string_view name) {
  const std::string lowered = LowerCase(name);
  return lowered == "ttl" || HasAny(lowered, {"expires", "expire_at", "expireat", "expiry",
                                              "expiration", "timetolive", "time_to_live"});
}

void AddAttribute(const AttributeMeasure& other, AttributeMeasure* attribute) {
  const auto add_words = [](std::string_view words, std::string* list) {
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(kBetweenWords), words.size());
      AddWord(words.substr(0, end), list);
      words.remove_prefix(std::min(end + kBetweenWords.size(), words.size()));
    }
  };
  attribute->count += other.count;
  attribute->size_bytes += other.size_bytes;
  attribute->name_bytes += other.name_bytes;
  attribute->largest_list = std::max(attribute->largest_list, other.largest_list);
  add_words(other.types, &attribute->types);
  add_words(other.time_forms, &attribute->time_forms);
}

// --- The walk ---

namespace {

// Counts the attributes of an item. At most `most` different names are counted.
void WatchAttributes(ItemView item, std::size_t most,
                     std::map<std::string, AttributeMeasure, std::less<>>* attributes) {
  item.ForEach([&](const Attribute& attribute) {
    auto found = attributes->find(attribute.name);
    if (found == attributes->end()) {
      if (attributes->size() >= most) return;
      found = attributes->emplace(std::string(attribute.name), AttributeMeasure{}).first;
      found->second.name = attribute.name;
    }
    AttributeMeasure& measure = found->second;
    ++measure.count;
    const auto name_bytes = static_cast<double>(attribute.name.size());
    measure.name_bytes += name_bytes;
    measure.size_bytes += name_bytes + static_cast<double>(SizeBytes(attribute.value));
    AddWord(TypeTag(attribute.value.type), &measure.types);
    AddWord(TimeFormOf(attribute), &measure.time_forms);
    if (attribute.value.type == AttributeType::kL) {
      measure.largest_list =
          std::max<std::uint64_t>(measure.largest_list, MemberCount(attribute.value));
    }
  });
}

constexpr std::uint64_t kRanges = 4096;
constexpr int kRangeShift = 52;

// Calls `visit` for each item of the ranges that are walked, in the order of the table or index.
template <typename Visit>
void ForEachItem(Engine& engine, const TableVersion& table, const IndexVersion* index,
                 std::uint64_t step, Visit&& visit) {
  const auto walk = [&](const Interval& interval) {
    RangeReader reader = engine.Range(table, index, interval, true);
    while (const Item* const item = reader.Next()) visit(ItemView(table.key, item));
  };
  if (step == 1) return walk(Interval{});
  for (std::uint64_t range = 0; range < kRanges; range += step) {
    Interval interval;
    interval.begin.hash = range << kRangeShift;
    if (range + 1 < kRanges) interval.end = Position{(range + 1) << kRangeShift, {}};
    walk(interval);
  }
}

std::int64_t CountItems(const TablePin::ByPartition<PinnedMap>& maps) {
  std::int64_t count = 0;
  for (const PinnedMap& map : maps) count += map.item_count;
  return count;
}

std::int64_t SumSizes(const TablePin::ByPartition<PinnedMap>& maps) {
  std::int64_t bytes = 0;
  for (const PinnedMap& map : maps) bytes += map.size_bytes;
  return bytes;
}

// Returns the values of the HASH parts as encoded bytes, by which entries are grouped.
std::string_view HashPartsOf(const KeySchema& key, ItemView item, Arena& arena) {
  std::vector<ValueView> values;
  for (const KeyPart& part : key.hash) values.push_back(*item.Find(part.name));
  return EncodeParts(values, arena);
}

// Returns whether the collection is one of the largest so far.
bool KeepLargest(KeyCount collection, std::vector<KeyCount>* largest) {
  const auto place =
      std::ranges::upper_bound(*largest, collection.units, std::greater<>(), &KeyCount::units);
  if (place == largest->end() && largest->size() >= ItemWalk::kLargest) return false;
  largest->insert(place, std::move(collection));
  if (largest->size() > ItemWalk::kLargest) largest->pop_back();
  return true;
}

}  // namespace

// A table while it is walked through.
struct ItemWalk::Table {
  TableRef version;  // a private copy: no commit changes it
  std::size_t resource = 0;
  std::vector<std::size_t> index_resources;
  std::vector<std::string> excluded;  // attributes that name no placeholder
  std::uint64_t step = 1;
  std::map<std::string, std::uint64_t, std::less<>> types;           // the names of type attributes
  std::unordered_map<std::uint64_t, std::uint64_t> keys_by_lowered;  // hashes of keys
};

ItemWalk::ItemWalk(Engine& engine, const MeasurementSettings& settings, MergedKeys& keys,
                   std::int64_t now_epoch_ms)
    : engine_(engine), settings_(settings), keys_(keys), now_epoch_ms_(now_epoch_ms) {}

void ItemWalk::Finish(const std::vector<StripeCounters>& stripes) {
  for (std::size_t stripe = 0; stripe < stripes.size(); ++stripe) {
    names_.Add(stripes[stripe].names, [&](PlaceholderNames::Place* place) {
      const auto resource = static_cast<std::uint32_t>(place->resource);
      place->parent = keys_.NodeOf(stripe, resource, place->part, place->parent);
      place->resource = keys_.NumberOf(stripe, resource);
    });
  }
  names_.Apply([&](std::size_t resource, std::size_t part) -> KeyTree& {
    return keys_.At(resource).trees[part];
  });
}

void ItemWalk::Walk(const TablePin& pin, TableMeasure* measure) {
  Table table;
  table.version =
      engine_.catalog().PreparePrivate(std::make_unique<TableVersion>(*pin.version), &pin);
  const TableVersion& version = *table.version;
  table.resource = keys_.NumberOf(ResourceName(version, nullptr));
  table.excluded = NamesOfNoPlaceholder(version, settings_.type_attribute);
  // The vector indexes, which have no keys to walk, are behind the other indexes.
  for (std::size_t i = 0; i < measure->indexes.size(); ++i) {
    const IndexVersion& index = version.indexes[i];
    table.index_resources.push_back(keys_.NumberOf(ResourceName(version, &index)));
    measure->indexes[i].items = CountItems(pin.indexes[i]);
    measure->indexes[i].size_bytes = SumSizes(pin.indexes[i]);
  }
  for (const std::size_t number : table.index_resources) keys_.At(number).is_stored = true;
  keys_.At(table.resource).is_stored = true;
  walked_.push_back({table.resource, table.index_resources});
  measure->items = CountItems(pin.items);
  measure->size_bytes = SumSizes(pin.items);
  table.step = static_cast<std::uint64_t>(
      std::clamp<std::int64_t>((measure->items + kMaxItems - 1) / kMaxItems, 1, kRanges));
  const std::uint64_t walked = (kRanges + table.step - 1) / table.step;
  measure->walked_share = static_cast<double>(walked) / kRanges;
  measure->expiry.attribute = version.settings.ttl_attribute.value_or("");
  ForEachItem(engine_, version, nullptr, table.step,
              [&](ItemView item) { VisitItem(table, item, measure); });
  const auto most =
      std::ranges::max_element(table.types, {}, [](const auto& type) { return type.second; });
  if (most != table.types.end()) measure->type_attribute = most->first;
  WalkCollections(table, nullptr, table.resource);
  for (std::size_t i = 0; i < table.index_resources.size(); ++i) {
    if (version.indexes[i].schema.is_local) continue;  // its collections are the table's
    WalkCollections(table, &version.indexes[i], table.index_resources[i]);
  }
}

std::vector<KeyTree::NodeId> ItemWalk::InsertKey(const Table& table, std::size_t resource,
                                                 const KeySchema& key, ItemView item) {
  std::vector<KeyTree::NodeId> nodes;
  for (std::size_t part = 0; part < key.parts(); ++part) {
    const ValueView value = *item.Find(key.part(part).name);
    KeyTree& tree = keys_.At(resource).trees[part];
    if (value.type == AttributeType::kS) {
      nodes.push_back(tree.Insert(value.bytes()));
      names_.Watch(item, {resource, part, tree}, value.bytes(), nodes.back(), table.excluded);
    } else {
      const bool is_number = value.type == AttributeType::kN;
      nodes.push_back(tree.InsertOther(is_number ? KeyTokenKind::kNumber : KeyTokenKind::kBinary));
    }
    ++leaves_[{resource, part, nodes.back()}];
  }
  return nodes;
}

WalkedEntity* ItemWalk::EntityOf(const Table& table, ItemView item,
                                 std::vector<KeyTree::NodeId> nodes) {
  const auto type = TypeOfItem(item, settings_.type_attribute);
  const std::string value(type ? type->value.substr(0, MeteredAccess::kMaxTypeBytes) : "");
  const std::uint64_t hash = HashOfEntity(static_cast<std::uint32_t>(table.resource), nodes, value);
  const auto found = entity_numbers_.find(hash);
  if (found != entity_numbers_.end()) return &entities_[found->second];
  if (entities_.size() >= kMaxEntities) return nullptr;
  entity_numbers_.emplace(hash, entities_.size());
  WalkedEntity& made = entities_.emplace_back();
  made.resource = table.resource;
  made.nodes = std::move(nodes);
  made.type = value;
  made.table = table.version;
  return &made;
}

void ItemWalk::VisitItem(Table& table, ItemView item, TableMeasure* measure) {
  const TableVersion& version = *table.version;
  ++measure->walked_items;
  const auto type = TypeOfItem(item, settings_.type_attribute);
  if (type) {
    ++table.types[std::string(type->name)];
  } else {
    ++measure->items_without_type;
  }
  const std::string_view key = item.item()->key();
  const std::uint64_t hash = HashOfToken(key);
  const auto [same, is_new] = table.keys_by_lowered.try_emplace(HashOfToken(LowerCase(key)), hash);
  if (!is_new && same->second != hash) ++measure->keys_that_differ_in_case_only;
  WalkedEntity* const entity =
      EntityOf(table, item, InsertKey(table, table.resource, version.key, item));
  if (!version.settings.ttl_attribute.value_or("").empty()) VisitExpiry(item, &measure->expiry);
  if (!entity) return;
  entity->share = measure->walked_share;
  ++entity->items;
  entity->size_bytes.Add(static_cast<double>(item.size_bytes()));
  VisitIndexes(table, item, entity);
  WatchAttributes(item, kMaxAttributes, &entity->attributes);
}

void ItemWalk::VisitIndexes(const Table& table, ItemView item, WalkedEntity* entity) {
  for (std::size_t i = 0; i < table.index_resources.size(); ++i) {
    const IndexSchema& schema = table.version->indexes[i].schema;
    if (!BelongsTo(schema.key, item)) continue;
    WalkedEntity::InIndex& in_index = entity->indexes[i];
    in_index.resource = table.index_resources[i];
    ++in_index.items;
    in_index.size_bytes += static_cast<double>(ProjectedSizeBytes(schema, item));
    auto nodes = InsertKey(table, table.index_resources[i], schema.key, item);
    if (in_index.nodes.empty()) in_index.nodes = nodes;
    if (in_index.keys.size() < kMaxIndexKeys) in_index.keys.insert(std::move(nodes));
  }
}

void ItemWalk::VisitExpiry(ItemView item, ExpiryMeasure* expiry) const {
  const auto value = item.Find(expiry->attribute);
  if (!value) return;
  if (value->type != AttributeType::kN) {
    ++expiry->not_numbers;
    return;
  }
  constexpr double kYearSeconds = 365.25 * 86'400;
  constexpr double kLeastMilliseconds = 1e11;  // as seconds, a date after the year 5000
  const double stored = std::strtod(Number::FromStored(value->bytes()).ToText().c_str(), nullptr);
  const double now = static_cast<double>(now_epoch_ms_) / 1000;
  if (stored >= kLeastMilliseconds) {
    ++expiry->milliseconds;
    return;
  }
  ++expiry->seconds;
  if (stored > now + 50 * kYearSeconds) ++expiry->far_future;
  if (stored < now - 5 * kYearSeconds) {
    ++expiry->long_past;
  } else if (stored <= now) {
    ++expiry->expired;
  }
}

std::vector<std::string> ItemWalk::CollectionKey(std::size_t resource,
                                                 const std::string& text) const {
  const auto found = collection_keys_.find({resource, text});
  return found == collection_keys_.end() ? std::vector<std::string>() : found->second;
}

void ItemWalk::WalkCollections(const Table& table, const IndexVersion* index,
                               std::size_t resource) {
  const KeySchema& key = index ? index->schema.key : table.version->key;
  CollectionMeasure& collections = collections_[resource];
  std::string present;
  std::uint64_t items = 0;
  double bytes = 0;
  const auto finish = [&] {
    if (items == 0) return;
    ++collections.count;
    collections.items.Add(static_cast<double>(items));
    collections.size_bytes.Add(bytes);
    const std::string text = KeyText(key, present, present.npos);
    if (KeepLargest({text, {}, bytes, 0}, &collections.largest)) {
      collection_keys_[{resource, text}] = KeyPartTexts(key, present, present.npos);
    }
  };
  Arena arena;
  ForEachItem(engine_, *table.version, index, table.step, [&](ItemView item) {
    const std::string_view parts = HashPartsOf(key, item, arena);
    if (parts != present) {
      finish();
      present = parts;
      items = 0;
      bytes = 0;
    }
    ++items;
    bytes +=
        static_cast<double>(index ? ProjectedSizeBytes(index->schema, item) : item.size_bytes());
    arena.Reset();
  });
  finish();
  collections.count *= table.step;
}

}  // namespace hashrange
