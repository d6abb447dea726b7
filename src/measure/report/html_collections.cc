#include <cmath>
#include <string>
#include <vector>

#include "measure/number_text.h"
#include "measure/report/html_figure.h"
#include "measure/report/html_sections.h"
#include "measure/report/svg_plot.h"

namespace hashrange {
namespace {

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
  return (std::log2(bytes) - kFirstPower) / (kLastPower - kFirstPower);
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

FigureTable HistogramTable(const ColumnPlot& plot, const std::string& caption) {
  FigureTable table{.caption = caption};
  table.columns = {{"Size up to", ColumnKind::kText}, {"Collections", ColumnKind::kNumber}};
  for (std::size_t at = 0; at < plot.columns.size(); ++at) {
    if (plot.columns[at][0] <= 0) continue;
    table.rows.push_back({BytesText(std::ldexp(1.0, kFirstPower + static_cast<int>(at) + 1)),
                          NumberText(plot.columns[at][0])});
  }
  return table;
}

FigureTable LargestTable(const CollectionMeasure& collections, const std::string& caption) {
  FigureTable table{.caption = caption + ", the largest"};
  table.columns = {{"Partition key", ColumnKind::kCode},
                   {"Template", ColumnKind::kCode},
                   {"Size", ColumnKind::kNumber},
                   {"Share of 10 GB", ColumnKind::kNumber}};
  for (const KeyCount& key : collections.largest) {
    if (table.rows.size() == kMostListed) break;
    table.rows.push_back(
        {key.key, key.shape, BytesText(key.units), ShareText(key.units / kCollectionLimitBytes)});
  }
  return table;
}

void WriteCollectionFigure(const CollectionMeasure& collections, const std::string& caption,
                           HtmlWriter& html) {
  ColumnPlot plot = HistogramOf(collections);
  plot.text = {caption,
               "A histogram: sizes on a logarithmic scale, with the line of 10 GB on the right."};
  const Distribution& sizes = collections.size_bytes;
  OpenFigure(
      {.caption = caption,
       .note = CountedText(static_cast<double>(collections.count), "collection") +
               "; half of them have at most " + BytesText(sizes.Percentile(0.5)) +
               ", 99 % at most " + BytesText(sizes.Percentile(0.99)) + ", the largest " +
               BytesText(sizes.max()) + " and " + CountedText(collections.items.max(), "item") +
               ". Sizes are on a logarithmic axis."},
      html);
  WriteColumnPlot(plot, html);
  WriteDetails(HistogramTable(plot, caption), html);
  if (!collections.largest.empty()) WriteTable(LargestTable(collections, caption), html);
  CloseFigure(html);
}

}  // namespace

void WriteCollections(std::span<const ReportView> views, HtmlWriter& html) {
  for (const ReportView& view : views) {
    for (const ResourceFigures& resource : view.resources) {
      if (resource.measure == nullptr || resource.measure->collections.count == 0) continue;
      WriteCollectionFigure(resource.measure->collections,
                            CaptionOf(views, view, resource.label + ": sizes of collections"),
                            html);
    }
  }
}

}  // namespace hashrange
