#include "lab/report/lab_layout_rows.h"

#include <string_view>

#include "measure/number_text.h"

namespace hashrange {
namespace {

// The end of a month in which patterns are missing whose cost is not known.
constexpr std::string_view kMissing = " + ?";

std::string AmountCell(const LabLayoutFigures& layout, double LabMonth::*usd) {
  if (!layout.month) return "-";
  std::string text = AmountText(layout.month.value().*usd);
  return layout.HasWholeMonth() ? text : text.append(kMissing);
}

std::string MonthCell(const LabLayoutFigures& layout) { return AmountCell(layout, &LabMonth::usd); }

std::string OnDemandCell(const LabLayoutFigures& layout) {
  return AmountCell(layout, &LabMonth::on_demand_usd);
}

bool IsKnown(const std::string& text) { return text != "-" && !text.ends_with(kMissing); }

std::string FirstLimitCell(const LabLayoutFigures& layout) {
  return layout.first_limit ? NumberText(layout.first_limit->multiple) + " ×" : "-";
}

std::string ShareCell(const LabLayoutFigures& layout, double share) {
  return layout.requests == 0 ? "-" : PercentText(share);
}

std::string FindingsCell(const LabLayoutFigures& layout) {
  return CountText(layout.FindingCount("severe")) + ", " +
         CountText(layout.FindingCount("warning")) + ", " + CountText(layout.FindingCount("hint"));
}

// A run that was stopped while its tables were filled was not measured.
std::string StoredCell(const LabLayoutFigures& layout, double bytes) {
  return layout.run->measurement.tables.empty() ? "-" : BytesText(bytes);
}

std::string CollectionCell(const LabLayoutFigures& layout) {
  return layout.largest_collection ? BytesText(layout.largest_collection->size_bytes) : "-";
}

constexpr LabLayoutRow kLayoutRows[] = {
    {"US$ a month, after free tier", "modelled", MonthCell,
     [](const LabLayoutFigures& layout) { return layout.month ? layout.month->usd : 0; }},
    {"  if all tables were on demand", "modelled", OnDemandCell,
     [](const LabLayoutFigures& layout) { return layout.month ? layout.month->on_demand_usd : 0; }},
    {"first limit, × declared rates", "modelled", FirstLimitCell,
     [](const LabLayoutFigures& layout) {
       return layout.first_limit ? layout.first_limit->multiple : 0;
     }},
    {"throttled requests of the run", "modelled",
     [](const LabLayoutFigures& layout) { return ShareCell(layout, layout.throttled_share); },
     nullptr},
    {"failed calls of the run", "measured",
     [](const LabLayoutFigures& layout) { return ShareCell(layout, layout.failed_share); },
     nullptr},
    {"stored", "measured",
     [](const LabLayoutFigures& layout) { return StoredCell(layout, layout.StoredBytes()); },
     [](const LabLayoutFigures& layout) { return layout.StoredBytes(); }},
    {"  of this, in indexes", "measured",
     [](const LabLayoutFigures& layout) { return StoredCell(layout, layout.index_bytes); },
     [](const LabLayoutFigures& layout) { return layout.index_bytes; }},
    {"largest item collection", "measured", CollectionCell,
     [](const LabLayoutFigures& layout) {
       return layout.largest_collection ? layout.largest_collection->size_bytes : 0;
     }},
    {"findings: severe, warning, hint", "", FindingsCell, nullptr},
};

}  // namespace

std::span<const LabLayoutRow> LabLayoutRows() { return kLayoutRows; }

std::string LayoutCell(const LabLayoutRow& row, const LabLayoutFigures& layout,
                       const LabLayoutFigures& first) {
  std::string text = row.text(layout);
  if (&layout == &first || !row.value || !IsKnown(text) || !IsKnown(row.text(first))) return text;
  return text + " (" + ChangeText(row.value(layout), row.value(first)) + ")";
}

}  // namespace hashrange
