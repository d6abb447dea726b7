#include "operation/read/page.h"

#include <algorithm>
#include <string>

#include "operation/parameter/read_projection.h"
#include "operation/read/read_lag.h"
#include "operation/read/start_key.h"
#include "value/capacity.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

// Which attributes of an item the filter and the answer see: those that the index projects, or all
// attributes when the member is null.
struct Visibility {
  const IndexSchema* filter = nullptr;
  const IndexSchema* answer = nullptr;
  // Whether the items of a local index are fetched from the table.
  bool fetches_items() const { return filter && !answer; }
};

bool AllProjected(const PageRequest& page, std::span<const Path> paths) {
  return std::ranges::all_of(paths, [&](const Path& path) {
    return page.index->schema.Projects(page.table.key, path[0].name);
  });
}

// An index has the attributes that it projects, and a filter sees only these. For a local index,
// the whole item is fetched from the table when the request asks for other attributes.
Visibility VisibilityOfItems(const PageRequest& page) {
  Visibility visibility;
  if (!page.index || page.index->schema.projection == ProjectionType::kAll) return visibility;
  const IndexSchema& schema = page.index->schema;
  visibility.filter = visibility.answer = &schema;
  if (!schema.is_local) return visibility;
  if (page.select == Select::kAllAttributes || !AllProjected(page, page.projection.paths())) {
    visibility.answer = nullptr;
  }
  return visibility;
}

CapacityMeter CapacityOfPage(const PageRequest& page, const PageTotals& totals, Arena& arena) {
  CapacityMeter meter(page.table, page.table_name, arena);
  const double factor = ReadFactor(page.consistent);
  meter.AddPage(page.index, totals.size_bytes, factor);
  if (totals.fetched_size_bytes > 0) meter.AddPage(nullptr, totals.fetched_size_bytes, factor);
  return meter;
}

// Returns the position of the last item that was read, if the page ended before its interval.
std::optional<Position> PositionOfLast(const PageRequest& page, const PageTotals& totals,
                                       Arena& arena) {
  const Item* const last = totals.last.get();
  if (!last) return std::nullopt;
  if (!page.index) return Position{last->hash(), last->key()};
  return IndexPosition(page.index->schema.key, ItemView(page.table.key, last), arena);
}

// Reads the page and writes its items as elements of an array.
PageTotals WriteItemsOfPage(Context& context, const PageRequest& page, JsonWriter& answer) {
  const auto write = [&](ItemView item) {
    WriteProjected(item, page.projection, context.arena, answer);
  };
  if (!context.gate) return ReadPage(context, page, write);
  std::size_t answered_bytes = 0;
  PageTotals totals = ReadPage(context, page, [&](ItemView item) {
    answered_bytes += AnsweredSizeBytes(item, page.projection, context.arena);
    write(item);
  });
  totals.answered_bytes = answered_bytes;
  return totals;
}

// The end of a segment is the first position of the next one.
std::uint64_t LastHash(const std::optional<Position>& end) {
  return end && end->bytes.empty() && end->hash > 0 ? end->hash - 1 : UINT64_MAX;
}

}  // namespace

PageOptions ReadPageOptions(const RequestObject& request) {
  return {.limit = request.Integer("Limit").value_or(0),
          .consistent = request.Boolean("ConsistentRead").value_or(false),
          .capacity = ReadReturnConsumedCapacity(request)};
}

Status CheckBackfilled(const IndexVersion& index) {
  const bool is_refused = index.phase == IndexPhase::kBackfilling ||
                          index.phase == IndexPhase::kBackfilled ||
                          index.phase == IndexPhase::kDeletingUnfilled;
  if (!is_refused) return {};
  return ValidationError("Cannot read from backfilling global secondary index: " +
                         index.schema.name);
}

Result<const IndexVersion*> FindReadIndex(const TableVersion& table,
                                          std::optional<std::string_view> index_name,
                                          bool consistent, Access::Kind kind) {
  if (!index_name) return nullptr;
  const IndexVersion* index = table.FindIndex(*index_name);
  if (!index || index->is_allocating()) {
    return ValidationError(
        std::string("The table does not have the specified index: ").append(*index_name));
  }
  // The service checks ConsistentRead of a Query before the type of the index, but of a Scan after
  // it, and has the same text for a vector index as for a global one.
  if (index->schema.is_vector() && kind == Access::Kind::kScan) return ScanNotSupported();
  if (consistent && !index->schema.is_local) {
    return ValidationError("Consistent reads are not supported on global secondary indexes");
  }
  if (index->schema.is_vector()) {
    return ValidationError("Query operation not supported on this index type.");
  }
  HR_RETURN_IF_ERROR(CheckBackfilled(*index));
  return index;
}

Error ScanNotSupported() {
  return ValidationError("Scan operation not supported on this index type");
}

Access AccessOfPage(const PageRequest& page, Access::Kind kind) {
  return {.kind = kind,
          .table = &page.table,
          .index = page.index,
          .key = page.left.interval.begin,
          .clauses = page.clauses,
          .consistent = page.consistent,
          .last_hash = kind == Access::Kind::kScan ? LastHash(page.left.interval.end) : UINT64_MAX,
          .start = page.left.start};
}

AccessTerms TermsOfPage(const PageRequest& page) {
  return {.condition = page.filter,
          .projection = page.projection,
          .forward = page.forward,
          .limit = page.limit,
          .counts_only = page.select == Select::kCount};
}

Usage UsageOfPage(const PageRequest& page, const PageTotals& totals, const CapacityMeter& meter,
                  Arena& arena) {
  return {.units = meter.total(),
          .index_units = meter.index_units(),
          .items_examined = totals.scanned_count,
          .items_returned = totals.count,
          .bytes_examined = totals.size_bytes + totals.fetched_size_bytes,
          .bytes_returned = totals.answered_bytes,
          .resume = PositionOfLast(page, totals, arena)};
}

PageTotals ReadPage(Context& context, const PageRequest& page,
                    absl::FunctionRef<void(ItemView item)> write) {
  const Visibility visibility = VisibilityOfItems(page);
  const bool writes_items = page.select != Select::kCount;
  PageTotals totals;
  const ReadView view = ReadViewOf(page.table, page.index, page.consistent);
  RangeReader reader =
      context.engine.Range(*view.table, view.index, page.left.interval, page.forward);
  while (const Item* item = reader.Next()) {
    const ItemView whole(page.table.key, item);
    ++totals.scanned_count;
    totals.size_bytes +=
        page.index ? ProjectedSizeBytes(page.index->schema, whole) : item->size_bytes();
    if (visibility.fetches_items()) {
      totals.fetched_size_bytes += item->size_bytes();
      totals.fetched_units += ReadUnitsOfSize(item->size_bytes());
    }
    if (page.filter.Matches(ItemView(page.table.key, item, visibility.filter))) {
      ++totals.count;
      if (writes_items) write(ItemView(page.table.key, item, visibility.answer));
    }
    const std::size_t read_bytes = std::max(totals.size_bytes, totals.fetched_size_bytes);
    if (totals.scanned_count == page.limit || read_bytes >= page.max_bytes) {
      totals.last = ItemRef::Share(item);
      break;
    }
  }
  return totals;
}

Status AnswerPage(Context& context, const PageRequest& page, Access::Kind kind,
                  ReturnConsumedCapacity capacity, JsonWriter& answer) {
  Access access = AccessOfPage(page, kind);
  if (context.gate) access.terms = context.Keep(TermsOfPage(page));
  if (auto refused = context.Enter(access)) return *std::move(refused);
  answer.BeginObject();
  if (page.select != Select::kCount) answer.BeginArray("Items");
  const PageTotals totals = WriteItemsOfPage(context, page, answer);
  if (page.select != Select::kCount) answer.EndArray();
  answer.IntegerMember("Count", totals.count);
  answer.IntegerMember("ScannedCount", totals.scanned_count);
  if (totals.last) {
    WriteLastEvaluatedKey({page.table.key, totals.last.get()}, page.index, answer);
  }
  if (capacity != ReturnConsumedCapacity::kNone || context.gate) {
    const CapacityMeter meter = CapacityOfPage(page, totals, context.arena);
    WriteConsumedCapacityMember(meter, capacity, answer);
    if (context.gate) {
      context.Leave(access, UsageOfPage(page, totals, meter, context.arena));
    }
  }
  answer.EndObject();
  return {};
}

}  // namespace hashrange
