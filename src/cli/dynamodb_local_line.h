// The command line of DynamoDB Local, rewritten into the options of `serve`, so that the program
// takes the place of DynamoDB Local in a script or in a container without a changed line:
//
//   java -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb -dbPath ./data
//   hashrange serve --like dynamodb-local --port 8000 --shared --data ./data/hashrange-data
//
// The options are those of AWS's page "DynamoDB local usage notes"; docs/moving.md says what each
// of them becomes. Used by the first thread, before the options' rows read a command line.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace hashrange {

// Returns whether the words behind the program's name are a command line of DynamoDB Local: "-jar"
// and a path to DynamoDBLocal.jar, behind nothing but options of Java and perhaps the word "java".
bool IsDynamoDbLocalLine(std::span<const char* const> words);

// What becomes of such a command line.
struct DynamoDbLocalLine {
  std::string wrong = {};                   // why it is refused; empty: it is not
  bool asks_help = false;                   // -help: print DynamoDbLocalHelp()
  std::vector<std::string> arguments = {};  // for the rows of `serve`
  // Where the data would be. Its folder is checked by CheckDatabaseFolder. Empty: in memory.
  std::string folder = {};
};

// Rewrites the words, which are such a command line. Reads no file. Values are checked by the rows
// of `serve`, which name our options when a value is wrong.
DynamoDbLocalLine RewriteDynamoDbLocalLine(std::span<const char* const> words);

// Returns what -help prints.
std::string DynamoDbLocalHelp();

// Returns why tables cannot be kept below the folder of -dbPath; empty: they can. It has to exist,
// and may have a database of DynamoDB Local, which Hashrange cannot read, only when it has one of
// Hashrange's, too.
std::string CheckDatabaseFolder(const std::string& folder);

}  // namespace hashrange
