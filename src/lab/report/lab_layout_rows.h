// The figures by which layouts are compared as wholes: one row each, in text and HTML alike. Pure
// functions; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lab/report/lab_figures.h"

namespace hashrange {

struct LabLayoutRow {
  std::string_view name;
  std::string_view method;  // "measured", "modelled"
  std::string (*text)(const LabLayoutFigures&);
  double (*value)(const LabLayoutFigures&);  // null: a difference says nothing
};

// Returns the rows in the order in which they are shown.
std::span<const LabLayoutRow> LabLayoutRows();

// Returns the figure with its difference from that of the first layout: "288.10 (-30 %)".
std::string LayoutCell(const LabLayoutRow& row, const LabLayoutFigures& layout,
                       const LabLayoutFigures& first);

}  // namespace hashrange
