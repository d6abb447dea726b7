#include "cli/dynamodb_local_line.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/command_lines.h"

namespace hashrange {
namespace {

using Words = std::vector<const char*>;

std::string TextOf(const DynamoDbLocalLine& line) {
  if (!line.wrong.empty()) return "wrong: " + line.wrong;
  if (line.asks_help) return "help";
  std::string text;
  for (const std::string& argument : line.arguments) {
    text.append(text.empty() ? "" : " ").append(argument);
  }
  if (!line.folder.empty()) text.append(" | ").append(line.folder);
  return text;
}

TEST(DynamoDbLocalLine, IsToldByTheJar) {
  struct Case {
    Words words;
    bool is_one;
  };
  const Case cases[] = {
      {{"-jar", "DynamoDBLocal.jar"}, true},
      {{"java", "-jar", "DynamoDBLocal.jar"}, true},
      {{"/usr/bin/java", "-Xmx1g", "-jar", "/opt/ddb/DynamoDBLocal.jar"}, true},
      {{"-jar", "-Djava.library.path=./lib", "-jar", "DynamoDBLocal.jar"}, true},
      {{"-cp", "a.jar", "-jar", "DynamoDBLocal.jar"}, true},
      {{}, false},
      {{"java"}, false},
      {{"java", "java", "-jar", "DynamoDBLocal.jar"}, false},
      {{"-jar"}, false},
      {{"-jar", "app.jar"}, false},
      {{"-jar", "app.jar", "DynamoDBLocal.jar"}, false},
      {{"-jar", "MyDynamoDBLocal.jar"}, false},
      {{"serve", "-jar", "DynamoDBLocal.jar"}, false},
      {{"--port", "8000"}, false},
  };
  for (const Case& row : cases) {
    EXPECT_EQ(IsDynamoDbLocalLine(row.words), row.is_one) << testing::PrintToString(row.words);
  }
}

TEST(DynamoDbLocalLine, BecomesOptionsOfServe) {
  struct Case {
    Words options;
    const char* becomes;
  };
  const std::string begin = "serve --like dynamodb-local --port 8000";
  const Case cases[] = {
      {{"-inMemory"}, ""},
      {{"-inMemory", "-sharedDb"}, " --shared"},
      {{}, " --data ./hashrange-data | ."},
      {{"-sharedDb", "-dbPath", "./data"}, " --shared --data ./data/hashrange-data | ./data"},
      {{"-dbPath", "/data/"}, " --data /data/hashrange-data | /data/"},
      {{"-inMemory", "-delayTransientStatuses"}, " --index-transition-ms 1000"},
      {{"-inMemory", "-optimizeDbBeforeStartup", "-disableTelemetry"}, ""},
      {{"-inMemory", "-cors", "*"}, " --cors *"},
      {{"-inMemory", "-cors", "http://localhost:3000, app.example,,"},
       " --cors http://localhost:3000 --cors http://app.example --cors https://app.example"},
  };
  for (const Case& row : cases) {
    Words words = {"-Xmx1g", "-jar", "DynamoDBLocal.jar"};
    words.insert(words.end(), row.options.begin(), row.options.end());
    EXPECT_EQ(TextOf(RewriteDynamoDbLocalLine(words)), begin + row.becomes);
  }
}

TEST(DynamoDbLocalLine, SomeOptionsDecideAll) {
  struct Case {
    Words words;
    const char* becomes;
  };
  const Case cases[] = {
      {{"-jar", "DynamoDBLocal.jar", "-port", "9000", "-inMemory"},
       "serve --like dynamodb-local --port 9000"},
      {{"java", "-Dport=1", "-jar", "lib/DynamoDBLocal.jar", "-inMemory"},
       "serve --like dynamodb-local --port 8000"},
      {{"-jar", "DynamoDBLocal.jar", "-version", "-inMemory"}, "--version"},
      {{"-jar", "DynamoDBLocal.jar", "-inMemory", "-help", "-version"}, "help"},
      {{"-jar", "DynamoDBLocal.jar", "-inMemory", "-dbPath", "."},
       "wrong: You can't specify both -dbPath and -inMemory at once"},
      {{"-jar", "DynamoDBLocal.jar", "-port"}, "wrong: Missing argument for option: port"},
      {{"-jar", "DynamoDBLocal.jar", "-dbPath", ""}, "wrong: Missing argument for option: dbPath"},
      {{"-jar", "DynamoDBLocal.jar", "-sharedDB"}, "wrong: Unrecognized option: -sharedDB"},
      {{"-jar", "DynamoDBLocal.jar", "--shared"}, "wrong: Unrecognized option: --shared"},
      {{"-jar", "DynamoDBLocal.jar", "8000"}, "wrong: Unrecognized option: 8000"},
  };
  for (const Case& row : cases) {
    EXPECT_EQ(TextOf(RewriteDynamoDbLocalLine(row.words)), row.becomes);
  }
}

TEST(DynamoDbLocalLine, TheRowsOfServeReadWhatItBecomes) {
  const CommandLine line =
      ParseBehind("hashrange", ParseCommandLine,
                  {"-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb", "-port", "9001", "-cors",
                   "https://app.example", "-delayTransientStatuses"});
  EXPECT_EQ(line.command, CommandLine::Command::kServe);
  EXPECT_TRUE(line.database.tables_of_each_key && line.database.shared_tables &&
              line.server.answers_root_with_400);
  EXPECT_EQ(line.server.port, 9001);
  EXPECT_EQ(line.server.cors, std::vector<std::string>{"https://app.example"});
  EXPECT_EQ(line.database.index_transition_ms, 1000);
  EXPECT_EQ(line.database.transition_ms, 0);
  EXPECT_EQ(line.database.data_directory, "");
  const auto refused = [](const char* port) {
    const auto parse = [&] {
      return ParseBehind("hashrange", ParseCommandLine,
                         {"-jar", "DynamoDBLocal.jar", "-inMemory", "-port", port});
    };
    return RefusalBy(parse, "hashrange");
  };
  EXPECT_EQ(refused("99999"), "--port: Value 99999 not in range 0 to 65535");
}

TEST(DynamoDbLocalLine, TheHostComesFromTheEnvironment) {
  ::setenv("HASHRANGE_HOST", "0.0.0.0", 1);
  const auto host_of = [](const std::vector<const char*>& words) {
    return ParseBehind("hashrange", ParseCommandLine, words).server.host;
  };
  EXPECT_EQ(host_of({"-jar", "DynamoDBLocal.jar", "-inMemory"}), "0.0.0.0");
  EXPECT_EQ(host_of({"serve"}), "0.0.0.0");
  EXPECT_EQ(host_of({"serve", "--host", "127.0.0.1"}), "127.0.0.1");
  EXPECT_EQ(host_of({"healthcheck"}), "");
  ::unsetenv("HASHRANGE_HOST");
  EXPECT_EQ(host_of({"serve"}), "");
}

class DatabaseFolder : public testing::Test {
 protected:
  DatabaseFolder() { std::filesystem::create_directories(folder_); }
  ~DatabaseFolder() override { std::filesystem::remove_all(folder_); }

  void Make(const std::string& name) { std::ofstream(folder_ + "/" + name) << "x"; }

  const std::string folder_ = testing::TempDir() + "hashrange_database_folder";
};

TEST_F(DatabaseFolder, OtherFilesDoNoHarm) {
  EXPECT_EQ(CheckDatabaseFolder(folder_), "");
  for (const char* name : {".gitkeep", "DynamoDBLocal.jar", "notes.db", "a_b.txt"}) Make(name);
  EXPECT_EQ(CheckDatabaseFolder(folder_ + "/"), "");
}

TEST_F(DatabaseFolder, ADatabaseOfDynamoDbLocalIsRefusedByName) {
  for (const std::string name : {"shared-local-instance.db", "local_us-east-1.db"}) {
    Make(name);
    EXPECT_EQ(CheckDatabaseFolder(folder_),
              folder_ + "/" + name +
                  " is a database of DynamoDB Local, which Hashrange cannot read: copy its tables "
                  "with `hashrange copy` while DynamoDB Local serves them, or make the folder " +
                  folder_ + "/hashrange-data to begin without them (docs/moving.md)");
    std::filesystem::remove(folder_ + "/" + name);
  }
  Make("shared-local-instance.db");
  std::filesystem::create_directory(folder_ + "/hashrange-data");
  EXPECT_EQ(CheckDatabaseFolder(folder_), "");
}

TEST_F(DatabaseFolder, HasToExist) {
  EXPECT_EQ(CheckDatabaseFolder(folder_ + "/none"),
            "-dbPath: there is no folder " + folder_ + "/none that can be read");
}

}  // namespace
}  // namespace hashrange
