#include "lab/report/lab_growth.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "base/stable_sort.h"
#include "lab/language/lab_facts.h"
#include "lab/report/lab_billing.h"
#include "lab/report/lab_sentences.h"
#include "measure/cost/cost.h"
#include "measure/measured_tables.h"
#include "measure/number_text.h"
#include "measure/report/json_report_members.h"
#include "measure/report/report_figures.h"

namespace hashrange {
namespace {

constexpr double kMostItemBytes = 400 * 1024;
constexpr double kMostCollectionBytes = 10.0 * 1024 * 1024 * 1024;

const GrowthStage& FirstStage(const GrownLayout& layout) { return layout.growth->stages.front(); }
const GrowthStage& LastStage(const GrownLayout& layout) { return layout.growth->stages.back(); }

// Returns "now", "1 month", "12 months".
std::string MonthsText(double months) { return months == 0 ? "now" : CountedText(months, "month"); }

std::string ResourceOf(const GrownLayout& layout, LabKey key) {
  const LabIndex* const index = IndexOf(*layout.layout, key);
  return ResourceLabel(TableOf(*layout.layout, key).name,
                       index == nullptr ? std::string() : index->name);
}

// --- What it costs ---

double StorageUsd(const GrownLayout& layout, const GrowthStage& stage, const PriceList& prices) {
  double gigabytes[2] = {};  // by the table class
  for (const KeySize& size : stage.keys) {
    gigabytes[TableOf(*layout.layout, size.key).is_infrequent_access ? 1 : 0] +=
        BilledBytes(size.items, size.bytes) / prices.gigabyte_bytes;
  }
  for (std::size_t i = 0; i < stage.vector_bytes.size(); ++i) {
    gigabytes[layout.layout->tables[i].is_infrequent_access ? 1 : 0] +=
        stage.vector_bytes[i] / prices.gigabyte_bytes;
  }
  return AmountUsd(prices, UsageTypeOf(Charge::kStorage, false), gigabytes[0]) +
         AmountUsd(prices, UsageTypeOf(Charge::kStorage, true), gigabytes[1]);
}

// --- When a size passes a limit ---

// Returns after how many months the bytes, which stand for each stage, pass the limit; the growth
// between two stages is taken as even. Nothing: they do not.
std::optional<double> MonthsUntil(const GrownLayout& layout, const std::vector<double>& bytes,
                                  double limit) {
  const std::vector<GrowthStage>& stages = layout.growth->stages;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] <= limit) continue;
    if (i == 0) return 0;
    const double share = (limit - bytes[i - 1]) / (bytes[i] - bytes[i - 1]);
    return stages[i - 1].months + share * (stages[i].months - stages[i - 1].months);
  }
  return std::nullopt;
}

// Returns "is above 10 GB now", "passes 10 GB after 14.2 months".
std::string PassesText(double months, const std::string& limit) {
  if (months == 0) return "is above " + limit + " now";
  if (months < 0.1) return "passes " + limit + " within days";
  return "passes " + limit + " after " + CountedText(months, "month");
}

bool HasLocalIndex(const LabTable& table) {
  return std::ranges::any_of(table.indexes, &LabIndex::is_local);
}

// A sentence about what grows, and whether writes fail for it from then on.
struct GrowthSentence {
  std::string text = {};
  bool ends_writes = false;
};

void AddCollections(const GrownLayout& layout, std::vector<GrowthSentence>& sentences) {
  for (std::size_t i = 0; i < FirstStage(layout).keys.size(); ++i) {
    const KeySize& last = LastStage(layout).keys[i];
    const LabTable& table = TableOf(*layout.layout, last.key);
    const LabIndex* const index = IndexOf(*layout.layout, last.key);
    if (index != nullptr && index->is_local) continue;  // its entries count with the table's items
    std::vector<double> bytes;
    for (const GrowthStage& stage : layout.growth->stages) {
      bytes.push_back(stage.keys[i].collection_bytes);
    }
    const bool ends_writes = index == nullptr && HasLocalIndex(table);
    const double most = ends_writes ? kMostCollectionBytes
                                    : static_cast<double>(layout.file->partitions.size_bytes);
    const std::optional<double> months = MonthsUntil(layout, bytes, most);
    if (!months) continue;
    std::string text = ResourceOf(layout, last.key) + ": the largest item collection, " +
                       last.collection + ", " + PassesText(*months, BytesText(most));
    if (ends_writes) {
      text +=
          "; the table has a local index, so writes that make it larger fail from then on "
          "(ItemCollectionSizeLimitExceededException)";
    } else if (RangeOf(*layout.layout, last.key).empty()) {
      text += "; it has no sort key by which its partition could be cut";
    } else {
      text += ", more than one partition holds; the service cuts it by the sort key";
    }
    sentences.push_back({text + ".", ends_writes});
  }
}

void AddFullItems(const GrownLayout& layout, std::vector<GrowthSentence>& sentences) {
  for (std::size_t i = 0; i < LastStage(layout).fullest.size(); ++i) {
    const FullestItem& last = LastStage(layout).fullest[i];
    std::vector<double> bytes;
    for (const GrowthStage& stage : layout.growth->stages) {
      bytes.push_back(i < stage.fullest.size() ? stage.fullest[i].bytes : 0);
    }
    const std::optional<double> months = MonthsUntil(layout, bytes, kMostItemBytes);
    if (!months) continue;
    const std::string child = EntityAt(*layout.file, last.embedded).name;
    sentences.push_back({"The item of the " + EntityAt(*layout.file, last.entity).name +
                             " with the most of " + child + " inside " +
                             PassesText(*months, "400 KB") +
                             ", the most that an item may have: writes that make it larger fail "
                             "(ValidationException), and what follows in these figures does not "
                             "come about.",
                         true});
  }
}

// Returns what grows beyond a limit of the service: items and item collections.
std::vector<GrowthSentence> SizeSentences(const GrownLayout& layout) {
  std::vector<GrowthSentence> sentences;
  AddFullItems(layout, sentences);
  AddCollections(layout, sentences);
  return sentences;
}

void AddCapacity(const GrownLayout& layout, std::vector<std::string>& sentences) {
  double before = 0;
  for (const GrowthCost& cost : CostsOfGrowth(layout)) {
    if (cost.units_above_capacity > 0 && before == 0 && cost.months > 0) {
      sentences.push_back("After " + MonthsText(cost.months) +
                          ", the declared capacity is less than the rates need, by " +
                          NumberText(cost.units_above_capacity) + " units a month.");
    }
    before = cost.units_above_capacity;
  }
}

void AddLeftOut(const GrownLayout& layout, std::vector<std::string>& sentences) {
  std::vector<std::string> names;
  for (const LabServe& serve : layout.layout->serves) {
    const LabPattern& pattern = PatternForm(*layout.file, serve.pattern);
    if (pattern.calls_per_second > 0) names.push_back(QuotedName(pattern.name));
  }
  if (names.empty()) return;
  sentences.push_back(
      "Left out, as nothing is expected of requests of `serve:`: " + ListText(names) + ".");
}

// --- Patterns ---

// As much of vectors as a read unit has counts as a unit.
double AllUnits(const PatternCost& cost) {
  constexpr double kUnitBytes = 4096;
  return cost.ReadUnits() + cost.WriteUnits() +
         (cost.SearchedBytes() + cost.VectorWriteBytes()) / kUnitBytes;
}

// Returns the patterns that take 5 % more, or less, at the end, those that change most first.
std::vector<std::size_t> ChangedPatterns(const GrownLayout& layout) {
  constexpr double kLeastChange = 0.05;
  std::vector<std::pair<double, std::size_t>> changes;
  for (std::size_t i = 0; i < FirstStage(layout).patterns.size(); ++i) {
    const double before = AllUnits(FirstStage(layout).patterns[i]);
    const double change = AllUnits(LastStage(layout).patterns[i]) - before;
    if (std::abs(change) > kLeastChange * before) changes.emplace_back(-std::abs(change), i);
  }
  StableSort(changes);
  std::vector<std::size_t> patterns;
  for (const auto& [change, pattern] : changes) patterns.push_back(pattern);
  return patterns;
}

ReportTable TableOfGrowth(const GrownLayout& layout, std::size_t most_patterns) {
  ReportTable table{.caption = "Growth of " + layout.layout->name, .most_lines = 2};
  table.columns = {{"", ColumnKind::kText, ShortLayoutName(layout.layout->name)}};
  std::vector<std::string> month = {"US$ a month, after free tier"};
  std::vector<std::string> storage = {"  of this, storage"};
  std::vector<std::string> stored = {"stored"};
  for (const GrowthCost& cost : CostsOfGrowth(layout)) {
    table.columns.push_back({MonthsText(cost.months)});
    month.push_back(AmountText(cost.month_usd));
    storage.push_back(AmountText(cost.storage_usd));
    stored.push_back(BytesText(cost.stored_bytes));
  }
  table.rows = {std::move(month), std::move(storage), std::move(stored)};
  std::vector<std::size_t> changed = ChangedPatterns(layout);
  changed.resize(std::min(changed.size(), most_patterns));
  for (const std::size_t at : changed) {
    std::vector<std::string> row = {
        QuotedName(PatternForm(*layout.file, static_cast<int>(at)).name)};
    for (const GrowthStage& stage : layout.growth->stages) {
      const PatternCost& cost = stage.patterns[at];
      row.push_back(UnitsText({.read_units = cost.ReadUnits(),
                               .write_units = cost.WriteUnits(),
                               .searched_bytes = cost.SearchedBytes(),
                               .vector_write_bytes = cost.VectorWriteBytes()}));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<ThroughputLoad> ExpectedLoads(const GrownLayout& layout,
                                          const std::vector<PatternCost>& patterns) {
  std::vector<ThroughputLoad> loads;
  const auto load_of = [&](LabKey key) {
    const LabTable& table = TableOf(*layout.layout, key);
    const LabIndex* const index = IndexOf(*layout.layout, key);
    const bool is_of_table = index == nullptr || index->is_local;
    const LabThroughput& throughput = is_of_table ? table.throughput : index->throughput;
    const std::string name = is_of_table ? std::string() : index->name;
    const auto found = std::ranges::find_if(loads, [&](const ThroughputLoad& load) {
      return load.table == table.name && load.index == name;
    });
    if (found != loads.end()) return found;
    ThroughputLoad load{.table = table.name, .index = name, .on_demand = throughput.on_demand};
    load.infrequent_access = table.is_infrequent_access;
    load.provisioned_read_units = static_cast<double>(throughput.read_units);
    load.provisioned_write_units = static_cast<double>(throughput.write_units);
    return loads.insert(loads.end(), std::move(load));
  };
  for (const LabKey key : KeysOf(*layout.layout)) load_of(key);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const double rate = PatternForm(*layout.file, static_cast<int>(i)).calls_per_second;
    if (!(rate > 0)) continue;
    for (const KeyCost& cost : patterns[i].keys) {
      const auto load = load_of(cost.key);
      (cost.is_write ? load->write_units : load->read_units) += rate * cost.units * kLoadSeconds;
    }
    for (const VectorCost& cost : patterns[i].vectors) {
      const auto load = load_of({.table = cost.table});
      load->vector_bytes_searched += rate * cost.searched_bytes * kLoadSeconds;
      load->vector_bytes_written += rate * cost.written_bytes * kLoadSeconds;
    }
  }
  for (ThroughputLoad& load : loads) {
    load.stretches = {{60, load.read_units / kLoadSeconds, load.write_units / kLoadSeconds}};
  }
  return loads;
}

std::vector<GrowthCost> CostsOfGrowth(const GrownLayout& layout) {
  const PriceList& prices = BuiltInPrices();
  std::vector<GrowthCost> costs;
  for (const GrowthStage& stage : layout.growth->stages) {
    GrowthCost cost{.months = stage.months};
    for (const KeySize& size : stage.keys) cost.stored_bytes += size.bytes;
    for (const double bytes : stage.vector_bytes) cost.stored_bytes += bytes;
    cost.storage_usd = StorageUsd(layout, stage, prices);
    const MonthCost month = MonthOfLoads(ExpectedLoads(layout, stage.patterns), prices);
    cost.month_usd = month.as_declared.usd + cost.storage_usd;
    cost.units_above_capacity = month.as_declared.units_above_capacity;
    costs.push_back(cost);
  }
  return costs;
}

std::vector<std::string> GrowthSentences(const GrownLayout& layout) {
  std::vector<std::string> sentences;
  if (!layout.growth->has_changes) {
    return {
        "No pattern with a rate creates or deletes what this layout stores, and nothing "
        "expires, so the data stay as they are."};
  }
  for (GrowthSentence& sentence : SizeSentences(layout)) {
    sentences.push_back(std::move(sentence.text));
  }
  AddCapacity(layout, sentences);
  AddLeftOut(layout, sentences);
  return sentences;
}

std::vector<std::string> OutgrownSentences(const GrownLayout& layout) {
  std::vector<std::string> sentences;
  if (!layout.growth->has_changes) return sentences;
  for (GrowthSentence& sentence : SizeSentences(layout)) {
    if (sentence.ends_writes) sentences.push_back(std::move(sentence.text));
  }
  return sentences;
}

std::optional<GrownLayout> GrownLayoutOf(const LabFile& file, const std::string& name,
                                         const LayoutGrowth& growth) {
  const auto found = std::ranges::find(file.layouts, name, &LabLayout::name);
  if (found == file.layouts.end() || growth.stages.empty()) return std::nullopt;
  return GrownLayout{&file, &*found, &growth};
}

std::vector<GrownLayout> GrownLayoutsOf(const LabView& view) {
  std::vector<GrownLayout> grown;
  for (const LabLayoutFigures& layout : view.figures.layouts) {
    const auto one = GrownLayoutOf(view.file, layout.name, layout.run->growth);
    if (one) grown.push_back(*one);
  }
  return grown;
}

BillingFigures ExpectedBilling(const GrownLayout& layout) {
  const GrowthStage& now = FirstStage(layout);
  return BillingOf(*layout.file, ExpectedLoads(layout, now.patterns),
                   StorageUsd(layout, now, BuiltInPrices()));
}

ReportParts PartsOfGrowth(const std::vector<GrownLayout>& layouts, std::size_t most_patterns) {
  ReportParts parts;
  for (const GrownLayout& layout : layouts) {
    const std::vector<std::string> sentences = GrowthSentences(layout);
    if (!layout.growth->has_changes) {
      parts.push_back(
          ReportParagraph{ShortLayoutName(layout.layout->name) + ": " + sentences.front()});
      continue;
    }
    parts.push_back(TableOfGrowth(layout, most_patterns));
    if (!sentences.empty()) parts.push_back(ListOf(sentences));
  }
  return parts;
}

void WriteGrowthMember(const std::optional<GrownLayout>& grown, JsonWriter& writer) {
  WriteObjectMember("growth", grown.has_value(), writer, [&] {
    const GrownLayout& layout = *grown;
    const std::vector<GrowthCost> costs = CostsOfGrowth(layout);
    writer.BoolMember("has_changes", layout.growth->has_changes);
    std::size_t at = 0;
    WriteObjectsMember("stages", layout.growth->stages, writer, [&](const GrowthStage& stage) {
      const GrowthCost& cost = costs[at++];
      WriteFigureMember("months", stage.months, writer);
      WriteFigureMember("month_usd", cost.month_usd, writer);
      WriteFigureMember("storage_usd", cost.storage_usd, writer);
      WriteFigureMember("units_above_capacity", cost.units_above_capacity, writer);
      WriteFigureMember("stored_bytes", cost.stored_bytes, writer);
      WriteObjectsMember("resources", stage.keys, writer, [&](const KeySize& size) {
        const LabIndex* const index = IndexOf(*layout.layout, size.key);
        WriteTextMember("table", TableOf(*layout.layout, size.key).name, writer);
        WriteTextMember("index", index == nullptr ? std::string() : index->name, writer);
        WriteFigureMember("items", size.items, writer);
        WriteFigureMember("size_bytes", size.bytes, writer);
        WriteTextMember("largest_collection", size.collection, writer);
        WriteFigureMember("largest_collection_bytes", size.collection_bytes, writer);
      });
      const double vector_bytes =
          std::accumulate(stage.vector_bytes.begin(), stage.vector_bytes.end(), 0.0);
      if (vector_bytes > 0) WriteFigureMember("vector_index_bytes", vector_bytes, writer);
      WriteObjectsMember("fullest_items", stage.fullest, writer, [&](const FullestItem& item) {
        WriteTextMember("entity", EntityAt(*layout.file, item.entity).name, writer);
        WriteTextMember("inside", EntityAt(*layout.file, item.embedded).name, writer);
        WriteFigureMember("size_bytes", item.bytes, writer);
      });
      int pattern = 0;
      WriteObjectsMember("patterns", stage.patterns, writer, [&](const PatternCost& units) {
        const PatternCost* const known = units.IsKnown() ? &units : nullptr;
        WriteTextMember("name", PatternForm(*layout.file, pattern++).name, writer);
        WriteFigureMember("read_units_a_call",
                          known ? std::optional(units.ReadUnits()) : std::nullopt, writer);
        WriteFigureMember("write_units_a_call",
                          known ? std::optional(units.WriteUnits()) : std::nullopt, writer);
        WriteVectorMembers(units.SearchedBytes(), units.VectorWriteBytes(), writer);
      });
    });
    WriteTextsMember("sentences", GrowthSentences(layout), writer);
  });
}

}  // namespace hashrange
