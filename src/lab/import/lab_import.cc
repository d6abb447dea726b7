#include "lab/import/lab_import.h"

#include <span>
#include <string_view>
#include <utility>

#include "lab/import/import_file.h"
#include "lab/import/import_readers.h"
#include "lab/import/imported_entities.h"
#include "lab/import/imported_patterns.h"
#include "lab/import/item_values.h"
#include "lab/import/lab_writing.h"
#include "lab/import/table_data.h"
#include "lab/import/yaml_text.h"
#include "measure/measurement_json.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// More remarks than these are only counted.
constexpr std::size_t kMostRemarks = 100;

Error InFile(const std::string& name, Error error) {
  error.message = name + ": " + error.message;
  return error;
}

Result<ImportKind> KindOf(const std::vector<ImportFile>& files, std::optional<ImportKind> kind) {
  if (kind) return *kind;
  const ImportFile& first = files.front();
  if (first.is_folder) return ImportKind::kTables;
  if (first.json == nullptr) {
    return ValidationError(first.name + " is no model, which would be JSON: " + first.why_no_json +
                           "; items need the file of their table's definition before them");
  }
  if (const auto found = KindOfJson(*first.json)) return *found;
  return ValidationError(first.name +
                         " is of no kind that is known; --as names the kind: " + ImportKindNames());
}

// Returns the place of a list or an object with too many elements; nothing where there is none.
// Sample items may be many. The depth is limited by the parser.
std::optional<std::string> TooManyAt(const JsonValue& json, const std::string& place) {
  const bool is_list = json.type == JsonValue::Type::kArray;
  if (!is_list && json.type != JsonValue::Type::kObject) return std::nullopt;
  if (json.size > kMostModelElements) return place.empty() ? "it" : place;
  if (is_list) {
    for (std::size_t at = 0; at < json.size; ++at) {
      auto found = TooManyAt(json.elements()[at], place + "[" + std::to_string(at) + "]");
      if (found) return found;
    }
    return std::nullopt;
  }
  for (const JsonMember& member : json.members()) {
    if (member.name == "TableData" || member.name == "items") continue;
    auto found =
        TooManyAt(member.value, (place.empty() ? "" : place + ".") + std::string(member.name));
    if (found) return found;
  }
  return std::nullopt;
}

Status CheckSize(const ImportFile& file) {
  if (file.bytes > kMostModelBytes) {
    return ValidationError("a model has at most " + std::to_string(kMostModelBytes >> 20) + " MB");
  }
  const auto place = TooManyAt(*file.json, "");
  if (!place) return {};
  return ValidationError(*place + " has more than " + std::to_string(kMostModelElements) +
                         " elements");
}

Status CheckModel(const ImportFile& file, ImportKind kind) {
  if (file.json != nullptr) return kind == ImportKind::kMeasurement ? Status() : CheckSize(file);
  return ValidationError(file.is_folder ? "it is a folder, and a model is a file"
                                        : "it is no JSON: " + file.why_no_json);
}

// Makes the table of a definition whose items no file has.
Status MakeEmptyTable(const ImportFile* definition, TableData& data) {
  if (definition == nullptr) return {};
  const Status made = data.MakeTable(JsonText(*definition->json));
  if (made.ok()) return {};
  return InFile(definition->name, made.error());
}

Result<ImportedModel> ReadTables(const std::vector<ImportFile>& files) {
  TableData data;
  const ImportFile* definition = nullptr;
  for (const ImportFile& file : files) {
    const bool is_definition =
        file.json != nullptr && KindOfJson(*file.json) == ImportKind::kTables;
    if (is_definition) {
      HR_RETURN_IF_ERROR(MakeEmptyTable(std::exchange(definition, &file), data));
      continue;
    }
    if (file.is_stdin) {
      return ValidationError("stdin has no definition of a table, and items are read from files");
    }
    const bool is_of_definition = definition != nullptr && !file.is_folder;
    HR_RETURN_IF_ERROR(
        data.Load(file.name, is_of_definition ? JsonText(*definition->json) : std::string()));
    if (is_of_definition) definition = nullptr;
  }
  HR_RETURN_IF_ERROR(MakeEmptyTable(definition, data));
  data.Begin();
  HR_ASSIGN(const Measurement measurement, data.End());
  HR_ASSIGN(ImportedModel model, ReadMeasuredModel(measurement));
  model.source = "tables and their items";
  ItemValues values;
  HR_RETURN_IF_ERROR(values.Read(model, data));
  values.Describe(model);
  AddTablesWithoutItems(model);
  return model;
}

Result<ImportedModel> ReadMeasurementFile(const JsonValue& json) {
  HR_ASSIGN(const Measurement measurement, ReadMeasurement(json));
  return ReadMeasuredModel(measurement);
}

Result<ImportedModel> ReadElectroFiles(const std::vector<ImportFile>& files) {
  std::vector<const JsonValue*> entities;
  for (const ImportFile& file : files) {
    HR_RETURN_IF_ERROR(CheckModel(file, ImportKind::kElectroDb));
    if (file.json->type == JsonValue::Type::kArray) {
      for (const JsonValue& entity : file.json->elements()) entities.push_back(&entity);
    } else {
      entities.push_back(file.json);
    }
  }
  return ReadElectroModel(entities);
}

Result<ImportedModel> ReadModel(const std::vector<ImportFile>& files, ImportKind kind) {
  if (kind == ImportKind::kTables) return ReadTables(files);
  if (kind == ImportKind::kElectroDb) return ReadElectroFiles(files);
  if (files.size() > 1) {
    return ValidationError("a model of this kind is one file, and " + files[1].name +
                           " is a second one");
  }
  HR_RETURN_IF_ERROR(CheckModel(files.front(), kind));
  const JsonValue& json = *files.front().json;
  switch (kind) {
    case ImportKind::kSchemaJson:
      return ReadSchemaJsonModel(json);
    case ImportKind::kMeasurement:
      return ReadMeasurementFile(json);
    case ImportKind::kDataModel:
      return ReadDataModel(json);
    case ImportKind::kWorkbench:
      return ReadWorkbenchModel(json);
    default:
      return ReadOneTableModel(json);
  }
}

std::string Head(const std::vector<ImportFile>& files, const ImportedModel& model) {
  std::string head = "# Made by `hashrange lab import` from " + YamlComment(files.front().name) +
                     ", " + model.source + ".\n";
  head +=
      "# What has the comment \"fill in\" is not in the source: its values are there so that the "
      "file can be read.\n";
  head +=
      "# `rate` is how often, such as 50/s; `pick: zipf` beside it: few instances get most of "
      "the calls.\n";
  if (model.remarks.empty()) return head;
  head += "#\n# Left out or changed:\n";
  for (const std::string& remark : model.remarks) head += "# - " + YamlComment(remark) + "\n";
  return head;
}

void LimitRemarks(std::vector<std::string>& remarks) {
  if (remarks.size() <= kMostRemarks) return;
  const std::size_t more = remarks.size() - kMostRemarks;
  remarks.resize(kMostRemarks);
  remarks.push_back("and " + std::to_string(more) + " more");
}

Result<std::string> TextOf(ImportedModel& model) {
  LabDraft draft = WriteLabDraft(model);
  Result<std::string> text = draft.MendedText();
  for (const std::string& left_out : draft.left_out()) model.remarks.push_back(left_out);
  return text;
}

}  // namespace

Result<ImportedLab> ImportLab(const std::vector<std::string>& names,
                              std::optional<ImportKind> kind) {
  if (names.empty()) return ValidationError("there is no file to import");
  std::vector<ImportFile> files;
  for (const std::string& name : names) {
    HR_ASSIGN(ImportFile file, OpenImportFile(name));
    files.push_back(std::move(file));
  }
  HR_ASSIGN(const ImportKind of, KindOf(files, kind));
  const std::string& name = files.front().name;
  Result<ImportedModel> read = ReadModel(files, of);
  // The sentences about tables name their files.
  if (!read.ok() && of == ImportKind::kTables) return std::move(read).error();
  if (!read.ok()) return InFile(name, std::move(read).error());
  ImportedModel model = std::move(read).value();
  ArrangeEntities(model);
  CompletePatterns(model);
  if (model.entities.empty()) {
    return ValidationError(name + " has no entity with a key" +
                           (model.remarks.empty() ? "" : ": " + model.remarks.front()));
  }
  Result<std::string> text = TextOf(model);
  if (!text.ok()) {
    // A file has at least one pattern. Those that were refused stay as comments.
    for (ImportedPattern& pattern : model.patterns) {
      if (pattern.verb != ImportedPattern::Verb::kNone) {
        pattern.notes.push_back("it was refused; the remarks at the head say why");
      }
      pattern.verb = ImportedPattern::Verb::kNone;
    }
    CompletePatterns(model);
    text = TextOf(model);
  }
  if (!text.ok()) return InFile(name, std::move(text).error());
  LimitRemarks(model.remarks);
  return ImportedLab{Head(files, model) + *text, std::move(model.remarks)};
}

}  // namespace hashrange
