// ListContributorInsights (docs/service/17-global-tables-and-account.md, section C).
//
//   NextToken   the name of the last table of the page, and "/" and the name of its last index when
//               the last summary is about an index (section G of the same file)
#include <algorithm>
#include <string>

#include "operation/call/operations.h"
#include "operation/management/contributor_insights.h"
#include "operation/table/table_lookup.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

constexpr std::int64_t kMaxSummaries = 100;
constexpr std::size_t kTablesAtOnce = 100;

struct ListContributorInsightsRequest {
  std::optional<std::string_view> table_name;
  std::optional<std::string_view> next_token;
  std::size_t limit;
};

ListContributorInsightsRequest ReadListContributorInsightsRequest(const RequestObject& request) {
  const std::int64_t limit = request.Integer("MaxResults").value_or(kMaxSummaries);
  return {request.String("TableName"), request.String("NextToken"),
          static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 1, kMaxSummaries))};
}

// One page of summaries, which has one summary more than asked for when others follow.
class SummaryPage {
 public:
  SummaryPage(const Context& context, std::size_t limit) : context_(context), limit_(limit) {}

  bool is_full() const { return summaries_.size() > limit_; }

  // Adds the table and its global indexes, those that are not disabled. When `after` is the name of
  // one of its indexes, only the indexes behind that one are added; when it is empty, only indexes.
  void AddTable(const TableRef& table, std::optional<std::string_view> after = std::nullopt) {
    if (!after) Add({table});
    const bool is_after_index = after && !after->empty();
    if (is_after_index && !table->FindIndex(*after)) return;
    bool is_behind = !is_after_index;
    for (const IndexVersion& index : table->indexes) {
      if (is_behind) Add({table, &index});
      if (is_after_index && index.schema.name == *after) is_behind = true;
    }
  }

  void Write(JsonWriter& answer) const {
    const std::size_t count = std::min(limit_, summaries_.size());
    answer.BeginObject();
    answer.BeginArray("ContributorInsightsSummaries");
    for (std::size_t i = 0; i < count; ++i) {
      answer.BeginObject();
      WriteInsightsTarget(summaries_[i], answer);
      WriteInsightsStatus(context_, summaries_[i], answer);
      WriteInsightsMode(summaries_[i], answer);
      answer.EndObject();
    }
    answer.EndArray();
    if (is_full()) answer.StringMember("NextToken", TokenOf(summaries_[count - 1]));
    answer.EndObject();
  }

 private:
  void Add(InsightsTarget target) {
    if (is_full() || InsightsStatus(context_, target.insights()) == "DISABLED") return;
    summaries_.push_back(std::move(target));
  }

  static std::string TokenOf(const InsightsTarget& target) {
    return target.index ? target.table->name + "/" + target.index->schema.name : target.table->name;
  }

  const Context& context_;
  const std::size_t limit_;
  std::vector<InsightsTarget> summaries_;
};

// Adds the tables of the account whose names are after `after`, until the page is full.
void AddTables(const Context& context, std::optional<std::string_view> after, SummaryPage* page) {
  std::string last(after.value_or(""));
  bool has_more = true;
  while (has_more && !page->is_full()) {
    const auto names = context.engine.catalog().List(
        context.account, last.empty() ? std::nullopt : std::optional<std::string_view>(last),
        kTablesAtOnce, &has_more);
    for (const std::string& name : names) {
      if (const TableRef table = FindSettled(context, name)) page->AddTable(table);
    }
    if (names.empty()) return;
    last = names.back();
  }
}

// Fills the page behind the token, whose table or index may not exist any more.
Status FillPage(const Context& context, const ListContributorInsightsRequest& request,
                SummaryPage* page) {
  const std::string_view token = request.next_token.value_or("");
  const std::size_t slash = token.find('/');
  const std::string_view name = token.substr(0, slash);
  const std::string_view index =
      slash == std::string_view::npos ? std::string_view() : token.substr(slash + 1);
  if (request.table_name) {
    HR_ASSIGN(const TableRef table, FindTableToManage(context, *request.table_name));
    if (request.next_token) {
      page->AddTable(table, index);
    } else {
      page->AddTable(table);
    }
    return {};
  }
  if (!request.next_token) {
    AddTables(context, std::nullopt, page);
    return {};
  }
  if (const TableRef table = FindSettled(context, name)) page->AddTable(table, index);
  AddTables(context, name, page);
  return {};
}

}  // namespace

Status ListContributorInsights(Context& context, const RequestObject& json, JsonWriter& answer) {
  const ListContributorInsightsRequest request = ReadListContributorInsightsRequest(json);
  SummaryPage page(context, request.limit);
  HR_RETURN_IF_ERROR(FillPage(context, request, &page));
  page.Write(answer);
  return {};
}

}  // namespace hashrange
