#include "expression/parse_cache.h"
#include "expression/text_cache.h"
#include "partiql/statement.h"

namespace hashrange::partiql {
namespace {

constexpr std::size_t kCapacityBytes = 1 << 20;

enum class Language { kPartiQl };
using Entry = std::shared_ptr<const Statement>;

template <typename T>
std::size_t BytesOfVector(const std::vector<T>& vector) {
  return vector.capacity() * sizeof(T);
}

std::size_t BytesOfStatement(const Entry& entry) {
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

}  // namespace

// Shared with the requests that run it: the members of a batch are all parsed before the first
// one runs, and may push each other out of the cache.
std::shared_ptr<const Statement> CachedStatement(std::string_view text) {
  thread_local TextCache<Language, Entry> cache(kCapacityBytes);
  return cache.Get(
      Language::kPartiQl, text,
      [&]() -> Entry { return std::make_shared<const Statement>(ParseStatement(text)); },
      BytesOfStatement);
}

}  // namespace hashrange::partiql
