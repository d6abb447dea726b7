#include "measure/rules/findings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "measure/rules/design_rules.h"
#include "measure/rules/judged_rule.h"

namespace hashrange {
namespace {

const RuleAssessment* FindAssessment(const DesignFindings& findings, std::string_view slug) {
  const auto at = std::ranges::find(findings.rules, slug, &RuleAssessment::slug);
  return at == findings.rules.end() ? nullptr : &*at;
}

// A scan, an index that nobody reads, and a strong read.
Measurement SmallTraffic() {
  Measurement measurement = ShopMeasurement();
  measurement.resources = {{.table = "shop", .index = "GSI1", .write_units = 80}};
  PatternMeasure scan = OnePattern("Scan", "scan", 10);
  scan.units = {{"shop", "", 100, 0}};
  PatternMeasure put = OnePattern("PutItem", "put", 10);
  put.id = "w";
  put.units = {{"shop", "GSI1", 0, 80}};
  put.inserted = 10;
  put.members[0].condition = "price > ?";
  measurement.patterns = {scan, put};
  return measurement;
}

TEST(Findings, SevereOnesPrecedeAndThenDearOnes) {
  const DesignFindings findings = AssessDesign(SmallTraffic(), {});
  std::string text;
  for (const Finding& finding : findings.findings) {
    text += std::string(SeverityName(finding.severity)) + " " + std::to_string(finding.rule) + " " +
            finding.slug + "\n";
  }
  EXPECT_EQ(text,
            "severe 1 scan\n"
            "warning 20 write-only-index\n"
            "hint 15 blind-create\n");
}

// Of 25 scans, the five cheapest are left out.
TEST(Findings, ARuleHasAFewFindings) {
  Measurement measurement = ShopMeasurement();
  for (int i = 1; i <= 25; ++i) {
    PatternMeasure scan = OnePattern("Scan", "scan", 10);
    scan.id = "p" + std::to_string(i);
    scan.units = {{"shop", "", static_cast<double>(i), 0}};
    measurement.patterns.push_back(scan);
  }
  const DesignFindings findings = AssessDesign(measurement, {});
  EXPECT_EQ(FindAssessment(findings, "scan")->findings, 25u);
  std::vector<Finding> scans;
  for (const Finding& each : findings.findings) {
    if (each.slug == "scan") scans.push_back(each);
  }
  ASSERT_EQ(scans.size(), kMostFindingsOfRule);
  EXPECT_EQ(scans.front().place.pattern, "p25");
  EXPECT_EQ(scans.back().place.pattern, "p6");
  EXPECT_EQ(
      scans.back().evidence,
      "10 calls scanned 0 items and took 6 read units. The rule has 5 more findings besides.");
}

TEST(Findings, RulesSayWhetherTheyWereAssessed) {
  const DesignFindings findings = AssessDesign(SmallTraffic(), {});
  const RuleAssessment* const scan = FindAssessment(findings, "scan");
  ASSERT_TRUE(scan);
  EXPECT_EQ(scan->state, RuleState::kFound);
  EXPECT_EQ(scan->findings, 1u);
  EXPECT_EQ(scan->reason, "");
  const RuleAssessment* const strong = FindAssessment(findings, "strong-reads");
  ASSERT_TRUE(strong);
  EXPECT_EQ(strong->state, RuleState::kClean);
  const RuleAssessment* const bursts = FindAssessment(findings, "gets-in-a-burst");
  ASSERT_TRUE(bursts);
  EXPECT_EQ(bursts->state, RuleState::kNotAssessed);
  EXPECT_EQ(bursts->reason, "No pattern of reads of one item had 100 calls.");
}

// "All items … which takes at most 1,000 write and 3,000 read units a second."
TEST(Findings, ARuleSaysWhatPartitionsServe) {
  const auto what_of = [](const Measurement& measurement) {
    for (const RuleAssessment& rule : AssessDesign(measurement, {}).rules) {
      if (rule.slug == "constant-partition-key") return rule.what.substr(rule.what.find(", ") + 2);
    }
    return std::string();
  };
  Measurement measurement;
  EXPECT_EQ(what_of(measurement), "which takes at most 1,000 write and 3,000 read units a second.");
  measurement.tables = {{.name = "small"}};
  measurement.tables[0].partition_limits.write_units = 10;
  EXPECT_EQ(what_of(measurement), "which takes at most 10 write and 3,000 read units a second.");
  measurement.tables.push_back({.name = "usual"});
  EXPECT_EQ(what_of(measurement),
            "which takes at most 10 to 1,000 write and 3,000 read units a second.");
}

TEST(Findings, NothingIsCleanWithoutTraffic) {
  for (const RuleProfile profile : {RuleProfile::kSingleTable, RuleProfile::kAws}) {
    const DesignFindings findings = AssessDesign(Measurement(), {.profile = profile});
    for (const RuleAssessment& rule : findings.rules) {
      EXPECT_EQ(rule.state, RuleState::kNotAssessed) << rule.slug;
      EXPECT_TRUE(rule.reason.ends_with(".")) << rule.slug;
    }
    EXPECT_TRUE(findings.findings.empty());
  }
}

TEST(Findings, ProfileChoosesTheRules) {
  const DesignFindings single = AssessDesign(Measurement(), {});
  const DesignFindings aws = AssessDesign(Measurement(), {.profile = RuleProfile::kAws});
  std::map<std::string, int> seen;
  for (const RuleAssessment& rule : single.rules) seen[rule.slug] += 1;
  for (const RuleAssessment& rule : aws.rules) seen[rule.slug] += 2;
  for (const auto& [slug, profiles] : seen) {
    const bool is_single = slug == "read-together" || slug == "no-type-attribute";
    EXPECT_EQ(profiles, is_single ? 1 : slug == "read-apart" ? 2 : 3) << slug;
  }
}

TEST(Findings, TableHasEachRuleOfTrafficAndDataOnce) {
  std::set<std::int64_t> numbers;
  std::set<std::string_view> slugs;
  for (const DesignRule& rule : DesignRules()) {
    numbers.insert(rule.number);
    EXPECT_TRUE(slugs.insert(rule.slug).second) << rule.slug;
    EXPECT_TRUE(rule.what.ends_with(".") && rule.advice.ends_with(".")) << rule.slug;
    EXPECT_NE(rule.profiles, 0u) << rule.slug;
  }
  EXPECT_EQ(numbers.size(), 38u);
  EXPECT_EQ(*numbers.begin(), 1);
  EXPECT_EQ(*numbers.rbegin(), 38);
}

TEST(Findings, ProfilesHaveNames) {
  for (const RuleProfile profile : {RuleProfile::kSingleTable, RuleProfile::kAws}) {
    const auto read = ReadRuleProfile(ProfileName(profile));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, profile);
  }
  const auto read = ReadRuleProfile("sql");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message,
            "There is no profile \"sql\". The profiles are single-table and aws.");
}

TEST(FindingText, SizesHaveTheirUnit) {
  EXPECT_EQ(StoredSizeText(0), "0 bytes");
  EXPECT_EQ(StoredSizeText(1), "1 byte");
  EXPECT_EQ(StoredSizeText(1023), "1,023 bytes");
  EXPECT_EQ(StoredSizeText(1536), "1.5 KB");
  EXPECT_EQ(StoredSizeText(350.0 * 1024), "350 KB");
  EXPECT_EQ(StoredSizeText(10.0 * 1024 * 1024 * 1024), "10 GB");
  EXPECT_EQ(StoredSizeText(2048.0 * 1024 * 1024 * 1024), "2 TB");
}

TEST(FindingText, NamesStandInBackquotes) { EXPECT_EQ(InBackticks("status"), "`status`"); }

}  // namespace
}  // namespace hashrange
