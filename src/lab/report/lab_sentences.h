// The wording that the reports of a lab share, beside the figures of measure/number_text.h. Texts
// of the file stand in it as they are: whoever shows a sentence makes it readable (readable_text.h,
// html_writer.h). Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/report/lab_figures.h"

namespace hashrange {

// Returns the name in quotes, cut where it is very long.
std::string QuotedName(const std::string& name);

// Returns "a", "a and b", "a, b and c"; of many the first, and how many more there are.
std::string ListText(const std::vector<std::string>& parts);

// Returns a finding in a line: "one key: An index is not read. shop / GSI1.".
std::string FindingText(const std::string& layout, const std::string& what,
                        const std::string& where);

// Returns the notes below the figures, those that most change what the figures say first: what was
// left out, stopped or thinned, and how the figures came about (lab_notes.cc).
std::vector<std::string> LabNotes(const LabFile& file, const LabResult& result,
                                  const LabFigures& figures);

// Returns a sentence with the units a second by which the partitions of the file are not those of
// the service; empty where there are none (lab_notes.cc).
std::string UnusualPartitionsText(const LabFile& file);

// Returns "3.1 × the declared rates".
std::string MultipleText(double multiple);

// Returns the names, quoted, of the patterns of the layout for which `holds` returns true.
std::vector<std::string> PatternsWhere(const LabLayoutFigures& layout,
                                       bool (LabPatternFigures::*holds)() const);
// Returns the names, quoted, of the patterns of the layout none of whose calls was served.
inline std::vector<std::string> FailedPatterns(const LabLayoutFigures& layout) {
  return PatternsWhere(layout, &LabPatternFigures::HasOnlyFailures);
}

// Returns what the limit is of, and why it throttles: "shop / GSI1, key GSI1PK=CUSTOMER, writes
// (IndexWriteKeyRangeThroughputExceeded)".
std::string LimitPlaceText(const LimitRow& row);

// Returns the first limit: "3.1 × the declared rates once its tables are warm: shop / GSI1, key
// GSI1PK=CUSTOMER, writes (IndexWriteKeyRangeThroughputExceeded)", or why there is none. What no
// trials confirm is called computed.
std::string FirstDeclaredLimitText(const LabLayoutFigures& layout);

// Returns "3.2 %", or "3.2 % to 4.1 %" where it is not known more exactly.
std::string WrongShareText(const WrongShare& wrong);

// Returns "answers 3.2 % of its calls wrong, as 40 of 400 items share a key with another", or
// which items it loses where no call was judged. Empty: the layout keeps every item.
std::string WrongAnswersText(const LabLayoutFigures& layout);

// Returns where most was throttled, and why: "mostly of "sign up", at shop / GSI1, key
// GSI1PK=CUSTOMER (IndexWriteKeyRangeThroughputExceeded)". Empty: nothing was.
std::string ThrottlePlaceText(const ThrottlePlace& place);

// Returns a sentence about what the traffic of the file throttled although it is below the first
// limit: "In the traffic of the file, at up to 60 × the declared rates, "a" throttled 2.6 % of the
// requests, mostly of "sign up": its tables were new then, and serve less than warm ones." Empty:
// nothing was throttled but a few requests.
std::string EarlyThrottlesText(const LabLayoutFigures& layout);

// Returns "holds", "undecided" or "breaks".
std::string TrialOutcomeText(const LimitTrial& trial);

// Returns between which trials the first limit is: "Run at 2.8 ×: holds, 0 % throttled; at 3 ×:
// breaks, 8.2 % throttled, all of "sign up"." Empty: there were none.
std::string TrialsText(const LayoutRun& run);

// Returns why no trials confirm the first limit of the layout, or why what they confirm differs
// from the formula: "The formula gives 4 ×: a partition was cut in the trials." Empty: there is
// nothing to say.
std::string LimitDoubtText(const LabLayoutFigures& layout);

// Returns what the month lacks: "without "look", whose cost is not known". Empty: nothing.
std::string MissingInMonthText(const LabLayoutFigures& layout);

// Returns "US$ 12.30 a month", and what is not in it: "US$ 12.30 a month without "look", whose cost
// is not known". The layout has a month.
std::string MonthText(const LabLayoutFigures& layout);

// Returns what the calls of a month cost: "12.30", "not known", or "-" where no rate is declared or
// the pattern is not possible.
std::string PatternMonthText(const LabPatternFigures& pattern);

// Returns how keys serve a pattern: "by key", "by key, with a filter", "by a Scan".
std::string ServiceText(const PatternPlan& plan);

// Returns the units of a call: "3.1 r", "0.5 r + 10 w"; "-" when no call succeeded, "not possible"
// when there cannot be one.
std::string CallUnitsText(const LabPatternFigures& pattern);
// Returns the same of the 99th percentile.
std::string CallUnitsP99Text(const LabPatternFigures& pattern);

// Returns the mean units of a call at a scale; "all calls failed"; "-" when no call was made.
std::string ScaleUnitsText(const LabPatternFigures& pattern);

// Returns mean units of a call, of both kinds: "3.1 r", "0.5 r + 10 w", "0".
std::string UnitsText(double read_units, double write_units);

// What a call takes, on average.
struct TakenOfCall {
  double read_units = 0;
  double write_units = 0;
  double searched_bytes = 0;  // of vectors
  double vector_write_bytes = 0;
};
// "0.5 r + 13.9 KB searched", "2 w + 1.5 KB of vectors"; as above where there are no vectors.
std::string UnitsText(const TakenOfCall& taken);

}  // namespace hashrange
