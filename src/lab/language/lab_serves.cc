#include "lab/language/lab_serves.h"

#include <string>
#include <utility>

#include "base/output_buffer.h"
#include "lab/language/lab_patterns.h"
#include "lab/language/lab_scalars.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

void WriteScalar(const LabNode& node, JsonWriter& writer) {
  const bool is_literal = !node.is_quoted && (node.text == "true" || node.text == "false" ||
                                              PlainNumberText(node.text).has_value());
  if (node.IsNull()) return writer.Raw("null");
  if (is_literal) return writer.Raw(node.text);
  writer.String(node.text);
}

// Writes the node as JSON. In DynamoDB's JSON, the value of {S: …} and {N: …} is a text, which the
// file may write without quotes.
void WriteNode(const LabNode& node, JsonWriter& writer) {
  if (node.kind == LabNode::Kind::kScalar) return WriteScalar(node, writer);
  if (node.kind == LabNode::Kind::kList) {
    writer.BeginArray();
    for (const LabNode& element : node.elements) WriteNode(element, writer);
    return writer.EndArray();
  }
  writer.BeginObject();
  for (const LabNode::Member& member : node.members) {
    writer.Name(member.name);
    const bool is_text = node.members.size() == 1 && (member.name == "S" || member.name == "N") &&
                         member.value.kind == LabNode::Kind::kScalar;
    if (is_text) {
      writer.String(member.value.text);
    } else {
      WriteNode(member.value, writer);
    }
  }
  writer.EndObject();
}

void AppendRequest(const LabNode& node, LabServe& serve, LabReading& reading) {
  const bool is_request = node.kind == LabNode::Kind::kMap && node.members.size() == 1 &&
                          node.members.front().value.kind == LabNode::Kind::kMap;
  if (!is_request) {
    return reading.Fail(node.place,
                        "a request of `serve` is a map of its operation, such as {Query: "
                        "{TableName: shop, …}}");
  }
  OutputBuffer json;
  JsonWriter writer(json);
  WriteNode(node.members.front().value, writer);
  serve.requests.push_back({node.members.front().name, std::string(json.view()), node.place});
}

}  // namespace

std::vector<LabServe> ReadServes(const LabNode& node, LabReading& reading) {
  std::vector<LabServe> serves;
  if (node.kind != LabNode::Kind::kMap) {
    reading.Fail(node.place, "`serve` has to be a map of patterns");
  }
  for (const LabNode::Member& member : node.members) {
    if (member.value.IsNull()) continue;
    LabServe serve;
    serve.pattern = FindPattern({member.name, member.place}, reading);
    if (member.value.kind != LabNode::Kind::kList || member.value.elements.empty()) {
      reading.Fail(member.value.place, "`serve` has a list of requests for each pattern");
    }
    for (const LabNode& element : member.value.elements) AppendRequest(element, serve, reading);
    serves.push_back(std::move(serve));
  }
  return serves;
}

}  // namespace hashrange
