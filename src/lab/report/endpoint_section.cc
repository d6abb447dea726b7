// The calls that a lab made at an endpoint, beside the modelled run.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/report/lab_sections.h"
#include "lab/report/lab_sentences.h"
#include "lab/run/traffic_arrivals.h"
#include "measure/number_text.h"
#include "measure/report/json_report_members.h"

namespace hashrange {
namespace {

// --- Figures ---

// Returns the modelled run of the layout; null where there is none.
const LayoutRun* ModelledRunOf(const LabResult& result, const std::string& layout) {
  const auto found = std::ranges::find(result.runs, layout, &LayoutRun::layout);
  return found == result.runs.end() ? nullptr : &*found;
}

// Returns how many calls a second the pattern was to make at the endpoint.
double WantedCallsPerSecond(const LabFile& file, const EndpointResult& endpoint,
                            const EndpointLayoutRun& run, std::size_t pattern) {
  const double rate = file.patterns[pattern].calls_per_second;
  if (!(rate > 0) || !(run.traffic_s > 0)) return 0;
  return rate * endpoint.rate * TrafficFactor(file.traffic).AreaAt(run.traffic_s) / run.traffic_s;
}

// Returns how many calls of the pattern ended in a second.
double EndedCallsPerSecond(const EndpointLayoutRun& run, const EndpointPatternRun& pattern) {
  return run.elapsed_s > 0 ? static_cast<double>(pattern.run.calls) / run.elapsed_s : 0;
}

// Returns where and how the calls were made: "At http://127.0.0.1:8000, at 10 % of the declared
// rates".
std::string EndpointTitle(const EndpointResult& endpoint) {
  return "At " + endpoint.url + ", at " + PercentText(endpoint.rate) + " of the declared rates";
}

// --- Tables ---

constexpr double kUsPerMs = 1000;
// Calls that begin so much later than they were to are worth a sentence.
constexpr double kLateUs = 5000;

std::string MsText(double us) { return NumberText(us / kUsPerMs); }

std::string ShareOf(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : PercentText(static_cast<double>(part) / static_cast<double>(whole));
}

std::string UnitsOfRun(const PatternRun& run) {
  if (run.read_units.count() + run.write_units.count() == 0) return "-";
  const auto succeeded =
      static_cast<double>(std::max(run.read_units.count(), run.write_units.count()));
  return UnitsText({.read_units = run.read_units.mean(),
                    .write_units = run.write_units.mean(),
                    .searched_bytes = run.searched_bytes / std::max(1.0, succeeded),
                    .vector_write_bytes = run.vector_write_bytes / std::max(1.0, succeeded)});
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

ReportTable TableOf(std::string caption, const std::vector<std::string>& columns) {
  ReportTable table{.caption = std::move(caption), .most_lines = 2};
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

// Adds a sentence that begins with the count, unless the count is 0.
void AddCounted(std::uint64_t count, const char* one, const char* several, const char* rest,
                std::vector<std::string>& out) {
  if (count > 0) out.push_back(Counted(count, one, several) + rest);
}

void AddUnits(const EndpointLayoutRun& run, const UnitComparison& units,
              std::vector<std::string>& out) {
  if (units.compared > 0) {
    std::string text = "Of " + CountedText(units.compared, "request") + ", the endpoint reported " +
                       CountedText(units.reported_units, "unit") +
                       ", and the twin in this process took " + NumberText(units.twin_units) +
                       "; " + Counted(units.different, "request differs", "requests differ");
    if (units.uncertain > 0) {
      text += ", of which " + CountText(units.uncertain) +
              " met a write, so that their order is not known";
    }
    out.push_back(text + ".");
  }
  for (const EndpointPatternRun& pattern : run.patterns) {
    if (pattern.units.first_difference.empty()) continue;
    out.push_back("An example of \"" + pattern.run.name +
                  "\": " + AsSentence(pattern.units.first_difference));
  }
  if (units.unreported > 0) {
    out.push_back("The endpoint reported no units for " +
                  Counted(units.unreported, "request", "requests") +
                  ": those of the twin stand for them.");
  }
  AddCounted(units.not_comparable, "answer was", "answers were",
             " not compared: pages of a Scan, whose order is the endpoint's own, and batches that "
             "were processed in part.",
             out);
  AddCounted(units.twin_refused, "request", "requests",
             " that the endpoint served failed in the twin, as calls at one time have another "
             "order there.",
             out);
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
  AddCounted(sums.broken, "request was", "requests were",
             " not answered, or got a failure of the server; `client` says how often a request is "
             "sent.",
             out);
  AddCounted(sums.not_made, "call was", "calls were", " not made, because too many were open.",
             out);
  AddCounted(sums.unfinished, "call was", "calls were",
             " open when the run ended, and no figure has them.", out);
  if (run.lateness_us.Percentile(0.99) > kLateUs) {
    out.push_back("This machine was late: of 100 calls, one began " +
                  MsText(run.lateness_us.Percentile(0.99)) +
                  " ms after its instant or later, which is in the latencies.");
  }
  return out;
}

// How many calls, how fast, how long they took; units, modelled and at the endpoint; throttles and
// failures. None where no call was made.
std::vector<ReportTable> TablesOf(const LabView& view, const EndpointLayoutRun& run) {
  ReportTable calls =
      TableOf("Calls at the endpoint: " + run.layout,
              {"Latency in ms", "calls", "wanted/s", "ended/s", "p50", "p90", "p99", "max"});
  ReportTable units = TableOf("Units, modelled and at the endpoint: " + run.layout,
                              {"Units a call", "modelled", "endpoint", "differ from twin"});
  ReportTable failures =
      TableOf("Throttles and failures, modelled and there: " + run.layout,
              {"Shares", "throttled", "endpoint", "failed", "endpoint", "errors"});
  const LayoutRun* const modelled = ModelledRunOf(view.result, run.layout);
  for (std::size_t at = 0; at < run.patterns.size(); ++at) {
    const EndpointPatternRun& pattern = run.patterns[at];
    if (!HasCalls(pattern)) continue;
    const PatternRun* const model =
        modelled == nullptr ? nullptr : FindPatternRun(*modelled, pattern.run.name);
    calls.rows.push_back(
        CallsRow(run, pattern, WantedCallsPerSecond(view.file, *view.result.endpoint, run, at)));
    units.rows.push_back(UnitsRow(model, pattern));
    failures.rows.push_back(FailuresRow(model, pattern));
  }
  if (calls.rows.empty()) return {};
  return {std::move(calls), std::move(units), std::move(failures)};
}

// --- JSON ---

void WriteMs(std::string_view name, const Distribution& us, JsonWriter& writer) {
  WriteObjectMember(name, us.count() > 0, writer, [&] {
    WriteFigureMember("mean", us.mean() / kUsPerMs, writer);
    WriteFigureMember("p50", us.Percentile(0.5) / kUsPerMs, writer);
    WriteFigureMember("p90", us.Percentile(0.9) / kUsPerMs, writer);
    WriteFigureMember("p99", us.Percentile(0.99) / kUsPerMs, writer);
    WriteFigureMember("max", us.max() / kUsPerMs, writer);
  });
}

void WriteUnitsACall(std::string_view name, const Distribution& units, JsonWriter& writer) {
  WriteObjectMember(name, units.count() > 0, writer, [&] {
    WriteFigureMember("mean", units.mean(), writer);
    WriteFigureMember("p99", units.Percentile(0.99), writer);
    WriteFigureMember("max", units.max(), writer);
  });
}

void WriteComparison(const UnitComparison& units, JsonWriter& writer) {
  WriteObjectMember("units_and_twin", true, writer, [&] {
    writer.IntegerMember("requests_compared", units.compared);
    writer.IntegerMember("different", units.different);
    writer.IntegerMember("different_while_writing", units.uncertain);
    writer.IntegerMember("not_comparable", units.not_comparable);
    writer.IntegerMember("not_reported", units.unreported);
    writer.IntegerMember("refused_by_twin", units.twin_refused);
    WriteFigureMember("reported_units", units.reported_units, writer);
    WriteFigureMember("twin_units", units.twin_units, writer);
    WriteTextMember("first_difference", units.first_difference, writer);
  });
}

void WriteEndpointPattern(const EndpointPatternRun& pattern, JsonWriter& writer) {
  const PatternRun& run = pattern.run;
  writer.IntegerMember("calls", run.calls);
  writer.IntegerMember("failed", run.failed);
  writer.IntegerMember("failed_conditions", run.conditions);
  writer.IntegerMember("skipped", run.skipped);
  writer.IntegerMember("not_made", pattern.not_made);
  writer.IntegerMember("unfinished", pattern.unfinished);
  writer.IntegerMember("requests", run.requests);
  writer.IntegerMember("throttled", run.throttled);
  writer.IntegerMember("not_answered", run.broken);
  writer.IntegerMember("refused", run.refused);
  writer.IntegerMember("items", run.items);
  WriteTextMember("first_error", run.error, writer);
  WriteMs("latency_ms", pattern.latency_us, writer);
  WriteUnitsACall("read_units_a_call", run.read_units, writer);
  WriteUnitsACall("write_units_a_call", run.write_units, writer);
  WriteComparison(pattern.units, writer);
}

void WriteEndpointLayout(const LabFile& file, const EndpointResult& endpoint,
                         const EndpointLayoutRun& run, JsonWriter& writer) {
  WriteTextMember("name", run.layout, writer);
  WriteTextMember("ended_early_because", run.ended_early_because, writer);
  WriteTextMember("left_behind", run.left_behind, writer);
  writer.IntegerMember("items_filled", run.items_filled);
  WriteFigureMember("fill_seconds", run.fill_s, writer);
  WriteFigureMember("traffic_seconds", run.traffic_s, writer);
  WriteFigureMember("elapsed_seconds", run.elapsed_s, writer);
  if (endpoint.is_charged) WriteFigureMember("spent_usd", run.spent_usd, writer);
  WriteMs("began_late_ms", run.lateness_us, writer);
  writer.BeginArray("patterns");
  for (std::size_t at = 0; at < run.patterns.size(); ++at) {
    const EndpointPatternRun& pattern = run.patterns[at];
    writer.BeginObject();
    WriteTextMember("name", pattern.run.name, writer);
    WriteFigureMember("wanted_calls_per_second", WantedCallsPerSecond(file, endpoint, run, at),
                      writer);
    WriteFigureMember("ended_calls_per_second", EndedCallsPerSecond(run, pattern), writer);
    WriteEndpointPattern(pattern, writer);
    writer.EndObject();
  }
  writer.EndArray();
}

}  // namespace

ReportParts EndpointParts(const LabView& view) {
  ReportParts parts = {ReportParagraph{EndpointTitle(*view.result.endpoint) + "."}};
  for (const EndpointLayoutRun& run : view.result.endpoint->runs) {
    for (ReportTable& table : TablesOf(view, run)) parts.push_back(std::move(table));
    std::vector<std::string> sentences = SentencesOf(run);
    if (sentences.empty()) continue;
    parts.push_back(ReportHeading{run.layout});
    parts.push_back(ListOf(std::move(sentences)));
  }
  return parts;
}

std::vector<ReportSection> TerminalEndpoint(const LabView& view) {
  std::vector<ReportSection> sections;
  if (!view.result.endpoint) return sections;
  const EndpointResult& endpoint = *view.result.endpoint;
  for (const EndpointLayoutRun& run : endpoint.runs) {
    ReportSection& section = sections.emplace_back();
    section.heading = EndpointTitle(endpoint) + ": " + ShortLayoutName(run.layout);
    for (ReportTable& table : TablesOf(view, run)) {
      if (!section.parts.empty()) section.parts.push_back(ReportBlankLine{});
      section.parts.push_back(std::move(table));
    }
    section.parts.push_back(ListOf(SentencesOf(run)));
  }
  return sections;
}

void WriteEndpointMember(const LabFile& file, const LabResult& result, JsonWriter& writer) {
  if (!result.endpoint) return;
  const EndpointResult& endpoint = *result.endpoint;
  WriteObjectMember("endpoint", true, writer, [&] {
    WriteTextMember("url", endpoint.url, writer);
    WriteTextMember("table_prefix", endpoint.prefix, writer);
    WriteFigureMember("share_of_declared_rates", endpoint.rate, writer);
    WriteObjectsMember("layouts", endpoint.runs, writer, [&](const EndpointLayoutRun& run) {
      WriteEndpointLayout(file, endpoint, run, writer);
    });
  });
}

}  // namespace hashrange
