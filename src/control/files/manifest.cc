#include "control/files/manifest.h"

#include <algorithm>
#include <cctype>

#include "base/arena.h"
#include "base/output_buffer.h"
#include "control/files/byte_source.h"
#include "control/files/folder.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMaxManifestBytes = 64 << 20;

Result<DumpManifest> ParseManifest(std::string& text) {
  Arena arena;
  auto json = ParseJsonData({text.data(), text.size()}, JsonDialect::kRequest, arena);
  if (!json.ok()) return ValidationError("it is no JSON: " + json.error().message);
  const JsonValue* const version = (*json)->Find("version");
  if (!version || version->type != JsonValue::Type::kInteger || version->integer != kVersion) {
    return ValidationError("it is not of version 1");
  }
  const JsonValue* const tables = (*json)->Find("tables");
  if (!tables || tables->type != JsonValue::Type::kArray) {
    return ValidationError("it names no tables");
  }
  DumpManifest manifest;
  for (const JsonValue& name : tables->elements()) {
    if (name.type != JsonValue::Type::kString || !IsTableName(name.string())) {
      return ValidationError("it names a table with no table's name");
    }
    manifest.tables.emplace_back(name.string());
  }
  return manifest;
}

}  // namespace

bool IsTableName(std::string_view name) {
  return name.size() >= 3 && std::ranges::all_of(name, [](unsigned char c) {
           return std::isalnum(c) || c == '_' || c == '.' || c == '-';
         });
}

Result<DumpManifest> ReadManifest(const std::filesystem::path& path, const FileBounds& bounds) {
  auto text = ReadWholeFile(path, kMaxManifestBytes, bounds);
  if (!text.ok()) return WithFileName(path.string(), std::move(text).error());
  auto manifest = ParseManifest(*text);
  if (!manifest.ok()) return WithFileName(path.string(), std::move(manifest).error());
  return manifest;
}

std::string ManifestText(const DumpManifest& manifest) {
  OutputBuffer text;
  JsonWriter json(text);
  json.BeginObject();
  json.Name("version");
  json.Integer(kVersion);
  json.Name("tables");
  json.BeginArray();
  for (const std::string& name : manifest.tables) json.String(name);
  json.EndArray();
  json.EndObject();
  text.Append('\n');
  return std::string(text.view());
}

}  // namespace hashrange
