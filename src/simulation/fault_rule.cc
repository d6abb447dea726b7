#include "simulation/fault_rule.h"

#include <algorithm>
#include <utility>

#include "base/memory/arena.h"
#include "base/random.h"
#include "value/key.h"
#include "wire/json.h"

namespace hashrange {
namespace {

// Ascending, for the binary search.
constexpr std::string_view kOperationsWithAccesses[] = {
    "BatchExecuteStatement",
    "BatchGetItem",
    "BatchWriteItem",
    "DeleteItem",
    "ExecuteStatement",
    "ExecuteTransaction",
    "GetItem",
    "PutItem",
    "Query",
    "Scan",
    "SearchVectors",
    "TransactGetItems",
    "TransactWriteItems",
    "UpdateItem",
};

// Returns the bytes of `place`, an encoded key, that encode the matched attribute, with the end
// marker. If a Query begins in the middle of the attribute, only the attribute's first bytes are
// there. Returns nullopt when the schema has no such attribute of this type, or when `place` ends
// before the attribute.
std::optional<std::string_view> EncodedPartOf(const KeySchema& schema, std::string_view place,
                                              const KeyPartMatch& match) {
  for (std::size_t i = 0; i < schema.parts() && !place.empty(); ++i) {
    const KeyPart& part = schema.part(i);
    const std::size_t size = EncodedPrefixEnd(place, part.type);
    if (part.name != match.attribute) {
      place.remove_prefix(size);
      continue;
    }
    if (part.type != match.type) return std::nullopt;
    return place.substr(0, size);
  }
  return std::nullopt;
}

bool MatchesPart(const KeySchema& schema, std::string_view place, const KeyPartMatch& match) {
  const auto part = EncodedPartOf(schema, place, match);
  if (!part) return false;
  return match.is_prefix ? part->starts_with(match.encoded) : *part == match.encoded;
}

bool MatchesIndex(std::string_view index, const Access& access) {
  if (access.index) return access.index->schema.name == index;
  return access.kind == Access::Kind::kWrite && access.table->FindIndex(index);
}

// Returns "T" of "arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/…"; nothing of a text that
// is no ARN of a table. A shard iterator begins with the ARN of its stream.
std::optional<std::string_view> TableNameInArn(std::string_view arn) {
  constexpr std::string_view kTable = ":table/";
  const std::size_t at = arn.find(kTable);
  if (at == std::string_view::npos) return std::nullopt;
  arn.remove_prefix(at + kTable.size());
  return arn.substr(0, arn.find('/'));
}

}  // namespace

bool FaultMatch::MatchesCall(const Call& call) const {
  if (!operations.empty() && std::ranges::find(operations, call.operation) == operations.end()) {
    return false;
  }
  return (account_id.empty() || account_id == call.account.account_id) &&
         (region.empty() || region == call.region);
}

bool FaultMatch::MatchesAccess(const Access& access) const {
  if (!table.empty() && table != access.table->name) return false;
  if (!index.empty() && !MatchesIndex(index, access)) return false;
  const KeySchema& schema = access.index ? access.index->schema.key : access.table->key;
  return std::ranges::all_of(
      key, [&](const KeyPartMatch& part) { return MatchesPart(schema, access.key.bytes, part); });
}

bool FaultMatch::MatchesRequest(const Call& call) const {
  if (!IsAboutAccesses()) return true;
  return index.empty() && key.empty() && TableNamedBy(call) == table;
}

KeyPartMatch EqualTo(std::string_view attribute, ValueView value) {
  Arena arena(1 << 10);
  return {std::string(attribute), value.type, std::string(EncodeParts({&value, 1}, arena)), false};
}

KeyPartMatch BeginningWith(std::string_view attribute, std::string_view text) {
  Arena arena(1 << 10);
  return {std::string(attribute), AttributeType::kS, std::string(EncodePrefix({}, text, arena)),
          true};
}

bool HasAccesses(std::string_view operation) {
  return std::ranges::binary_search(kOperationsWithAccesses, operation);
}

std::string_view TableNamedBy(const Call& call) {
  if (!call.request) return {};
  for (const std::string_view member :
       {"TableName", "GlobalTableName", "ResourceArn", "TableArn", "StreamArn", "ShardIterator"}) {
    const JsonValue* const named = call.request->Find(member);
    if (!named || named->type != JsonValue::Type::kString) continue;
    const std::string_view name =
        member.ends_with("TableName") ? named->string() : std::string_view();
    return TableNameInArn(named->string()).value_or(name);
  }
  return {};
}

FaultRule::FaultRule(std::uint64_t id, FaultSpec spec)
    : id_(id), spec_(std::move(spec)), first_number_(Random(spec_.seed).Next()) {}

// Counts a hit, unless the rule has fired `times` times. Other threads may do the same meanwhile.
bool FaultRule::TakeHit() {
  if (!spec_.times) {
    hits_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  std::uint64_t hits = hits_.load(std::memory_order_relaxed);
  while (hits < *spec_.times) {
    if (hits_.compare_exchange_weak(hits, hits + 1, std::memory_order_relaxed)) return true;
  }
  return false;
}

std::optional<std::int64_t> FaultRule::Decide() {
  const std::uint64_t number = matches_.fetch_add(1, std::memory_order_relaxed);
  if (number < spec_.skip) return std::nullopt;
  if ((number - spec_.skip + 1) % spec_.every != 0) return std::nullopt;
  Random random(first_number_ + number);
  if (spec_.probability < 1 && random.Fraction() >= spec_.probability) return std::nullopt;
  if (!TakeHit()) return std::nullopt;
  const FaultAction& action = spec_.action;
  const std::int64_t range_ms = action.max_latency_ms - action.latency_ms;
  if (range_ms <= 0) return action.latency_ms;
  return action.latency_ms +
         static_cast<std::int64_t>(random.Next() % static_cast<std::uint64_t>(range_ms + 1));
}

}  // namespace hashrange
