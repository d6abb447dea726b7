#include "measure/meter/measurement_maker.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/stable_sort.h"
#include "measure/measurement.h"
#include "measure/meter/item_walk.h"
#include "measure/meter/merged_keys.h"
#include "measure/meter/resource_counters.h"
#include "measure/meter/stripe.h"
#include "measure/pattern_names.h"
#include "measure/pattern_sums.h"
#include "value/key.h"

namespace hashrange {
namespace {

// --- Tables ---

Scope ScopeOfAccounts(const MeasurementScope& scope) {
  Scope of_accounts;
  if (!scope.account.empty()) of_accounts.account_id = scope.account;
  if (!scope.region.empty()) of_accounts.region = scope.region;
  return of_accounts;
}

void AddSizesAtBegin(const std::vector<TableSizes>& sizes, TableMeasure* table) {
  for (const TableSizes& each : sizes) {
    if (each.account != table->account || each.region != table->region ||
        each.table != table->name) {
      continue;
    }
    if (each.index.empty()) {
      table->items_at_begin = each.items;
      table->size_bytes_at_begin = each.size_bytes;
      continue;
    }
    const auto index = std::ranges::find(table->indexes, each.index, &IndexMeasure::name);
    if (index == table->indexes.end()) continue;
    index->items_at_begin = each.items;
    index->size_bytes_at_begin = each.size_bytes;
  }
}

// Returns how often the records of the table's streams were read.
std::uint64_t StreamReadsOf(const std::vector<StripeCounters>& stripes, const TableVersion& table) {
  const std::string name = table.region + ":" + table.account_id + ":table/" + table.name;
  std::uint64_t count = 0;
  for (const StripeCounters& stripe : stripes) {
    for (const NamedCount& reads : stripe.stream_reads) {
      if (reads.name == name) count += reads.count;
    }
  }
  return count;
}

// Gives a table, and its indexes, the names that the measurement has for them.
void TakeNames(const MergedKeys& keys, const ItemWalk::Walked& walked, TableMeasure* table) {
  table->name = keys.At(walked.table).name.table;
  for (std::size_t i = 0; i < walked.indexes.size(); ++i) {
    table->indexes[i].name = keys.At(walked.indexes[i]).name.index;
  }
}

// Adds the tables and indexes that were used and then deleted.
void AddDeleted(const MergedKeys& keys, Measurement* measurement) {
  std::vector<TableMeasure>& tables = measurement->tables;
  for (std::size_t number = 0; number < keys.size(); ++number) {
    const ResourceName& name = keys.At(number).name;
    auto table = std::ranges::find(tables, name.table, &TableMeasure::name);
    if (table == tables.end()) {
      table = tables.insert(tables.end(), name.declared);
      table->name = name.table;
      table->indexes.clear();
      table->is_deleted = true;
    }
    const bool is_known =
        name.index.empty() ||
        std::ranges::find(table->indexes, name.index, &IndexMeasure::name) != table->indexes.end();
    if (is_known) continue;
    const auto declared =
        std::ranges::find(name.declared.indexes, name.declared_index, &IndexMeasure::name);
    if (declared == name.declared.indexes.end()) continue;
    IndexMeasure& index = table->indexes.emplace_back(*declared);
    index.name = name.index;
    index.is_deleted = true;
  }
}

// --- Entities ---

std::uint64_t ScaledUp(std::uint64_t count, double share) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) / share));
}

std::string TemplateAt(const MergedKeys::Resource& resource,
                       const std::vector<KeyTree::NodeId>& nodes, std::size_t part) {
  return part < nodes.size() ? resource.trees[part].TemplateOf(nodes[part]) : std::string();
}

// Joins the templates of the parts of a key with several HASH or RANGE parts.
std::string JoinTemplates(const MergedKeys::Resource& resource,
                          const std::vector<KeyTree::NodeId>& nodes, std::size_t first,
                          std::size_t end) {
  std::string text;
  for (std::size_t part = first; part < end; ++part) {
    text.append(part == first ? "" : ", ").append(TemplateAt(resource, nodes, part));
  }
  return text;
}

// Sets the templates of the keys that the entity's items have in an index. The first item's stay.
void SetIndexKeys(const MergedKeys::Resource& resource, const WalkedEntity::InIndex& in_index,
                  EntityIndex* index) {
  const std::size_t hash_parts = resource.name.key.hash.size(), parts = resource.name.key.parts();
  if (index->items == 0) {
    index->partition_key = JoinTemplates(resource, in_index.nodes, 0, hash_parts);
    index->sort_key = JoinTemplates(resource, in_index.nodes, hash_parts, parts);
  }
  for (const std::vector<KeyTree::NodeId>& nodes : in_index.keys) {
    index->has_other_partition_keys |=
        JoinTemplates(resource, nodes, 0, hash_parts) != index->partition_key;
    index->has_other_sort_keys |=
        JoinTemplates(resource, nodes, hash_parts, parts) != index->sort_key;
  }
}

// Collects the entities that were walked or written.
class EntityMaker {
 public:
  explicit EntityMaker(const MergedKeys& keys) : keys_(keys) {}

  void Add(const WalkedEntity& walked) {
    EntityMeasure& entity = At(walked.resource, walked.nodes, walked.type);
    entity.items += ScaledUp(walked.items, walked.share);
    entity.size_bytes.Add(walked.size_bytes);
    for (const auto& [number, in_index] : walked.indexes) {
      const std::string& name = keys_.At(in_index.resource).name.index;
      auto at = std::ranges::find(entity.indexes, name, &EntityIndex::index);
      if (at == entity.indexes.end()) {
        at = entity.indexes.insert(at, EntityIndex{});
        at->index = name;
      }
      SetIndexKeys(keys_.At(in_index.resource), in_index, &*at);
      at->items += ScaledUp(in_index.items, walked.share);
      at->size_bytes += in_index.size_bytes / walked.share;
    }
    for (const auto& [name, attribute] : walked.attributes) {
      const auto at = std::ranges::find(entity.attributes, name, &AttributeMeasure::name);
      if (at == entity.attributes.end()) {
        entity.attributes.push_back(attribute);
      } else {
        AddAttribute(attribute, &*at);
      }
    }
  }

  void AddStripe(std::size_t stripe, const StripeCounters& counters) {
    for (const auto& [key, written] : counters.entities) {
      std::vector<KeyTree::NodeId> nodes;
      for (std::size_t part = 0; part < written.nodes.size(); ++part) {
        nodes.push_back(keys_.NodeOf(stripe, written.resource, part, written.nodes[part]));
      }
      EntityMeasure& entity = At(keys_.NumberOf(stripe, written.resource), nodes, written.type);
      entity.inserted += written.inserted;
      entity.changed += written.changed;
      entity.removed += written.removed;
      for (const UnitsOfResource& units : written.units.all()) {
        const ResourceName& name = keys_.At(keys_.NumberOf(stripe, units.resource)).name;
        auto at = std::ranges::find_if(entity.units, [&](const ResourceUnits& each) {
          return each.table == name.table && each.index == name.index;
        });
        if (at == entity.units.end()) {
          at = entity.units.insert(at, ResourceUnits{name.table, name.index, 0, 0});
        }
        at->write_units += units.write_units;
      }
    }
  }

  std::vector<EntityMeasure> Finish() {
    std::vector<EntityMeasure> entities;
    for (auto& [name, entity] : made_) {
      StableSort(entity.attributes, std::greater<>(), &AttributeMeasure::size_bytes);
      entities.push_back(std::move(entity));
    }
    StableSort(entities, std::greater<>(), &EntityMeasure::items);
    return entities;
  }

 private:
  EntityMeasure& At(std::size_t resource, const std::vector<KeyTree::NodeId>& nodes,
                    const std::string& type) {
    const MergedKeys::Resource& table = keys_.At(resource);
    const std::string partition_key = TemplateAt(table, nodes, 0);
    const std::string sort_key = TemplateAt(table, nodes, 1);
    EntityMeasure& made = made_[{table.name.table, partition_key, sort_key, type}];
    made.table = table.name.table;
    made.type = type;
    made.partition_key = partition_key;
    made.sort_key = sort_key;
    return made;
  }

  const MergedKeys& keys_;
  using Name = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Name, EntityMeasure> made_;
};

// Attributes that look like a time to live, apart from the one that is.
void AddSimilarAttributes(const std::vector<EntityMeasure>& entities, TableMeasure* table) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string>& similar = table->expiry.similar_attributes;
  for (const EntityMeasure& entity : entities) {
    if (entity.table != table->name) continue;
    for (const AttributeMeasure& attribute : entity.attributes) {
      const bool is_other = attribute.name != table->expiry.attribute;
      const bool is_known = std::ranges::find(similar, attribute.name) != similar.end();
      if (is_other && !is_known && similar.size() < kMost && SoundsLikeExpiry(attribute.name)) {
        similar.push_back(attribute.name);
      }
    }
  }
}

// --- Patterns and sequences: patterns of stripes whose texts are equal become one ---

// A measurement reports this many patterns. If there are more, the pattern "other" is one of them,
// and the patterns "other" of names are beside them.
constexpr std::size_t kMaxReportedPatterns = 1000;

// A pattern of the measurement while the stripes are added to it.
struct MadePattern {
  PatternMeasure described;  // the operation, the name and the members
  PatternCounters counters;  // whose units are by the numbers of MergedKeys
};

// Weighs reads and writes by what they cost on demand, to order patterns by. Units is a
// UnitsOfResource or a ResourceUnits.
template <typename Units>
double WeightOf(const std::vector<Units>& all) {
  constexpr double kWriteWeight = 5;
  double weight = 0;
  for (const Units& units : all) weight += units.read_units + kWriteWeight * units.write_units;
  return weight;
}

// The sizes of calls are the sizes of the pages, where the sum of pages that belong together
// replaces them.
CallSizes SizesOfCalls(const PatternCounters& counters) {
  CallSizes sizes = counters.pages;
  AddSizes(sizes, counters.wholes);
  for (const auto each : kCallSizes) (sizes.*each).Subtract(counters.parts.*each);
  return sizes;
}

class PatternMaker {
 public:
  PatternMaker(const MergedKeys& keys, const std::vector<StripeCounters>& stripes)
      : keys_(keys), stripes_(stripes) {}

  // Adds the patterns, sequences and what belongs to them to `*measurement`. `has_ended`: no call
  // can follow any more.
  void Add(bool has_ended, Measurement* measurement) {
    for (std::size_t stripe = 0; stripe < stripes_.size(); ++stripe) AddStripe(stripe);
    Limit();
    for (const auto& [key, made] : made_) {
      if (IsOther(made)) measurement->limits.other_patterns += made.counters.counts.requests;
      Finish(made, measurement);
    }
    AddSequences(has_ended, measurement);
    const auto weight = [](const PatternMeasure& pattern) { return WeightOf(pattern.units); };
    StableSort(measurement->patterns, std::ranges::greater(), weight);
  }

 private:
  void AddStripe(std::size_t stripe) {
    const StripeCounters& counters = stripes_[stripe];
    std::vector<std::string>& names = keys_of_numbers_.emplace_back();
    for (const PatternTable::Pattern& pattern : counters.patterns.all()) {
      PatternMeasure described = Describe(stripe, pattern.identity);
      names.push_back(described.name + '\n' + PatternText(described));
      if (pattern.counters.counts.requests == 0) continue;
      MadePattern& made = made_[names.back()];
      made.described = std::move(described);
      PatternCounters moved = pattern.counters;
      moved.units = {};
      for (const UnitsOfResource& units : pattern.counters.units.all()) {
        const auto number = static_cast<std::uint32_t>(keys_.NumberOf(stripe, units.resource));
        UnitsOfResource& there = moved.units.At(number);
        there.read_units += units.read_units;
        there.write_units += units.write_units;
        there.moved += units.moved;
      }
      made.counters.Add(moved);
    }
  }

  PatternMeasure Describe(std::size_t stripe, const PatternIdentity& identity) const {
    PatternMeasure pattern;
    pattern.operation = identity.operation;
    pattern.name = identity.name;
    std::map<std::string, PatternMember>
        members;  // equal members once, in the order of their texts
    for (const MemberIdentity& each : identity.members) {
      PatternMeasure alone;
      alone.members = {DescribeMember(stripe, each)};
      std::string text = alone.members[0].kind + PatternText(alone);
      members.emplace(std::move(text), std::move(alone.members[0]));
    }
    for (auto& [text, member] : members) pattern.members.push_back(std::move(member));
    return pattern;
  }

  PatternMember DescribeMember(std::size_t stripe, const MemberIdentity& identity) const {
    const AccessShape& shape = stripes_[stripe].shapes.find(identity.shape)->second;
    PatternMember member = shape.member;
    const MergedKeys::Resource& resource = keys_.At(keys_.NumberOf(stripe, identity.resource));
    member.table = resource.name.table;
    // A search is counted for its table, and names its vector index.
    if (member.kind != "search") member.index = resource.name.index;
    std::size_t node = 0;
    const auto next = [&](std::size_t part) {
      return resource.trees[part].TemplateOf(
          keys_.NodeOf(stripe, identity.resource, part, identity.nodes[node++]));
    };
    for (std::size_t i = 0; i < member.key.size(); ++i) {
      member.key[i].value = next(shape.parts[i]);
      if (member.key[i].op == "BETWEEN") member.key[i].upper = next(shape.parts[i]);
    }
    return member;
  }

  void Finish(MadePattern made, Measurement* measurement) const {
    PatternMeasure pattern = std::move(made.counters.counts);
    pattern.operation = std::move(made.described.operation);
    pattern.name = std::move(made.described.name);
    pattern.members = std::move(made.described.members);
    pattern.text = PatternText(pattern);
    pattern.id = PatternId(pattern);
    pattern.call = SizesOfCalls(made.counters);
    if (made.counters.wholes.read_units.count() > 0) {
      pattern.page = made.counters.pages;
      pattern.pages_a_call.Add(1, made.counters.pages.read_units.count());
      pattern.pages_a_call.Add(made.counters.whole_pages);
      pattern.pages_a_call.Subtract(made.counters.part_pages);
    }
    for (const UnitsOfResource& units : made.counters.units.all()) {
      const ResourceName& name = keys_.At(units.resource).name;
      if (units.read_units != 0 || units.write_units != 0) {
        pattern.units.push_back({name.table, name.index, units.read_units, units.write_units});
      }
      if (units.moved > 0) pattern.index_moves.push_back({name.table, name.index, units.moved});
    }
    StableSort(pattern.units, {}, [](const ResourceUnits& units) {
      return std::pair(std::string_view(units.table), std::string_view(units.index));
    });
    measurement->server_time.push_back({pattern.id, std::move(made.counters.microseconds)});
    measurement->patterns.push_back(std::move(pattern));
  }

  void AddSequences(bool has_ended, Measurement* measurement) const {
    std::map<std::string, std::string> ids;  // by the key of `made_`
    const auto id_of = [&](const std::string& key) {
      std::string& id = ids[key];
      const auto found = made_.find(key);
      if (id.empty() && found != made_.end()) id = PatternId(found->second.described);
      return id;
    };
    std::map<std::array<std::string, 3>, SequenceMeasure> sequences;
    std::map<std::string, std::uint64_t> abandoned;
    for (std::size_t stripe = 0; stripe < stripes_.size(); ++stripe) {
      const auto& names = keys_of_numbers_[stripe];
      for (const auto& [id, counts] : stripes_[stripe].sequences.counts()) {
        const std::string kind(SequenceKindName(id.kind));
        const std::string first = id_of(names[id.first]), second = id_of(names[id.second]);
        SequenceMeasure& sequence = sequences[{kind, first, second}];
        sequence.kind = kind;
        sequence.first = first;
        sequence.second = second;
        sequence.count += counts.count;
        sequence.calls += counts.calls;
        sequence.largest = std::max(sequence.largest, counts.largest);
      }
      for (const auto& [number, count] :
           stripes_[stripe].sequences.Abandoned(measurement->ended_epoch_ms, has_ended)) {
        abandoned[id_of(names[number])] += count;
      }
    }
    for (auto& [key, sequence] : sequences) {
      // Patterns that became one are no pair any more.
      const bool is_pair = sequence.kind != SequenceKindName(SequenceKind::kTogether) ||
                           sequence.first != sequence.second;
      if (is_pair) measurement->sequences.push_back(std::move(sequence));
    }
    StableSort(measurement->sequences, std::ranges::greater(), &SequenceMeasure::count);
    for (PatternMeasure& pattern : measurement->patterns) {
      if (const auto found = abandoned.find(pattern.id); found != abandoned.end()) {
        pattern.abandoned_unprocessed = found->second;
      }
    }
  }

  static bool IsOther(const MadePattern& made) {
    return made.described.operation == PatternTable::kOtherOperation;
  }

  // Keeps the most expensive pattern of each name, and then the most expensive ones; each of the
  // others becomes a part of the pattern "other" of its name.
  void Limit() {
    if (made_.size() <= kMaxReportedPatterns) return;
    std::vector<std::pair<double, std::string>> order;
    std::size_t other_names = 0;
    for (const auto& [key, made] : made_) {
      if (!IsOther(made)) {
        order.emplace_back(WeightOf(made.counters.units.all()), key);
      } else if (!made.described.name.empty()) {
        ++other_names;
      }
    }
    StableSort(order, std::ranges::greater(), &std::pair<double, std::string>::first);
    std::set<std::string> names;
    for (auto& [weight, key] : order) {
      const std::string& name = made_[key].described.name;
      const bool is_first = !name.empty() && names.insert(name).second;
      if (is_first) weight = std::numeric_limits<double>::infinity();
    }
    StableSort(order, std::ranges::greater(), &std::pair<double, std::string>::first);
    for (std::size_t i = kMaxReportedPatterns - 1; i < order.size(); ++i) {
      const auto found = made_.find(order[i].second);
      MadePattern& other = OtherOf(found->second.described.name, other_names);
      other.counters.Add(found->second.counters);
      made_.erase(found);
    }
  }

  // Returns the pattern "other" of the name, or the one without a name if there are too many.
  // `other_names` counts those that have one.
  MadePattern& OtherOf(const std::string& name, std::size_t& other_names) {
    PatternMeasure described;
    described.operation = PatternTable::kOtherOperation;
    const std::string text = '\n' + PatternText(described);
    const auto found = made_.find(name + text);
    if (found != made_.end()) return found->second;
    if (other_names < PatternTable::kMaxOtherNames) described.name = name;
    other_names += described.name.empty() ? 0 : 1;
    MadePattern& other = made_[described.name + text];
    other.described = std::move(described);
    return other;
  }

  const MergedKeys& keys_;
  const std::vector<StripeCounters>& stripes_;
  std::map<std::string, MadePattern> made_;                // by name and text
  std::vector<std::vector<std::string>> keys_of_numbers_;  // of `made_`, by stripe and number
};

// Adds what the stripes counted of no pattern.
void AddOtherCounts(const std::vector<StripeCounters>& stripes, Measurement* measurement) {
  for (const StripeCounters& stripe : stripes) {
    AddCounts(measurement->other_errors, stripe.other_errors);
    measurement->limits.other_resources += stripe.other_resources;
  }
}

// --- Resources and key templates ---

constexpr std::size_t kListedKeys = 50;
constexpr std::size_t kMaxTemplates = 2000;

void AddTo(std::vector<double>* sums, const std::vector<double>& added) {
  sums->resize(std::max(sums->size(), added.size()));
  for (std::size_t i = 0; i < added.size(); ++i) (*sums)[i] += added[i];
}

// Orders the slices by time. Slices of one time, of a table that was made several times, become
// one.
void AddUpSlices(std::vector<HeatSlice>* slices) {
  StableSort(*slices, {}, &HeatSlice::begin_epoch_ms);
  std::vector<HeatSlice> sums;
  for (HeatSlice& slice : *slices) {
    if (sums.empty() || sums.back().begin_epoch_ms != slice.begin_epoch_ms) {
      sums.push_back(std::move(slice));
      continue;
    }
    AddTo(&sums.back().read_units, slice.read_units);
    AddTo(&sums.back().write_units, slice.write_units);
  }
  *slices = std::move(sums);
}

class ResourceMaker {
 public:
  ResourceMaker(const SharedCounters& shared, MergedKeys& keys, std::size_t number)
      : shared_(shared), keys_(keys), number_(number), resource_(keys.At(number)) {}

  ResourceMeasure Make() {
    ResourceMeasure measure;
    measure.table = resource_.name.table;
    measure.index = resource_.name.index;
    DistinctCounter partition_keys, items;
    for (const ResourceCounters* each : resource_.counters) {
      measure.read_units += each->read_units;
      measure.write_units += each->write_units;
      measure.failed_read_units += each->failed_read_units;
      measure.failed_write_units += each->failed_write_units;
      measure.throttled += each->throttled;
      measure.writes_in_order_known += each->writes_in_order_known;
      measure.rising_writes += each->rising_writes;
      partition_keys.Add(each->partition_keys);
      items.Add(each->items);
    }
    measure.distinct_partition_keys = partition_keys.Estimate();
    // Where the partition key is the whole key, items are not counted apart.
    measure.distinct_items =
        resource_.name.key.range.empty() ? measure.distinct_partition_keys : items.Estimate();
    measure.read_keys = MakeTop(&ResourceCounters::read_keys);
    measure.written_keys = MakeTop(&ResourceCounters::written_keys);
    measure.throttled_keys = MakeTop(&ResourceCounters::throttled_keys);
    measure.read_items = MakeTop(&ResourceCounters::read_items);
    measure.written_items = MakeTop(&ResourceCounters::written_items);
    AddHeat(&measure);
    AddWindows(MeterDirection::kRead, &measure);
    AddWindows(MeterDirection::kWrite, &measure);
    return measure;
  }

 private:
  TopKeys MakeTop(TopCounter ResourceCounters::*counter) {
    std::vector<const TopCounter*> counters;
    for (const ResourceCounters* each : resource_.counters) counters.push_back(&(each->*counter));
    TopSum sum = SumOf(counters);
    TopKeys top;
    top.total_units = sum.total;
    top.missed_at_most = sum.missed_at_most;
    if (sum.keys.size() > kListedKeys) {
      top.missed_at_most = std::max(top.missed_at_most, sum.keys[kListedKeys].units);
      sum.keys.resize(kListedKeys);
    }
    for (const TopCounter::Counted& counted : sum.keys) top.keys.push_back(MakeKeyCount(counted));
    return top;
  }

  KeyCount MakeKeyCount(const TopCounter::Counted& counted) {
    const KeySchema& key = resource_.name.key;
    constexpr std::size_t kKept = TopCounter::kMaxKeyBytes;
    return {KeyText(key, counted.key, kKept),
            keys_.KeyTemplate(number_, KeyPartTexts(key, counted.key, kKept)), counted.units,
            counted.error};
  }

  void AddHeat(ResourceMeasure* measure) const {
    std::vector<double> read(HeatRanges::kCount), written(HeatRanges::kCount);
    for (const ResourceCounters* each : resource_.counters) {
      each->read_heat.AddTo(read);
      each->write_heat.AddTo(written);
    }
    for (std::uint32_t range = 0; range < HeatRanges::kCount; ++range) {
      const HeatRange heat{range, read[range], written[range]};
      if (heat.read_units != 0 || heat.write_units != 0) measure->heat.push_back(heat);
    }
    for (const ResourceId& id : resource_.ids) {
      for (HeatSlice& slice : shared_.time.HeatOf(id)) {
        measure->heat_over_time.push_back(std::move(slice));
      }
    }
    AddUpSlices(&measure->heat_over_time);
  }

  void AddWindows(MeterDirection direction, ResourceMeasure* measure) {
    for (const ResourceId& id : resource_.ids) {
      for (const HottestKey& hottest : shared_.windows.Hottest(id, direction)) {
        HotWindow& window = measure->hot_windows.emplace_back();
        window.begin_epoch_ms = hottest.begin_epoch_ms;
        window.length_ms = shared_.windows.window_ms();
        window.direction = direction == MeterDirection::kRead ? "read" : "write";
        window.key = MakeKeyCount(hottest.key);
        window.total_units = hottest.total_units;
        window.calls = hottest.calls;
      }
    }
  }

  const SharedCounters& shared_;
  MergedKeys& keys_;
  const std::size_t number_;
  const MergedKeys::Resource& resource_;
};

PlaceholderMeasure DescribePlaceholder(const KeyTree::Node& node) {
  PlaceholderMeasure placeholder;
  placeholder.text = KeyTree::PlaceholderText(node);
  placeholder.kind = KeyTokenKindName(node.kind);
  placeholder.attribute = node.attribute;
  placeholder.distinct = node.seen.CountDistinct();
  if (node.seen.greatest_length > 0) {
    placeholder.least_length = node.seen.least_length;
    placeholder.greatest_length = node.seen.greatest_length;
  }
  placeholder.has_leading_zeros = node.seen.has_leading_zeros;
  return placeholder;
}

// Lists the templates of the stored keys, with the most items first.
void AddKeyTemplates(const ItemWalk& walk, const MergedKeys& keys, Measurement* measurement) {
  std::map<ItemWalk::Leaf, std::uint64_t> leaves;
  for (const auto& [leaf, items] : walk.leaves()) {
    const auto& [resource, part, node] = leaf;
    leaves[{resource, part, keys.At(resource).trees[part].Find(node)}] += items;
  }
  for (const auto& [leaf, items] : leaves) {
    const auto& [number, part, node] = leaf;
    const MergedKeys::Resource& resource = keys.At(number);
    const KeyTree& tree = resource.trees[part];
    KeyTemplateMeasure made;
    made.table = resource.name.table;
    made.index = resource.name.index;
    made.attribute = resource.name.key.part(part).name;
    made.text = tree.TemplateOf(node);
    for (const KeyTree::NodeId step : tree.PathTo(node)) {
      if (tree.nodes()[step].is_placeholder) {
        made.placeholders.push_back(DescribePlaceholder(tree.nodes()[step]));
      }
    }
    made.items = items;
    measurement->key_templates.push_back(std::move(made));
  }
  StableSort(measurement->key_templates, std::ranges::greater(), &KeyTemplateMeasure::items);
  if (measurement->key_templates.size() > kMaxTemplates) {
    measurement->key_templates.resize(kMaxTemplates);
  }
}

// Adds a ResourceMeasure for each table and index that was accessed or is stored, and the templates
// of their keys. The templates of the keys that are listed are looked up in `keys`.
void AddResources(const SharedCounters& shared, const ItemWalk& walk, MergedKeys* keys,
                  Measurement* measurement) {
  for (std::size_t number = 0; number < keys->size(); ++number) {
    ResourceMeasure measure = ResourceMaker(shared, *keys, number).Make();
    const auto collections = walk.collections().find(number);
    if (collections != walk.collections().end()) measure.collections = collections->second;
    for (KeyCount& largest : measure.collections.largest) {
      largest.shape = keys->KeyTemplate(number, walk.CollectionKey(number, largest.key));
    }
    measurement->resources.push_back(std::move(measure));
  }
  AddKeyTemplates(walk, *keys, measurement);
}

}  // namespace

std::vector<TableSizes> SizesOfTables(Engine& engine, const MeasurementScope& scope) {
  std::vector<TableSizes> sizes;
  for (const TableRef& table : engine.catalog().TablesOf(ScopeOfAccounts(scope))) {
    if (!scope.HasTable(table->name)) continue;
    const auto add = [&](const IndexVersion* index) {
      const TableStatistics statistics = engine.StatisticsOf(*table, index);
      sizes.push_back({table->account_id, table->region, table->name,
                       index ? index->schema.name : std::string(), statistics.item_count,
                       statistics.size_bytes});
    };
    add(nullptr);
    for (const IndexVersion& index : table->indexes) add(&index);
  }
  return sizes;
}

namespace {

std::int64_t VectorIndexBytesOf(const Engine& engine, const TableVersion& table) {
  std::int64_t bytes = 0;
  for (const IndexVersion& index : table.indexes) {
    if (index.schema.is_vector()) bytes += engine.StatisticsOf(table, &index).size_bytes;
  }
  return bytes;
}

}  // namespace

Measurement MakeMeasurement(Engine& engine, const MeasuredTraffic& traffic) {
  Measurement measurement;
  measurement.name = traffic.name;
  measurement.account = traffic.scope.account;
  measurement.region = traffic.scope.region;
  measurement.only_tables = traffic.scope.tables;
  measurement.began_epoch_ms = traffic.began_epoch_ms;
  measurement.ended_epoch_ms = traffic.ended_epoch_ms;
  measurement.is_running = traffic.is_running;
  measurement.settings = traffic.shared.settings;
  measurement.limits.open_pages = traffic.shared.pages.forgotten();
  MergedKeys keys(traffic.shared.settings.separators, traffic.stripes);
  ItemWalk walk(engine, traffic.shared.settings, keys, traffic.ended_epoch_ms);
  std::vector<TablePin> pins = engine.catalog().Pin(ScopeOfAccounts(traffic.scope));
  for (const TablePin& pin : pins) {
    if (!traffic.scope.HasTable(pin.version->name)) continue;
    TableMeasure& table = measurement.tables.emplace_back(DescribeTable(*pin.version));
    AddSizesAtBegin(traffic.sizes_at_begin, &table);
    table.stream_reads = StreamReadsOf(traffic.stripes, *pin.version);
    table.vector_index_bytes = VectorIndexBytesOf(engine, *pin.version);
    walk.Walk(pin, &table);
  }
  keys.NameTables();
  for (std::size_t i = 0; i < measurement.tables.size(); ++i) {
    TakeNames(keys, walk.walked()[i], &measurement.tables[i]);
  }
  AddDeleted(keys, &measurement);
  walk.Finish(traffic.stripes);
  EntityMaker entities(keys);
  for (const WalkedEntity& walked : walk.entities()) entities.Add(walked);
  for (std::size_t i = 0; i < traffic.stripes.size(); ++i) {
    entities.AddStripe(i, traffic.stripes[i]);
  }
  measurement.entities = entities.Finish();
  for (TableMeasure& table : measurement.tables) {
    AddSimilarAttributes(measurement.entities, &table);
  }
  AddOtherCounts(traffic.stripes, &measurement);
  PatternMaker(keys, traffic.stripes).Add(!traffic.is_running, &measurement);
  AddResources(traffic.shared, walk, &keys, &measurement);
  measurement.time = traffic.shared.time.Buckets();
  return measurement;
}

}  // namespace hashrange
