// Query (docs/service/06-query-and-scan.md, sections 1 to 6, 8 and 9).
#include <string>
#include <utility>

#include "operation/call/operations.h"
#include "operation/parameter/expression_parameters.h"
#include "operation/parameter/legacy_parameters.h"
#include "operation/parameter/read_projection.h"
#include "operation/read/key_interval.h"
#include "operation/read/page.h"
#include "operation/read/select.h"
#include "operation/read/start_key.h"
#include "operation/table/table_lookup.h"

namespace hashrange {
namespace {

struct QueryRequest {
  std::string_view table_name;
  std::optional<std::string_view> index_name;
  ExpressionParameters expressions;
  bool forward;
  PageOptions options;
};

QueryRequest ReadQueryRequest(const RequestObject& request) {
  return {.table_name = *request.String("TableName"),
          .index_name = request.String("IndexName"),
          .expressions = ReadExpressionParameters(
              request, {ExpressionKind::kKeyCondition, ExpressionKind::kFilter,
                        ExpressionKind::kProjection}),
          .forward = request.Boolean("ScanIndexForward").value_or(true),
          .options = ReadPageOptions(request)};
}

// The parts of the query that are bound before its table is known.
struct BoundQuery {
  std::span<const KeyClause> clauses;
  Condition filter;
  Projection projection;
  std::optional<std::span<const Attribute>> start;
  Select select;
  bool is_legacy_filter;  // without a FilterExpression: `filter` is QueryFilter's, or always true
};

// Makes the checks of docs/service/06-query-and-scan.md, section 3, rows 1 to 8.
Result<BoundQuery> BindQuery(Context& context, const RequestObject& json,
                             const QueryRequest& request) {
  const ExpressionParameters& expressions = request.expressions;
  HR_RETURN_IF_ERROR(CheckExpressionParameters(
      json, expressions, context.layer,
      {"AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"},
      {ExpressionKind::kFilter, ExpressionKind::kKeyCondition}));
  HR_ASSIGN(const Condition query_filter, ReadLegacyFilter(json, "QueryFilter", context));
  HR_ASSIGN(const Projection attributes_to_get, ReadAttributesToGet(json, context.arena));
  HR_ASSIGN(const auto start, ReadStartKey(json, context));
  if (!expressions.key_condition && !json.Has("KeyConditions")) {
    return ValidationError(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  HR_ASSIGN(const BoundExpressions bound,
            BindExpressions(expressions, context.layer, context.arena));
  HR_ASSIGN(const auto key_conditions, ReadKeyConditions(json, context));
  // The errors of a Query's Select that need no table are the only errors of a Query that have the
  // envelope (measured).
  auto select = ReadSelect(json);
  if (!select.ok()) return Enveloped(ValidationLayer::kEnveloped, std::move(select).error());
  return BoundQuery{.clauses = expressions.key_condition ? bound.key_condition : key_conditions,
                    .filter = expressions.filter ? bound.filter : query_filter,
                    .projection = expressions.projection ? bound.projection : attributes_to_get,
                    .start = start,
                    .select = *select,
                    .is_legacy_filter = !expressions.filter};
}

// Checks that the filter names no key attribute of the table or index that is queried.
Status CheckFilterNamesNoKey(const BoundQuery& query, const KeySchema& key) {
  for (const Path& path : query.filter.paths()) {
    if (!key.Find(path[0].name)) continue;
    return ValidationError(
        std::string(query.is_legacy_filter ? "QueryFilter" : "Filter Expression")
            .append(" can only contain non-primary key attributes: Primary key attribute: ")
            .append(path[0].name));
  }
  return {};
}

// Returns the part of the interval of the key condition that is still to be read after the start
// key. Makes the checks of the start key and the key condition against the table and the index:
// docs/service/06-query-and-scan.md, section 3, rows 10 to 12.
Result<PageInterval> IntervalToQuery(Context& context, const BoundQuery& query, bool forward,
                                     const TableVersion& table, const IndexVersion* index) {
  const KeySchema& key = index ? index->schema.key : table.key;
  if (query.start) HR_RETURN_IF_ERROR(CheckStartKeyCount(table, index, *query.start, false));
  HR_RETURN_IF_ERROR(CheckKeyClauses(key, query.clauses, [&](const KeyPart& part) {
    return query.start ? CheckStartKeyElement(index, part, *query.start) : Status();
  }));
  const KeyInterval selected = KeyIntervalOf(key, query.clauses, context.arena);
  if (!query.start) return PageInterval{selected.interval};
  HR_RETURN_IF_ERROR(CheckStartKeyOfTable(table, index, *query.start, false));
  const Position position = StartPosition(table, index, *query.start, context.arena);
  HR_RETURN_IF_ERROR(CheckStartBoundaries(key, selected, position, context.arena));
  return PageInterval{IntervalAfterStart(selected.interval, position, forward, context.arena),
                      position};
}

// Checks the attributes that the projection, the filter and Select ask for: no path leads below a
// key attribute, the filter names no key attribute, and the index has the attributes.
Status CheckQueryPaths(const TableVersion& table, const IndexVersion* index,
                       const BoundQuery& query) {
  HR_RETURN_IF_ERROR(CheckKeyPathsAreScalar(query.projection.paths(), table));
  HR_RETURN_IF_ERROR(CheckProjectionOfIndex(table, index, query.projection));
  HR_RETURN_IF_ERROR(CheckFilterNamesNoKey(query, index ? index->schema.key : table.key));
  HR_RETURN_IF_ERROR(CheckFilterOfIndex(table, index, query.filter));
  HR_RETURN_IF_ERROR(CheckSelectOfIndex(query.select, index));
  return CheckKeyPathsAreScalar(query.filter.paths(), table);
}

}  // namespace

Status Query(Context& context, const RequestObject& json, JsonWriter& answer) {
  const QueryRequest request = ReadQueryRequest(json);
  HR_ASSIGN(const BoundQuery query, BindQuery(context, json, request));

  HR_ASSIGN(const TableRef table, FindTable(context, request.table_name));
  HR_ASSIGN(
      const IndexVersion* index,
      FindReadIndex(*table, request.index_name, request.options.consistent, Access::Kind::kQuery));
  HR_ASSIGN(const PageInterval left,
            IntervalToQuery(context, query, request.forward, *table, index));
  HR_RETURN_IF_ERROR(CheckQueryPaths(*table, index, query));
  const PageRequest page{.table = *table,
                         .table_name = request.table_name,
                         .index = index,
                         .left = left,
                         .clauses = query.clauses,
                         .forward = request.forward,
                         .limit = request.options.limit,
                         .filter = query.filter,
                         .projection = query.projection,
                         .select = query.select,
                         .consistent = request.options.consistent};
  return AnswerPage(context, page, Access::Kind::kQuery, request.options.capacity, answer);
}

}  // namespace hashrange
