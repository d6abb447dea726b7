// A model in a file of this process, and the lab file that is made of it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Returns the text of a lab file with the proposal of each open question in its place.
inline std::string AnsweredText(std::string text) {
  constexpr std::string_view kProposal = "Proposal: \\\"";
  constexpr std::string_view kEnd = "\\\".}\"";
  for (std::size_t at = text.find("{?", text.find("\nlab: ")); at != text.npos;
       at = text.find("{?", at)) {
    const std::size_t begin = text.find(kProposal, at) + kProposal.size();
    const std::size_t end = text.find(kEnd, begin);
    text = text.substr(0, at) + text.substr(begin, end - begin) + "\"" +
           text.substr(end + kEnd.size());
  }
  return text;
}

// Expects that the lab reads the file once its questions are answered, and not before.
inline void ExpectAnswerable(const ImportedLab& lab) {
  std::vector<std::string> questions;
  const auto read = ReadLabFile(lab.text, "lab.yaml", &questions);
  EXPECT_EQ(questions.size(), lab.questions);
  EXPECT_EQ(read.ok(), lab.questions == 0) << lab.text;
  const auto answered = ReadLabFile(AnsweredText(lab.text), "lab.yaml");
  EXPECT_TRUE(answered.ok()) << answered.error().message << "\n" << lab.text;
}

// Returns the lab file of a model, which the lab reads once its questions are answered; an empty
// one, with a failure of the test, where there is none.
inline ImportedLab LabOfModel(std::string_view model,
                              std::optional<ImportKind> kind = std::nullopt) {
  const ModelFile file(model);
  auto lab = ImportLab({file.path()}, kind);
  EXPECT_TRUE(lab.ok()) << lab.error().message;
  if (!lab.ok()) return {};
  ExpectAnswerable(*lab);
  return std::move(lab).value();
}

// Returns why there is no lab file of a model, with FILE in the place of the file's name; empty:
// there is one, which the lab reads once its questions are answered.
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
  ExpectAnswerable(*lab);
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
