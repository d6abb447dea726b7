#include "lab/plan/query_request.h"

#include <algorithm>

#include "lab/plan/expression_names.h"
#include "lab/plan/planner.h"

namespace hashrange {
namespace {

constexpr std::size_t kKeysOfRequest = 100;  // of BatchGetItem and TransactGetItems

std::string QuotedText(std::string_view text) {
  std::string json = "\"";
  AppendEscaped(text, json);
  return json + '"';
}

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

// Writes the requests of one candidate.
class ReadRequestWriter {
 public:
  ReadRequestWriter(const ReadQuestion& question, const ReadCandidate& candidate)
      : question_(question),
        candidate_(candidate),
        table_(TableOf(question.layout, candidate.interval.key)),
        index_(IndexOf(question.layout, candidate.interval.key)) {}

  std::vector<PlanStep> Write() {
    if (candidate_.is_get) return {GetStep()};
    std::vector<PlanStep> steps = {QueryStep()};
    if (candidate_.fetches) steps.push_back(FetchStep());
    return steps;
  }

 private:
  bool IsBatch() const { return question_.pattern.batch > 1; }

  void AppendKey(std::vector<RequestPiece>& pieces) const {
    for (const AskedTerm& term : candidate_.interval.terms) {
      AppendText((&term == candidate_.interval.terms.data() ? "{" : ",") +
                     QuotedText(term.attribute) + ":",
                 pieces);
      AppendTypedValue(term.type, term.value, pieces);
    }
    AppendText("}", pieces);
  }

  // Appends the members that say what to read of an item.
  void AppendItemMembers(std::vector<RequestPiece>& pieces) const {
    ExpressionNames names;
    const std::string projection = ProjectionText(names);
    if (!projection.empty())
      AppendText(R"(,"ProjectionExpression":)" + QuotedText(projection), pieces);
    names.AppendMembers(pieces);
  }

  std::string ProjectionText(ExpressionNames& names) const {
    std::string text;
    for (const ItemPath& path : candidate_.rest.projection) {
      text += (text.empty() ? "" : ", ") + names.Path(path);
    }
    return text;
  }

  PlanStep GetStep() const {
    PlanStep step;
    step.request.table = table_.name;
    const bool is_transaction = question_.pattern.is_transaction.value_or(false);
    if (static_cast<std::size_t>(question_.pattern.batch) > kKeysOfRequest) {
      step.each = question_.role;
      step.each_count = kKeysOfRequest;
    }
    if (is_transaction) {
      step.request.operation = "TransactGetItems";
      WriteTransactGet(step.request.pieces);
    } else if (IsBatch()) {
      step.request.operation = "BatchGetItem";
      WriteBatchGet(step.request.pieces);
    } else {
      step.request.operation = "GetItem";
      WriteGet(step.request.pieces);
    }
    return step;
  }

  void WriteGet(std::vector<RequestPiece>& pieces) const {
    AppendText(R"({"TableName":)" + QuotedText(table_.name) + R"(,"Key":)", pieces);
    AppendKey(pieces);
    AppendItemMembers(pieces);
    if (question_.pattern.is_consistent) AppendText(R"(,"ConsistentRead":true)", pieces);
    AppendText("," + std::string(kReturnConsumedCapacity) + "}", pieces);
  }

  void WriteBatchGet(std::vector<RequestPiece>& pieces) const {
    AppendText(R"({"RequestItems":{)" + QuotedText(table_.name) + R"(:{"Keys":[)", pieces);
    std::vector<RequestPiece> key;
    AppendKey(key);
    AppendGroup({.kind = RequestPiece::Kind::kEach, .text = ",", .role = question_.role},
                std::move(key), pieces);
    AppendText("]", pieces);
    AppendItemMembers(pieces);
    if (question_.pattern.is_consistent) AppendText(R"(,"ConsistentRead":true)", pieces);
    AppendText("}}," + std::string(kReturnConsumedCapacity) + "}", pieces);
  }

  void WriteTransactGet(std::vector<RequestPiece>& pieces) const {
    AppendText(R"({"TransactItems":[)", pieces);
    std::vector<RequestPiece> get;
    AppendText(R"({"Get":{"TableName":)" + QuotedText(table_.name) + R"(,"Key":)", get);
    AppendKey(get);
    AppendItemMembers(get);
    AppendText("}}", get);
    AppendGroup({.kind = RequestPiece::Kind::kEach, .text = ",", .role = question_.role},
                std::move(get), pieces);
    AppendText("]," + std::string(kReturnConsumedCapacity) + "}", pieces);
  }

  PlanStep QueryStep() const {
    PlanStep step;
    step.request.operation = candidate_.is_scan ? "Scan" : "Query";
    step.request.table = table_.name;
    if (index_ != nullptr) step.request.index = index_->name;
    step.shards = candidate_.interval.shards;
    step.buckets = candidate_.interval.buckets;
    step.is_paged = true;
    step.items = candidate_.items;
    if (IsBatch()) step.each = question_.role;
    std::vector<RequestPiece>& pieces = step.request.pieces;
    AppendText(R"({"TableName":)" + QuotedText(table_.name), pieces);
    if (index_ != nullptr) AppendText(R"(,"IndexName":)" + QuotedText(index_->name), pieces);
    AppendExpressions(pieces);
    AppendChoices(pieces);
    return step;
  }

  void AppendExpressions(std::vector<RequestPiece>& pieces) const {
    ExpressionNames names;
    AppendExpression("KeyConditionExpression", KeyConditionText(names), pieces);
    std::string filter;
    for (const FilterTerm& term : candidate_.rest.filters) {
      filter += (filter.empty() ? "" : " AND ") + FilterText(term, names);
    }
    AppendExpression("FilterExpression", filter, pieces);
    // The keys for the fetch are always among what an index returns.
    if (!candidate_.fetches) {
      AppendExpression("ProjectionExpression", ProjectionText(names), pieces);
    }
    names.AppendMembers(pieces);
  }

  std::string KeyConditionText(ExpressionNames& names) const {
    std::string condition;
    for (const AskedTerm& term : candidate_.interval.terms) {
      condition += (condition.empty() ? "" : " AND ") + KeyTermText(term, names);
    }
    return condition;
  }

  static void AppendExpression(const char* member, const std::string& text,
                               std::vector<RequestPiece>& pieces) {
    if (!text.empty()) AppendText(",\"" + std::string(member) + "\":" + QuotedText(text), pieces);
  }

  void AppendChoices(std::vector<RequestPiece>& pieces) const {
    // A local index reads from the table what it lacks, where whole items are asked for.
    if (index_ != nullptr && index_->is_local && candidate_.rest.projection.empty() &&
        !candidate_.rest.lacking.empty()) {
      AppendText(R"(,"Select":"ALL_ATTRIBUTES")", pieces);
    }
    if (candidate_.interval.is_backward) AppendText(R"(,"ScanIndexForward":false)", pieces);
    if (candidate_.has_limit) {
      AppendText(R"(,"Limit":)" + std::to_string(candidate_.items), pieces);
    }
    if (question_.pattern.is_consistent) AppendText(R"(,"ConsistentRead":true)", pieces);
    AppendText("," + std::string(kReturnConsumedCapacity) + "}", pieces);
  }

  PlanStep FetchStep() const {
    PlanStep step = {.kind = PlanStep::Kind::kFetch};
    step.request.operation = "BatchGetItem";
    step.request.table = table_.name;
    std::vector<RequestPiece>& pieces = step.request.pieces;
    AppendText(R"({"RequestItems":{)" + QuotedText(table_.name) + R"(:{"Keys":[])", pieces);
    AppendItemMembers(pieces);
    AppendText("}}," + std::string(kReturnConsumedCapacity) + "}", pieces);
    step.key_attributes = table_.hash;
    step.key_attributes.insert(step.key_attributes.end(), table_.range.begin(), table_.range.end());
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

}  // namespace hashrange
