// The requests of a read: GetItem, BatchGetItem, TransactGetItems, Query and Scan as templates.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lab/plan/read/plan_choice.h"
#include "lab/plan/read/search_plan.h"
#include "lab/plan/request/pattern_plan.h"

namespace hashrange {
namespace {

// The names (#status) and values (:status) of the expressions of one request.
class ExpressionNames {
 public:
  // Returns what stands in an expression for a name, or for a value. The same name is written once.
  std::string Name(std::string_view hint, const KeyText& name);
  std::string Value(std::string_view hint, LabType type, const KeyText& value);
  // Returns "#lines.#sku".
  std::string Path(const ItemPath& path);

  // Appends the members ExpressionAttributeNames and ExpressionAttributeValues, each with a comma
  // in front, where there are any.
  void AppendMembers(RequestNodes& nodes) const;

 private:
  struct Entry {
    std::string sign = {};  // "#status"
    LabType type = LabType::kString;
    KeyText text = {};
  };
  static std::string FreeSign(char first, std::string_view hint, const std::vector<Entry>& entries);

  std::vector<Entry> names_;
  std::vector<Entry> values_;
};

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsSameName(const KeyText& one, const KeyText& other) {
  if (one.size() != 1 || other.size() != 1 || one[0].kind != other[0].kind) return false;
  if (one[0].kind == KeyPiece::Kind::kLiteral) return one[0].text == other[0].text;
  return one[0].slot.part.attribute == other[0].slot.part.attribute;
}

std::string ExpressionNames::FreeSign(char first, std::string_view hint,
                                      const std::vector<Entry>& entries) {
  std::string sign(1, first);
  for (const char c : hint) sign += IsWordCharacter(c) ? c : '_';
  const std::string stem = sign;
  const auto is_used = [&] {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Entry& entry) { return entry.sign == sign; });
  };
  for (int number = 2; is_used(); ++number) sign = stem + std::to_string(number);
  return sign;
}

std::string ExpressionNames::Name(std::string_view hint, const KeyText& name) {
  for (const Entry& entry : names_) {
    if (IsSameName(entry.text, name)) return entry.sign;
  }
  names_.push_back({.sign = FreeSign('#', hint, names_), .text = name});
  return names_.back().sign;
}

std::string ExpressionNames::Value(std::string_view hint, LabType type, const KeyText& value) {
  values_.push_back({.sign = FreeSign(':', hint, values_), .type = type, .text = value});
  return values_.back().sign;
}

std::string ExpressionNames::Path(const ItemPath& path) {
  std::string text;
  for (const ItemPathStep& step : path) {
    text += (text.empty() ? "" : ".") + Name(step.hint, step.name);
  }
  return text;
}

// Appends a value: {"S":"OPEN"}.
void AppendTypedValue(LabType type, const KeyText& value, RequestNodes& nodes) {
  switch (type) {
    case LabType::kString:
      AppendText(R"({"S":")", nodes);
      break;
    case LabType::kNumber:
      AppendText(R"({"N":")", nodes);
      break;
    case LabType::kBool:
      AppendText(R"({"BOOL":)", nodes);
      break;
    case LabType::kVector:  // no expression has one
      return;
  }
  AppendKeyText(value, nodes);
  AppendText(type == LabType::kBool ? "}" : "\"}", nodes);
}

void ExpressionNames::AppendMembers(RequestNodes& nodes) const {
  for (const Entry& entry : names_) {
    const bool is_first = &entry == &names_.front();
    AppendText((is_first ? R"(,"ExpressionAttributeNames":{")" : R"(,")") + entry.sign + R"(":")",
               nodes);
    AppendKeyText(entry.text, nodes);
    AppendText(R"(")", nodes);
  }
  if (!names_.empty()) AppendText("}", nodes);
  for (const Entry& entry : values_) {
    const bool is_first = &entry == &values_.front();
    AppendText((is_first ? R"(,"ExpressionAttributeValues":{")" : R"(,")") + entry.sign + R"(":)",
               nodes);
    AppendTypedValue(entry.type, entry.text, nodes);
  }
  if (!values_.empty()) AppendText("}", nodes);
}

constexpr std::size_t kKeysOfRequest = 100;  // of BatchGetItem and TransactGetItems

std::string KeyTermText(const AskedTerm& term, ExpressionNames& names) {
  const std::string name = names.Name(term.attribute, {KeyPiece{.text = term.attribute}});
  const std::string value = names.Value(term.attribute, term.type, term.value);
  switch (term.op) {
    case AskedTerm::Op::kEqual:
      return name + " = " + value;
    case AskedTerm::Op::kBeginsWith:
      return "begins_with(" + name + ", " + value + ")";
    case AskedTerm::Op::kBetween:
      return name + " BETWEEN " + value + " AND " +
             names.Value(term.attribute + "_end", term.type, term.end);
    case AskedTerm::Op::kAtLeast:
      return name + " >= " + value;
    case AskedTerm::Op::kAtMost:
      return name + " <= " + value;
  }
  return {};
}

std::string ComparisonText(const FilterTerm& term, const std::string& path,
                           const std::vector<std::string>& values) {
  static constexpr const char* kSigns[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
  switch (term.op) {
    case FilterTerm::Op::kIn: {
      std::string list;
      for (const std::string& value : values) list += (list.empty() ? "" : ", ") + value;
      return path + " IN (" + list + ")";
    }
    case FilterTerm::Op::kBeginsWith:
      return "begins_with(" + path + ", " + values.front() + ")";
    case FilterTerm::Op::kExists:
      return "attribute_exists(" + path + ")";
    default:
      return path + kSigns[static_cast<std::size_t>(term.op)] + values.front();
  }
}

std::string FilterText(const FilterTerm& term, ExpressionNames& names) {
  const std::string path = names.Path(term.path);
  std::vector<std::string> values;
  for (const KeyText& value : term.values) {
    values.push_back(names.Value(term.path.back().hint, term.type, value));
  }
  const std::string text = ComparisonText(term, path, values);
  return term.or_absent ? "(attribute_not_exists(" + path + ") OR " + text + ")" : text;
}

std::string PathsText(const std::vector<ItemPath>& paths, ExpressionNames& names) {
  std::string text;
  for (const ItemPath& path : paths) text += (text.empty() ? "" : ", ") + names.Path(path);
  return text;
}

// Appends a member that is an expression, if there is one.
void AppendExpression(const char* member, const std::string& text, RequestNodes& nodes) {
  if (!text.empty()) AppendText(",\"" + std::string(member) + "\":" + QuotedJson(text), nodes);
}

// Writes the requests of one candidate.
class ReadRequestWriter {
 public:
  ReadRequestWriter(const ReadQuestion& question, const ReadCandidate& candidate)
      : question_(question),
        candidate_(candidate),
        table_(TableOf(question.layout, candidate.interval.key)),
        index_(IndexOf(question.layout, candidate.interval.key)) {}

  std::vector<PlanStep> Write() {
    std::vector<PlanStep> steps;
    if (candidate_.is_get) {
      steps.push_back(GetStep());
    } else {
      steps.push_back(QueryStep());
      if (candidate_.fetches) steps.push_back(FetchStep());
    }
    for (const ReferredItems& one : question_.referred) {
      const bool is_asked = std::ranges::any_of(
          candidate_.interval.items, [&](const LabItem* item) { return item->entity == one.of; });
      if (!is_asked) continue;
      steps.push_back(LimitedStep(one.fetch));
      for (FetchedKeyAttribute& attribute : steps.back().fetched_key) {
        for (AnsweredValue& value : attribute.from) ReadFromKeyOf(one.of, value);
      }
    }
    return steps;
  }

  PlanStep WriteFetch() const { return FetchStep(); }
  PlanStep WriteReferred() const {
    PlanStep step = FetchStep();
    step.kind = PlanStep::Kind::kFetchReferred;
    step.is_lookup = true;
    return step;
  }

 private:
  void AppendKey(RequestNodes& nodes) const {
    for (const AskedTerm& term : candidate_.interval.terms) {
      AppendText((&term == candidate_.interval.terms.data() ? "{" : ",") +
                     QuotedJson(term.attribute) + ":",
                 nodes);
      AppendTypedValue(term.type, term.value, nodes);
    }
    AppendText("}", nodes);
  }

  // Appends the members that say what to read of an item.
  void AppendItemMembers(RequestNodes& nodes) const {
    ExpressionNames names;
    const std::string projection = ProjectionText(names);
    if (!projection.empty())
      AppendText(R"(,"ProjectionExpression":)" + QuotedJson(projection), nodes);
    names.AppendMembers(nodes);
  }

  // Returns whether the client takes the first ones of what several requests return, and fetches
  // what these refer to.
  bool MergesReferred() const {
    return !question_.referred.empty() && question_.pattern.limit > 0 &&
           candidate_.sorts_at_client && candidate_.fetched_items == 0;
  }

  // Makes the value be read out of a key where the answer has no attribute of its name.
  void ReadFromKeyOf(int entity, AnsweredValue& value) const {
    const std::vector<ReadFromKey>& from_keys = candidate_.rest.from_keys;
    const auto from = std::ranges::find(from_keys, value.name, &ReadFromKey::name);
    const auto item = std::ranges::find(candidate_.interval.items, entity,
                                        [](const LabItem* one) { return one->entity; });
    if (from == from_keys.end()) return;
    const LabItemKey& key = *KeyOfItem(**item, from->key);
    for (const LabAttributeRef one : question_.by_name) {
      if (LabAttributeAt(question_.file, one).name != value.name) continue;
      value = {from->key, key.text, *PlaceOfWhole(question_.file, key.text, one)};
      return;
    }
  }

  PlanStep LimitedStep(PlanStep step) const {
    step.items = question_.pattern.limit;
    if (!MergesReferred()) return step;
    const std::string& by_key = candidate_.interval.order_attribute;
    step.merge_by =
        by_key.empty() ? LabAttributeAt(question_.file, question_.pattern.order).name : by_key;
    step.merges_backward =
        by_key.empty() ? question_.pattern.is_descending : candidate_.interval.is_backward;
    return step;
  }

  std::string ProjectionText(ExpressionNames& names) const {
    std::vector<ItemPath> paths = candidate_.rest.projection;
    const std::string& by_key = candidate_.interval.order_attribute;
    const bool is_there = std::ranges::any_of(
        paths, [&](const ItemPath& path) { return path.front().hint == by_key; });
    if (MergesReferred() && !paths.empty() && !by_key.empty() && !is_there) {
      paths.push_back(PathOfName(by_key));
    }
    return PathsText(paths, names);
  }

  PlanStep GetStep() const {
    PlanStep step;
    step.request.table = table_.name;
    const bool is_transaction = question_.pattern.is_transaction.value_or(false);
    const bool may_be_many =
        question_.IsForEach() || static_cast<std::size_t>(question_.pattern.batch) > kKeysOfRequest;
    if (may_be_many) {
      step.each = question_.role;
      step.each_count = kKeysOfRequest;
    }
    if (is_transaction) {
      step.request.operation = "TransactGetItems";
      WriteTransactGet(step.request.nodes);
    } else if (question_.IsRepeated()) {
      step.request.operation = "BatchGetItem";
      WriteBatchGet(step.request.nodes);
    } else {
      step.request.operation = "GetItem";
      WriteGet(step.request.nodes);
    }
    return step;
  }

  void WriteGet(RequestNodes& nodes) const {
    AppendText(R"({"TableName":)" + QuotedJson(table_.name) + R"(,"Key":)", nodes);
    AppendKey(nodes);
    AppendItemMembers(nodes);
    if (question_.pattern.is_consistent) AppendText(R"(,"ConsistentRead":true)", nodes);
    AppendText("," + std::string(kReturnConsumedCapacity) + "}", nodes);
  }

  void WriteBatchGet(RequestNodes& nodes) const {
    AppendText(R"({"RequestItems":{)" + QuotedJson(table_.name) + R"(:{"Keys":[)", nodes);
    RequestNodes key;
    AppendKey(key);
    nodes.push_back({RequestEach{.between = ",", .role = question_.role, .body = std::move(key)}});
    AppendText("]", nodes);
    AppendItemMembers(nodes);
    if (question_.pattern.is_consistent) AppendText(R"(,"ConsistentRead":true)", nodes);
    AppendText("}}," + std::string(kReturnConsumedCapacity) + "}", nodes);
  }

  void WriteTransactGet(RequestNodes& nodes) const {
    AppendText(R"({"TransactItems":[)", nodes);
    RequestNodes get;
    AppendText(R"({"Get":{"TableName":)" + QuotedJson(table_.name) + R"(,"Key":)", get);
    AppendKey(get);
    AppendItemMembers(get);
    AppendText("}}", get);
    nodes.push_back({RequestEach{.between = ",", .role = question_.role, .body = std::move(get)}});
    AppendText("]," + std::string(kReturnConsumedCapacity) + "}", nodes);
  }

  PlanStep QueryStep() const {
    PlanStep step;
    step.request.operation = candidate_.is_scan ? "Scan" : "Query";
    step.request.table = table_.name;
    if (index_ != nullptr) step.request.index = index_->name;
    step.shards = candidate_.interval.shards;
    step.buckets = candidate_.interval.buckets;
    step.walk = candidate_.walk;
    step.is_paged = true;
    step.items = candidate_.items;
    if (question_.IsRepeated()) step.each = question_.role;
    RequestNodes& nodes = step.request.nodes;
    AppendText(R"({"TableName":)" + QuotedJson(table_.name), nodes);
    if (index_ != nullptr) AppendText(R"(,"IndexName":)" + QuotedJson(index_->name), nodes);
    AppendExpressions(nodes);
    AppendChoices(nodes);
    return step;
  }

  void AppendExpressions(RequestNodes& nodes) const {
    ExpressionNames names;
    AppendExpression("KeyConditionExpression", KeyConditionText(names), nodes);
    std::string filter;
    for (const FilterTerm& term : candidate_.rest.filters) {
      filter += (filter.empty() ? "" : " AND ") + FilterText(term, names);
    }
    AppendExpression("FilterExpression", filter, nodes);
    // The keys for the fetch are always among what an index returns.
    if (!candidate_.fetches) {
      AppendExpression("ProjectionExpression", ProjectionText(names), nodes);
    }
    names.AppendMembers(nodes);
  }

  std::string KeyConditionText(ExpressionNames& names) const {
    std::string condition;
    for (const AskedTerm& term : candidate_.interval.terms) {
      condition += (condition.empty() ? "" : " AND ") + KeyTermText(term, names);
    }
    return condition;
  }

  void AppendChoices(RequestNodes& nodes) const {
    // A local index reads from the table what it lacks, where whole items are asked for.
    if (index_ != nullptr && index_->is_local && candidate_.rest.projection.empty() &&
        !candidate_.rest.lacking.empty()) {
      AppendText(R"(,"Select":"ALL_ATTRIBUTES")", nodes);
    }
    if (candidate_.interval.is_backward) AppendText(R"(,"ScanIndexForward":false)", nodes);
    if (candidate_.has_limit && candidate_.walk) {
      AppendText(R"(,"Limit":)", nodes);
      AppendSlot({.source = RequestSlot::Source::kMissing, .count = candidate_.items}, nodes);
    } else if (candidate_.has_limit) {
      AppendText(R"(,"Limit":)" + std::to_string(candidate_.items), nodes);
    }
    if (question_.pattern.is_consistent) AppendText(R"(,"ConsistentRead":true)", nodes);
    AppendText("," + std::string(kReturnConsumedCapacity) + "}", nodes);
  }

  PlanStep FetchStep() const {
    PlanStep step = {.kind = PlanStep::Kind::kFetch};
    step.request.operation = "BatchGetItem";
    step.request.table = table_.name;
    RequestNodes& nodes = step.request.nodes;
    AppendText(R"({"RequestItems":{)" + QuotedJson(table_.name) + R"(:{"Keys":[])", nodes);
    AppendItemMembers(nodes);
    // Of a global index, which has no consistent reads, nothing is fetched for such a pattern.
    if (question_.pattern.is_consistent) AppendText(R"(,"ConsistentRead":true)", nodes);
    AppendText("}}," + std::string(kReturnConsumedCapacity) + "}", nodes);
    for (const std::string& name : TableKeyOf(table_)) {
      const auto type = table_.key_types.find(name);
      step.fetched_key.push_back(
          {.name = name, .type = type == table_.key_types.end() ? LabType::kString : type->second});
    }
    step.items = candidate_.fetched_items;
    const LabPattern& pattern = question_.pattern;
    if (step.items == 0 || pattern.order.entity == kLabNone) return step;
    const std::string& attribute = candidate_.interval.order_attribute;
    const bool is_by_key = !attribute.empty();
    step.merge_by = is_by_key ? attribute : LabAttributeAt(question_.file, pattern.order).name;
    step.merges_backward = is_by_key ? candidate_.interval.is_backward : pattern.is_descending;
    return step;
  }

  const ReadQuestion& question_;
  const ReadCandidate& candidate_;
  const LabTable& table_;
  const LabIndex* index_;
};

}  // namespace

std::vector<PlanStep> StepsOfRead(const ReadQuestion& question, const ReadCandidate& candidate) {
  return ReadRequestWriter(question, candidate).Write();
}

PlanStep ReferredStep(const ReadQuestion& question, const ReadCandidate& candidate) {
  return ReadRequestWriter(question, candidate).WriteReferred();
}

std::vector<PlanStep> StepsOfSearch(const ReadQuestion& question,
                                    const SearchCandidate& candidate) {
  PlanStep step;
  step.request.operation = "SearchVectors";
  step.request.table = TableOfItem(question.layout, *candidate.item).name;
  step.request.index = candidate.index->name;
  RequestNodes& nodes = step.request.nodes;
  AppendText(R"({"TableName":)" + QuotedJson(step.request.table) + R"(,"IndexName":)" +
                 QuotedJson(step.request.index) + R"(,"SearchVector":[)",
             nodes);
  AppendSlot({.source = RequestSlot::Source::kSearchVector,
              .role = question.role,
              .part = {.attribute = question.pattern.search_vector}},
             nodes);
  AppendText(R"(],"TopK":)" + std::to_string(question.pattern.limit), nodes);
  ExpressionNames names;
  std::string condition;
  for (const AskedTerm& term : candidate.terms) {
    condition += (condition.empty() ? "" : " AND ") + KeyTermText(term, names);
  }
  AppendExpression("SearchConditionExpression", condition, nodes);
  const bool fetches = !candidate.lacking.empty();
  if (!fetches) {
    AppendExpression("ProjectionExpression", PathsText(candidate.projection, names), nodes);
  }
  names.AppendMembers(nodes);
  AppendText("," + std::string(kReturnConsumedCapacity) + "}", nodes);
  std::vector<PlanStep> steps = {std::move(step)};
  if (!fetches) return steps;
  ReadCandidate fetched = {.interval = {.key = {.table = candidate.item->table}}};
  fetched.rest.projection = candidate.projection;
  steps.push_back(ReadRequestWriter(question, fetched).WriteFetch());
  return steps;
}

}  // namespace hashrange
