#include "operation/statement/statement_read.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/stable_sort.h"
#include "expression/partiql/key_plan.h"
#include "operation/call/error_texts.h"
#include "operation/read/page.h"
#include "operation/read/read_lag.h"
#include "operation/read/start_key.h"
#include "operation/statement/next_token.h"
#include "operation/statement/read_intervals.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

using partiql::BoundStatement;
using partiql::ReadPlan;

// Calls `write(name, value)` for each attribute of the row.
template <typename Write>
void ForEachColumn(ItemView item, const BoundStatement& bound, Write write) {
  const std::vector<std::string>& names = bound.statement->column_names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    if (const auto value = Resolve(bound.columns[i], item)) write(names[i], *value);
  }
}

}  // namespace

void WriteRow(ItemView item, const BoundStatement& bound, JsonWriter& writer) {
  if (bound.columns.empty()) {
    WriteItem(item, writer);
    return;
  }
  writer.BeginObject();
  ForEachColumn(item, bound, [&](const std::string& name, const ValueView& value) {
    writer.Name(name);
    WriteAttributeValue(value, writer);
  });
  writer.EndObject();
}

std::size_t RowSizeBytes(ItemView item, const BoundStatement& bound) {
  if (bound.columns.empty()) return VisibleSizeBytes(item);
  std::size_t size = 0;
  ForEachColumn(item, bound, [&](const std::string& name, const ValueView& value) {
    size += name.size() + SizeBytes(value);
  });
  return size;
}

Projection ColumnsOf(const BoundStatement& bound) { return Projection(nullptr, bound.columns); }

namespace {

using Names = std::vector<std::string_view>;

// Returns the attributes of the branch's filters that the index does not project, in the order of
// the text.
Names UnprojectedFilters(const partiql::KeyBranch& branch, const LocatedStatement& located,
                         Arena& arena) {
  Names names;
  for (const std::uint16_t filter : branch.filters) {
    for (const std::string_view name : partiql::AttributesOf(located.bound, filter, arena)) {
      if (located.index->schema.Projects(located.table->key, name)) continue;
      if (!std::ranges::count(names, name)) names.push_back(name);
    }
  }
  return names;
}

// Sorts the names like the service, which lists them in the order of a Java HashSet: by the low
// bits of their hash, in a power of two of buckets that is at least a third larger than the number
// of names. The order is right for ASCII names; other names may be listed in another order.
void SortAsHashed(Names* names) {
  std::uint32_t buckets = 16;
  while (names->size() * 4 > buckets * std::size_t{3}) buckets *= 2;
  const auto bucket_of = [&](std::string_view name) {
    std::uint32_t hash = 0;
    for (const char c : name) hash = hash * 31 + static_cast<unsigned char>(c);
    return (hash ^ hash >> 16) & (buckets - 1);
  };
  StableSort(*names, {}, bucket_of);
}

// `located` has an index. Refuses a read that fixes the index's HASH attribute by = or IN when each
// of its branches filters by an attribute that the index does not project. For any other read such
// an attribute is missing in every item.
// Errors: ValidationException "… Secondary index <idx> does not project one or more filter
//         attributes: [<a>]", with the attributes of the branch that has the greatest HASH value
Status CheckFiltersAreProjected(const LocatedStatement& located, const ReadPlan& plan,
                                Arena& arena) {
  if (located.index->schema.projection == ProjectionType::kAll) return {};
  if (plan.branches.empty() || plan.is_through_or) return {};
  const partiql::KeyBranch* greatest = nullptr;
  Names names;
  for (const partiql::KeyBranch& branch : plan.branches) {
    Names missing = UnprojectedFilters(branch, located, arena);
    if (missing.empty()) return {};
    if (greatest && Compare(branch.clauses[0].value, greatest->clauses[0].value) < 0) continue;
    greatest = &branch;
    names = std::move(missing);
  }
  SortAsHashed(&names);
  return InvalidParameters("Secondary index " + located.index->schema.name +
                           " does not project one or more filter attributes: [" + Joined(names) +
                           "]");
}

const KeySchema& KeySchemaOf(const LocatedStatement& located) {
  return located.index ? located.index->schema.key : located.table->key;
}

Condition WhereCondition(const BoundStatement& bound, Arena& arena) {
  return LinkCondition(bound.statement->where, bound.operands, arena);
}

// Checks that the index, if one is read, allows this read and has the attributes it asks for.
Status CheckIndex(Context& context, const SelectRequest& request, const LocatedStatement& located,
                  const ReadPlan& plan) {
  const IndexVersion* const index = located.index;
  if (!index) return {};
  if (request.consistent && !index->schema.is_local) {
    return ValidationError("Strongly consistent read is not supported on Global Secondary Indexes");
  }
  HR_RETURN_IF_ERROR(CheckProjectionOfIndex(*located.table, index, ColumnsOf(located.bound)));
  return CheckFiltersAreProjected(located, plan, context.arena);
}

void WriteCapacityAndEnd(const CapacityMeter& meter, const SelectRequest& request,
                         JsonWriter& answer) {
  WriteConsumedCapacityMember(meter, request.capacity, answer);
  answer.EndObject();
}

// Answers with the one item that WHERE names by its whole key, if the item satisfies the rest of
// WHERE.
Status AnswerOneItem(Context& context, const SelectRequest& request,
                     const LocatedStatement& located, const ReadPlan& plan, JsonWriter& answer) {
  const TableVersion& table = *located.table;
  HR_ASSIGN(const Position position, PlannedPosition(plan, table.key, context.arena));
  Condition rest;
  if (!plan.branches[0].filters.empty()) rest = WhereCondition(located.bound, context.arena);
  Access access{.table = &table, .key = position, .consistent = request.consistent};
  if (context.gate) {
    access.terms = context.Keep({.condition = rest, .projection = ColumnsOf(located.bound)});
  }
  if (auto refused = context.Enter(access)) return *std::move(refused);
  const ReadView seen = ReadViewOf(table, nullptr, request.consistent);
  const ItemAddress address{seen.table, position};
  ItemRef item;
  context.engine.Read({&address, 1}, {&item, 1});
  const ItemView view(table.key, item.get());
  answer.BeginObject();
  answer.BeginArray("Items");
  const bool matches = item && rest.Matches(view);
  if (matches) WriteRow(view, located.bound, answer);
  answer.EndArray();
  CapacityMeter meter;
  if (request.capacity != ReturnConsumedCapacity::kNone || context.gate) {
    meter = CapacityMeter(table, located.bound.statement->table, context.arena);
    meter.AddItemRead(view.size_bytes(), ReadFactor(request.consistent));
  }
  if (context.gate) {
    const std::size_t row_bytes = matches ? RowSizeBytes(view, located.bound) : 0;
    Usage usage = UsageOfRead(meter.total(), view, row_bytes);
    usage.items_returned = matches ? 1 : 0;
    context.Leave(access, usage);
  }
  WriteCapacityAndEnd(meter, request, answer);
  return {};
}

// Reads and writes one page of a SELECT. The page is read from several intervals, each like a
// Query, or from the whole map like a Scan.
class PageAnswer {
 public:
  PageAnswer(Context& context, const SelectRequest& request, const LocatedStatement& located,
             JsonWriter& answer)
      : context_(context), request_(request), located_(located), answer_(answer) {}

  Status Write(const ReadPlan& plan) {
    HR_ASSIGN(const ReadOrder order,
              ReadOrderOf(*located_.bound.statement, plan, KeySchemaOf(located_)));
    const KeyRange everything{};
    std::span<const KeyRange> ranges(&everything, 1);
    if (plan.is_keyed) {
      HR_ASSIGN(ranges, KeyRangesOf(plan, KeySchemaOf(located_), order, context_.arena));
    }
    HR_ASSIGN(const std::span<const KeyRange> rest, RangesLeft(ranges, order.forward));
    answer_.BeginObject();
    answer_.BeginArray("Items");
    HR_RETURN_IF_ERROR(ReadRanges(plan, rest, order.forward));
    answer_.EndArray();
    WriteContinuation();
    WriteCapacityAndEnd(meter_, request_, answer_);
    return {};
  }

 private:
  RequestDigest Digest() const {
    return StatementDigest(request_.text, request_.parameters, *located_.table);
  }

  // Returns the ranges that are left to read after the token: the rest of the range in which the
  // token's position lies, and the ranges that follow. Sets start_ to that position.
  Result<std::span<const KeyRange>> RangesLeft(std::span<const KeyRange> ranges, bool forward) {
    if (!request_.next_token) return ranges;
    HR_ASSIGN(const Position start,
              ReadNextToken(*request_.next_token, Digest(), located_, context_.arena));
    const auto at = std::ranges::find_if(ranges, [&](const KeyRange& range) {
      const Interval& interval = range.interval;
      return interval.begin <= start && (!interval.end || start < *interval.end);
    });
    if (at == ranges.end()) return InvalidNextToken();
    const std::span<KeyRange> rest =
        context_.arena.Copy(ranges.subspan(static_cast<std::size_t>(at - ranges.begin())));
    start_ = start;
    rest[0].interval = IntervalAfterStart(rest[0].interval, start, forward, context_.arena);
    return std::span<const KeyRange>(rest);
  }

  PageRequest MakePageRequest(const ReadPlan& plan, bool forward) const {
    const BoundStatement& bound = located_.bound;
    const bool has_filters = !plan.is_keyed || std::ranges::any_of(plan.branches, [](auto& b) {
      return !b.filters.empty();
    });
    return {.table = *located_.table,
            .table_name = bound.statement->table,
            .index = located_.index,
            .left = {},
            .forward = forward,
            .limit = request_.limit,
            .filter = has_filters ? WhereCondition(bound, context_.arena) : Condition(),
            .projection = ColumnsOf(bound),
            .select = !bound.columns.empty() ? Select::kSpecificAttributes
                      : located_.index       ? Select::kAllProjectedAttributes
                                             : Select::kAllAttributes,
            .consistent = request_.consistent};
  }

  Status ReadRanges(const ReadPlan& plan, std::span<const KeyRange> ranges, bool forward) {
    PageRequest page = MakePageRequest(plan, forward);
    meter_ = EmptyMeter();
    if (context_.gate) terms_ = context_.Keep(TermsOfPage(page));
    if (ranges.empty()) ChargeNothingFound(page);
    for (const KeyRange& range : ranges) {
      page.left = {range.interval, std::exchange(start_, std::nullopt)};
      page.clauses = range.clauses;
      HR_RETURN_IF_ERROR(ReadRange(&page, plan.is_keyed));
      if (last_) break;
    }
    return {};
  }

  // A WHERE that contradicts itself is charged as a read that finds nothing.
  void ChargeNothingFound(const PageRequest& page) {
    const CapacityMeter units = UnitsOf({});
    meter_.Add(units);
    if (!context_.gate) return;
    Access access = AccessOfPage(page, Access::Kind::kQuery);
    access.terms = terms_;
    context_.Charge(access, UsageOfPage(page, {}, units, context_.arena));
  }

  PageTotals WriteRows(const PageRequest& page) {
    const auto write = [&](ItemView item) { WriteRow(item, located_.bound, answer_); };
    if (!context_.gate) return ReadPage(context_, page, write);
    std::size_t answered_bytes = 0;
    PageTotals totals = ReadPage(context_, page, [&](ItemView item) {
      answered_bytes += RowSizeBytes(item, located_.bound);
      write(item);
    });
    totals.answered_bytes = answered_bytes;
    return totals;
  }

  Status ReadRange(PageRequest* page, bool is_query) {
    Access access = AccessOfPage(*page, is_query ? Access::Kind::kQuery : Access::Kind::kScan);
    access.terms = terms_;
    if (auto refused = context_.Enter(access)) return *std::move(refused);
    PageTotals totals = WriteRows(*page);
    const CapacityMeter units = UnitsOf(totals);
    meter_.Add(units);
    if (context_.gate) context_.Leave(access, UsageOfPage(*page, totals, units, context_.arena));
    if (page->limit > 0) page->limit -= totals.scanned_count;
    page->max_bytes -=
        std::min(page->max_bytes, std::max(totals.size_bytes, totals.fetched_size_bytes));
    last_ = std::move(totals.last);
    return {};
  }

  CapacityMeter EmptyMeter() const {
    return {*located_.table, located_.bound.statement->table, context_.arena};
  }

  // Each read is charged alone, with at least half a unit, or one unit if it is consistent.
  CapacityMeter UnitsOf(const PageTotals& totals) const {
    CapacityMeter units = EmptyMeter();
    const double factor = ReadFactor(request_.consistent);
    units.AddPage(located_.index, totals.size_bytes, factor);
    units.AddTableUnits(factor * totals.fetched_units);
    return units;
  }

  void WriteContinuation() {
    if (!last_) return;
    const ItemView last(located_.table->key, last_.get());
    answer_.StringMember("NextToken", MakeNextToken(Digest(), last, located_.index));
    WriteLastEvaluatedKey(last, located_.index, answer_);
  }

  Context& context_;
  const SelectRequest& request_;
  const LocatedStatement& located_;
  JsonWriter& answer_;
  const AccessTerms* terms_ = &kNoTerms;  // of all ranges
  std::optional<Position> start_;         // the token's position, for the first range that is read
  CapacityMeter meter_;
  ItemRef last_;
};

}  // namespace

Status AnswerSelect(Context& context, const SelectRequest& request, const LocatedStatement& located,
                    JsonWriter& answer) {
  const KeySchema& key = KeySchemaOf(located);
  HR_ASSIGN(const ReadPlan plan, partiql::PlanRead(located.bound, key, context.arena));
  HR_RETURN_IF_ERROR(CheckIndex(context, request, located, plan));
  const bool is_one_item = !located.index && plan.IsOneItem(key) && !request.next_token &&
                           located.bound.statement->order_by.empty();
  if (is_one_item) return AnswerOneItem(context, request, located, plan, answer);
  return PageAnswer(context, request, located, answer).Write(plan);
}

}  // namespace hashrange
