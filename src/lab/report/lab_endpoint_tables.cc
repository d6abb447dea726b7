#include "lab/report/lab_endpoint_tables.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lab/report/lab_sentences.h"
#include "lab/run/traffic_arrivals.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr double kUsPerMs = 1000;
// Calls that begin so much later than they were to are worth a sentence.
constexpr double kLateUs = 5000;

std::string MsText(double us) { return NumberText(us / kUsPerMs); }

std::string ShareOf(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : PercentText(static_cast<double>(part) / static_cast<double>(whole));
}

std::string UnitsOfRun(const PatternRun& run) {
  if (run.read_units.count() + run.write_units.count() == 0) return "-";
  return UnitsText(run.read_units.mean(), run.write_units.mean());
}

const PatternRun* PatternOf(const LayoutRun* run, const std::string& name) {
  if (run == nullptr) return nullptr;
  const auto found = std::ranges::find(run->patterns, name, &PatternRun::name);
  return found == run->patterns.end() ? nullptr : &*found;
}

bool HasCalls(const EndpointPatternRun& pattern) {
  return pattern.run.calls + pattern.not_made + pattern.unfinished > 0;
}

std::vector<std::string> CallsRow(const EndpointLayoutRun& run, const EndpointPatternRun& pattern,
                                  double wanted) {
  const Distribution& latency = pattern.latency_us;
  const auto ms = [&](double us) { return latency.count() == 0 ? "-" : MsText(us); };
  return {pattern.run.name,
          CountText(pattern.run.calls),
          NumberText(wanted),
          NumberText(EndedCallsPerSecond(run, pattern)),
          ms(latency.Percentile(0.5)),
          ms(latency.Percentile(0.9)),
          ms(latency.Percentile(0.99)),
          ms(latency.max())};
}

std::string DifferentText(const UnitComparison& units) {
  if (units.compared == 0) return "-";
  return CountText(units.different) + " of " + CountText(units.compared);
}

std::vector<std::string> UnitsRow(const PatternRun* modelled, const EndpointPatternRun& pattern) {
  return {pattern.run.name, modelled == nullptr ? "-" : UnitsOfRun(*modelled),
          UnitsOfRun(pattern.run), DifferentText(pattern.units)};
}

std::vector<std::string> FailuresRow(const PatternRun* modelled,
                                     const EndpointPatternRun& pattern) {
  const PatternRun& run = pattern.run;
  return {run.name,
          modelled == nullptr ? "-" : ShareOf(modelled->throttled, modelled->requests),
          ShareOf(run.throttled, run.requests),
          modelled == nullptr ? "-" : ShareOf(modelled->failed, modelled->calls),
          ShareOf(run.failed, run.calls),
          CountText(run.broken + run.refused)};
}

FigureTable TableOf(std::string caption, const std::vector<std::string>& columns) {
  FigureTable table{.caption = std::move(caption)};
  for (const std::string& column : columns) {
    table.columns.push_back(
        {column, table.columns.empty() ? ColumnKind::kText : ColumnKind::kNumber});
  }
  return table;
}

// --- Sentences ---

// The sums of all patterns of a layout.
struct EndpointSums {
  UnitComparison units = {};
  std::uint64_t not_made = 0;
  std::uint64_t unfinished = 0;
  std::uint64_t broken = 0;
};

EndpointSums SumsOf(const EndpointLayoutRun& run) {
  EndpointSums sums;
  for (const EndpointPatternRun& pattern : run.patterns) {
    const UnitComparison& units = pattern.units;
    sums.units.compared += units.compared;
    sums.units.different += units.different;
    sums.units.uncertain += units.uncertain;
    sums.units.not_comparable += units.not_comparable;
    sums.units.unreported += units.unreported;
    sums.units.twin_refused += units.twin_refused;
    sums.units.reported_units += units.reported_units;
    sums.units.twin_units += units.twin_units;
    sums.not_made += pattern.not_made;
    sums.unfinished += pattern.unfinished;
    sums.broken += pattern.run.broken;
  }
  return sums;
}

std::string Counted(std::uint64_t count, const char* one, const char* several) {
  return CountedText(static_cast<double>(count), one, several);
}

void AddUnits(const EndpointLayoutRun& run, const UnitComparison& units,
              std::vector<std::string>& out) {
  if (units.compared > 0) {
    std::string text = "Of " + CountText(units.compared) + " requests, the endpoint reported " +
                       NumberText(units.reported_units) +
                       " units, and the twin in this process took " + NumberText(units.twin_units) +
                       "; " + Counted(units.different, "request differs", "requests differ");
    if (units.uncertain > 0) {
      text += ", of which " + CountText(units.uncertain) +
              " met a write, so that their order is not known";
    }
    out.push_back(text + ".");
  }
  for (const EndpointPatternRun& pattern : run.patterns) {
    if (pattern.units.first_difference.empty()) continue;
    out.push_back("An example of \"" + pattern.run.name + "\": " + pattern.units.first_difference +
                  ".");
  }
  if (units.unreported > 0) {
    out.push_back("The endpoint reported no units for " +
                  Counted(units.unreported, "request", "requests") +
                  ": those of the twin stand for them.");
  }
  if (units.not_comparable > 0) {
    out.push_back(Counted(units.not_comparable, "answer was", "answers were") +
                  " not compared: pages of a Scan, whose order is the endpoint's own, and batches "
                  "that were processed in part.");
  }
  if (units.twin_refused > 0) {
    out.push_back(Counted(units.twin_refused, "request", "requests") +
                  " that the endpoint served failed in the twin, as calls at one time have another "
                  "order there.");
  }
}

// Returns the text with a full stop.
std::string Sentence(std::string text) {
  if (!text.ends_with('.')) text += '.';
  return text;
}

std::vector<std::string> SentencesOf(const EndpointLayoutRun& run) {
  std::vector<std::string> out;
  if (!run.ended_early_because.empty()) {
    out.push_back(Sentence("Ended early: " + run.ended_early_because));
  }
  if (!run.left_behind.empty()) out.push_back(Sentence(run.left_behind));
  const EndpointSums sums = SumsOf(run);
  AddUnits(run, sums.units, out);
  for (const EndpointPatternRun& pattern : run.patterns) {
    if (pattern.run.error.empty()) continue;
    out.push_back(Sentence("\"" + pattern.run.name + "\": " + pattern.run.error));
  }
  if (sums.broken > 0) {
    out.push_back(Counted(sums.broken, "request was", "requests were") +
                  " not answered, or got a failure of the server; `client` says how often a "
                  "request is sent.");
  }
  if (sums.not_made > 0) {
    out.push_back(Counted(sums.not_made, "call was", "calls were") +
                  " not made, because too many were open.");
  }
  if (sums.unfinished > 0) {
    out.push_back(Counted(sums.unfinished, "call was", "calls were") +
                  " open when the run ended, and no figure has them.");
  }
  if (run.lateness_us.Percentile(0.99) > kLateUs) {
    out.push_back("This machine was late: of 100 calls, one began " +
                  MsText(run.lateness_us.Percentile(0.99)) +
                  " ms after its instant or later, which is in the latencies.");
  }
  return out;
}

LabEndpointTables TablesOf(const LabFile& file, const LabResult& result,
                           const EndpointLayoutRun& run) {
  FigureTable calls =
      TableOf("Calls at the endpoint: " + run.layout,
              {"Latency in ms", "calls", "wanted/s", "ended/s", "p50", "p90", "p99", "max"});
  FigureTable units = TableOf("Units, modelled and at the endpoint: " + run.layout,
                              {"Units a call", "modelled", "endpoint", "differ from twin"});
  FigureTable failures =
      TableOf("Throttles and failures, modelled and there: " + run.layout,
              {"Shares", "throttled", "endpoint", "failed", "endpoint", "errors"});
  const LayoutRun* const modelled = ModelledRunOf(result, run.layout);
  for (std::size_t at = 0; at < run.patterns.size(); ++at) {
    const EndpointPatternRun& pattern = run.patterns[at];
    if (!HasCalls(pattern)) continue;
    const PatternRun* const model = PatternOf(modelled, pattern.run.name);
    calls.rows.push_back(
        CallsRow(run, pattern, WantedCallsPerSecond(file, *result.endpoint, run, at)));
    units.rows.push_back(UnitsRow(model, pattern));
    failures.rows.push_back(FailuresRow(model, pattern));
  }
  LabEndpointTables tables{.layout = run.layout, .sentences = SentencesOf(run)};
  if (!calls.rows.empty()) {
    tables.tables = {std::move(calls), std::move(units), std::move(failures)};
  }
  return tables;
}

}  // namespace

const LayoutRun* ModelledRunOf(const LabResult& result, const std::string& layout) {
  const auto found = std::ranges::find(result.runs, layout, &LayoutRun::layout);
  return found == result.runs.end() ? nullptr : &*found;
}

double WantedCallsPerSecond(const LabFile& file, const EndpointResult& endpoint,
                            const EndpointLayoutRun& run, std::size_t pattern) {
  const double rate = file.patterns[pattern].calls_per_second;
  if (!(rate > 0) || !(run.traffic_s > 0)) return 0;
  return rate * endpoint.rate * TrafficFactor(file.traffic).AreaAt(run.traffic_s) / run.traffic_s;
}

double EndedCallsPerSecond(const EndpointLayoutRun& run, const EndpointPatternRun& pattern) {
  return run.elapsed_s > 0 ? static_cast<double>(pattern.run.calls) / run.elapsed_s : 0;
}

std::string EndpointTitle(const EndpointResult& endpoint) {
  return "At " + endpoint.url + ", at " + PercentText(endpoint.rate) + " of the declared rates";
}

std::vector<LabEndpointTables> EndpointTablesOf(const LabFile& file, const LabResult& result) {
  std::vector<LabEndpointTables> all;
  if (!result.endpoint) return all;
  for (const EndpointLayoutRun& run : result.endpoint->runs) {
    all.push_back(TablesOf(file, result, run));
  }
  return all;
}

}  // namespace hashrange
