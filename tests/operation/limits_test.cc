// Every limit of the API, as a table: a request at the limit, and the same request one beyond it.
// The limits of the pages of reads and streams are below the table, because what is beyond such a
// limit is not refused but left for the next page.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "operation/stream/stream_reader.h"
#include "support/api.h"

namespace hashrange {
namespace {

constexpr int kItemBytes = 409'600;
constexpr int kMegabyte = 1 << 20;

std::string X(int count) { return std::string(static_cast<std::size_t>(count), 'x'); }

// Returns `count` texts with a comma between two of them; `text` gets the numbers from 0.
std::string Listed(int count, const std::function<std::string(int)>& text) {
  std::string list;
  for (int i = 0; i < count; ++i) list.append(i == 0 ? "" : ",").append(text(i));
  return list;
}

std::string Key(const std::string& k) { return R"({"k":{"S":")" + k + "\"}}"; }
std::string NumberedKey(int number) { return Key("n" + std::to_string(number)); }

// An item of `bytes` bytes: the names k and v, and a key of one byte.
std::string ItemOf(int bytes, char key = 'i') {
  return R"({"k":{"S":")" + std::string(1, key) + R"("},"v":{"S":")" + X(bytes - 3) + "\"}}";
}

// A value of `levels` levels.
std::string Nested(int levels) {
  std::string value = R"({"S":"x"})";
  for (int i = 1; i < levels; ++i) value = R"({"L":[)" + value + "]}";
  return value;
}

// A table without its name: the attribute k is its HASH key, `more` are further members.
std::string Table(const std::string& name, const std::string& more = "") {
  return R"({"TableName":")" + name + R"(","BillingMode":"PAY_PER_REQUEST","KeySchema":
      [{"AttributeName":"k","KeyType":"HASH"}],"AttributeDefinitions":
      [{"AttributeName":"k","AttributeType":"S"}])" +
         more + "}";
}

// A table with a HASH key and a RANGE key, both of type S, and one local index on each of the
// `indexes` attributes of type S.
std::string TableWithLocalIndexes(const std::string& name, int indexes) {
  const auto attribute = [](int i) { return R"({"AttributeName":"l)" + std::to_string(i) + '"'; };
  return R"({"TableName":")" + name + R"(","BillingMode":"PAY_PER_REQUEST","KeySchema":
      [{"AttributeName":"k","KeyType":"HASH"},{"AttributeName":"r","KeyType":"RANGE"}],
      "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"},
      {"AttributeName":"r","AttributeType":"S"},)" +
         Listed(indexes, [&](int i) { return attribute(i) + R"(,"AttributeType":"S"})"; }) +
         R"(],"LocalSecondaryIndexes":[)" +
         Listed(indexes,
                [&](int i) {
                  return R"({"IndexName":"lsi)" + std::to_string(i) +
                         R"(","Projection":{"ProjectionType":"ALL"},"KeySchema":
                  [{"AttributeName":"k","KeyType":"HASH"},)" +
                         attribute(i) + R"(,"KeyType":"RANGE"}]})";
                }) +
         "]}";
}

// A global index on k.
std::string Global(const std::string& name, const std::string& projection) {
  return R"({"IndexName":")" + name + R"(","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],
      "Projection":)" +
         projection + "}";
}
std::string Globals(const std::string& list) {
  return R"(,"GlobalSecondaryIndexes":[)" + list + "]";
}
std::string Includes(const std::string& names) {
  return R"({"ProjectionType":"INCLUDE","NonKeyAttributes":[)" + names + "]}";
}
std::string Quoted(const std::string& text) { return '"' + text + '"'; }
std::string Name(int number) { return Quoted("a" + std::to_string(number)); }

// An expression of `operators` operators and no more than 4096 bytes.
std::string Condition(int operators) {
  std::string text = operators % 2 == 0 ? "NOT v=:v" : "v=:v";
  for (int i = 1; i < (operators + 1) / 2; ++i) text += " AND v=:v";
  return text;
}

std::string Padded(const std::string& text, int bytes) {
  return text + std::string(static_cast<std::size_t>(bytes) - text.size(), ' ');
}

std::string OneStatement(const std::string& text, const std::string& parameters = "") {
  return R"({"Statement":")" + text + '"' +
         (parameters.empty() ? "" : R"(,"Parameters":[)" + parameters + "]") + "}";
}

// Returns the text with $x as n + `more` letters, $i as an item of n bytes, $v as a value of n
// levels and $n as the number itself. "$(…$)" stands for n of its texts, in which $n is the number
// of each from 0, and "$<…$>" for its text with as many blanks as make it n bytes.
std::string Made(std::string_view text, int n, int more) {
  std::string made;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '$') {
      made += text[at];
      continue;
    }
    const char what = text[++at];
    if (what == '(' || what == '<') {
      const std::size_t end = text.find(what == '(' ? "$)" : "$>", at);
      const std::string part(text.substr(at + 1, end - at - 1));
      made += what == '<' ? Padded(part, n) : Listed(n, [&](int i) { return Made(part, i, 0); });
      at = end + 1;
    } else {
      made += what == 'x'   ? X(n + more)
              : what == 'i' ? ItemOf(n)
              : what == 'v' ? Nested(n)
                            : std::to_string(n);
    }
  }
  return made;
}

// Returns a function that makes a request of a size n.
std::function<std::string(int)> Sized(const char* text, int more = 0) {
  return [text, more](int n) { return Made(text, n, more); };
}

const std::string kValidation = "ValidationException: ";
const std::string kEnvelope = kValidation + "1 validation error detected: ";
const std::string kInvalid = kValidation + "One or more parameter values were invalid: ";
const std::string kNotFound = "ResourceNotFoundException: Requested resource not found";
const std::string kNesting =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
    "beyond supported limit";
const std::string kItemSize = "Item size has exceeded the maximum allowed size";
const std::string kUpdateSize = "Item size to update has exceeded the maximum allowed size";
const std::string kHashSize = "Size of hashkey has exceeded the maximum size limit of2048 bytes";
const std::string kRangeSize =
    "Aggregated size of all range keys has exceeded the size limit of 1024 bytes";
const std::string kCancelled =
    "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for "
    "specific reasons [ValidationError]";

std::string LengthAt(const std::string& path, int most) {
  return "' at '" + path +
         "' failed to satisfy constraint: Member must have length less than or "
         "equal to " +
         std::to_string(most);
}
std::string ValueAt(const std::string& path, int value, int most) {
  return kEnvelope + "Value '" + std::to_string(value) + "' at '" + path +
         "' failed to satisfy constraint: Member must have value less than or equal to " +
         std::to_string(most);
}

struct Limit {
  const char* what;
  const char* operation;
  int most;
  // Returns a request of this size; `size` is `most` or one more.
  std::function<std::string(int size)> request;
  // The type and the message of the error. "…" stands for the echo of a collection, which is not
  // compared.
  std::string beyond;
  std::string at = "ok";
};

const std::vector<Limit>& Limits() {
  static const std::vector<Limit> limits = {
      // Sizes of items.
      {"item", "PutItem", kItemBytes, Sized(R"({"TableName":"one","Item":$i})"),
       kValidation + kItemSize},
      {"item of a batch", "BatchWriteItem", kItemBytes,
       Sized(R"({"RequestItems":{"one":[{"PutRequest":{"Item":$i}}]}})"), kValidation + kItemSize},
      {"item of a transaction", "TransactWriteItems", kItemBytes,
       Sized(R"({"TransactItems":[{"Put":{"TableName":"one","Item":$i}}]})"),
       kValidation + kItemSize},
      {"inserted item", "ExecuteStatement", kItemBytes,
       [](int n) {
         return OneStatement("INSERT INTO one VALUE {'k':?,'v':?}",
                             R"({"S":")" + std::string(n == kItemBytes ? "j" : "l") +
                                 R"("},{"S":")" + X(n - 3) + "\"}");
       },
       kValidation + kItemSize},
      {"item after AttributeUpdates", "UpdateItem", kItemBytes,
       Sized(
           R"({"TableName":"one","Key":{"k":{"S":"u"}},
           "AttributeUpdates":{"v":{"Value":{"S":"$x"}}}})",
           -3),
       kValidation + kUpdateSize},
      {"charge of an update expression", "UpdateItem", kItemBytes,
       Sized(
           R"({"TableName":"one","Key":{"k":{"S":"u"}},"UpdateExpression":"SET v = :v",
           "ExpressionAttributeValues":{":v":{"S":"$x"}}})",
           -23),
       kValidation + kUpdateSize},
      {"item after an UPDATE", "ExecuteStatement", kItemBytes,
       Sized(R"({"Statement":"UPDATE one SET v = ? WHERE k = 'u'","Parameters":[{"S":"$x"}]})", -3),
       kValidation + kUpdateSize},
      {"item after an Update of a transaction", "TransactWriteItems", kItemBytes,
       Sized(
           R"({"TransactItems":[{"Update":{"TableName":"one","Key":{"k":{"S":"u"}},
           "UpdateExpression":"SET v = :v",
           "ExpressionAttributeValues":{":v":{"S":"$x"}}}}]})",
           -3),
       kCancelled},
      {"payload of a transaction", "TransactWriteItems", 4 * kMegabyte,
       [](int n) {
         return R"({"TransactItems":[)" +
                Listed(11,
                       [&](int i) {
                         return R"({"Put":{"TableName":"one","Item":)" +
                                ItemOf(i < 10 ? kItemBytes : n - 10 * kItemBytes,
                                       static_cast<char>('A' + i)) +
                                "}}";
                       }) +
                "]}";
       },
       kValidation + "Transaction payload size cannot exceed 4194304 bytes"},
      // Each statement counts with its text of 35 bytes, too.
      {"payload of statements", "ExecuteTransaction", 4 * kMegabyte,
       [](int n) {
         return R"({"TransactStatements":[)" +
                Listed(11,
                       [&](int i) {
                         const int bytes = i < 10 ? kItemBytes : n - 10 * kItemBytes - 11 * 35;
                         return OneStatement("INSERT INTO one VALUE {'k':?,'v':?}",
                                             R"({"S":")" +
                                                 std::string(1, static_cast<char>('a' + i)) +
                                                 R"("},{"S":")" + X(bytes - 3) + "\"}");
                       }) +
                "]}";
       },
       kValidation + "Transaction payload size cannot exceed 4194304 bytes",
       "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for "
       "specific reasons [None, None, None, None, None, None, None, None, DuplicateItem, "
       "DuplicateItem, None]"},

      // Sizes of keys.
      {"HASH key of an item", "PutItem", 2048,
       Sized(R"({"TableName":"one","Item":{"k":{"S":"$x"}}})"), kInvalid + kHashSize},
      {"HASH key of a read", "GetItem", 2048,
       Sized(R"({"TableName":"one","Key":{"k":{"S":"$x"}}})"), kInvalid + kHashSize},
      {"HASH key of a query", "Query", 2048,
       Sized(R"({"TableName":"one","KeyConditionExpression":"k = :k",
           "ExpressionAttributeValues":{":k":{"S":"$x"}}})"),
       kInvalid + kHashSize},
      {"RANGE key of an item", "PutItem", 1024,
       Sized(R"({"TableName":"two","Item":{"k":{"S":"k"},"r":{"S":"$x"}}})"),
       kInvalid + kRangeSize},
      {"RANGE key of a deletion", "DeleteItem", 1024,
       Sized(R"({"TableName":"two","Key":{"k":{"S":"k"},"r":{"S":"$x"}}})"), kInvalid + kRangeSize},
      {"RANGE key of a query", "Query", 1024,
       Sized(R"({"TableName":"two","KeyConditionExpression":"k = :k AND r > :r",
           "ExpressionAttributeValues":{":k":{"S":"k"},":r":{"S":"$x"}}})"),
       kInvalid + kRangeSize},
      {"HASH key of an index", "PutItem", 2048,
       Sized(R"({"TableName":"indexed","Item":{"k":{"S":"k"},"g":{"S":"$x"}}})"),
       kInvalid + kHashSize},
      {"RANGE key of an index", "PutItem", 1024,
       Sized(R"({"TableName":"indexed","Item":{"k":{"S":"k"},"h":{"S":"$x"}}})"),
       kInvalid + kRangeSize},
      {"updated HASH key of an index", "UpdateItem", 2048,
       Sized(
           R"({"TableName":"indexed","Key":{"k":{"S":"k"}},"UpdateExpression":"SET g = :g",
           "ExpressionAttributeValues":{":g":{"S":"$x"}}})"),
       kValidation + "The update expression attempted to update the secondary index key beyond "
                     "allowed size limits"},
      {"updated RANGE key of an index", "UpdateItem", 1024,
       Sized(
           R"({"TableName":"indexed","Key":{"k":{"S":"k"}},"UpdateExpression":"SET h = :h",
           "ExpressionAttributeValues":{":h":{"S":"$x"}}})"),
       kValidation + "The update expression attempted to update the secondary index key beyond "
                     "allowed size limits"},

      // Members of batches and transactions.
      {"writes to a table", "BatchWriteItem", 25,
       Sized(R"({"RequestItems":{"one":[$({"DeleteRequest":{"Key":{"k":{"S":"n$n"}}}}$)]}})"),
       "…' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: "
       "[Member must have length less than or equal to 25, Member must have length greater than "
       "or equal to 1]"},
      {"writes to two tables", "BatchWriteItem", 25,
       [](int n) {
         const auto write = [](int i) {
           return R"({"DeleteRequest":{"Key":)" + NumberedKey(i) + "}}";
         };
         return R"({"RequestItems":{"one":[)" + Listed(12, write) + R"(],"indexed":[)" +
                Listed(n - 12, write) + "]}}";
       },
       kValidation + "Too many items requested for the BatchWriteItem call"},
      {"reads of a table", "BatchGetItem", 100,
       Sized(R"({"RequestItems":{"one":{"Keys":[$({"k":{"S":"n$n"}}$)]}}})"),
       kEnvelope + "Value at 'RequestItems.one.member.Keys' failed to satisfy constraint: Member "
                   "must have length less than or equal to 100"},
      {"reads of two tables", "BatchGetItem", 100,
       [](int n) {
         return R"({"RequestItems":{"one":{"Keys":[)" + Listed(50, NumberedKey) +
                R"(]},"indexed":{"Keys":[)" + Listed(n - 50, NumberedKey) + "]}}}";
       },
       kValidation + "Too many items requested for the BatchGetItem call"},
      {"writes of a transaction", "TransactWriteItems", 100,
       Sized(R"({"TransactItems":[$({"Delete":{"TableName":"one","Key":{"k":{"S":"n$n"}}}}$)]})"),
       "…" + LengthAt("transactItems", 100)},
      {"reads of a transaction", "TransactGetItems", 100,
       Sized(R"({"TransactItems":[$({"Get":{"TableName":"one","Key":{"k":{"S":"n$n"}}}}$)]})"),
       "…" + LengthAt("transactItems", 100)},
      {"statements of a batch", "BatchExecuteStatement", 25,
       Sized(R"({"Statements":[$({"Statement":"DELETE FROM one WHERE k = '$n'"}$)]})"),
       "…" + LengthAt("statements", 25)},
      {"statements of a transaction", "ExecuteTransaction", 100,
       Sized(R"({"TransactStatements":[$({"Statement":"DELETE FROM one WHERE k = '$n'"}$)]})"),
       "…" + LengthAt("transactStatements", 100)},

      // Expressions.
      {"bytes of a condition", "DeleteItem", 4096,
       Sized(R"({"TableName":"one","Key":{"k":{"S":"none"}},
           "ConditionExpression":"$<attribute_not_exists(v)$>"})"),
       kEnvelope + "Invalid ConditionExpression: Expression size has exceeded the maximum allowed "
                   "size; expression size: 4097"},
      {"bytes of an update", "UpdateItem", 4096,
       Sized(R"({"TableName":"one","Key":{"k":{"S":"none"}},
           "UpdateExpression":"$<REMOVE v$>"})"),
       kEnvelope + "Invalid UpdateExpression: Expression size has exceeded the maximum allowed "
                   "size;"},
      {"bytes of a key condition", "Query", 4096,
       Sized(R"({"TableName":"one","KeyConditionExpression":"$<k = :k$>",
           "ExpressionAttributeValues":{":k":{"S":"none"}}})"),
       kValidation + "Invalid KeyConditionExpression: Expression size has exceeded the maximum "
                     "allowed size; expression size: 4097"},
      {"bytes of a filter", "Scan", 4096,
       Sized(R"({"TableName":"empty","FilterExpression":"$<attribute_exists(v)$>"})"),
       kValidation + "Invalid FilterExpression: Expression size has exceeded the maximum allowed "
                     "size; expression size: 4097"},
      {"bytes of a projection", "GetItem", 4096,
       Sized(R"({"TableName":"one","Key":{"k":{"S":"none"}},
           "ProjectionExpression":"$<v$>"})"),
       kValidation + "Invalid ProjectionExpression: Expression size has exceeded the maximum "
                     "allowed size; expression size: 4097"},
      {"operators of a condition", "DeleteItem", 300,
       [](int n) {
         return R"({"TableName":"one","Key":)" + Key("none") + R"(,"ConditionExpression":")" +
                Condition(n) + R"(","ExpressionAttributeValues":{":v":{"S":"x"}}})";
       },
       kEnvelope + "Invalid ConditionExpression: The expression contains too many operators; "
                   "operator count: 301",
       "ConditionalCheckFailedException: The conditional request failed"},
      {"operators of an update", "UpdateItem", 300,
       Sized(R"j({"TableName":"one","Key":{"k":{"S":"none"}},"UpdateExpression":"SET $(x$n=:v+:v$)",
           "ExpressionAttributeValues":{":v":{"N":"1"}}})j"),
       kEnvelope + "Invalid UpdateExpression: The expression contains too many operators; "
                   "operator count: 301"},
      {"operators of WHERE", "ExecuteStatement", 300,
       [](int n) {
         std::string where = n % 2 == 0 ? "NOT v = 1" : "v = 1";
         for (int i = 1; i < (n + 1) / 2; ++i) where += " AND v = 1";
         return OneStatement("SELECT * FROM empty WHERE " + where);
       },
       kValidation + "The expression contains too many operators; operator count: 301"},
      {"operands of IN", "Scan", 100,
       Sized(R"j({"TableName":"empty","FilterExpression":"v IN ($(:v$))",
           "ExpressionAttributeValues":{":v":{"N":"1"}}})j"),
       kValidation + "Invalid FilterExpression: The IN operator is provided with too many "
                     "operands; number of operands: 101"},
      {"operands of a statement's IN", "ExecuteStatement", 100,
       Sized(R"({"Statement":"SELECT * FROM empty WHERE v IN [$($n$)]"})"),
       kValidation + "The IN operator is provided with too many operands; number of operands: 101"},
      {"elements of a path", "GetItem", 32,
       [](int n) {
         std::string path = "a";
         for (int i = 1; i < n; ++i) path += i % 2 == 0 ? ".b" : "[0]";
         return R"({"TableName":"one","Key":)" + Key("none") + R"(,"ProjectionExpression":")" +
                path + "\"}";
       },
       kValidation + "Invalid ProjectionExpression: The document path has too many nesting levels; "
                     "nesting levels: 33"},
      {"conditions of a legacy filter", "Scan", 300,
       Sized(R"({"TableName":"empty","ScanFilter":{$("a$n":{"ComparisonOperator":"NULL"}$)}})"),
       kValidation + "The filter contains too many conditions; condition count: 301"},
      {"attributes to get", "GetItem", 255,
       Sized(R"({"TableName":"one","Key":{"k":{"S":"none"}},"AttributesToGet":[$("a$n"$)]})"),
       "…" + LengthAt("attributesToGet", 255)},

      // Nesting.
      {"levels of an item", "PutItem", 32,
       Sized(R"({"TableName":"one","Item":{"k":{"S":"d"},"v":$v}})"), kEnvelope + kNesting},
      {"levels of an item of a batch", "BatchWriteItem", 32,
       Sized(R"({"RequestItems":{"one":[{"PutRequest":{"Item":{"k":{"S":"d"},"v":$v}}}]}})"),
       kValidation + kNesting},
      {"levels of an expression value", "UpdateItem", 32,
       Sized(
           R"({"TableName":"one","Key":{"k":{"S":"d"}},"UpdateExpression":"SET v = :v",
           "ExpressionAttributeValues":{":v":$v}})"),
       kEnvelope + kNesting},
      {"levels of an expression value of a transaction", "TransactWriteItems", 33,
       Sized(
           R"({"TransactItems":[{"ConditionCheck":{"TableName":"one","Key":{"k":{"S":"none"}},
           "ConditionExpression":"v <> :v",
           "ExpressionAttributeValues":{":v":$v}}}]})"),
       kValidation + "ExpressionAttributeValues contains invalid value: " + kNesting +
           " for key :v"},
      {"levels of a filter's value", "Scan", 32,
       Sized(R"({"TableName":"empty","ScanFilter":{"v":{"ComparisonOperator":"EQ",
           "AttributeValueList":[$v]}}})"),
       kValidation + kNesting},
      {"levels of a parameter", "ExecuteStatement", 32,
       Sized(R"({"Statement":"SELECT * FROM empty WHERE v = ?","Parameters":[$v]})"),
       kValidation + kNesting},
      {"levels of an updated item", "UpdateItem", 31,
       Sized(
           R"({"TableName":"one","Key":{"k":{"S":"m"}},"UpdateExpression":"SET m.v = :v",
           "ExpressionAttributeValues":{":v":$v}})"),
       kValidation + kNesting},

      // Names.
      {"name of a new table", "CreateTable", 255, [](int n) { return Table(X(n)); },
       kEnvelope + "Value '" + X(256) + LengthAt("tableName", 255)},
      {"name of a table", "GetItem", 255,
       Sized(R"({"TableName":"$xy","Key":{"k":{"S":"none"}}})", -1),
       kEnvelope + "Value '" + X(255) + "y" + LengthAt("tableName", 255), kNotFound},
      {"ARN of a table", "GetItem", 1024,
       Sized(R"({"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/$x",
           "Key":{"k":{"S":"none"}}})",
             -46),
       kEnvelope + "Value 'arn:aws:dynamodb:us-east-1:000000000000:table/" + X(979) +
           LengthAt("tableName", 255),
       kNotFound},
      {"name of an index", "Scan", 255, Sized(R"({"TableName":"one","IndexName":"$x"})"),
       kEnvelope + "Value '" + X(256) + LengthAt("indexName", 255),
       kValidation + "The table does not have the specified index: " + X(255)},
      {"name of a key attribute", "CreateTable", 255,
       Sized(R"({"TableName":"keyName","BillingMode":"PAY_PER_REQUEST","KeySchema":
           [{"AttributeName":"$x","KeyType":"HASH"}],"AttributeDefinitions":
           [{"AttributeName":"$x","AttributeType":"S"}]})"),
       "ValidationException: 2 validation errors detected: Value '" + X(256) +
           LengthAt("attributeDefinitions.1.member.attributeName", 255) + "; Value '" + X(256) +
           LengthAt("keySchema.1.member.attributeName", 255)},
      {"name of a projected attribute", "CreateTable", 255,
       [](int n) { return Table("projectedName", Globals(Global("gsi", Includes(Quoted(X(n)))))); },
       "…' at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy "
       "constraint: Member must satisfy constraint: [Member must have length less than or equal to "
       "255, Member must have length greater than or equal to 1]"},
      {"name of an attribute in ExpressionAttributeNames", "GetItem", 65535,
       Sized(
           R"({"TableName":"one","Key":{"k":{"S":"none"}},"ProjectionExpression":"#n",
           "ExpressionAttributeNames":{"#n":"$x"}})"),
       "…' at 'expressionAttributeNames' failed to satisfy constraint: Map value must satisfy "
       "constraint: [Member must have length less than or equal to 65535]"},

      // Tables.
      {"local indexes", "CreateTable", 5, [](int n) { return TableWithLocalIndexes("locals", n); },
       kInvalid + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"},
      {"global indexes", "CreateTable", 20,
       [](int n) {
         return Table("globals", Globals(Listed(n, [](int i) {
                        return Global("gsi" + std::to_string(i), R"({"ProjectionType":"ALL"})");
                      })));
       },
       kInvalid + "GlobalSecondaryIndex count exceeds the per-table limit of 20"},
      {"projected attributes of an index", "CreateTable", 20,
       [](int n) { return Table("projected", Globals(Global("gsi", Includes(Listed(n, Name))))); },
       "…" + LengthAt("globalSecondaryIndexes.1.member.projection.nonKeyAttributes", 20)},
      {"projected attributes of all indexes", "CreateTable", 100,
       [](int n) {
         return Table("allProjected", Globals(Listed(6, [&](int i) {
                        const std::string names =
                            i < 5 ? Listed(i < 4 ? 20 : 19, Name) : Listed(n - 99, Name);
                        return Global("gsi" + std::to_string(i), Includes(names));
                      })));
       },
       kInvalid + "Number of projected NonKeyAttributes over all indexes exceeds the limit of 100"},
      {"tags", "TagResource", 50,
       Sized(R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/one",
           "Tags":[$({"Key":"a$n","Value":""}$)]})"),
       kValidation + "Number of Tags exceed the current limit for the provided ResourceArn"},
      {"key of a tag", "TagResource", 128,
       Sized(R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/two","Tags":
           [{"Key":"$x","Value":""}]})"),
       kValidation + "The Tag Key provided is invalid, Key: " + X(129)},
      {"value of a tag", "TagResource", 256,
       Sized(R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/two","Tags":
           [{"Key":"k","Value":"$x"}]})"),
       kValidation + "The Tag Value provided is invalid, Value: " + X(257)},

      // Texts and figures of requests.
      {"token of a transaction", "TransactWriteItems", 36,
       Sized(R"({"ClientRequestToken":"$x","TransactItems":[
           {"Delete":{"TableName":"one","Key":{"k":{"S":"t"}}}}]})"),
       kEnvelope + "Value '" + X(37) + LengthAt("clientRequestToken", 36)},
      {"token of statements", "ExecuteTransaction", 36,
       Sized(R"({"ClientRequestToken":"$x","TransactStatements":[
           {"Statement":"DELETE FROM one WHERE k = 't'"}]})"),
       kEnvelope + "Value '" + X(37) + LengthAt("clientRequestToken", 36)},
      {"statement", "ExecuteStatement", 8192, Sized(R"({"Statement":"$<SELECT * FROM empty$>"})"),
       kEnvelope + "Value '" + Padded("SELECT * FROM empty", 8193) + LengthAt("statement", 8192)},
      {"NextToken", "ExecuteStatement", 32768,
       Sized(R"({"Statement":"SELECT * FROM empty","NextToken":"$x"})"),
       kEnvelope + "Value '" + X(32769) + LengthAt("nextToken", 32768),
       kValidation + "NextToken does not match request"},
      {"Limit of ListTables", "ListTables", 100, Sized(R"({"Limit":$n})"),
       ValueAt("limit", 101, 100)},
      {"Limit of ListStreams", "ListStreams", 100, Sized(R"({"Limit":$n})"),
       ValueAt("limit", 101, 100)},
      {"Limit of DescribeStream", "DescribeStream", 100,
       Sized(R"({"StreamArn":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","Limit":$n})"),
       ValueAt("limit", 101, 100), kValidation + "Invalid StreamArn"},
      {"Limit of GetRecords", "GetRecords", 1000, Sized(R"({"ShardIterator":"x","Limit":$n})"),
       ValueAt("limit", 1001, 1000), kValidation + "Invalid ShardIterator"},
      {"segments", "Scan", 1'000'000,
       Sized(R"({"TableName":"empty","Segment":0,"TotalSegments":$n})"),
       ValueAt("totalSegments", 1'000'001, 1'000'000)},
  };
  return limits;
}

class ApiLimits : public testing::Test {
 protected:
  ApiLimits() {
    for (const char* name : {"one", "empty"}) api_.Ok("CreateTable", Table(name));
    api_.Ok("CreateTable", TableWithLocalIndexes("two", 1));
    api_.Ok("CreateTable", R"({"TableName":"indexed","BillingMode":"PAY_PER_REQUEST","KeySchema":
        [{"AttributeName":"k","KeyType":"HASH"}],"AttributeDefinitions":[
        {"AttributeName":"k","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"},
        {"AttributeName":"h","AttributeType":"S"}],"GlobalSecondaryIndexes":[{"IndexName":"gsi",
        "Projection":{"ProjectionType":"ALL"},"KeySchema":[{"AttributeName":"g","KeyType":"HASH"},
        {"AttributeName":"h","KeyType":"RANGE"}]}]})");
    api_.Ok("PutItem", R"({"TableName":"one","Item":)" + Key("u") + "}");
    api_.Ok("PutItem", R"({"TableName":"one","Item":{"k":{"S":"m"},"m":{"M":{}}}})");
  }

  // Returns "ok", or the type and the message of the error.
  std::string Outcome(const char* operation, const std::string& request) {
    const Api::Reply reply = api_.Call(operation, request);
    if (reply.http_status == 200) return "ok";
    rapidjson::Document body;
    body.Parse(reply.body.data(), reply.body.size());
    const std::string type = body["__type"].GetString();
    const char* const member = body.HasMember("message") ? "message" : "Message";
    return type.substr(type.find('#') + 1) + ": " + body[member].GetString();
  }

  static std::string KeyAt(int i) { return Key(std::string(1, static_cast<char>('0' + i))); }
  void PutAt(const std::string& table, int i, int bytes) {
    api_.Ok("PutItem", R"({"TableName":")" + table + R"(","Item":)" +
                           ItemOf(bytes, static_cast<char>('0' + i)) + "}");
  }

  Api api_;
};

TEST_F(ApiLimits, AreAcceptedAndOneMoreIsRefused) {
  constexpr std::string_view kEcho = "…";
  for (const Limit& limit : Limits()) {
    EXPECT_EQ(Outcome(limit.operation, limit.request(limit.most)), limit.at) << limit.what;
    const std::string beyond = Outcome(limit.operation, limit.request(limit.most + 1));
    if (!limit.beyond.starts_with(kEcho)) {
      EXPECT_EQ(beyond, limit.beyond) << limit.what;
      continue;
    }
    EXPECT_TRUE(beyond.starts_with(kValidation)) << limit.what << ": " << beyond;
    EXPECT_TRUE(beyond.ends_with(limit.beyond.substr(kEcho.size())))
        << limit.what << ": " << beyond;
  }
}

// The items of a TransactGetItems have 4 MB together.
TEST_F(ApiLimits, AReadTransactionAnswersFourMegabytes) {
  for (int i = 0; i < 10; ++i) PutAt("one", i, kItemBytes);
  const std::string request =
      R"({"TransactItems":[)" +
      Listed(11,
             [](int i) {
               return R"({"Get":{"TableName":"one","ProjectionExpression":"k","Key":)" + KeyAt(i) +
                      "}}";
             }) +
      "]}";
  PutAt("one", 10, 4 * kMegabyte - 10 * kItemBytes);
  EXPECT_EQ(Outcome("TransactGetItems", request), "ok");
  PutAt("one", 10, 4 * kMegabyte - 10 * kItemBytes + 1);
  EXPECT_EQ(Outcome("TransactGetItems", request),
            kValidation + "Transaction response size cannot exceed 4194304 bytes");
}

// 40 items of 409,600 bytes and one of 393,216 have 16 MB together.
TEST_F(ApiLimits, ABatchAnswersSixteenMegabytes) {
  for (int i = 0; i < 40; ++i) PutAt("empty", i, kItemBytes);
  const std::string request = R"({"RequestItems":{"empty":{"Keys":[)" + Listed(41, KeyAt) +
                              R"(],"ProjectionExpression":"k"}}})";
  PutAt("empty", 40, 16 * kMegabyte - 40 * kItemBytes);
  api_.Answers("BatchGetItem", request,
               R"({"UnprocessedKeys":{},"Responses":{"empty":[)" + Listed(41, KeyAt) + "]}}");
  PutAt("empty", 40, 16 * kMegabyte - 40 * kItemBytes + 1);
  api_.Answers("BatchGetItem", request,
               R"({"UnprocessedKeys":{"empty":{"ProjectionExpression":"k","Keys":[)" + KeyAt(40) +
                   R"(]}},"Responses":{"empty":[)" + Listed(40, KeyAt) + "]}}");
}

// A page of a Scan or a SELECT ends with the item that brings it to 1 MB. (A Query's page:
// paging_test.cc.)
TEST_F(ApiLimits, APageHasOneMegabyte) {
  for (int i = 0; i < 5; ++i) PutAt("empty", i, kMegabyte / 4);
  const auto count = [&] {
    rapidjson::Document page;
    page.Parse(api_.Ok("Scan", R"({"TableName":"empty","Select":"COUNT"})").c_str());
    return page["Count"].GetInt();
  };
  const auto selected = [&](const std::string& where = "") {
    rapidjson::Document page;
    page.Parse(api_.Ok("ExecuteStatement", OneStatement("SELECT k FROM empty" + where)).c_str());
    return static_cast<int>(page["Items"].Size());
  };
  EXPECT_EQ(count(), 4);
  EXPECT_EQ(selected(), 4);
  EXPECT_EQ(selected(" WHERE k IN ['0', '1', '2', '3', '4']"), 4);
  // With one byte less in each item, four items do not fill the page.
  for (int i = 0; i < 5; ++i) PutAt("empty", i, kMegabyte / 4 - 1);
  EXPECT_EQ(count(), 5);
  EXPECT_EQ(selected(), 5);
  EXPECT_EQ(selected(" WHERE k IN ['0', '1', '2', '3', '4']"), 5);
}

// A page of records has at most 1 MB: each record has its key twice, in Keys and in the image.
TEST_F(ApiLimits, APageOfRecordsHasOneMegabyte) {
  for (const int more : {0, 1}) {
    const std::string name = more == 0 ? "fits" : "exceeds";
    api_.Ok("CreateTable", Table(name, R"(,"StreamSpecification":
        {"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"})"));
    for (int i = 0; i < 4; ++i) {
      PutAt(name, i, kMegabyte / 4 - 2 + (i == 3 ? more : 0));
    }
    test::StreamReader reader(api_, name);
    const auto page = reader.Read(reader.Iterator("TRIM_HORIZON"));
    EXPECT_EQ(page.count, more == 0 ? 4 : 3) << name;
    EXPECT_EQ(reader.Read(page.next).count, more) << name;
  }
}

}  // namespace
}  // namespace hashrange
