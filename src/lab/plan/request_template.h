// RequestTemplate: the JSON of a request, or of one item, with slots that are filled for each call.
// It is what a plan consists of, what `explain` prints, and what a run renders and sends.
// RenderRequest is a pure function of its arguments; a template may be rendered by any thread.
//
//   {"TableName":"shop","Key":{"PK":{"S":"CUST#‹customer_id›"},"SK":{"S":"METADATA"}}}
//
//   kText  {"TableName":"shop","Key":{"PK":{"S":"CUST#
//   kSlot  customer_id of role 0
//   kText  "},"SK":{"S":"METADATA"}}}
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/language/lab_file.h"
#include "lab/plan/time_buckets.h"

namespace hashrange {

// A value that a call gives to an attribute of an instance that it writes.
struct LabNewValue {
  int role = 0;
  std::size_t place = 0;  // of the instance in the role
  int attribute = kLabNone;
  std::optional<std::string> value = {};  // nothing: the attribute is removed
};

// Of a step that is made several times, for a few instances of a role each time (PlanStep::each):
// the places from `from` to `to`, `to` excluded, of those instances.
struct LabCallWindow {
  int role = kLabNone;  // kLabNone: the step is about all instances of all roles
  std::size_t from = 0;
  std::size_t to = 0;
};

// One call of a pattern: who it is about. A role (call_shape.h) has the instances of one part of
// the call: the one that was picked, those that are created, their children, …
struct LabCall {
  std::int64_t now_epoch_ms = 0;
  std::vector<std::vector<InstanceId>> roles = {};
  std::vector<LabNewValue> new_values = {};
  int shard = 0;  // of a fan-out: the number of the shard, or period, that the request is for
  LabCallWindow window = {};
};

// What is put into a slot.
struct RequestSlot {
  enum class Source : std::uint8_t {
    kAttribute,  // `part` of an instance of the role: its value before the call's new values
    kNewValue,   // the same after the call's new values
    kShard,      // LabCall::shard
    kBucket,     // a time in the period of `buckets` that has the number LabCall::shard
    // The time of the call plus `offset_ms`, in the form that `part.attribute` has, or in
    // `now_form` where there is no attribute.
    kNow,
    kStart,  // the first `part.width` characters of the attribute: the beginning of a range
  };
  Source source = Source::kAttribute;
  int role = 0;
  LabTemplatePart part = {};  // its literal is not used
  std::int64_t offset_ms = 0;
  LabGenerator::TimeForm now_form = LabGenerator::TimeForm::kIso;
  TimeBuckets buckets = {};
  double factor = 1;    // of a number: what is put is its value times this
  bool is_old = false;  // for readers: the call replaces the value by another
};

struct RequestPiece {
  enum class Kind : std::uint8_t {
    kText,  // `text` as it is
    kSlot,
    // The next `length` pieces are rendered only where an instance of the role has all of
    // `has` and matches all of `when`, both as of after the call's new values, unless `is_before`.
    kWhen,
    kUnless,  // the same, where that is not so
    // The next `length` pieces are rendered for each instance of the role that the call's window
    // has, with `text` between those that render something. Within them, the role stands for that
    // one instance, a role of `beside` for the one at the same place, and the role of a descendant
    // for its descendants only. With `beside`, an instance that the role has twice is rendered
    // once.
    kEach,
    // The next `length` pieces are a list, whose members stand behind one another: a piece together
    // with those that it counts as its own. `text` stands between the members that render
    // something; if there is one, `before` and `after` stand around them.
    kJoined,
    // The next `length` pieces are rendered for each existing child, of the entity `child_entity`,
    // of the instance that `of_role` stands for, or of its ancestor, with `text` between. Within
    // them `role`, which is no role of the call, stands for that child. The instances of the role
    // `except` are left out.
    kChildren,
  };
  Kind kind = Kind::kText;
  std::string text = {};
  std::string before = {};
  std::string after = {};
  RequestSlot slot = {};
  int role = 0;
  std::vector<int> beside = {};
  int of_role = kLabNone;
  int child_entity = kLabNone;
  int except = kLabNone;
  std::vector<LabAttributeRef> has = {};
  std::vector<LabCondition> when = {};
  bool is_before = false;  // of kWhen and kUnless: as of before the call
  // Of kWhen: the call gives another value to one of `changed`, if there are any, and leaves all of
  // `unchanged` as they are.
  std::vector<LabAttributeRef> changed = {};
  std::vector<LabAttributeRef> unchanged = {};
  std::size_t length = 0;
};

struct RequestTemplate {
  std::string operation = {};  // "Query"; empty: the pieces are the JSON of one item
  std::string table = {};      // of a request about one table; else empty
  std::string index = {};
  std::vector<RequestPiece> pieces = {};
};

// Appends the JSON of the request. Slots are escaped. A slot of a role without an instance, or of
// an attribute that the instance lacks, is empty text. Outside of kEach, a role stands for the
// first of its instances that the call's window has. Nothing is appended where the request is not
// to be made, because nothing in it applies to the call.
//
// Cost: nothing is allocated but `out`.
void RenderRequest(const RequestTemplate& request, const Population& population,
                   const LabCall& call, std::string& out);

// Returns the JSON for readers: slots as {attribute}, {shard}, {now}, the pieces of kEach and of
// kChildren once and "…" after them, the pieces of kWhen always, but for those with `unchanged`,
// and those of kUnless never.
std::string ReadableRequest(const LabFile& file, const RequestTemplate& request);

// Appends text, which is joined with text before it unless that is within another piece.
void AppendText(std::string_view json, std::vector<RequestPiece>& pieces);
// Appends pieces that stand outside of other pieces, and joins their texts with what is there.
void AppendPieces(std::vector<RequestPiece> more, std::vector<RequestPiece>& pieces);
// Appends a key template's parts, with its literals escaped for JSON.
void AppendKeyTemplate(const LabTemplate& text, int role, RequestSlot::Source source,
                       std::vector<RequestPiece>& pieces);
void AppendSlot(RequestSlot slot, std::vector<RequestPiece>& pieces);
// Appends a piece that has pieces of its own, and the pieces that it counts as its own.
void AppendGroup(RequestPiece head, std::vector<RequestPiece> body,
                 std::vector<RequestPiece>& pieces);
// Appends text with the escapes that it needs within a JSON string.
void AppendEscaped(std::string_view text, std::string& out);

}  // namespace hashrange
