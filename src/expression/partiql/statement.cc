#include "expression/partiql/statement.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "base/memory/thread_object.h"
#include "expression/parse_cache.h"
#include "expression/partiql/ast_builder.h"
#include "expression/partiql/statement_parser.h"

namespace hashrange::partiql {
namespace {

constexpr std::string_view kMalformed = "Statement wasn't well formed, can't be processed: ";

class StatementLowering {
 public:
  StatementLowering(const ParsedStatement& parsed, Statement* statement)
      : parsed_(parsed), statement_(*statement), writer_(parsed, statement) {}

  bool Lower() {
    if (parsed_.table != kNoNode && !LowerTable()) return false;
    if (parsed_.has_alias) return writer_.Refuse("Aliasing is not supported");
    if (!parsed_.unsupported.empty()) return writer_.RefuseLate(parsed_.unsupported);
    if (!LowerReturning()) return false;
    for (const std::uint16_t column : parsed_.columns) {
      if (!LowerColumn(writer_.node(column))) return false;
    }
    HideRepeatedColumns();
    if (parsed_.item != kNoNode && !LowerItem()) return false;
    if (!parsed_.assignments.empty() && !LowerUpdate(writer_, &statement_)) return false;
    if (parsed_.where != kNoNode && !LowerCondition(parsed_.where, writer_, &statement_.where)) {
      return false;
    }
    for (const auto& key : parsed_.order_by) {
      if (!LowerSortKey(key)) return false;
    }
    return true;
  }

 private:
  // The table is "T" or "T"."index".
  bool LowerTable() {
    const Node& path = writer_.node(parsed_.table);
    std::vector<std::string> names;
    for (const PathStep& step : writer_.tree().StepsOf(path)) {
      names.push_back(step.is_index ? std::string() : Unquoted(writer_.TokenText(step.token)));
      if (names.back().empty()) return writer_.Refuse("Path component cannot be an empty string");
    }
    if (names.size() > 2) {
      return writer_.Refuse("A path may contain at most 2 components in the FROM clause");
    }
    statement_.table = names[0];
    statement_.has_index = names.size() == 2;
    if (!statement_.has_index) return true;
    statement_.index = names[1];
    switch (parsed_.kind) {
      case StatementKind::kInsert:
        statement_.is_malformed = true;
        return writer_.Refuse(std::string(kMalformed) +
                              "FROM clause may only contain a single table name");
      case StatementKind::kUpdate:
      case StatementKind::kDelete:
        return writer_.Refuse("This operation is not supported on an index");
      default:
        return true;
    }
  }

  bool LowerReturning() {
    statement_.returning = parsed_.returning;
    if (parsed_.returning == Returning::kNone || parsed_.kind == StatementKind::kUpdate) {
      return true;
    }
    const bool is_delete = parsed_.kind == StatementKind::kDelete;
    if (is_delete && parsed_.returning == Returning::kAllOld) return true;
    std::string text = "Invalid returning clause: RETURNING ";
    text += ReturningName(parsed_.returning);
    text += " *.";
    // The text for an INSERT is unverified.
    if (is_delete) text += " Only RETURNING ALL OLD * is allowed in DELETE statements.";
    return writer_.RefuseLate(std::move(text));
  }

  // The name of a column is the last name of its path and the indices behind it.
  bool LowerColumn(const Node& node) {
    if (node.kind != NodeKind::kPath) {
      return writer_.RefuseLate("Unexpected path component at " +
                                PlaceOf(parsed_.text, node.token));
    }
    if (!AstBuilder(writer_, &statement_.columns).AddPath(node)) return false;
    std::string name;
    for (const PathStep& step : writer_.tree().StepsOf(node)) {
      if (!step.is_index) {
        name = Unquoted(writer_.TokenText(step.token));
      } else {
        name.append("[").append(writer_.TokenText(step.token)).append("]");
      }
    }
    statement_.column_names.push_back(std::move(name));
    return true;
  }

  void HideRepeatedColumns() {
    std::unordered_set<std::string> known;
    for (std::size_t i = statement_.column_names.size(); i-- > 0;) {
      std::string& name = statement_.column_names[i];
      if (!known.insert(name).second) name.clear();
    }
  }

  bool LowerItem() {
    const Node& item = writer_.node(parsed_.item);
    std::uint16_t number = 0;
    // An item is a struct. Another literal is refused as an operation; a node that is no literal is
    // refused with the message of ReadLiteral.
    if (item.kind != NodeKind::kStruct) {
      return writer_.AddValue(parsed_.item, &number) && writer_.RefuseOperation("Insert");
    }
    const std::span<const std::uint16_t> children = writer_.tree().ChildrenOf(item);
    for (std::size_t i = 0; i < children.size(); i += 2) {
      const Node& key = writer_.node(children[i]);
      if (key.kind != NodeKind::kString) return writer_.RefuseOperation("Insert");
      const std::string name = Unquoted(writer_.TokenText(key.token));
      if (name.empty()) return writer_.Refuse("Empty attribute name");
      InsertedAttribute attribute;
      attribute.name = writer_.AddName(name);
      if (!writer_.AddValue(children[i + 1], &attribute.value)) return false;
      statement_.inserted.push_back(attribute);
    }
    return true;
  }

  bool LowerSortKey(const ParsedStatement::SortKey& key) {
    const Node& node = writer_.node(key.path);
    if (node.kind != NodeKind::kPath) return writer_.RefuseOperation("OrderBy");
    OrderTerm term;
    term.is_attribute = node.count == 1;
    term.is_descending = key.is_descending;
    for (const PathStep& step : writer_.tree().StepsOf(node)) {
      const std::string text = Unquoted(writer_.TokenText(step.token));
      if (step.is_index) {
        term.path.append("[").append(text).append("]");
      } else {
        term.path.append(term.path.empty() ? "" : ".").append(text);
      }
    }
    statement_.order_by.push_back(std::move(term));
    return true;
  }

  const ParsedStatement& parsed_;
  Statement& statement_;
  StatementWriter writer_;
};

}  // namespace

std::string_view ReturningName(Returning returning) {
  static constexpr std::string_view kNames[] = {"", "ALL OLD", "ALL NEW", "MODIFIED OLD",
                                                "MODIFIED NEW"};
  return kNames[static_cast<int>(returning)];
}

Statement ParseStatement(std::string_view text) {
  const ParsedStatement parsed = ParseClauses(text);
  Statement statement;
  statement.kind = parsed.kind;
  statement.parameter_count = parsed.parameter_count;
  if (parsed.is_malformed) {
    statement.is_malformed = true;
    statement.error = std::string(kMalformed) + parsed.detail;
    return statement;
  }
  StatementLowering(parsed, &statement).Lower();
  return statement;
}

namespace {

constexpr std::size_t kCacheCapacityBytes = 1 << 20;

// The cache's tag, which distinguishes the languages of the texts: here it is always PartiQL.
enum class Language { kPartiQl };
using CacheEntry = std::shared_ptr<const Statement>;

std::size_t BytesOfStatement(const CacheEntry& entry) {
  const Statement& statement = *entry;
  std::size_t bytes = sizeof(Statement) + statement.table.capacity() + statement.index.capacity() +
                      statement.names.capacity() + statement.literals.capacity() +
                      statement.error.capacity() + statement.late_error.capacity() +
                      BytesOfVector(statement.values) + BytesOfVector(statement.column_names) +
                      BytesOfVector(statement.order_by) + BytesOfVector(statement.inserted) +
                      BytesOfVector(statement.set_arguments) + AstHeapBytes(statement.columns) +
                      AstHeapBytes(statement.where) + AstHeapBytes(statement.update);
  for (const std::string& name : statement.column_names) bytes += name.capacity();
  for (const OrderTerm& term : statement.order_by) bytes += term.path.capacity();
  for (const auto& argument : statement.set_arguments) bytes += argument.error.capacity();
  return bytes;
}

struct StatementCache {
  TextCache<Language, CacheEntry> entries{kCacheCapacityBytes};
};

}  // namespace

// The cache shares a statement with the requests that run it: the members of a batch are all
// parsed before the first of them runs, and may evict each other from the cache.
std::shared_ptr<const Statement> CachedStatement(std::string_view text) {
  return OfThread<StatementCache>().entries.Get(
      Language::kPartiQl, text,
      [&]() -> CacheEntry { return std::make_shared<const Statement>(ParseStatement(text)); },
      BytesOfStatement);
}

}  // namespace hashrange::partiql
