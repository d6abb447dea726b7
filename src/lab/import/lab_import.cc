#include "lab/import/lab_import.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "base/file_path.h"
#include "base/file_text.h"
#include "lab/import/import_steps.h"
#include "lab/import/table_data.h"
#include "lab/language/joined_names.h"
#include "lab/language/lab_reader.h"
#include "lab/yaml/yaml_text.h"
#include "measure/measurement_json.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// A file with more bytes is refused. A file with a measurement may have kMaxFileTextBytes.
constexpr std::size_t kMostModelBytes = 8 << 20;
constexpr std::size_t kMostItemBytes = 1 << 30;
// A list or an object of a model with more elements is refused.
constexpr std::size_t kMostModelElements = 2000;
// More remarks than these are only counted.
constexpr std::size_t kMostRemarks = 100;

constexpr std::string_view kStdinName = "-";

// A file or folder that a user names, as far as it has to be read to know what it is.
struct ImportFile {
  const JsonValue* json() const { return owned ? &owned->value() : nullptr; }

  std::string name = {};
  bool is_stdin = false;
  bool is_folder = false;
  std::size_t bytes = 0;  // of a file with JSON
  // Nothing: the file is not one JSON value, such as lines of items, or is too large for a model;
  // `why_no_json` says it.
  std::optional<OwnedJson> owned = {};
  std::string why_no_json = {};
};

std::string MegabytesText(std::size_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

// Errors: ValidationException  the file cannot be read, or has more bytes than items may have
Result<ImportFile> OpenImportFile(const std::string& name) {
  ImportFile file;
  file.is_stdin = name == kStdinName;
  file.name = file.is_stdin ? "stdin" : name;
  std::error_code error;
  file.is_folder = fs::is_directory(name, error);
  if (file.is_folder) return file;
  const auto bytes = fs::file_size(name, error);
  if (!error && bytes > kMostItemBytes) {
    return ValidationError(name + " has more than " + MegabytesText(kMostItemBytes) +
                           "; a part of the items is enough to see the templates of their keys");
  }
  if (!error && bytes > kMaxFileTextBytes) {
    file.why_no_json = "it has more than " + MegabytesText(kMaxFileTextBytes);
    return file;
  }
  HR_ASSIGN(std::string text, file.is_stdin ? ReadStdinText() : ReadFileText(name));
  file.bytes = text.size();
  auto json = OwnedJson::Parse(std::move(text), JsonDialect::kRequest);
  if (json.ok()) {
    file.owned = std::move(*json);
  } else {
    file.why_no_json = json.error().message;
  }
  return file;
}

bool HasAll(const JsonValue& json, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (json.Find(name) == nullptr) return false;
  }
  return true;
}

// Returns the first element of the list; null where there is none.
const JsonValue* FirstElement(const JsonValue* json) {
  const bool has_one = json != nullptr && json->type == JsonValue::Type::kArray && json->size > 0;
  return has_one ? &json->elements().front() : nullptr;
}

std::optional<ImportKind> KindOfTables(const JsonValue& table) {
  if (table.Find("table_config") != nullptr) return ImportKind::kSchemaJson;
  if (table.Find("TableName") != nullptr) return ImportKind::kDataModel;
  if (table.Find("table_name") != nullptr) return ImportKind::kDataModel;
  return std::nullopt;
}

bool IsElectroEntity(const JsonValue& json) {
  return HasAll(json, {"model", "attributes", "indexes"});
}

// Returns the kind that the JSON has by its members; nothing where none is known.
std::optional<ImportKind> KindOfJson(const JsonValue& json) {
  if (HasAll(json, {"key_templates", "patterns", "entities"})) return ImportKind::kMeasurement;
  if (json.Find("DataModel") != nullptr) return ImportKind::kWorkbench;
  if (HasAll(json, {"models", "indexes"})) return ImportKind::kOneTable;
  if (IsElectroEntity(json)) return ImportKind::kElectroDb;
  if (const JsonValue* const first = FirstElement(&json)) {
    if (IsElectroEntity(*first)) return ImportKind::kElectroDb;
  }
  if (const JsonValue* const table = FirstElement(json.Find("tables"))) return KindOfTables(*table);
  if (HasAll(json, {"TableName", "KeySchema"})) return ImportKind::kTables;
  const JsonValue* const described = json.Find("Table");
  if (described != nullptr && described->Find("KeySchema") != nullptr) return ImportKind::kTables;
  return std::nullopt;
}

Error InFile(const std::string& name, Error error) {
  error.message = name + ": " + error.message;
  return error;
}

Result<ImportKind> KindOf(const std::vector<ImportFile>& files, std::optional<ImportKind> kind) {
  if (kind) return *kind;
  const ImportFile& first = files.front();
  if (first.is_folder) return ImportKind::kTables;
  if (first.json() == nullptr) {
    return ValidationError(first.name + " is no model, which would be JSON: " + first.why_no_json +
                           "; items need the file of their table's definition before them");
  }
  if (const auto found = KindOfJson(*first.json())) return *found;
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
  const auto place = TooManyAt(*file.json(), "");
  if (!place) return {};
  return ValidationError(*place + " has more than " + std::to_string(kMostModelElements) +
                         " elements");
}

Status CheckModel(const ImportFile& file, ImportKind kind) {
  if (file.json() != nullptr) return kind == ImportKind::kMeasurement ? Status() : CheckSize(file);
  return ValidationError(file.is_folder ? "it is a folder, and a model is a file"
                                        : "it is no JSON: " + file.why_no_json);
}

// Makes the table of a definition whose items no file has.
Status MakeEmptyTable(const ImportFile* definition, TableData& data) {
  if (definition == nullptr) return {};
  const Status made = data.MakeTable(JsonText(*definition->json()));
  if (made.ok()) return {};
  return InFile(definition->name, made.error());
}

Result<ImportedModel> ReadTables(const std::vector<ImportFile>& files) {
  TableData data;
  const ImportFile* definition = nullptr;
  for (const ImportFile& file : files) {
    const bool is_definition =
        file.json() != nullptr && KindOfJson(*file.json()) == ImportKind::kTables;
    if (is_definition) {
      HR_RETURN_IF_ERROR(MakeEmptyTable(std::exchange(definition, &file), data));
      continue;
    }
    if (file.is_stdin) {
      return ValidationError("stdin has no definition of a table, and items are read from files");
    }
    const bool is_of_definition = definition != nullptr && !file.is_folder;
    HR_RETURN_IF_ERROR(
        data.Load(file.name, is_of_definition ? JsonText(*definition->json()) : std::string()));
    if (is_of_definition) definition = nullptr;
  }
  HR_RETURN_IF_ERROR(MakeEmptyTable(definition, data));
  HR_ASSIGN(const MeasuredSamples samples, MeasureSamples(data));
  HR_ASSIGN(ImportedModel model, ModelOfSamples(samples, samples.measurement));
  model.source = "tables and their items";
  HR_RETURN_IF_ERROR(DescribeByItems(data, model));
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
    if (file.json()->type == JsonValue::Type::kArray) {
      for (const JsonValue& entity : file.json()->elements()) entities.push_back(&entity);
    } else {
      entities.push_back(file.json());
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
  const JsonValue& json = *files.front().json();
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

std::string Head(const std::vector<ImportFile>& files, const ImportedModel& model,
                 std::size_t questions) {
  std::string head = "# Made by `hashrange lab import` from " + YamlComment(files.front().name) +
                     ", " + model.source + ".\n";
  head +=
      "# What has the comment \"fill in\" is not in the source: its values are there so that the "
      "file can be read.\n";
  head +=
      "# `rate` is how often, such as 50/s; `pick: zipf` beside it: few instances get most of "
      "the calls.\n";
  if (questions > 0) {
    head += "# " + QuestionCountText(questions) +
            ": {?…} stands where the source does not decide. Write the answer in its place.\n";
  }
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

// Returns the text of the lab file, with the marks of its questions.
Result<std::string> TextOf(ImportedModel& model) {
  LabDraft draft = WriteLabDraft(model);
  const Result<std::string> text = draft.MendedText();
  for (const std::string& left_out : draft.left_out()) model.remarks.push_back(left_out);
  if (!text.ok()) return text.error();
  return draft.MarkedText();
}

// Returns how many open questions a reader finds.
std::size_t CountQuestions(const std::string& text) {
  std::vector<std::string> questions;
  return ReadLabFile(text, "lab", &questions).ok() ? 0 : questions.size();
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
  const std::size_t questions = CountQuestions(*text);
  std::string head = Head(files, model, questions);
  return ImportedLab{std::move(head) + *text, std::move(model.remarks), questions};
}

std::optional<ImportKind> ImportKindNamed(std::string_view name) {
  const auto* const found = std::ranges::find(kImportKindNames, name);
  if (found == std::end(kImportKindNames)) return std::nullopt;
  return static_cast<ImportKind>(found - std::begin(kImportKindNames));
}

std::string QuestionCountText(std::size_t questions) {
  return questions == 1 ? "1 open question" : std::to_string(questions) + " open questions";
}

std::string ImportKindNames() { return JoinedNames(kImportKindNames, "and"); }

}  // namespace hashrange
