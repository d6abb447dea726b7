// The tool that says what a request would read, write and take, by the control API's call
// `explain`.
#include <cstdio>
#include <string>
#include <string_view>

#include "mcp/report_folder.h"
#include "mcp/request_tools.h"
#include "mcp/tool.h"
#include "mcp/tool_requests.h"
#include "measure/number_text.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostExplanationBytes = 3'000;  // as data of a result
constexpr std::size_t kMostAccesses = 25;             // in the text

constexpr ToolArgument kExplainArguments[] = {
    {.name = "operation",
     .is_required = true,
     .description = "An operation that reads or writes items, such as Query or PutItem"},
    {.name = "input",
     .type = ArgumentType::kObject,
     .is_required = true,
     .description = "Its input in DynamoDB's own JSON"}};

// Keys and names are data, which must not look like lines of the answer: "\\u000a" stands for a
// line end, and so on for each control character.
std::string TextOfMember(const JsonValue& json, std::string_view name) {
  std::string line;
  for (const char c : TextMember(json, name)) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code != 0x7f) {
      line += c;
      continue;
    }
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(code));
    line += escaped;
  }
  return line;
}

bool IsTrue(const JsonValue& json, std::string_view name) {
  const JsonValue* const member = json.Find(name);
  return member && member->type == JsonValue::Type::kTrue;
}

void AppendPart(std::string_view lead, const std::string& text, std::string* line) {
  if (!text.empty()) line->append(lead).append(text);
}

std::string ItemsText(double items, double bytes) {
  return CountedText(items, "item") + ", " + BytesText(bytes);
}

bool IsPageOf(std::string_view kind) { return kind == "query" || kind == "scan"; }

// Says what a read takes, and what its filter leaves.
std::string ReadText(const JsonValue& access) {
  std::string text = "reads " + ItemsText(NumberMember(access, "items_examined"),
                                          NumberMember(access, "bytes_examined"));
  const std::string kept = " keeps " + NumberText(NumberMember(access, "items_returned"));
  if (access.Find("filter")) text += "; the filter is applied afterwards and" + kept;
  if (access.Find("where")) text += "; the WHERE" + kept;
  if (IsTrue(access, "has_more")) text += "; more follows: this is the first page only";
  return text;
}

std::string IndexText(const JsonValue& access) {
  std::string text;
  for (const JsonValue& index : ListMember(access, "indexes")) {
    text += "; " + TextOfMember(index, "index") + ": entry " + TextOfMember(index, "entry") + ", " +
            CountedText(NumberMember(index, "units"), "unit");
  }
  return text;
}

// Says what becomes of the item, and of its index entries.
std::string WriteText(const JsonValue& access) {
  const double before = NumberMember(access, "bytes_before");
  const double after = NumberMember(access, "bytes_after");
  if (!access.Find("bytes_after")) {
    return before > 0 ? "there is an item of " + BytesText(before) : "there is no item";
  }
  if (before == 0 && after == 0) return "there is no item";
  std::string text = before == 0 ? "makes an item of " + BytesText(after)
                     : after == 0
                         ? "removes an item of " + BytesText(before)
                         : "changes an item of " + BytesText(before) + " to " + BytesText(after);
  return text + IndexText(access);
}

// Says which part of a table or index a Scan reads.
std::string ScanText(const JsonValue& access) {
  std::string text = " (a Scan: no key serves it)";
  const bool continues = IsTrue(access, "continues");
  const bool is_segment = IsTrue(access, "is_segment");
  if (continues) text += ", from its start key on";
  if (is_segment) text += ", one segment";
  const bool is_all = !continues && !is_segment && !IsTrue(access, "has_more");
  return is_all ? ", all of it" + text : text;
}

// Returns the interval or the key, and what the request asks besides it; empty: nothing.
std::string TermsText(const JsonValue& access, const std::string& kind) {
  std::string text;
  AppendPart(kind == "query" ? ", where " : ", ", TextOfMember(access, "key"), &text);
  AppendPart(", filter: ", TextOfMember(access, "filter"), &text);
  AppendPart(", WHERE ", TextOfMember(access, "where"), &text);
  AppendPart(", if ", TextOfMember(access, "condition"), &text);
  AppendPart(", update: ", TextOfMember(access, "update"), &text);
  AppendPart(", projection: ", TextOfMember(access, "projection"), &text);
  if (IsTrue(access, "backward")) text += ", backward";
  if (IsTrue(access, "consistent")) text += ", strongly consistent";
  if (const double limit = NumberMember(access, "limit"); limit > 0) {
    text += ", limit " + NumberText(limit);
  }
  return text.empty() ? text : "  " + text.substr(2) + "\n";
}

// Says why a write was refused.
std::string FailureText(const JsonValue& access) {
  if (!IsTrue(access, "is_failed")) return {};
  const std::string failure = TextOfMember(access, "failure");
  std::string text = "; nothing is written, ";
  if (failure.empty()) {
    text += "because another action was refused";
  } else if (failure == "ConditionalCheckFailedException") {
    text += "as the condition does not hold";
  } else {
    text += "for " + failure;
  }
  return text + "; the units are charged";
}

// The figures stand before the terms of the request, which may be long.
std::string AccessText(const JsonValue& access) {
  const std::string kind = TextOfMember(access, "kind");
  const bool is_read = IsPageOf(kind) || kind == "get";
  std::string text = "- " + kind + " " + TextOfMember(access, "table");
  AppendPart("/", TextOfMember(access, "index"), &text);
  if (kind == "scan") text += ScanText(access);
  text += ": " + CountedText(NumberMember(access, "units"), is_read ? "read unit" : "write unit");
  if (IsTrue(access, "in_transaction")) text += " (twice, as in a transaction)";
  text += FailureText(access) + "\n  ";
  text += (is_read ? ReadText(access) : WriteText(access)) + "\n";
  return text + TermsText(access, kind);
}

// Returns the sentences of an explanation.
std::string ExplanationSentences(const JsonValue& explanation) {
  constexpr double kSuccess = 200;
  std::string text = TextOfMember(explanation, "operation") + ": " +
                     CountedText(NumberMember(explanation, "read_units"), "read unit") + ", " +
                     CountedText(NumberMember(explanation, "write_units"), "write unit") + "\n";
  std::size_t shown = 0;
  for (const JsonValue& access : ListMember(explanation, "accesses")) {
    if (++shown <= kMostAccesses) text += AccessText(access);
  }
  if (shown > kMostAccesses) text += "- and " + std::to_string(shown - kMostAccesses) + " more\n";
  const JsonValue* const error = explanation.Find("error");
  if (NumberMember(explanation, "status") != kSuccess && error) {
    text += "It would fail: " + ErrorBodyText(*error) + "\n";
  }
  return text +
         "Computed by running it on a private copy of the tables as they are now; nothing was "
         "changed or counted.\n";
}

std::string BodyOf(ToolCall& call) {
  return JsonObjectText([&](JsonWriter& writer) {
    writer.StringMember("operation", call.arguments.Text("operation"));
    writer.Name("input");
    WriteJson(*call.arguments.Member("input"), writer);
    WriteOwner(call.place.target, writer);
  });
}

Result<ToolResult> Explain(ToolCall& call) {
  HR_ASSIGN(std::string body, call.place.target.Control("POST", "explain", BodyOf(call)));
  HR_ASSIGN(const OwnedJson json, OwnedJson::Parse(body, JsonDialect::kDocument));
  ToolResult result{.text = BoundedText(ExplanationSentences(json.value()), call.place.reports,
                                        "explanation.txt")};
  if (body.size() <= kMostExplanationBytes) {
    result.structured = std::move(body);
  } else {
    result.text += FileLine("as JSON", call.place.reports, "explanation.json", body);
  }
  return result;
}

constexpr Tool kExplainTools[] = {
    {.name = "explain_request",
     .title = "Explain a request",
     .description =
         "Says what one DynamoDB request would do, without making it: which table or index it "
         "reads, by which key interval, what the filter drops afterwards, whether it is a Scan, "
         "which index entries a write changes, whether a condition holds, and the exact items, "
         "bytes and capacity units. It is run on a private copy of the tables, which is dropped: "
         "nothing changes, and no measurement counts it. Of a Query or Scan of several pages, it "
         "explains the first.",
     .arguments = kExplainArguments,
     .effect = ToolEffect::kReads,
     .function = Explain}};

}  // namespace

std::span<const Tool> ExplainTools() { return kExplainTools; }

}  // namespace hashrange
