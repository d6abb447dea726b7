#include "cli/lab_line.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command_lines.h"

namespace hashrange {
namespace {

using LabCommand = LabLine::Command;

LabLine ParseLab(const std::vector<const char*>& arguments) {
  return ParseBehind("lab", ParseLabLine, arguments);
}

// The message for a wrong command line, without the hint after it.
std::string LabRefusal(const std::vector<const char*>& arguments) {
  const auto parse = [&] {
    LabLine line = ParseLab(arguments);
    EXPECT_EQ(line.command, LabCommand::kNothing);
    return line;
  };
  return RefusalBy(parse, "hashrange lab");
}

TEST(LabLine, ARefusalNamesTheHelpOfItsCommand) {
  const auto said = [](const std::vector<const char*>& arguments) {
    testing::internal::CaptureStderr();
    ParseLab(arguments);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_TRUE(
      said({"run", "shop.yaml", "--thin", "x"}).ends_with(" (see hashrange lab run --help)\n"));
  EXPECT_TRUE(said({"explain"}).ends_with(" (see hashrange lab explain --help)\n"));
  EXPECT_TRUE(said({}).ends_with(" (see hashrange lab --help)\n"));
}

TEST(LabLine, ARunNeedsItsFileOnly) {
  const LabLine line = ParseLab({"run", "shop.yaml"});
  EXPECT_EQ(line.command, LabCommand::kRun);
  EXPECT_EQ(line.file, "shop.yaml");
  EXPECT_EQ(line.options.scales, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(line.options.thin, 1u);
  EXPECT_EQ(line.options.threads, 0);
  EXPECT_TRUE(line.options.confirms_first_limit);
  EXPECT_TRUE(line.options.only_layouts.empty());
  EXPECT_TRUE(line.options.requests_file.empty());
  EXPECT_FALSE(line.html.has_value());
  EXPECT_FALSE(line.json.has_value());
}

TEST(LabLine, AllOptionsOfAnEndpoint) {
  const LabLine line =
      ParseLab({"run", "shop.yaml", "--endpoint", "http://127.0.0.1:8000", "--rate", "2.5%",
                "--duration", "90s", "--prefix", "try-", "--spend", "0.5", "--region", "eu-west-1",
                "--profile", "me", "--ca-file", "ca.pem"});
  EXPECT_EQ(line.command, LabCommand::kRun);
  EXPECT_EQ(line.endpoint.url, "http://127.0.0.1:8000");
  EXPECT_EQ(line.endpoint.traffic.rate, 0.025);
  EXPECT_EQ(line.endpoint.traffic.length_ms, 90'000);
  EXPECT_EQ(line.endpoint.prefix, "try-");
  EXPECT_EQ(line.endpoint.spend_usd, 0.5);
  EXPECT_EQ(line.endpoint.region, "eu-west-1");
  EXPECT_EQ(line.endpoint.profile, "me");
  EXPECT_EQ(line.endpoint.ca_file, "ca.pem");
}

TEST(LabLine, WrongOptionsOfAnEndpointAreRefused) {
  EXPECT_EQ(LabRefusal({"run", "a.yaml", "--rate", "1%"}), "--rate requires --endpoint");
  EXPECT_EQ(LabRefusal({"run", "a.yaml", "--endpoint", "http://h", "--scale", "1,10"}),
            "--endpoint takes one --scale");
  for (const char* const share : {"0", "-1", "nan", "1%%", "half", "101", "1e400"}) {
    EXPECT_EQ(LabRefusal({"run", "a.yaml", "--endpoint", "http://h", "--rate", share}),
              std::string("--rate: has to be a share of the declared rates, such as 0.01, 1% or 2, "
                          "of 100 at most, and this is \"") +
                  share + "\"");
  }
  EXPECT_EQ(LabRefusal({"run", "a.yaml", "--endpoint", "http://h", "--duration", "0s"}),
            "--duration: has to be a time with its unit, such as \"500ms\", \"3s\", \"5m\", "
            "\"2h\" or \"2d\", and this is \"0s\"");
  EXPECT_EQ(LabRefusal({"run", "a.yaml", "--endpoint", "http://h", "--spend", "inf"}),
            "--spend: has to be an amount of US$, such as 0.50, and this is \"inf\"");
  EXPECT_EQ(LabRefusal({"check", "a.yaml", "--endpoint", "http://h"}),
            "unknown argument: --endpoint");
}

TEST(LabLine, AllOptionsOfARun) {
  const LabLine line =
      ParseLab({"run", "--layout", "sharded, lines inside", "shop.yaml", "--layout", "plain",
                "--scale", "100,1,10,1", "--thin", "20", "--threads", "2", "--html", "a.html",
                "--json", "a.json", "--requests", "a.jsonl", "--no-confirm"});
  EXPECT_EQ(line.command, LabCommand::kRun);
  EXPECT_EQ(line.file, "shop.yaml");
  EXPECT_EQ(line.options.only_layouts,
            (std::vector<std::string>{"sharded, lines inside", "plain"}));
  EXPECT_EQ(line.options.scales, (std::vector<std::uint64_t>{1, 10, 100}));
  EXPECT_EQ(line.options.thin, 20u);
  EXPECT_EQ(line.options.threads, 2);
  EXPECT_FALSE(line.options.confirms_first_limit);
  EXPECT_EQ(line.options.requests_file, "a.jsonl");
  EXPECT_EQ(line.html, "a.html");
  EXPECT_EQ(line.json, "a.json");
}

TEST(LabLine, NumbersVaryInARunAndInAnExplanation) {
  const std::vector<std::string> varied = {"rates.sign up=1/s..9/s", "counts.Order=x0.5..x2"};
  for (const char* const command : {"run", "explain"}) {
    EXPECT_EQ(ParseLab({command, "a.yaml", "--vary", "rates.sign up=1/s..9/s", "--vary",
                        "counts.Order=x0.5..x2"})
                  .varied,
              varied);
  }
  EXPECT_EQ(LabRefusal({"check", "a.yaml", "--vary", "a=1..2"}), "unknown argument: --vary");
}

TEST(LabLine, JsonWithoutAFileGoesToStdout) {
  EXPECT_EQ(ParseLab({"run", "shop.yaml", "--json"}).json, "");
  EXPECT_EQ(ParseLab({"run", "shop.yaml", "--json", "--thin", "2"}).json, "");
  EXPECT_EQ(ParseLab({"run", "shop.yaml", "--json", "-"}).json, "");
  EXPECT_EQ(ParseLab({"run", "--json", "shop.yaml"}).json, "");
  EXPECT_EQ(ParseLab({"run", "--json", "shop.yaml"}).file, "shop.yaml");
  EXPECT_EQ(ParseLab({"check", "-", "--json"}).file, "-");
}

TEST(LabLine, ThePageMayGoToStdoutAndTheRequestsMayNot) {
  EXPECT_EQ(ParseLab({"run", "shop.yaml", "--html", "-"}).html, "");
  EXPECT_EQ(LabRefusal({"run", "shop.yaml", "--requests", "-"}),
            "--requests: has to be a file: stdout has the report");
}

TEST(LabLine, ACheckConfirmsTheFirstLimitAsARunDoes) {
  const LabLine line = ParseLab({"check", "shop.yaml", "--layout", "plain"});
  EXPECT_EQ(line.command, LabCommand::kCheck);
  EXPECT_TRUE(line.options.confirms_first_limit);
  EXPECT_EQ(line.options.only_layouts, (std::vector<std::string>{"plain"}));
}

TEST(LabLine, TheOtherCommands) {
  EXPECT_EQ(ParseLab({"explain", "-"}).command, LabCommand::kExplain);
  EXPECT_EQ(ParseLab({"explain", "a.yaml", "--layout", "b"}).options.only_layouts,
            (std::vector<std::string>{"b"}));
  EXPECT_FALSE(ParseLab({"explain", "a.yaml"}).json.has_value());
  EXPECT_EQ(ParseLab({"explain", "a.yaml", "--json"}).json, "");
  EXPECT_EQ(ParseLab({"explain", "a.yaml", "--json", "b.json"}).json, "b.json");
  EXPECT_EQ(ParseLab({"init"}).command, LabCommand::kInit);
  EXPECT_EQ(ParseLab({"init"}).file, "lab.yaml");
  EXPECT_EQ(ParseLab({"init", "shop.yaml"}).file, "shop.yaml");
  EXPECT_EQ(ParseLab({"schema"}).command, LabCommand::kSchema);
}

TEST(LabLine, AProposalNeedsItsFileOnly) {
  const LabLine line = ParseLab({"propose", "app.yaml"});
  EXPECT_EQ(line.command, LabCommand::kPropose);
  EXPECT_EQ(line.file, "app.yaml");
  EXPECT_EQ(line.propose.most_indexes, 20);
  EXPECT_FALSE(line.propose.headroom.has_value());
  EXPECT_FALSE(line.propose.skips_run);
}

TEST(LabLine, AllOptionsOfAProposal) {
  const LabLine line =
      ParseLab({"propose", "app.yaml", "--write", "b.yaml", "--max-indexes", "0", "--headroom",
                "2.5", "--tables", "1..3", "--html", "c.html", "--json", "d.json", "--no-run"});
  EXPECT_EQ(line.propose.write, "b.yaml");
  EXPECT_EQ(line.propose.most_indexes, 0);
  EXPECT_EQ(line.propose.headroom, 2.5);
  EXPECT_EQ(line.propose.tables, "1..3");
  EXPECT_EQ(line.html, "c.html");
  EXPECT_EQ(line.json, "d.json");
  EXPECT_TRUE(line.propose.skips_run);
}

TEST(LabLine, RangesOfTables) {
  EXPECT_EQ(LabRefusal({"propose", "a.yaml", "--tables", "3..1"}),
            "--tables: has to be a number or a range, such as 1 or 1..3");
}

TEST(LabLine, ImportHasModels) {
  const LabLine line =
      ParseLab({"import", "table.json", "items.json", "--out", "app.yaml", "--force"});
  EXPECT_EQ(line.command, LabCommand::kImport);
  EXPECT_EQ(line.models, (std::vector<std::string>{"table.json", "items.json"}));
  EXPECT_EQ(line.out, "app.yaml");
  EXPECT_TRUE(line.overwrites);
  EXPECT_FALSE(line.kind.has_value());
  EXPECT_EQ(ParseLab({"import", "--as", "onetable", "a.json"}).kind, ImportKind::kOneTable);
  EXPECT_EQ(ParseLab({"import", "a.json"}).out, "");
  EXPECT_FALSE(ParseLab({"import", "a.json"}).overwrites);
  EXPECT_NE(
      LabRefusal({"import", "a.json", "--as", "excel"})
          .find("has to be one of schema, tables, measurement, data-model, workbench, onetable "
                "and electrodb, and this is \"excel\""),
      std::string::npos);
}

TEST(LabLine, HelpEndsWithZero) {
  testing::internal::CaptureStdout();
  const LabLine line = ParseLab({"run", "--help"});
  EXPECT_NE(testing::internal::GetCapturedStdout().find("--no-confirm"), std::string::npos);
  EXPECT_EQ(line.command, LabCommand::kNothing);
  EXPECT_EQ(line.exit_code, 0);
}

TEST(LabLine, WhatIsWrongIsNamed) {
  EXPECT_EQ(LabRefusal({}), "which command of lab?");
  EXPECT_EQ(LabRefusal({"rum", "shop.yaml"}), "unknown command \"rum\"; did you mean run?");
  EXPECT_EQ(LabRefusal({"nonsense"}), "unknown command \"nonsense\"");
  EXPECT_EQ(LabRefusal({"run"}), "FILE is required");
  EXPECT_EQ(LabRefusal({"run", "a.yaml", "b.yaml"}), "unknown argument: b.yaml");
  EXPECT_EQ(LabRefusal({"--thin", "2", "run", "a.yaml"}), "unknown argument: --thin");
  EXPECT_EQ(LabRefusal({"explain", "a.yaml", "--html", "a.html"}), "unknown argument: --html");
  EXPECT_EQ(LabRefusal({"check", "a.yaml", "--no-confirm"}), "unknown argument: --no-confirm");
  EXPECT_EQ(LabRefusal({"run", ""}), "run is empty");
  EXPECT_EQ(LabRefusal({"run", "a.yaml", "--html="}), "--html is empty");
}

TEST(LabLine, NumbersThatAreWrongAreRefusedWithWhatIsAllowed) {
  const std::string scales =
      "--scale: has to be whole numbers from 1 to 1000000 with commas between them, such as "
      "1,10,100, and this is ";
  for (const char* text : {"1,,2", "0", "1,x", ",1", "1,", ",", "1.5", "-1", "1 ,2", "1000001"}) {
    EXPECT_EQ(LabRefusal({"run", "a.yaml", "--scale", text}), scales + '"' + text + '"');
  }
  for (const char* text : {"abc", "0", "-1", "1.5", "1000001"}) {
    EXPECT_EQ(LabRefusal({"run", "a.yaml", "--thin", text}),
              "--thin: has to be a whole number from 1 to 1000000, and this is \"" +
                  std::string(text) + "\"");
  }
  EXPECT_EQ(LabRefusal({"run", "a.yaml", "--threads", "-1"}),
            "--threads: has to be a whole number from 1 to 1024, and this is \"-1\"");
  EXPECT_EQ(ParseLab({"run", "a.yaml", "--scale", "1000000"}).options.scales,
            (std::vector<std::uint64_t>{1000000}));
}

}  // namespace
}  // namespace hashrange
