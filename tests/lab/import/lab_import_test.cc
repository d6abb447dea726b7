// Models of each kind, and the lab files that are made of them.
#include "lab/import/lab_import.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "lab/import/model_file.h"
#include "support/golden_text.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

const std::string kModels = SourceRoot().string() + "/tests/lab/import/models/";

struct Sample {
  const char* name;  // of the test and of the golden file
  std::vector<std::string> files;
};

std::vector<std::string> PathsOf(const std::vector<std::string>& files) {
  std::vector<std::string> paths;
  for (const std::string& file : files) paths.push_back(kModels + file);
  return paths;
}

// The folder of the models is another one on each machine.
std::string WithoutFolder(std::string text) {
  for (std::size_t at = text.find(kModels); at != text.npos; at = text.find(kModels)) {
    text.erase(at, kModels.size());
  }
  return text;
}

class LabImportOf : public testing::TestWithParam<Sample> {};

TEST_P(LabImportOf, IsALabFile) {
  const auto lab = ImportLab(PathsOf(GetParam().files), std::nullopt);
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  ExpectGolden("tests/lab/import/golden/" + std::string(GetParam().name) + ".yaml",
               WithoutFolder(lab->text));
  ExpectAnswerable(*lab);
  // Nothing is named on stderr only.
  for (const std::string& remark : lab->remarks) {
    EXPECT_NE(lab->text.find("# - " + remark.substr(0, 60)), std::string::npos) << remark;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, LabImportOf,
    testing::Values(Sample{"schema", {"schema.json"}}, Sample{"measurement", {"measurement.json"}},
                    Sample{"tables", {"table.json", "items.jsonl"}},
                    Sample{"empty_table", {"table.json"}},
                    Sample{"data_model", {"data_model.json"}},
                    Sample{"capacity_model", {"capacity_model.json"}},
                    Sample{"workbench_facets", {"workbench_facets.json"}},
                    Sample{"workbench_samples", {"workbench_samples.json"}},
                    Sample{"workbench_followers", {"workbench_followers.json"}},
                    Sample{"workbench_complaints", {"workbench_complaints.json"}},
                    Sample{"workbench_mixed", {"workbench_mixed.json"}},
                    Sample{"workbench_undecided", {"workbench_undecided.json"}},
                    Sample{"onetable", {"onetable.json"}}, Sample{"electrodb", {"electrodb.json"}}),
    [](const testing::TestParamInfo<Sample>& sample) { return std::string(sample.param.name); });

TEST(LabImport, KindMayBeGiven) {
  const auto found = ImportLab(PathsOf({"onetable.json"}), std::nullopt);
  const auto given = ImportLab(PathsOf({"onetable.json"}), ImportKind::kOneTable);
  ASSERT_TRUE(found.ok() && given.ok());
  EXPECT_EQ(found->text, given->text);
}

TEST(LabImport, AModelIsOneFile) {
  const auto lab = ImportLab(PathsOf({"schema.json", "onetable.json"}), std::nullopt);
  ASSERT_FALSE(lab.ok());
  EXPECT_EQ(WithoutFolder(lab.error().message),
            "schema.json: a model of this kind is one file, and onetable.json is a second one");
}

TEST(LabImport, PartitionsAreThoseOfTheMeasuredTables) {
  std::ifstream in(kModels + "measurement.json");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_FALSE(Has(LabOfModel(text), "\npartitions:"));
  constexpr std::string_view kTable = R"("on_demand":)";
  const std::size_t at = text.find(kTable);
  ASSERT_NE(at, text.npos);
  text.insert(at, R"("partition_limits":{"write_units":100,"quota_read_units":4000},)");
  const ImportedLab lab = LabOfModel(text);
  EXPECT_TRUE(Has(lab,
                  "\npartitions: {write_units: 100, quota_read_units: 4000} # as the measured "
                  "tables had them\n"))
      << lab.text;
}

TEST(LabImport, ItemsNeedADefinition) {
  const auto lab = ImportLab(PathsOf({"items.jsonl"}), std::nullopt);
  ASSERT_FALSE(lab.ok());
  EXPECT_NE(lab.error().message.find("items need the file of their table's definition"),
            std::string::npos);
}

}  // namespace
}  // namespace hashrange
