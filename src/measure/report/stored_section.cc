// What is stored, by item collection or by entity.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/portable_math.h"
#include "base/stable_sort.h"
#include "measure/number_text.h"
#include "measure/report/measure_sections.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

// --- Collections ---

// Columns are powers of two bytes, from 64 bytes to 16 GB, so that the line of 10 GB is in sight.
constexpr int kFirstPower = 6;
constexpr int kLastPower = 34;
constexpr double kCollectionLimitBytes = 10.0 * 1024 * 1024 * 1024;
constexpr std::size_t kMostListed = 10;

std::size_t ColumnOfSize(double bytes) {
  int power = kFirstPower;
  while (power + 1 < kLastPower && std::ldexp(1.0, power + 1) < bytes) ++power;
  return static_cast<std::size_t>(power - kFirstPower);
}

double PlaceOfSize(double bytes) {
  return (PortableLog2(bytes) - kFirstPower) / (kLastPower - kFirstPower);
}

ColumnPlot HistogramOf(const CollectionMeasure& collections) {
  ColumnPlot plot;
  plot.columns.assign(kLastPower - kFirstPower, {0});
  for (const Distribution::Bucket& bucket : collections.size_bytes.buckets()) {
    plot.columns[ColumnOfSize(Distribution::GreatestOf(bucket.number))][0] +=
        static_cast<double>(bucket.count);
  }
  for (int power = 10; power <= 30; power += 5) {
    const double bytes = std::ldexp(1.0, power);
    plot.ticks.push_back({PlaceOfSize(bytes), BytesText(bytes)});
  }
  plot.limits = {{PlaceOfSize(kCollectionLimitBytes), "10 GB"}};
  return plot;
}

ReportTable HistogramTable(const ColumnPlot& plot) {
  ReportTable table{.columns = {{"Size up to", ColumnKind::kText}, {"Collections"}}};
  for (std::size_t at = 0; at < plot.columns.size(); ++at) {
    if (plot.columns[at][0] <= 0) continue;
    table.rows.push_back({BytesText(std::ldexp(1.0, kFirstPower + static_cast<int>(at) + 1)),
                          NumberText(plot.columns[at][0])});
  }
  return table;
}

ReportTable LargestTable(const CollectionMeasure& collections, const std::string& caption) {
  ReportTable table{.caption = caption + ", the largest",
                    .columns = {{"Partition key", ColumnKind::kCode},
                                {"Template", ColumnKind::kCode},
                                {"Size"},
                                {"Share of 10 GB"}}};
  for (const KeyCount& key : collections.largest) {
    if (table.rows.size() == kMostListed) break;
    table.rows.push_back(
        {key.key, key.shape, BytesText(key.units), ShareText(key.units / kCollectionLimitBytes)});
  }
  return table;
}

ReportFigure CollectionFigure(const CollectionMeasure& collections, const std::string& caption) {
  const ColumnPlot plot = HistogramOf(collections);
  const Distribution& sizes = collections.size_bytes;
  ReportFigure figure{
      .caption = caption,
      .note = CountedText(static_cast<double>(collections.count), "collection") +
              "; half of them have at most " + BytesText(sizes.Percentile(0.5)) +
              ", 99 % at most " + BytesText(sizes.Percentile(0.99)) + ", the largest " +
              BytesText(sizes.max()) + " and " + CountedText(collections.items.max(), "item") +
              ". Sizes are on a logarithmic axis.",
      .description =
          "A histogram: sizes on a logarithmic scale, with the line of 10 GB on the right.",
      .plot = plot,
      .details = HistogramTable(plot)};
  if (!collections.largest.empty()) figure.tables = {LargestTable(collections, caption)};
  return figure;
}

// --- Entities ---

using Entities = std::vector<const EntityMeasure*>;

constexpr std::size_t kMostEntities = 20;
// More columns than that do not fit beside each other.
constexpr std::size_t kMostIndexes = 6;
constexpr std::size_t kMostEntityCharacters = 46;

std::string EntityLabel(const EntityMeasure& entity) {
  const std::string templates =
      entity.partition_key + (entity.sort_key.empty() ? "" : ", " + entity.sort_key);
  return entity.type.empty() ? templates : entity.type + " (" + templates + ")";
}

Entities EntitiesOf(const Measurement& measurement, const std::string& table) {
  Entities entities;
  for (const EntityMeasure& entity : measurement.entities) {
    if (entity.table == table) entities.push_back(&entity);
  }
  StableSort(entities, std::greater<>{}, &EntityMeasure::items);
  return entities;
}

// Returns the share of the entity's items that are in the index.
double MembershipOf(const EntityMeasure& entity, const std::string& index) {
  const auto at = std::ranges::find(entity.indexes, index, &EntityIndex::index);
  if (at == entity.indexes.end() || entity.items == 0) return 0;
  return static_cast<double>(at->items) / static_cast<double>(entity.items);
}

ReportFigure MembershipFigure(const TableMeasure& table, const Entities& entities,
                              const std::string& caption) {
  SharePlot plot;
  ReportTable figures{.columns = {{"Entity", ColumnKind::kCode}}};
  for (const IndexMeasure& index : table.indexes) {
    figures.columns.push_back({index.name});
    if (plot.columns.size() < kMostIndexes) plot.columns.push_back(ClippedText(index.name, 14));
  }
  for (const EntityMeasure* entity : entities) {
    ShareRow row{ClippedText(EntityLabel(*entity), kMostEntityCharacters)};
    std::vector<std::string> cells = {EntityLabel(*entity)};
    for (const IndexMeasure& index : table.indexes) {
      const double share = MembershipOf(*entity, index.name);
      cells.push_back(ShareText(share));
      if (row.shares.size() < kMostIndexes) row.shares.push_back(share);
    }
    if (plot.rows.size() < kMostEntities) plot.rows.push_back(std::move(row));
    figures.rows.push_back(std::move(cells));
  }
  return {.caption = caption,
          .note =
              "An index is sparse for an entity when the entity's items lack its keys. An "
              "entity that is in an index and is never read from it pays for nothing.",
          .description = "For each entity, the share of its items that each index holds.",
          .plot = std::move(plot),
          .details = std::move(figures)};
}

std::string GrowthText(const EntityMeasure& entity) {
  if (entity.inserted == 0 && entity.removed == 0) return "0";
  return "+" + CountText(entity.inserted) + " -" + CountText(entity.removed);
}

double WriteUnitsOf(const EntityMeasure& entity, bool of_indexes) {
  double units = 0;
  for (const ResourceUnits& part : entity.units) {
    if (part.index.empty() != of_indexes) units += part.write_units;
  }
  return units;
}

ReportTable EntityTable(const Entities& entities, const std::string& caption) {
  ReportTable table{.caption = caption,
                    .columns = {{"Entity", ColumnKind::kText},
                                {"Partition key", ColumnKind::kCode},
                                {"Sort key", ColumnKind::kCode},
                                {"Items"},
                                {"Size, median"},
                                {"Size, largest"},
                                {"Created and removed"},
                                {"Changed"},
                                {"Write units, table"},
                                {"Write units, indexes"}}};
  for (const EntityMeasure* entity : entities) {
    table.rows.push_back(
        {entity->type.empty() ? "(no type)" : entity->type, entity->partition_key, entity->sort_key,
         CountText(entity->items), BytesText(entity->size_bytes.Percentile(0.5)),
         BytesText(entity->size_bytes.max()), GrowthText(*entity), CountText(entity->changed),
         NumberText(WriteUnitsOf(*entity, false)), NumberText(WriteUnitsOf(*entity, true))});
  }
  return table;
}

}  // namespace

ReportParts CollectionParts(ReportViews views) {
  ReportParts parts;
  for (const ReportView& view : views) {
    for (const ResourceFigures& resource : view.resources) {
      if (resource.measure == nullptr || resource.measure->collections.count == 0) continue;
      parts.push_back(CollectionFigure(resource.measure->collections,
                                       view.Caption(resource.label + ": sizes of collections")));
    }
  }
  return parts;
}

ReportParts EntityParts(ReportViews views) {
  ReportParts parts;
  for (const ReportView& view : views) {
    for (const TableMeasure& table : view.measurement().tables) {
      const Entities entities = EntitiesOf(view.measurement(), table.name);
      if (entities.empty()) continue;
      parts.push_back(EntityTable(entities, view.Caption(table.name + ": entities")));
      if (table.indexes.empty()) continue;
      parts.push_back(MembershipFigure(
          table, entities, view.Caption(table.name + ": which entities are in which index")));
    }
  }
  return parts;
}

}  // namespace hashrange
