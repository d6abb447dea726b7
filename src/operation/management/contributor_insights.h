// Contributor Insights of a table or of one of its global indexes: the states that a client sees
// (docs/service/17-global-tables-and-account.md, sections C and G). Hashrange keeps the states and
// the names of the rules; it counts no keys. Any thread.
//
//   never enabled ──▶ ENABLING ──▶ ENABLED ⇄ ENABLING, with another mode
//                                     │
//                     DISABLED ◀── DISABLING
//
// ENABLING and DISABLING last for Context::transition_ms. A state is worked out from the time of
// the last update, so that nothing has to end a transition.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "operation/call/context.h"

namespace hashrange {

// What the Contributor Insights of a request belong to: a table, or one of its global indexes.
struct InsightsTarget {
  TableRef table;
  const IndexVersion* index = nullptr;  // null: the table itself

  const std::optional<ContributorInsights>& insights() const {
    return index ? index->insights : table->settings.insights;
  }
};

// Returns what the members TableName and IndexName of the request name.
// Errors: ResourceNotFoundException  the table, or a global index of that name, does not exist
//         ValidationException        an ARN of another Region
Result<InsightsTarget> FindInsightsTarget(const Context& context, const RequestObject& request);

// Returns ContributorInsightsStatus as of now.
std::string_view InsightsStatus(const Context& context,
                                const std::optional<ContributorInsights>& insights);
std::string_view InsightsModeName(InsightsMode mode);

// Returns the names of the rules, ascending by the time of their making and then as the service
// lists them; empty while the insights are disabled.
std::vector<std::string> InsightsRules(const InsightsTarget& target);

// Write the members TableName and IndexName, and the members of the status and the mode.
void WriteInsightsTarget(const InsightsTarget& target, JsonWriter& answer);
void WriteInsightsStatus(const Context& context, const InsightsTarget& target, JsonWriter& answer);
void WriteInsightsMode(const InsightsTarget& target, JsonWriter& answer);

}  // namespace hashrange
