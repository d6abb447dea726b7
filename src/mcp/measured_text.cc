#include "mcp/measured_text.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "measure/number_text.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostEntities = 40;
constexpr std::size_t kMostKeys = 5;
constexpr std::size_t kMostFindings = 15;

std::string Shown(const std::string& text) {
  constexpr std::size_t kMostCharacters = 120;
  return ClippedText(text, kMostCharacters);
}

// Returns "CUST#{customer_id} / METADATA".
std::string KeyTemplateText(const std::string& partition_key, const std::string& sort_key) {
  return sort_key.empty() ? Shown(partition_key) : Shown(partition_key) + " / " + Shown(sort_key);
}

std::string EntityLine(const EntityMeasure& entity) {
  std::string line = "- " + (entity.type.empty() ? "(no type)" : Shown(entity.type)) + ": " +
                     KeyTemplateText(entity.partition_key, entity.sort_key) + "; " +
                     CountedText(static_cast<double>(entity.items), "item") + ", mean " +
                     BytesText(entity.size_bytes.mean()) + "\n";
  for (const EntityIndex& index : entity.indexes) {
    line += "    " + index.index + ": " + KeyTemplateText(index.partition_key, index.sort_key) +
            "; " + CountedText(static_cast<double>(index.items), "entry", "entries") + ", " +
            BytesText(index.size_bytes) + "\n";
  }
  return line;
}

// Says how many collections a table or an index has, and which are the largest.
std::string CollectionLine(const ResourceMeasure& resource) {
  const CollectionMeasure& collections = resource.collections;
  if (collections.count == 0) return {};
  std::string line = "- " + (resource.index.empty() ? "table" : resource.index) + ": " +
                     CountText(collections.count) + "; items of one: mean " +
                     NumberText(collections.items.mean()) + "; largest: ";
  const std::size_t shown = std::min(collections.largest.size(), kMostKeys);
  for (std::size_t at = 0; at < shown; ++at) {
    const KeyCount& key = collections.largest[at];
    line += (at > 0 ? ", " : "") + Shown(key.key) + " " + BytesText(key.units);
  }
  return line + "\n";
}

std::string PlaceText(const FindingPlace& place) {
  std::string text = place.table;
  if (!place.index.empty()) text += "/" + place.index;
  if (!place.entity.empty()) text += " " + place.entity;
  if (!place.key.empty()) text += " " + Shown(place.key);
  return text;
}

}  // namespace

std::string StoredText(const Measurement& measurement) {
  std::string text = "entities (type: partition key / sort key, as templates):\n";
  std::size_t shown = 0;
  for (const EntityMeasure& entity : measurement.entities) {
    if (++shown <= kMostEntities) text += EntityLine(entity);
  }
  if (shown > kMostEntities) text += "- and " + std::to_string(shown - kMostEntities) + " more\n";
  if (shown == 0) text += "- none: nothing is stored\n";
  std::string collections;
  for (const ResourceMeasure& resource : measurement.resources) {
    collections += CollectionLine(resource);
  }
  if (!collections.empty()) text += "item collections:\n" + collections;
  for (const TableMeasure& table : measurement.tables) {
    if (table.walked_share < 1 && table.items > 0) {
      text += "counted in " + ShareText(table.walked_share) +
              " of the hash ranges, and multiplied up\n";
    }
  }
  return text;
}

std::string AdviceLines(const Assessment& assessment) {
  const auto& findings = assessment.findings.findings;
  if (findings.empty()) return {};
  std::string text = "What to do\n";
  for (std::size_t at = 0; at < std::min(findings.size(), kMostFindings); ++at) {
    const Finding& finding = findings[at];
    text += std::string(SeverityName(finding.severity)) + " " + finding.slug + ", " +
            PlaceText(finding.place) + ": " + finding.advice + "\n";
  }
  if (findings.size() > kMostFindings) {
    text += "and " + std::to_string(findings.size() - kMostFindings) + " more\n";
  }
  return text;
}

}  // namespace hashrange
