// A model in a file of this process, and the lab file that is made of it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "lab/import/lab_import.h"
#include "lab/language/lab_reader.h"
#include "support/temporary_folder.h"

namespace hashrange {

// A file that is removed at the end.
class ModelFile {
 public:
  explicit ModelFile(std::string_view text) { std::ofstream(path_, std::ios::binary) << text; }

  const std::string& path() const { return path_; }

 private:
  const test::TemporaryFolder folder_;
  const std::string path_ = folder_.path() / "model.json";
};

// Returns the lab file of a model, which the lab reads; an empty one, with a failure of the test,
// where there is none.
inline ImportedLab LabOfModel(std::string_view model,
                              std::optional<ImportKind> kind = std::nullopt) {
  const ModelFile file(model);
  auto lab = ImportLab({file.path()}, kind);
  EXPECT_TRUE(lab.ok()) << lab.error().message;
  if (!lab.ok()) return {};
  const auto read = ReadLabFile(lab->text, "lab.yaml");
  EXPECT_TRUE(read.ok()) << read.error().message << "\n" << lab->text;
  return std::move(lab).value();
}

// Returns why there is no lab file of a model, with FILE in the place of the file's name; empty:
// there is one, which the lab reads.
inline std::string SentenceOf(std::string_view model,
                              std::optional<ImportKind> kind = std::nullopt) {
  const ModelFile file(model);
  const auto lab = ImportLab({file.path()}, kind);
  if (!lab.ok()) {
    std::string sentence = lab.error().message;
    const std::size_t at = sentence.find(file.path());
    if (at != sentence.npos) sentence.replace(at, file.path().size(), "FILE");
    return sentence;
  }
  const auto read = ReadLabFile(lab->text, "lab.yaml");
  EXPECT_TRUE(read.ok()) << read.error().message << "\n" << lab->text;
  return "";
}

// Returns a schema.json of one table that has the entities.
inline std::string SchemaWith(std::string_view entities,
                              std::string_view keys = R"("partition_key":"PK")") {
  return R"({"tables":[{"table_config":{"table_name":"app",)" + std::string(keys) +
         R"(},"entities":{)" + std::string(entities) + "}}]}";
}

// Returns whether the text has the piece.
inline bool Has(const ImportedLab& lab, std::string_view piece) {
  return lab.text.find(piece) != std::string::npos;
}

// Expects that the text has each of the pieces.
inline void ExpectPieces(const ImportedLab& lab, std::initializer_list<std::string_view> pieces) {
  for (const std::string_view piece : pieces)
    EXPECT_TRUE(Has(lab, piece)) << piece << "\n" << lab.text;
}

// Returns whether one of the remarks is the sentence.
inline bool HasRemark(const ImportedLab& lab, std::string_view sentence) {
  for (const std::string& remark : lab.remarks) {
    if (remark == sentence) return true;
  }
  return false;
}

}  // namespace hashrange
