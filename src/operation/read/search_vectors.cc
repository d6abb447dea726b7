// SearchVectors (docs/service/15-vector-search.md, sections 7 and 8). Its body has been read
// strictly before it was parsed (wire/strict_text.h).
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/stable_sort.h"
#include "base/text/float_text.h"
#include "engine/vectors/nearest.h"
#include "expression/condition.h"
#include "operation/call/error_texts.h"
#include "operation/call/operations.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/expression_parameters.h"
#include "operation/parameter/item_key.h"
#include "operation/parameter/read_projection.h"
#include "operation/read/read_lag.h"
#include "operation/table/table_lookup.h"
#include "value/vector.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

constexpr std::int64_t kMaxTopK = 100;
// The results end before the one with which their items exceed this size.
constexpr std::size_t kMaxAnswerBytes = 16 << 20;
// A search of more vectors than these takes long: up to 0.1 ms for each megabyte.
constexpr std::size_t kMaxShortSearchBytes = 2 << 20;

struct SearchRequest {
  std::string_view table_name;
  std::string_view index_name;
  std::span<const JsonValue> vector;
  std::int64_t top_k;
  ExpressionParameters expressions;
  ReturnConsumedCapacity capacity;
};

SearchRequest ReadSearchRequest(const RequestObject& request) {
  return {.table_name = *request.String("TableName"),
          .index_name = *request.String("IndexName"),
          .vector = request.List("SearchVector"),
          .top_k = *request.Integer("TopK"),
          .expressions = ReadExpressionParameters(
              request, {ExpressionKind::kSearchCondition, ExpressionKind::kProjection}),
          .capacity = ReadReturnConsumedCapacity(request)};
}

// What a search looks for. All that it points to is in the request's arena or in the table.
struct VectorSearch {
  const TableVersion& table;
  const IndexVersion& index;
  std::span<const float> query;
  int top_k;
  Condition condition;
  Projection projection;
  std::optional<ValueView> hash;  // the value of the HASH element

  const IndexSchema& schema() const { return index.schema; }
  const VectorSchema& vector() const { return *index.schema.vector; }
  ItemView Entry(const Item* item) const { return {table.key, item, &index.schema}; }
};

// Checks that the condition is tests `attribute = :value`, joined by AND. This check is the only
// place that restricts the language of these conditions: they are evaluated like any other.
Status CheckComparators(const Condition& condition) {
  for (const ConditionNode* test = condition.root(); test && test != &kConditionHolds;
       test = test->if_true) {
    const bool is_equality = !test->function && test->op == Operator::kEqual &&
                             test->operands[0].form == ConditionOperand::Form::kPath &&
                             test->operands[1].form == ConditionOperand::Form::kValue;
    if (is_equality && test->if_false == &kConditionFails) continue;
    return ValidationError(
        "Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression");
  }
  return {};
}

// Makes the checks of the expressions that need no table.
Result<BoundExpressions> BindSearchExpressions(const Context& context, const RequestObject& json,
                                               const SearchRequest& request) {
  HR_RETURN_IF_ERROR(CheckExpressionParameters(json, request.expressions, context.layer, {},
                                               {ExpressionKind::kSearchCondition}));
  HR_ASSIGN(const BoundExpressions bound,
            BindExpressions(request.expressions, context.layer, context.arena));
  HR_RETURN_IF_ERROR(CheckComparators(bound.search_condition));
  return bound;
}

Result<const IndexVersion*> FindSearchIndex(const TableVersion& table, std::string_view name) {
  const IndexVersion* const index = table.FindIndex(name);
  if (!index || !index->schema.is_vector() || index->is_allocating()) {
    return ValidationError(Concatenated({"The table does not have the specified index: ", name}));
  }
  if (index->phase == IndexPhase::kBackfilling || index->phase == IndexPhase::kBackfilled ||
      index->phase == IndexPhase::kDeletingUnfilled) {
    return ValidationError(Concatenated({"Cannot search backfilling vector index: ", name}));
  }
  return index;
}

// Returns the vector of the request as floats.
Result<std::span<const float>> ReadQueryVector(const Context& context, const SearchRequest& request,
                                               const VectorSchema& schema) {
  const std::span<float> query = context.arena.NewArray<float>(request.vector.size());
  for (std::size_t i = 0; i < query.size(); ++i) {
    const auto value = ReadAttributeValue(request.vector[i], context.layer, context.arena);
    const bool is_number = value.ok() && value->type == AttributeType::kN;
    const auto element = is_number ? NearestFloat(value->bytes()) : std::nullopt;
    if (!element) {
      return ValidationError(
          "Search vector contains invalid values. All values in the search vector must be a 32-bit "
          "floating-point number attribute");
    }
    query[i] = *element;
  }
  if (query.size() != static_cast<std::size_t>(schema.dimensions)) {
    return ValidationError("Input search vector dimension " + std::to_string(query.size()) +
                           " does not match vector index dimension " +
                           std::to_string(schema.dimensions));
  }
  return std::span<const float>(query);
}

// Calls `visit(path, value)` for each test of a condition that CheckComparators has passed, until
// one of the calls returns an error, and returns that error.
template <typename Visit>
Status ForEachTest(const Condition& condition, Visit visit) {
  for (const ConditionNode* test = condition.root(); test && test != &kConditionHolds;
       test = test->if_true) {
    HR_RETURN_IF_ERROR(visit(test->operands[0].path, test->operands[1].value));
  }
  return {};
}

// Checks the condition against the search schema. Returns the value of the HASH element; none when
// the index has no HASH element.
Result<std::optional<ValueView>> CheckSearchCondition(const IndexSchema& index,
                                                      const Condition& condition) {
  const auto find_part = [&](std::string_view name) {
    const KeyPart* const part = index.key.Find(name);
    return part ? part : index.vector->FindFilter(name);
  };
  HR_RETURN_IF_ERROR(ForEachTest(condition, [&](Path path, const ValueView&) -> Status {
    if (path.size() == 1 && find_part(path[0].name)) return {};
    return ValidationError(
        Concatenated({"SearchConditionExpression must not contain any attributes that is not in "
                      "SearchSchema. Invalid attribute: ",
                      path[0].name}));
  }));
  std::optional<ValueView> hash;
  HR_RETURN_IF_ERROR(ForEachTest(condition, [&](Path path, const ValueView& value) -> Status {
    const KeyPart& part = *find_part(path[0].name);
    if (value.type != part.type) {
      return ValidationError(
          Concatenated({"Type of '", part.name, "' attribute in SearchConditionExpression (",
                        TypeTag(value.type), ") does not match type in search schema (",
                        TypeTag(part.type), ")"}));
    }
    if (!index.key.Find(part.name)) return {};
    hash = value;
    return CheckKeyValue(part, value, true);
  }));
  if (!index.key.hash.empty() && !hash) {
    return ValidationError(
        "SearchConditionExpression must be provided when SearchSchema has a HASH key");
  }
  return hash;
}

// Makes the checks that need the table, in the order of docs/service/15-vector-search.md,
// section 7.
Result<VectorSearch> CheckSearch(const Context& context, const SearchRequest& request,
                                 const BoundExpressions& bound, const TableVersion& table) {
  HR_ASSIGN(const IndexVersion* index, FindSearchIndex(table, request.index_name));
  if (request.top_k > kMaxTopK) {
    return ValidationError("Provided TopK value '" + std::to_string(request.top_k) +
                           "' is out of valid range. The value must be between 1 and 100 "
                           "inclusive");
  }
  HR_ASSIGN(const std::span<const float> query,
            ReadQueryVector(context, request, *index->schema.vector));
  HR_ASSIGN(const std::optional<ValueView> hash,
            CheckSearchCondition(index->schema, bound.search_condition));
  return VectorSearch{.table = table,
                      .index = *index,
                      .query = query,
                      .top_k = static_cast<int>(request.top_k),
                      .condition = bound.search_condition,
                      .projection = bound.projection,
                      .hash = hash};
}

// The search itself.

struct SearchResult {
  const Item* item;
  const float* vector;
  double score;
};

// The results of a search, best first, and what they point to.
struct SearchResults {
  VectorReader reader;
  std::vector<SearchResult> results = {};
  std::size_t rows_examined = 0;
};

Position GroupOf(const VectorSearch& search, Arena& arena) {
  const std::span<const ValueView> parts =
      search.hash ? std::span<const ValueView>(&*search.hash, 1) : std::span<const ValueView>();
  return {HashOfParts(parts), EncodeParts(parts, arena)};
}

// Sets context.leaves and returns no results when the search takes long and the call may leave.
SearchResults RunSearch(Context& context, const VectorSearch& search, std::uint64_t group) {
  ReadView view = ReadViewOf(search.table, &search.index, false);
  // In the past, an index of that name may have had other dimensions, or none.
  const std::optional<VectorSchema>& of_view = view.index->schema.vector;
  if (!of_view || of_view->dimensions != search.vector().dimensions) view.index = &search.index;
  SearchResults found{.reader = context.engine.Range(*view.index, group)};
  Nearest nearest(search.vector().function, search.query, search.top_k);
  std::vector<VectorRows> chunks;
  VectorRows rows;
  while (found.reader.Next(&rows)) {
    chunks.push_back(rows);
    found.rows_examined += rows.block.count;
    const std::size_t bytes = found.rows_examined * search.query.size() * sizeof(float);
    context.leaves = context.may_leave && bytes > kMaxShortSearchBytes;
    if (context.leaves) return found;
    nearest.Add(rows.block, rows.next, [&](std::size_t row) {
      return search.condition.Matches(search.Entry(rows.items[row]));
    });
  }
  const std::size_t stride = RowStride(search.vector().dimensions);
  for (const Neighbour& neighbour : nearest.Best()) {
    const VectorRows& chunk = chunks[neighbour.block];
    found.results.push_back(
        {chunk.items[neighbour.row], chunk.block.rows + neighbour.row * stride, neighbour.score});
  }
  return found;
}

// Which elements of the vector a projection names; all of them when `elements` is empty.
struct NamedVector {
  bool is_named = false;
  std::vector<std::uint64_t> elements = {};  // ascending
};

NamedVector VectorOf(const VectorSearch& search) {
  NamedVector named;
  for (const Path& path : search.projection.paths()) {
    if (path[0].name != search.vector().attribute) continue;
    if (path.size() == 1) return {.is_named = true};
    const bool exists = path.size() == 2 && path[1].is_index && path[1].index < search.query.size();
    if (exists) named.elements.push_back(path[1].index);
  }
  StableSort(named.elements);
  named.is_named = !named.elements.empty();
  return named;
}

// The sizes of the results of a search.
struct ResultBytes {
  std::size_t entries = 0;   // of what the index projects, whatever is answered of it
  std::size_t answered = 0;  // of what is answered
};

// Drops the results from the one on with which the items exceed the largest answer. Returns the
// sizes of the results that are left.
ResultBytes LimitResults(const VectorSearch& search, const NamedVector& named,
                         std::vector<SearchResult>* results, Arena& arena) {
  const std::size_t vector_bytes = VectorSizeBytes(search.vector());
  ResultBytes sum;
  for (std::size_t i = 0; i < results->size(); ++i) {
    const Item* const item = (*results)[i].item;
    const ItemView whole(search.table.key, item);
    const std::size_t entry = ProjectedSizeBytes(search.schema(), whole) - vector_bytes;
    std::size_t answered = entry;
    if (!search.projection.empty()) {
      answered = ItemSizeBytes(search.projection.Apply(search.Entry(item), arena));
    }
    const std::size_t of_vector = named.is_named ? vector_bytes : 0;
    if (sum.answered + answered + of_vector > kMaxAnswerBytes) {
      results->resize(i);
      break;
    }
    sum.entries += entry + of_vector;
    sum.answered += answered + of_vector;
  }
  return sum;
}

// The answer.

void WriteVectorMember(const VectorSearch& search, const NamedVector& named, const float* vector,
                       JsonWriter& answer) {
  const auto write = [&](float element) {
    answer.BeginObject();
    answer.StringMember("N", FloatText(element));
    answer.EndObject();
  };
  answer.BeginObject(search.vector().attribute);
  answer.BeginArray("L");
  for (const std::uint64_t element : named.elements) write(vector[element]);
  if (named.elements.empty()) {
    for (std::size_t i = 0; i < search.query.size(); ++i) write(vector[i]);
  }
  answer.EndArray();
  answer.EndObject();
}

// Writes the item of a result: what the index projects, or the named parts of that. The vector is
// part of an answer only where it is named, and its numbers are those of the index.
void WriteFoundItem(const VectorSearch& search, const NamedVector& named,
                    const SearchResult& result, Arena& arena, JsonWriter& answer) {
  const ItemView entry = search.Entry(result.item);
  if (!named.is_named) return WriteProjected(entry, search.projection, arena, answer);
  const std::span<const Attribute> attributes = search.projection.Apply(entry, arena);
  const auto after =
      std::ranges::upper_bound(attributes, search.vector().attribute, {}, &Attribute::name);
  const auto write = [&](const Attribute& attribute) {
    answer.Name(attribute.name);
    WriteAttributeValue(attribute.value, answer);
  };
  answer.BeginObject();
  std::for_each(attributes.begin(), after, write);
  WriteVectorMember(search, named, result.vector, answer);
  std::for_each(after, attributes.end(), write);
  answer.EndObject();
}

Usage UsageOfSearch(const CapacityMeter& meter, const SearchResults& found, std::size_t row_bytes,
                    std::size_t returned_bytes) {
  return {.index_units = meter.index_units(),
          .vector_bytes = meter.vector_bytes(),
          .items_examined = static_cast<std::int64_t>(found.rows_examined),
          .items_returned = static_cast<std::int64_t>(found.results.size()),
          .bytes_examined = found.rows_examined * row_bytes,
          .bytes_returned = returned_bytes};
}

}  // namespace

Status SearchVectors(Context& context, const RequestObject& json, JsonWriter& answer) {
  const SearchRequest request = ReadSearchRequest(json);
  HR_ASSIGN(const BoundExpressions bound, BindSearchExpressions(context, json, request));
  HR_ASSIGN(const TableRef table, FindTable(context, request.table_name));
  HR_ASSIGN(const VectorSearch search, CheckSearch(context, request, bound, *table));

  const Position group = GroupOf(search, context.arena);
  Access access{
      .kind = Access::Kind::kSearch, .table = table.get(), .index = &search.index, .key = group};
  if (context.gate) {
    access.terms = context.Keep(
        {.condition = search.condition, .projection = search.projection, .limit = request.top_k});
  }
  if (auto refused = context.Enter(access)) return *std::move(refused);

  SearchResults found = RunSearch(context, search, group.hash);
  if (context.leaves) return {};
  const NamedVector named = VectorOf(search);
  const ResultBytes returned = LimitResults(search, named, &found.results, context.arena);
  answer.BeginObject();
  answer.BeginArray("SearchResults");
  for (const SearchResult& result : found.results) {
    answer.BeginObject();
    answer.Name("Item");
    WriteFoundItem(search, named, result, context.arena, answer);
    answer.DoubleMember("Score", result.score);
    answer.EndObject();
  }
  answer.EndArray();
  const double bytes =
      SearchRequestBytes(search.vector().dimensions, static_cast<double>(found.rows_examined),
                         static_cast<double>(returned.entries));
  if (request.capacity != ReturnConsumedCapacity::kNone) {
    answer.BeginObject("ConsumedCapacity");
    answer.DoubleMember("VectorSearchRequestBytes", bytes);
    answer.EndObject();
  }
  if (context.gate) {
    CapacityMeter meter(*table, request.table_name, context.arena);
    meter.AddSearch(search.index, bytes);
    const std::size_t row_bytes = 4 * search.query.size();
    context.Leave(access, UsageOfSearch(meter, found, row_bytes, returned.answered));
  }
  answer.EndObject();
  return {};
}

}  // namespace hashrange
