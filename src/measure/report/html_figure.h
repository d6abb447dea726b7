// The pieces that the sections of the HTML report have in common: a figure with its method, a
// table. Pure functions of their input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measure/report/html_writer.h"

namespace hashrange {

enum class ColumnKind : std::uint8_t {
  kText,
  kNumber,
  kCode,  // keys, templates, expressions
};

struct TableColumn {
  std::string name = {};
  ColumnKind kind = ColumnKind::kText;
};

// The first column names the row.
struct FigureTable {
  std::string caption = {};
  std::vector<TableColumn> columns = {};
  std::vector<std::vector<std::string>> rows = {};
};

struct FigureHead {
  std::string caption = {};
  std::string_view method = "measured";
  std::string note = {};  // how to read the figure
};

// Begins a figure. The caller writes its plot, calls WriteDetails with the same figures and then
// CloseFigure.
void OpenFigure(const FigureHead& head, HtmlWriter& html);
void CloseFigure(HtmlWriter& html);

void WriteTable(const FigureTable& table, HtmlWriter& html);
// Writes the table below a line that opens it.
void WriteDetails(const FigureTable& table, HtmlWriter& html);

// Writes a mark that says how a figure came about: "measured", "modelled" or "extrapolated".
void WriteMethod(std::string_view method, HtmlWriter& html);

}  // namespace hashrange
