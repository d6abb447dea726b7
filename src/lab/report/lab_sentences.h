// The wording that the reports of a lab share, beside the figures of measure/number_text.h. Texts
// of the file stand in it as they are: whoever shows a sentence makes it readable (readable_text.h,
// html_writer.h). Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "lab/report/lab_figures.h"

namespace hashrange {

// Returns the name in quotes, cut where it is very long.
std::string QuotedName(const std::string& name);

// Returns "a", "a and b", "a, b and c"; of many the first, and how many more there are.
std::string ListText(const std::vector<std::string>& parts);

// Returns "3.1 × the declared rates".
std::string MultipleText(double multiple);

// Returns what the limit is of: "shop / GSI1, key GSI1PK=CUSTOMER, writes".
std::string LimitPlaceText(const LimitRow& row);

// Returns the first limit: "3.1 × the declared rates: shop / GSI1, key GSI1PK=CUSTOMER, writes", or
// why there is none.
std::string FirstDeclaredLimitText(const LabLayoutFigures& layout);

// Returns what the trials of the first limit gave: "Run at 2.8 ×: 0 % throttled; at 3.4 ×: 8.2 %
// throttled." Empty: there were none.
std::string TrialsText(const LayoutRun& run);

// Returns why no trial confirms the first limit of the layout: "no trial was asked for", "above it,
// nothing was throttled". Empty: trials confirm it, or no limit was computed.
std::string NotConfirmedBecause(const LabLayoutFigures& layout);

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

// Returns mean units of a call, of both kinds: "3.1 r", "0.5 r + 10 w", "0".
std::string UnitsText(double read_units, double write_units);

}  // namespace hashrange
