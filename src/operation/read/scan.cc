// Scan (docs/service/06-query-and-scan.md, sections 1 to 7 and 9).
#include <string>

#include "operation/call/operations.h"
#include "operation/parameter/expression_parameters.h"
#include "operation/parameter/legacy_parameters.h"
#include "operation/parameter/read_projection.h"
#include "operation/read/page.h"
#include "operation/read/select.h"
#include "operation/read/start_key.h"
#include "operation/table/table_lookup.h"

namespace hashrange {
namespace {

struct ScanRequest {
  std::string_view table_name;
  std::optional<std::string_view> index_name;
  ExpressionParameters expressions;
  std::optional<std::int64_t> segment;
  std::optional<std::int64_t> total_segments;
  PageOptions options;
};

ScanRequest ReadScanRequest(const RequestObject& request) {
  return {.table_name = *request.String("TableName"),
          .index_name = request.String("IndexName"),
          .expressions = ReadExpressionParameters(
              request, {ExpressionKind::kFilter, ExpressionKind::kProjection}),
          .segment = request.Integer("Segment"),
          .total_segments = request.Integer("TotalSegments"),
          .options = ReadPageOptions(request)};
}

Status CheckSegments(const ScanRequest& request) {
  if (request.segment && !request.total_segments) {
    return ValidationError(
        "The TotalSegments parameter is required but was not present in the request when Segment "
        "parameter is present");
  }
  if (request.total_segments && !request.segment) {
    return ValidationError(
        "The Segment parameter is required but was not present in the request when parameter "
        "TotalSegments is present");
  }
  if (request.segment && *request.segment >= *request.total_segments) {
    return ValidationError(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
        "Segment: " +
        std::to_string(*request.segment) +
        " is not less than TotalSegments: " + std::to_string(*request.total_segments));
  }
  return {};
}

// Returns the positions of the request's segment. The top 12 bits of a position's hash are the
// number of its bucket; each segment has its share of the 4,096 buckets
// (docs/service/06-query-and-scan.md, section 7).
Interval SegmentInterval(const ScanRequest& request) {
  constexpr std::int64_t kBuckets = 4096;
  constexpr int kBucketShift = 52;
  const std::int64_t total = request.total_segments.value_or(1);
  const auto first_bucket = [&](std::int64_t segment) {
    return (kBuckets * segment + total - 1) / total;
  };
  const std::int64_t begin = first_bucket(request.segment.value_or(0));
  const std::int64_t end = first_bucket(request.segment.value_or(0) + 1);
  Interval interval;
  if (begin == kBuckets) return {Position{UINT64_MAX, {}}, Position{}};  // an empty segment
  interval.begin.hash = static_cast<std::uint64_t>(begin) << kBucketShift;
  if (end < kBuckets) {
    interval.end = Position{static_cast<std::uint64_t>(end) << kBucketShift, {}};
  }
  return interval;
}

// Checks the number of members of the start key and, for an index, the index's key elements.
Status CheckStartKeyShape(const TableVersion& table, const IndexVersion* index,
                          std::span<const Attribute> start) {
  HR_RETURN_IF_ERROR(CheckStartKeyCount(table, index, start, true));
  for (std::size_t i = 0; index && i < index->schema.key.parts(); ++i) {
    HR_RETURN_IF_ERROR(CheckStartKeyElement(index, index->schema.key.part(i), start));
  }
  return {};
}

// Returns the part of the segment after the start key, which CheckStartKeyShape has accepted; the
// whole segment when there is no start key.
Result<PageInterval> IntervalToScan(Context& context, const ScanRequest& request,
                                    const TableVersion& table, const IndexVersion* index,
                                    const std::optional<std::span<const Attribute>>& start) {
  const Interval segment = SegmentInterval(request);
  if (!start) return PageInterval{segment};
  HR_RETURN_IF_ERROR(CheckStartKeyOfTable(table, index, *start, true));
  const Position position = StartPosition(table, index, *start, context.arena);
  if (position < segment.begin || (segment.end && position >= *segment.end)) {
    return ValidationError(
        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
        "ExclusiveStartKey with correct Segment. TotalSegments: " +
        std::to_string(*request.total_segments) + " Segment: " + std::to_string(*request.segment));
  }
  return PageInterval{IntervalAfterStart(segment, position, true, context.arena), position};
}

}  // namespace

Status Scan(Context& context, const RequestObject& json, JsonWriter& answer) {
  const ScanRequest request = ReadScanRequest(json);
  HR_RETURN_IF_ERROR(CheckExpressionParameters(
      json, request.expressions, context.layer,
      {"AttributesToGet", "ScanFilter", "ConditionalOperator"}, {ExpressionKind::kFilter}));
  HR_ASSIGN(const Projection attributes_to_get, ReadAttributesToGet(json, context.arena));
  HR_ASSIGN(const Condition scan_filter, ReadLegacyFilter(json, "ScanFilter", context));
  HR_ASSIGN(const auto start, ReadStartKey(json, context));
  HR_RETURN_IF_ERROR(CheckSegments(request));
  HR_ASSIGN(const BoundExpressions bound,
            BindExpressions(request.expressions, context.layer, context.arena));
  const Projection& projection =
      request.expressions.projection ? bound.projection : attributes_to_get;
  const Condition& filter = request.expressions.filter ? bound.filter : scan_filter;
  HR_ASSIGN(const Select select, ReadSelect(json));

  HR_ASSIGN(const TableRef table, FindTable(context, request.table_name));
  HR_ASSIGN(
      const IndexVersion* index,
      FindReadIndex(*table, request.index_name, request.options.consistent, Access::Kind::kScan));
  if (start) HR_RETURN_IF_ERROR(CheckStartKeyShape(*table, index, *start));
  HR_RETURN_IF_ERROR(CheckSelectOfIndex(select, index));
  HR_ASSIGN(const PageInterval left, IntervalToScan(context, request, *table, index, start));
  HR_RETURN_IF_ERROR(CheckKeyPathsAreScalar(projection.paths(), *table));
  HR_RETURN_IF_ERROR(CheckProjectionOfIndex(*table, index, projection));
  HR_RETURN_IF_ERROR(CheckKeyPathsAreScalar(filter.paths(), *table));
  const PageRequest page{.table = *table,
                         .table_name = request.table_name,
                         .index = index,
                         .left = left,
                         .limit = request.options.limit,
                         .filter = filter,
                         .projection = projection,
                         .select = select,
                         .consistent = request.options.consistent};
  return AnswerPage(context, page, Access::Kind::kScan, request.options.capacity, answer);
}

}  // namespace hashrange
