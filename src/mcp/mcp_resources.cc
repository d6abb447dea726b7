#include "mcp/mcp_resources.h"

#include <algorithm>
#include <iterator>

#include "lab/language/lab_texts.h"

namespace hashrange {
namespace {

struct Resource {
  std::string_view uri;
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view mime_type;
  std::string (*text)();
};

constexpr Resource kResources[] = {
    {"hashrange://lab/reference", "lab-reference", "The language of lab files",
     "All that a lab file can say, how its requests are derived, and what is modelled. Read it "
     "before you write a lab file.",
     "text/markdown", [] { return std::string(kLabReferenceText); }},
    {"hashrange://lab/schema", "lab-schema", "The JSON Schema of lab files",
     "Which members a lab file has, with a description of each.", "application/schema+json",
     LabSchemaText},
};

}  // namespace

void WriteResourceList(JsonWriter& writer) {
  writer.BeginArray();
  for (const Resource& resource : kResources) {
    writer.BeginObject();
    writer.StringMember("uri", resource.uri);
    writer.StringMember("name", resource.name);
    writer.StringMember("title", resource.title);
    writer.StringMember("description", resource.description);
    writer.StringMember("mimeType", resource.mime_type);
    writer.EndObject();
  }
  writer.EndArray();
}

bool WriteResourceContents(std::string_view uri, JsonWriter& writer) {
  const auto* const resource = std::ranges::find(kResources, uri, &Resource::uri);
  if (resource == std::end(kResources)) return false;
  writer.BeginArray();
  writer.BeginObject();
  writer.StringMember("uri", resource->uri);
  writer.StringMember("mimeType", resource->mime_type);
  writer.StringMember("text", resource->text());
  writer.EndObject();
  writer.EndArray();
  return true;
}

}  // namespace hashrange
