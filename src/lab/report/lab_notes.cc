// The notes below the figures of a lab.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "lab/language/lab_facts.h"
#include "lab/plan/cost/file_model.h"
#include "lab/report/lab_sentences.h"
#include "lab/run/layout_database.h"
#include "measure/cost/price_list.h"
#include "measure/number_text.h"
#include "measure/report/report_figures.h"
#include "measure/report/report_time.h"

namespace hashrange {
namespace {

std::string RunName(const LayoutRun& run) {
  return run.scale == 1 ? QuotedName(run.layout)
                        : QuotedName(run.layout) + " at scale " + CountText(run.scale);
}

void AddPartialRuns(const LabFile& file, const LabResult& result, std::vector<std::string>& notes) {
  for (const LayoutRun& run : result.runs) {
    if (!run.is_partial) continue;
    notes.push_back("The run of " + RunName(run) + " was stopped after " +
                    LengthOfTimeText(run.simulated_ms) + " of " +
                    LengthOfTimeText(TrafficMs(file)) +
                    ": its figures are of what there was until then.");
  }
}

// Collects what is said alike of one pattern in several layouts.
class PatternNotes {
 public:
  // `end` is the rest of the sentence, after the pattern and the layouts.
  void Add(const std::string& pattern, const LabLayoutFigures& layout, const std::string& end) {
    layouts_[{pattern, end}].push_back(QuotedName(layout.name));
  }
  void AppendTo(std::vector<std::string>& notes) const {
    for (const auto& [key, layouts] : layouts_) {
      notes.push_back(QuotedName(key.first) + " in " + ListText(layouts) + key.second);
    }
  }

 private:
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> layouts_;
};

void AddImpossiblePatterns(const LabFigures& figures, std::vector<std::string>& notes) {
  PatternNotes impossible;
  for (const LabLayoutFigures& layout : figures.layouts) {
    for (const LabPatternFigures& pattern : layout.patterns) {
      if (pattern.IsImpossible()) {
        impossible.Add(pattern.name, layout,
                       " is not possible: " + AsSentence(pattern.plan->impossible));
      }
    }
  }
  impossible.AppendTo(notes);
}

// Patterns whose figures are of fewer calls than the file asks for.
void AddMissingCalls(const LabResult& result, const LabFigures& figures,
                     std::vector<std::string>& notes) {
  PatternNotes missing;
  for (const LabLayoutFigures& layout : figures.layouts) {
    for (const LabPatternFigures& pattern : layout.patterns) {
      const PatternRun* const run = pattern.run;
      if (run == nullptr || pattern.IsImpossible()) continue;
      if (run->calls == 0 && run->declared_calls_per_second > 0) {
        missing.Add(pattern.name, layout, " was not called, so it is missing in the figures.");
      } else if (run->calls > 0 && pattern.succeeded == 0) {
        missing.Add(pattern.name, layout, " had no call that succeeded, so its units are unknown.");
      }
      if (run->skipped > 0) {
        missing.Add(pattern.name, layout,
                    ": " +
                        CountedText(static_cast<double>(run->skipped), "call was", "calls were") +
                        " left out, as there was nothing that the call could be about.");
      }
      if (run->weight > static_cast<double>(result.thin)) {
        missing.Add(pattern.name, layout,
                    " reads so much that one of " + NumberText(run->weight) +
                        " calls was made; the call counts as all of these, but throttles less "
                        "than they would.");
      }
    }
  }
  missing.AppendTo(notes);
  for (const LayoutRun& run : result.runs) {
    const auto is_shown = [&](const LabLayoutFigures& layout) { return layout.run == &run; };
    if (std::ranges::any_of(figures.layouts, is_shown)) continue;
    for (const PatternRun& pattern : run.patterns) {
      if (!HasOnlyFailedCalls(pattern)) continue;
      notes.push_back(QuotedName(pattern.name) + " in " + RunName(run) +
                      " had no call that succeeded, so its units are unknown there.");
    }
  }
}

// Entities of which the traffic deletes more than there are.
void AddExhausted(const LabFile& file, const LabResult& result, std::vector<std::string>& notes) {
  const bool deletes = std::ranges::any_of(file.patterns, [](const LabPattern& pattern) {
    return std::ranges::count(pattern.writes, LabWrite::Kind::kDelete, &LabWrite::kind) > 0;
  });
  if (!deletes) return;
  const FileModel model(file);
  double scale = 1e18;
  for (const LayoutRun& run : result.runs) scale = std::min(scale, static_cast<double>(run.scale));
  for (int entity = 0; entity < static_cast<int>(file.entities.size()); ++entity) {
    const double initial = std::round(scale * model.Initial(entity));
    const double created = std::round(model.CreatedInAll(entity));
    const double deleted = std::round(model.DeletedInAll(entity));
    if (deleted <= initial + created) continue;
    notes.push_back("The traffic would delete about " + CountedText(deleted, "instance") + " of " +
                    EntityAt(file, entity).name + ", and there are " +
                    CountText(static_cast<std::uint64_t>(initial)) + " when it begins and about " +
                    CountText(static_cast<std::uint64_t>(created)) +
                    " that it creates: after about " +
                    NumberText(std::floor(100 * initial / (deleted - created))) +
                    " % of its calls none is left, and what is about one is left out. Raise "
                    "`count`, or create as many as are deleted.");
  }
}

// When calls fail, calls of few units and calls of keys that are not hot are served more than
// others.
void AddFailedCalls(const LabFigures& figures, std::vector<std::string>& notes) {
  constexpr double kFewCalls = 0.001;
  std::vector<std::string> layouts;
  for (const LabLayoutFigures& layout : figures.layouts) {
    if (layout.failed_share > kFewCalls && layout.throttled_share > 0) {
      layouts.push_back(QuotedName(layout.name));
    }
  }
  if (layouts.empty()) return;
  notes.push_back("Calls were throttled until they failed in " + ListText(layouts) +
                  ". Calls of few units, and of keys that are not hot, fail less, so units a call "
                  "are too small, and the month with them, and the first limit is too high. Run "
                  "traffic at the declared rates for these figures.");
}

void AddWrongAnswers(const LabFigures& figures, std::vector<std::string>& notes) {
  for (const LabLayoutFigures& layout : figures.layouts) {
    std::vector<std::string> wrong;
    for (const LabPatternFigures& pattern : layout.patterns) {
      if (pattern.wrong.most == 0) continue;
      wrong.push_back(WrongShareText(pattern.wrong) + " of " + QuotedName(pattern.name));
    }
    if (wrong.empty()) continue;
    notes.push_back("Calls that " + QuotedName(layout.name) +
                    " answers wrong, because items of several instances have one key: " +
                    ListText(wrong) + ".");
  }
}

// Errors that a working application would not get, such as a request that the database refuses.
void AddErrors(const LabResult& result, std::vector<std::string>& notes) {
  for (const LayoutRun& run : result.runs) {
    for (const PatternRun& pattern : run.patterns) {
      if (pattern.error.empty()) continue;
      notes.push_back(
          QuotedName(pattern.name) + " in " + RunName(run) +
          " had calls that failed by an error. The first: " + AsSentence(pattern.error));
    }
  }
}

// Says where a table or an index serves far more or less than its part, as whole units are served.
void AddRoughThroughput(const LabThroughput& throughput, std::uint64_t thin,
                        const std::string& title, std::vector<std::string>& rough) {
  constexpr double kLeastDifference = 0.05;
  if (throughput.on_demand) return;
  for (const auto& [units, direction] :
       {std::pair(throughput.read_units, "read"), std::pair(throughput.write_units, "write")}) {
    const double part = static_cast<double>(units) / static_cast<double>(thin);
    const auto served = static_cast<double>(ThinnedUnits(units, thin));
    if (std::abs(served - part) <= kLeastDifference * part) continue;
    rough.push_back(NumberText(served) + ", not " + NumberText(part) + ", of the " + direction +
                    " units of " + title);
  }
}

void AddRoughThroughputs(const LabFile& file, const LabResult& result, const LabFigures& figures,
                         std::vector<std::string>& notes) {
  for (const LabLayout& layout : file.layouts) {
    if (std::ranges::count(figures.layouts, layout.name, &LabLayoutFigures::name) == 0) continue;
    std::vector<std::string> rough;
    AddRoughThroughput({.on_demand = false,
                        .read_units = file.partitions.read_units,
                        .write_units = file.partitions.write_units},
                       result.thin, "a partition", rough);
    for (const LabTable& table : layout.tables) {
      AddRoughThroughput(table.throughput, result.thin, table.name, rough);
      for (const LabIndex& index : table.indexes) {
        if (index.is_local) continue;
        const std::string title = ResourceLabel(table.name, index.name);
        AddRoughThroughput(index.throughput, result.thin, title, rough);
      }
    }
    if (rough.empty()) continue;
    notes.push_back("Tables serve whole units, so in " + QuotedName(layout.name) +
                    " a second of the run has " + ListText(rough) +
                    ": its throttles are not those of what is declared. Leave out fewer calls.");
  }
}

void AddPatternsWithoutRate(const LabFile& file, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (const LabPattern& pattern : file.patterns) {
    if (!(pattern.calls_per_second >= 0)) names.push_back(QuotedName(pattern.name));
  }
  if (names.empty()) return;
  notes.push_back(
      "Without a declared rate, and so in no month and no first limit: " + ListText(names) + ".");
}

// Returns " after AWS's free tier (25 GB stored, …)", which other tables of the account may use up.
std::string FreeTierText(const PriceList& prices) {
  const auto free_of = [&](Charge charge) {
    const auto first =
        std::ranges::find(prices.prices, UsageTypeOf(charge, false), &Price::usage_type);
    return first != prices.prices.end() && first->usd == 0 ? first->end : 0.0;
  };
  return " after AWS's free tier (" + NumberText(free_of(Charge::kStorage)) + " GB stored, " +
         NumberText(free_of(Charge::kReadCapacity)) +
         " hours of a provisioned read unit and as many of a write unit), which all tables of an "
         "account share";
}

}  // namespace

std::string UnusualPartitionsText(const LabFile& file) {
  const PartitionParameters usual;
  std::string text;
  for (const WholePartitionParameter& row : kWholePartitionParameters) {
    const std::int64_t units = file.partitions.*row.value;
    if (row.kind != PartitionParameterKind::kUnits || units == usual.*row.value) continue;
    text += (text.empty() ? "" : "; ") + std::string(row.name) + " " + NumberText(units) +
            ", not " + NumberText(usual.*row.value);
  }
  if (text.empty()) return {};
  return "`partitions` of the file gives units a second that are not the service's: " + text +
         ". Limits, findings and throttles are those of such partitions.";
}

namespace {

void AddMethods(std::vector<std::string>& notes) {
  const PriceList& prices = BuiltInPrices();
  notes.push_back(
      "Measured, on simulated time: units, failures, what is stored. Modelled: partitions, and "
      "what "
      "they throttle; the month, which has the declared rates at every hour and takes every call "
      "as served, by prices of " +
      prices.region + " of " + prices.published + FreeTierText(prices) +
      "; first limits, which are computed from the units of the run for tables that are warm, and "
      "tried where they are not called computed.");
}

}  // namespace

std::vector<std::string> LabNotes(const LabFile& file, const LabResult& result,
                                  const LabFigures& figures) {
  std::vector<std::string> notes;
  if (figures.layouts.empty()) return notes;
  AddPartialRuns(file, result, notes);
  AddErrors(result, notes);
  AddImpossiblePatterns(figures, notes);
  if (result.thin > 1) {
    notes.push_back("One of " + CountText(result.thin) +
                    " calls was made, and tables and partitions served as much less. Calls of "
                    "many units are throttled sooner than they would be, so throttles and failures "
                    "are rough.");
  }
  AddRoughThroughputs(file, result, figures, notes);
  AddMissingCalls(result, figures, notes);
  AddExhausted(file, result, notes);
  AddFailedCalls(figures, notes);
  AddWrongAnswers(figures, notes);
  AddPatternsWithoutRate(file, notes);
  if (std::string text = UnusualPartitionsText(file); !text.empty()) {
    notes.push_back(std::move(text));
  }
  AddMethods(notes);
  return notes;
}

}  // namespace hashrange
