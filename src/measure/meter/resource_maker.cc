#include "measure/meter/resource_maker.h"

#include <algorithm>
#include <map>
#include <utility>

#include "value/key.h"

namespace hashrange {
namespace {

constexpr std::size_t kListedKeys = 50;
constexpr std::size_t kMaxTemplates = 2000;

void AddTo(std::vector<double>* sums, const std::vector<double>& added) {
  sums->resize(std::max(sums->size(), added.size()));
  for (std::size_t i = 0; i < added.size(); ++i) (*sums)[i] += added[i];
}

// Orders the slices by time. Those of one time, of a table that was made several times, become one.
void AddUpSlices(std::vector<HeatSlice>* slices) {
  std::ranges::stable_sort(*slices, {}, &HeatSlice::begin_epoch_ms);
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

  ResourceMeasure Make();

 private:
  TopKeys MakeTop(TopCounter ResourceCounters::*counter);
  KeyCount MakeKeyCount(const TopCounter::Counted& counted);
  void AddHeat(ResourceMeasure* measure) const;
  void AddWindows(MeterDirection direction, ResourceMeasure* measure);

  const SharedCounters& shared_;
  MergedKeys& keys_;
  const std::size_t number_;
  const MergedKeys::Resource& resource_;
};

KeyCount ResourceMaker::MakeKeyCount(const TopCounter::Counted& counted) {
  const KeySchema& key = resource_.name.key;
  constexpr std::size_t kKept = TopCounter::kMaxKeyBytes;
  return {KeyText(key, counted.key, kKept),
          keys_.KeyTemplate(number_, KeyPartTexts(key, counted.key, kKept)), counted.units,
          counted.error};
}

TopKeys ResourceMaker::MakeTop(TopCounter ResourceCounters::*counter) {
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

void ResourceMaker::AddHeat(ResourceMeasure* measure) const {
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

void ResourceMaker::AddWindows(MeterDirection direction, ResourceMeasure* measure) {
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

ResourceMeasure ResourceMaker::Make() {
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
  std::ranges::stable_sort(measurement->key_templates, std::ranges::greater(),
                           &KeyTemplateMeasure::items);
  if (measurement->key_templates.size() > kMaxTemplates) {
    measurement->key_templates.resize(kMaxTemplates);
  }
}

}  // namespace

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

}  // namespace hashrange
