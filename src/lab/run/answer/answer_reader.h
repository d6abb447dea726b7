// LabAnswer: what a run has to know of an answer of the engine or of an endpoint, and the items
// that a batch left unprocessed. Functions are pure; an object is used by one thread at a time.
//
// An answer is read from its end, where the small members are: the items that stand before them are
// never looked at. That is exact, because a quote within a string has an odd number of backslashes
// before it, and the quotes of a string have none:
//
//   {"Items":[…],"Count":20,"ScannedCount":20,"LastEvaluatedKey":{…},"ConsumedCapacity":{…}}
//                ←——————————————————————————————————————————————————————————————————————————
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "wire/json.h"

namespace hashrange {

inline constexpr int kOkStatus = 200;

struct LabAnswer {
  enum class Kind : std::uint8_t {
    kOk,
    kThrottled,  // to be sent again; also a transaction that was cancelled for that reason
    kCondition,  // a condition did not hold
    kBroken,     // to be sent again: no answer came, or one that the server failed
    kError,
  };
  Kind kind = Kind::kOk;
  double units = 0;         // consumed, of all tables
  double vector_bytes = 0;  // that a search, or a write, was charged of vector indexes
  std::uint64_t items = 0;  // returned
  // JSON, within the body; empty: there is none.
  std::string_view last_evaluated_key = {};
  std::string_view unprocessed = {};  // keys or items of a batch, by table
};

// Returns what the answer with this status and body says.
LabAnswer ReadLabAnswer(int status, std::string_view body);

// Returns what an answer with this status, 0 for none, and this error is; of kOk, whatever the
// error.
LabAnswer::Kind KindOfLabAnswer(int status, std::string_view error, std::string_view message);

// Returns the name of the error in a body: "ValidationException"; and its message with escapes.
std::string_view ErrorNameIn(std::string_view body);
std::string_view ErrorMessageIn(std::string_view body);

// The items that a BatchWriteItem has not written.
class UnprocessedItems {
 public:
  // Takes the member UnprocessedItems of the answer, which is copied.
  explicit UnprocessedItems(std::string_view json);
  UnprocessedItems(const UnprocessedItems&) = delete;
  UnprocessedItems& operator=(const UnprocessedItems&) = delete;

  // Returns whether the item with the primary key, a JSON object, is one of them: one that was to
  // be put, or to be deleted.
  bool Contain(std::string_view table, std::string_view key) const;

 private:
  Arena arena_;
  std::string text_;
  const JsonValue* tables_ = nullptr;
};

// Returns the item, or the key, in {"PutRequest":{"Item":…}} or {"DeleteRequest":{"Key":…}}; null
// where there is none.
const JsonValue* AttributesOfMember(const JsonValue& member);

}  // namespace hashrange
