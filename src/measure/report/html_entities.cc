#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "measure/number_text.h"
#include "measure/report/html_figure.h"
#include "measure/report/html_sections.h"
#include "measure/report/readable_text.h"
#include "measure/report/svg_plot.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostEntities = 20;
// More columns than that do not fit beside each other.
constexpr std::size_t kMostIndexes = 6;
constexpr std::size_t kMostLabelCharacters = 46;

std::string TemplatesOf(const EntityMeasure& entity) {
  return entity.sort_key.empty() ? entity.partition_key
                                 : entity.partition_key + ", " + entity.sort_key;
}

std::string EntityLabel(const EntityMeasure& entity) {
  return entity.type.empty() ? TemplatesOf(entity) : entity.type + " (" + TemplatesOf(entity) + ")";
}

std::vector<const EntityMeasure*> EntitiesOf(const Measurement& measurement,
                                             const std::string& table) {
  std::vector<const EntityMeasure*> entities;
  for (const EntityMeasure& entity : measurement.entities) {
    if (entity.table == table) entities.push_back(&entity);
  }
  std::ranges::stable_sort(
      entities, [](const EntityMeasure* a, const EntityMeasure* b) { return a->items > b->items; });
  return entities;
}

// Returns the share of the entity's items that are in the index.
double MembershipOf(const EntityMeasure& entity, const std::string& index) {
  const auto at = std::ranges::find(entity.indexes, index, &EntityIndex::index);
  if (at == entity.indexes.end() || entity.items == 0) return 0;
  return static_cast<double>(at->items) / static_cast<double>(entity.items);
}

void WriteMembership(const TableMeasure& table, const std::vector<const EntityMeasure*>& entities,
                     const std::string& caption, HtmlWriter& html) {
  if (table.indexes.empty() || entities.empty()) return;
  SharePlot plot{
      .text = {caption, "For each entity, the share of its items that each index holds."}};
  FigureTable figures{.caption = caption};
  figures.columns.push_back({"Entity", ColumnKind::kCode});
  for (const IndexMeasure& index : table.indexes) {
    figures.columns.push_back({index.name, ColumnKind::kNumber});
    if (plot.columns.size() < kMostIndexes) plot.columns.push_back(ClippedText(index.name, 14));
  }
  for (const EntityMeasure* entity : entities) {
    ShareRow row{ClippedText(EntityLabel(*entity), kMostLabelCharacters)};
    std::vector<std::string> cells = {EntityLabel(*entity)};
    for (const IndexMeasure& index : table.indexes) {
      const double share = MembershipOf(*entity, index.name);
      cells.push_back(ShareText(share));
      if (row.shares.size() < kMostIndexes) row.shares.push_back(share);
    }
    if (plot.rows.size() < kMostEntities) plot.rows.push_back(std::move(row));
    figures.rows.push_back(std::move(cells));
  }
  OpenFigure({.caption = caption,
              .note = "An index is sparse for an entity when the entity's items lack its keys. An "
                      "entity that is in an index and is never read from it pays for nothing."},
             html);
  WriteSharePlot(plot, html);
  WriteDetails(figures, html);
  CloseFigure(html);
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

void WriteEntityTable(const std::vector<const EntityMeasure*>& entities, const std::string& caption,
                      HtmlWriter& html) {
  FigureTable table{.caption = caption};
  table.columns = {{"Entity", ColumnKind::kText},
                   {"Partition key", ColumnKind::kCode},
                   {"Sort key", ColumnKind::kCode},
                   {"Items", ColumnKind::kNumber},
                   {"Size, median", ColumnKind::kNumber},
                   {"Size, largest", ColumnKind::kNumber},
                   {"Created and removed", ColumnKind::kNumber},
                   {"Changed", ColumnKind::kNumber},
                   {"Write units, table", ColumnKind::kNumber},
                   {"Write units, indexes", ColumnKind::kNumber}};
  for (const EntityMeasure* entity : entities) {
    table.rows.push_back(
        {entity->type.empty() ? "(no type)" : entity->type, entity->partition_key, entity->sort_key,
         CountText(entity->items), BytesText(entity->size_bytes.Percentile(0.5)),
         BytesText(entity->size_bytes.max()), GrowthText(*entity), CountText(entity->changed),
         NumberText(WriteUnitsOf(*entity, false)), NumberText(WriteUnitsOf(*entity, true))});
  }
  WriteTable(table, html);
}

}  // namespace

void WriteEntities(std::span<const ReportView> views, HtmlWriter& html) {
  for (const ReportView& view : views) {
    for (const TableMeasure& table : view.measurement().tables) {
      const auto entities = EntitiesOf(view.measurement(), table.name);
      if (entities.empty()) continue;
      WriteEntityTable(entities, CaptionOf(views, view, table.name + ": entities"), html);
      WriteMembership(table, entities,
                      CaptionOf(views, view, table.name + ": which entities are in which index"),
                      html);
    }
  }
}

}  // namespace hashrange
