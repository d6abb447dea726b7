#include "cli/cell_text.h"

#include "base/output_buffer.h"
#include "measure/report/readable_text.h"
#include "wire/json_writer.h"

namespace hashrange {

std::string CellText(const JsonValue* json) {
  if (!json || json->is_null()) return "-";
  if (json->type == JsonValue::Type::kString) return ReadableText(json->string());
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(*json, writer);
  return ReadableJson(out.view());
}

}  // namespace hashrange
