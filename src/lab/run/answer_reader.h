// LabAnswer: what a run has to know of an answer of the engine. Pure functions; any thread.
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
#include <string_view>

namespace hashrange {

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

// Returns where the JSON value begins that ends before `end`.
std::size_t BeginOfValue(std::string_view json, std::size_t end);
// Returns how many members or elements the object or array has.
std::uint64_t CountElements(std::string_view json);

}  // namespace hashrange
