// Models that are wrong: each gives one sentence, or a lab file that can be read.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_text.h"
#include "lab/import/lab_import.h"
#include "lab/import/model_file.h"
#include "lab/language/lab_reader.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

TEST(HostileModels, OneSentenceEach) {
  const std::string no_json = "FILE is no model, which would be JSON: ";
  EXPECT_EQ(SentenceOf("").substr(0, no_json.size()), no_json);
  EXPECT_EQ(SentenceOf("{\"a\":").substr(0, no_json.size()), no_json);
  EXPECT_EQ(SentenceOf(std::string(100'000, '[')).substr(0, no_json.size()), no_json);
  const std::string no_kind =
      "FILE is of no kind that is known; --as names the kind: schema, tables, measurement, "
      "data-model, workbench, onetable and electrodb";
  for (const std::string_view text : {"{}", "[]", "1", "null", "\"a\"", "{\"tables\":[]}",
                                      "{\"tables\":[1]}", "{\"tables\":{\"a\":1}}"}) {
    EXPECT_EQ(SentenceOf(text), no_kind) << text;
  }
  const auto none = ImportLab({"/nowhere/model.json"}, std::nullopt);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message, "cannot read /nowhere/model.json: No such file or directory");
}

TEST(HostileModels, EntitiesWithoutAKey) {
  EXPECT_EQ(
      SentenceOf(SchemaWith(R"("E":{})")),
      "FILE has no entity with a key: tables[0].entities.E.pk_template: the template of PK is "
      "empty and was left out");
  EXPECT_EQ(
      SentenceOf(SchemaWith(R"("E":{"pk_template":"A#{id"})")),
      "FILE has no entity with a key: tables[0].entities.E.pk_template: the template \"A#{id\" "
      "was left out: each { needs its }, with a name between them");
  EXPECT_EQ(
      SentenceOf(R"({"tables":[{"table_config":{"table_name":"app"}}]})"),
      "FILE has no entity with a key: tables[0]: the table was left out: it has no partition key");
}

TEST(HostileModels, EachKindAsEveryOtherKind) {
  constexpr ImportKind kAll[] = {ImportKind::kSchemaJson,  ImportKind::kTables,
                                 ImportKind::kMeasurement, ImportKind::kDataModel,
                                 ImportKind::kWorkbench,   ImportKind::kOneTable,
                                 ImportKind::kElectroDb};
  for (const ImportKind kind : kAll) {
    for (const std::string_view text :
         {"{}", "[]", "7", "{\"tables\":[{\"TableName\":5}],\"models\":[],\"indexes\":{}}"}) {
      EXPECT_NE(SentenceOf(text, kind), "") << text;
    }
  }
}

TEST(HostileModels, NamesThatYamlOrLabFilesDoNotTake) {
  const std::string model =
      R"({"tables":[{"table_config":{"table_name":"no","partition_key":"true","sort_key":"a: b"},)"
      R"("entities":{"null":{"pk_template":"x\"{on}\n","sk_template":"{ }#","fields":[)"
      R"({"name":"on","type":"string"},{"name":"on","type":"integer"},{"name":"","type":"blob"},)"
      R"({"name":"é\u2028{","type":"string"}],"access_patterns":[{"name":"# -","operation":"GetItem",)"
      R"("description":"a\nlab: 2","parameters":[{"name":"on","type":"string"}]},)"
      R"({"operation":"Nothing"}]},"a b":{"pk_template":"y","sk_template":"z"}}}]})";
  EXPECT_EQ(SentenceOf(model), "");
}

TEST(HostileModels, KeysOverTheLimits) {
  const std::string longest(3000, 'K');
  EXPECT_EQ(SentenceOf(SchemaWith(R"("E":{"pk_template":")" + longest + R"({id}"})")).substr(0, 4),
            "FILE");
}

TEST(HostileModels, ParentsInACircle) {
  EXPECT_EQ(
      SentenceOf(
          R"({"tables":[{"table_config":{"table_name":"app","partition_key":"PK"},)"
          R"("gsi_list":[{"name":"one","partition_key":"X"}],"entities":{)"
          R"("A":{"pk_template":"A#{a_id}","gsi_mappings":[{"name":"one","pk_template":"B#{b_id}"}]},)"
          R"("B":{"pk_template":"B#{b_id}","gsi_mappings":[{"name":"one","pk_template":"A#{a_id}"}]}}}]})"),
      "");
}

// A small generator of numbers, the same on each machine.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::size_t Below(std::size_t bound) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(state_ >> 33) % bound;
  }

 private:
  std::uint64_t state_;
};

// Changes some places of a text: other bytes, left out and repeated pieces.
std::string Changed(std::string text, Numbers& numbers) {
  constexpr std::string_view kBytes = "{}[]\",:#$ \n\\0aZ";
  for (std::size_t change = 0; change <= numbers.Below(3); ++change) {
    const std::size_t at = numbers.Below(text.size());
    switch (numbers.Below(4)) {
      case 0:
        text[at] = kBytes[numbers.Below(kBytes.size())];
        break;
      case 1:
        text.erase(at, numbers.Below(12));
        break;
      case 2:
        text.insert(at, text.substr(numbers.Below(text.size()), numbers.Below(20)));
        break;
      default:
        text.insert(at, 1, kBytes[numbers.Below(kBytes.size())]);
    }
  }
  return text;
}

TEST(HostileModels, ChangedModelsGiveASentenceOrALabFile) {
  Numbers numbers(7);
  for (const char* name : {"schema.json", "measurement.json", "data_model.json",
                           "capacity_model.json", "workbench_facets.json", "workbench_samples.json",
                           "onetable.json", "electrodb.json", "table.json"}) {
    const std::string text = *ReadFileText(SourceRoot() / "tests/lab/import/models" / name);
    ASSERT_FALSE(text.empty()) << name;
    for (int round = 0; round < 150; ++round) {
      const std::string changed = Changed(text, numbers);
      SCOPED_TRACE(std::string(name) + " " + std::to_string(round));
      SentenceOf(changed);
    }
  }
}

}  // namespace
}  // namespace hashrange
