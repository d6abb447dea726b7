// RequestTemplate: the JSON of a request, or of one item, as a tree with slots that are filled for
// each call. It is what a plan consists of, what `explain` prints, and what a run renders and
// sends. Both renderings are pure functions of their arguments; a template may be rendered by any
// thread.
//
//   {"TableName":"shop","Item":{"PK":{"S":"CUST#‹customer_id›"},"email":{"S":"‹email›"}}}
//
//   RequestText  {"TableName":"shop","Item":{"PK":{"S":"CUST#
//   RequestSlot  customer_id of role 0
//   RequestText  "}
//   RequestWhen  the instance of role 0 has an email
//     RequestText  ,"email":{"S":"
//     RequestSlot  email of role 0
//     RequestText  "}
//   RequestText  }}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/language/lab_file.h"
#include "lab/plan/request/lab_call.h"
#include "lab/plan/request/time_buckets.h"

namespace hashrange {

struct RequestNode;
// No two texts stand behind one another.
using RequestNodes = std::vector<RequestNode>;

// Text as it is.
struct RequestText {
  std::string text = {};
};

// What is put into a slot, escaped for a JSON string unless it is JSON itself.
struct RequestSlot {
  enum class Source : std::uint8_t {
    kAttribute,  // `part` of an instance of the role: its value before the call's new values
    kNewValue,   // the same after the call's new values
    kShard,      // LabCall::shard
    kBucket,     // a time in the period of `buckets` that has the number LabCall::period
    // The time of the call plus `offset_ms`, in the form that `part.attribute` has, or in
    // `now_form` where there is no attribute.
    kNow,
    kStart,    // the first `part.width` characters of the attribute: the beginning of a range
    kMissing,  // LabCall::missing, a number; readers see `count`
    // The elements of a vector that is drawn for the call, as long as those of `part.attribute`.
    kSearchVector,
  };
  Source source = Source::kAttribute;
  int role = 0;
  LabTemplatePart part = {};  // its literal is not used
  std::int64_t offset_ms = 0;
  LabGenerator::TimeForm now_form = LabGenerator::TimeForm::kIso;
  TimeBuckets buckets = {};
  std::int64_t count = 0;  // of kMissing: what is missing at first
  double factor = 1;       // of a number: what is put is its value times this
  bool is_json = false;    // the value is that of a vector
  bool is_old = false;     // for readers: the call replaces the value by another
};

// For which instances of a role something is there: those that have all of `has` and match all of
// `when`, and to which the call gives another value of one of `changed`, if there are any, while it
// leaves all of `unchanged` as they are. A role without an instance never meets a condition.
struct RoleCondition {
  int role = 0;
  bool is_negated = false;  // the instances for which the rest does not hold
  bool is_before = false;   // `has` and `when` are as of before the call's new values, else after
  bool may_be_missing = false;  // a call may have no instance of the role (MayBeMissing)
  std::vector<LabAttributeRef> has = {};
  std::vector<LabCondition> when = {};
  std::vector<LabAttributeRef> changed = {};
  std::vector<LabAttributeRef> unchanged = {};

  // Returns whether the condition says nothing, so that it is meant for all instances.
  bool IsForAll() const {
    return !may_be_missing && has.empty() && when.empty() && changed.empty() && unchanged.empty();
  }
};

// The body is rendered where the condition holds.
struct RequestWhen {
  RoleCondition condition = {};
  RequestNodes body;
};

// The body is rendered for each instance of the role that the call's window has, with `between`
// between those that render something. Within it, the role stands for that one instance, a role of
// `beside` for the one at the same place, and the role of a descendant for its descendants only.
// With `beside`, an instance that the role has twice is rendered once.
struct RequestEach {
  std::string between = {};
  int role = 0;
  std::vector<int> beside = {};
  RequestNodes body;
};

// The body is rendered for each existing child, of the entity `child_entity`, of the instance that
// `of_role` stands for, or of its ancestor. Within it `role`, which is no role of the call, stands
// for that child. The instances of the role `except` are left out.
struct RequestChildren {
  std::string between = {};
  int role = 0;
  int of_role = kLabNone;
  int child_entity = kLabNone;
  int except = kLabNone;
  RequestNodes body;
};

// Members, with `between` between those that render something; if there is one, `before` and
// `after` stand around them. Without texts, it makes one member of several nodes.
struct RequestJoined {
  std::string before = {};
  std::string between = {};
  std::string after = {};
  RequestNodes members;
};

struct RequestNode {
  std::variant<RequestText, RequestSlot, RequestWhen, RequestEach, RequestChildren, RequestJoined>
      value;
};

struct RequestTemplate {
  std::string operation = {};  // "Query"; empty: the nodes are the JSON of one item
  std::string table = {};      // of a request about one table; else empty
  std::string index = {};
  RequestNodes nodes = {};
};

// Appends the JSON of the request. A slot of a role without an instance, or of an attribute that
// the instance lacks, is empty text. Outside of RequestEach, a role stands for the first of its
// instances that the call's window has. Nothing is appended where the request is not to be made,
// because nothing in it applies to the call.
//
// Cost: nothing is allocated but `out`.
void RenderRequest(const RequestTemplate& request, const Population& population,
                   const LabCall& call, std::string& out);

// Returns the JSON for readers: slots as {attribute}, {shard}, {now}; what is repeated once and "…"
// after it; what is sometimes there always, unless it is there only for what a call leaves
// unchanged, or where a condition does not hold.
std::string ReadableRequest(const LabFile& file, const RequestTemplate& request);

// A member of each request.
inline constexpr std::string_view kReturnConsumedCapacity = R"("ReturnConsumedCapacity":"TOTAL")";
// The same of a write in a layout with vector indexes, whose bytes no total has.
inline constexpr std::string_view kReturnIndexCapacity = R"("ReturnConsumedCapacity":"INDEXES")";

// Appends text, which is joined with text that stands there.
void AppendText(std::string_view json, RequestNodes& nodes);
// Appends nodes, and joins texts that meet.
void AppendNodes(RequestNodes more, RequestNodes& nodes);
void AppendSlot(RequestSlot slot, RequestNodes& nodes);
// Appends a key template's parts, with its literals escaped for JSON.
void AppendKeyTemplate(const LabTemplate& text, int role, RequestSlot::Source source,
                       RequestNodes& nodes);
// Appends one node: the body where the condition is met, or always where the condition says
// nothing.
void AppendWhere(RoleCondition condition, RequestNodes body, RequestNodes& nodes);
// Appends text with the escapes that it needs within a JSON string.
void AppendEscaped(std::string_view text, std::string& out);
// Returns the text as a JSON string, with its quotes.
std::string QuotedJson(std::string_view text);

}  // namespace hashrange
