// Tests of the control API's calls `collections`, `places` and `changes`: whole answers, hostile
// input, and collections of drawn items against a plain grouping of them.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "control/control_fixture.h"
#include "support/chance.h"

namespace hashrange {
namespace {

// A table "app" with the keys p and s, and a global index "byG" of two HASH and no RANGE
// attributes.
constexpr char kTable[] =
    R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
    R"({"AttributeName":"p","AttributeType":"S"},{"AttributeName":"s","AttributeType":"S"},)"
    R"({"AttributeName":"g","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],)"
    R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"},)"
    R"({"AttributeName":"s","KeyType":"RANGE"}],"GlobalSecondaryIndexes":[{"IndexName":"byG",)"
    R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a"]},"KeySchema":[)"
    R"({"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"n","KeyType":"HASH"}]}],)"
    R"("LocalSecondaryIndexes":[{"IndexName":"byN","Projection":{"ProjectionType":"KEYS_ONLY"},)"
    R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"},)"
    R"({"AttributeName":"n","KeyType":"RANGE"}]}]})";

class ContentCalls : public ControlFixture {
 protected:
  ContentCalls() { Ok("CreateTable", kTable); }

  // Puts an item with these members of DynamoDB JSON.
  void Put(const std::string& members, std::string_view account = "000000000000") {
    Ok("PutItem", R"({"TableName":"app","Item":{)" + members + "}}", account);
  }
  void PutKey(const std::string& p, const std::string& s, const std::string& more = "") {
    Put(R"("p":{"S":")" + p + R"("},"s":{"S":")" + s + "\"}" + more);
  }
  std::string Collections(const std::string& members) {
    return Post("collections", R"({"table":"app")" + members + "}");
  }
  // Returns the answer in key order, without what differs from run to run.
  std::string ByKey(const std::string& members) {
    return Without(Without(Collections(R"(,"order":"key")" + members), "took_ms"), "made_epoch_ms");
  }
  void Fails(const std::string& path, const std::string& json, const std::string& sentence,
             int status = 400) {
    EXPECT_EQ(Post(path, json), std::to_string(status) + R"( {"error":")" + sentence + "\"}")
        << json;
  }
};

// --- collections in hash order ---

TEST_F(ContentCalls, CollectionsAreInTheOrderOfTheirHashes) {
  EXPECT_EQ(Collections(""), R"(200 {"order":"hash","collections":[]})");
  PutKey("a", "1");
  PutKey("a", "2");
  PutKey("b", "1");
  const std::regex at(R"("at":0\.\d+)");
  EXPECT_EQ(std::regex_replace(Collections(""), at, "A"),
            R"(200 {"order":"hash","collections":[)"
            R"({"key":{"p":{"S":"b"}},A,"items":1,"has_more_items":false},)"
            R"({"key":{"p":{"S":"a"}},A,"items":2,"has_more_items":false}]})");
  EXPECT_EQ(std::regex_replace(Collections(R"(,"limit":1)"), at, "A"),
            R"(200 {"order":"hash","collections":[)"
            R"({"key":{"p":{"S":"b"}},A,"items":1,"has_more_items":false}],)"
            R"("after":{"p":{"S":"b"}}})");
  EXPECT_EQ(std::regex_replace(Collections(R"(,"limit":1,"after":{"p":{"S":"b"}})"), at, "A"),
            R"(200 {"order":"hash","collections":[)"
            R"({"key":{"p":{"S":"a"}},A,"items":2,"has_more_items":false}]})");
  EXPECT_EQ(Collections(R"(,"order":"hash","after":{"p":{"S":"a"}})"),
            R"(200 {"order":"hash","collections":[]})");
  EXPECT_EQ(Collections(R"(,"at":1)"), R"(200 {"order":"hash","collections":[]})");
}

TEST_F(ContentCalls, AnIndexHasItsOwnCollections) {
  PutKey("a", "1", R"(,"g":{"S":"x"},"n":{"N":"1.50"})");
  PutKey("b", "1", R"(,"g":{"S":"x"},"n":{"N":"1.5"})");
  PutKey("c", "1", R"(,"g":{"S":"x"})");
  PutKey("d", "1", R"(,"n":{"N":"1.5"})");
  const std::regex at(R"("at":0\.\d+)");
  EXPECT_EQ(std::regex_replace(Collections(R"(,"index":"byG")"), at, "A"),
            R"(200 {"order":"hash","collections":[)"
            R"({"key":{"g":{"S":"x"},"n":{"N":"1.5"}},A,"items":2,"has_more_items":false}]})");
  EXPECT_EQ(Collections(R"(,"index":"byG","after":{"g":{"S":"x"},"n":{"N":"1.5"}})"),
            R"(200 {"order":"hash","collections":[]})");
  // The collections of a local index are those of its table, without the items that it lacks.
  EXPECT_EQ(std::regex_replace(Collections(R"(,"index":"byN")"), at, "A"),
            R"(200 {"order":"hash","collections":[)"
            R"({"key":{"p":{"S":"b"}},A,"items":1,"has_more_items":false},)"
            R"({"key":{"p":{"S":"d"}},A,"items":1,"has_more_items":false},)"
            R"({"key":{"p":{"S":"a"}},A,"items":1,"has_more_items":false}]})");
}

TEST_F(ContentCalls, CountsStopAtAThousand) {
  const auto count = [this] {
    const std::string answer = Collections("");
    return answer.substr(answer.find("\"items\""), answer.size());
  };
  for (int i = 0; i < 1000; ++i) PutKey("big", std::to_string(i));
  EXPECT_EQ(count(), R"("items":1000,"has_more_items":false}]})");
  PutKey("big", "one more");
  EXPECT_EQ(count(), R"("items":1000,"has_more_items":true}]})");
}

// --- the first items of collections ---

// Returns the parts of an answer that are `"first_page":…}` of its collections, one a line.
std::string FirstPages(const std::string& answer) {
  const std::string begin = R"("first_page":)";
  std::string pages;
  for (auto at = answer.find(begin); at != answer.npos; at = answer.find(begin, at + 1)) {
    const auto from = at + begin.size();
    int depth = 0;
    auto to = from;
    do {
      depth += answer[to] == '{' ? 1 : answer[to] == '}' ? -1 : 0;
      ++to;
    } while (depth > 0);
    pages += answer.substr(from, to - from) + "\n";
  }
  return pages;
}

TEST_F(ContentCalls, TheFirstItemsComeAsAQueryAnswersThem) {
  PutKey("a", "1", R"(,"g":{"S":"x"},"n":{"N":"2"},"a":{"S":"y"},"note":{"S":"z"})");
  PutKey("a", "2", R"(,"n":{"N":"1"})");
  PutKey("b", "1", R"(,"g":{"S":"x"},"n":{"N":"2"})");
  const std::string first = R"({"p":{"S":"a"},"s":{"S":"1"},"a":{"S":"y"},"g":{"S":"x"},)"
                            R"("n":{"N":"2"},"note":{"S":"z"}})";
  const std::string second = R"({"p":{"S":"a"},"s":{"S":"2"},"n":{"N":"1"}})";
  const std::string of_b =
      R"({"Items":[{"p":{"S":"b"},"s":{"S":"1"},"g":{"S":"x"},"n":{"N":"2"}}]})";
  const std::string both = R"({"Items":[)" + first + "," + second + "]}";
  const std::string cut =
      R"({"Items":[)" + first + R"(],"LastEvaluatedKey":{"p":{"S":"a"},"s":{"S":"1"}}})";
  // The order of hashes has b before a.
  EXPECT_EQ(FirstPages(Collections(R"(,"items":2)")), of_b + "\n" + both + "\n");
  EXPECT_EQ(FirstPages(Collections(R"(,"items":1)")), of_b + "\n" + cut + "\n");
  EXPECT_EQ(FirstPages(Collections(R"(,"order":"key","items":2)")), both + "\n" + of_b + "\n");
  EXPECT_EQ(FirstPages(Collections(R"(,"order":"key","items":1)")), cut + "\n" + of_b + "\n");
  for (const char* without : {"", R"(,"items":0)"}) {
    EXPECT_EQ(FirstPages(Collections(without)), "");
    EXPECT_EQ(FirstPages(Collections(std::string(R"(,"order":"key")") + without)), "");
  }
  // An index has what it projects, in its own order.
  const std::string a_in_index =
      R"({"p":{"S":"a"},"s":{"S":"1"},"a":{"S":"y"},"g":{"S":"x"},"n":{"N":"2"}})";
  const std::string b_in_index = R"({"p":{"S":"b"},"s":{"S":"1"},"g":{"S":"x"},"n":{"N":"2"}})";
  EXPECT_EQ(FirstPages(Collections(R"(,"index":"byG","items":2)")),
            R"({"Items":[)" + b_in_index + "," + a_in_index + "]}\n");
  EXPECT_EQ(FirstPages(Collections(R"(,"index":"byG","items":1)")),
            R"({"Items":[)" + b_in_index + R"(],"LastEvaluatedKey":)" + b_in_index + "}\n");
  EXPECT_EQ(FirstPages(Collections(R"(,"index":"byN","order":"key","items":1)")),
            R"({"Items":[{"p":{"S":"a"},"s":{"S":"2"},"n":{"N":"1"}}],)"
            R"("LastEvaluatedKey":{"p":{"S":"a"},"s":{"S":"2"},"n":{"N":"1"}}})"
            "\n"
            R"({"Items":[{"p":{"S":"b"},"s":{"S":"1"},"n":{"N":"2"}}]})"
            "\n");
}

TEST_F(ContentCalls, TheFirstItemsAreThoseOfNow) {
  PutKey("a", "1");
  PutKey("b", "1");
  ByKey("");
  Ok("DeleteItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}}})");
  PutKey("b", "2");
  EXPECT_EQ(FirstPages(ByKey(R"(,"directory":"d1","items":5)")),
            R"({"Items":[]})"
            "\n"
            R"({"Items":[{"p":{"S":"b"},"s":{"S":"1"}},{"p":{"S":"b"},"s":{"S":"2"}}]})"
            "\n");
}

TEST_F(ContentCalls, NoItemIsAddedToAnAnswerWith128KiB) {
  const std::string large = R"(,"a":{"S":")" + std::string(50 << 10, 'x') + "\"}";
  for (const char* p : {"a", "b", "c"}) {
    for (const char* s : {"1", "2"}) PutKey(p, s, large);
  }
  // Of six items of 50 KiB, three are more than 128 KiB.
  for (const char* order : {"key", "hash"}) {
    rapidjson::Document document;
    document.Parse(
        Collections(std::string(R"(,"items":10,"order":")") + order + "\"").substr(4).c_str());
    const auto& collections = document["collections"];
    ASSERT_EQ(collections.Size(), 3u);
    EXPECT_EQ(collections[0]["first_page"]["Items"].Size(), 2u);
    EXPECT_FALSE(collections[0]["first_page"].HasMember("LastEvaluatedKey"));
    EXPECT_EQ(collections[1]["first_page"]["Items"].Size(), 1u);
    EXPECT_STREQ(collections[1]["first_page"]["LastEvaluatedKey"]["s"]["S"].GetString(), "1");
    EXPECT_FALSE(collections[2].HasMember("first_page"));
  }
}

// --- collections in the order of keys ---

TEST_F(ContentCalls, ADirectoryHasEntitiesAndTheirCollections) {
  for (const char* user : {"ada", "bob"}) {
    PutKey(std::string("USER#") + user, "PROFILE", R"(,"name":{"S":"x"})");
    for (const char* order : {"1", "2"}) {
      PutKey(std::string("USER#") + user, std::string("ORDER#2026-01-0") + order,
             R"(,"total":{"N":"7"},"note":{"S":"y"})");
    }
  }
  PutKey("USER#bob", "ORDER#2026-01-03", R"(,"total":{"N":"8"})");
  const std::string entities =
      R"("entities":[{"entity":0,"key":{"p":"USER#{…}","s":"ORDER#{date}"},"items":5,)"
      R"("collections":2,"attributes":["p","s","total","note"]},)"
      R"({"entity":1,"key":{"p":"USER#{…}","s":"PROFILE"},"items":2,"collections":2,)"
      R"("attributes":["p","s","name"]}],)";
  const std::string ada =
      R"({"key":{"p":{"S":"USER#ada"}},"items":3,"entities":[{"entity":0,"items":2},)"
      R"({"entity":1,"items":1}]})";
  const std::string bob =
      R"({"key":{"p":{"S":"USER#bob"}},"items":4,"entities":[{"entity":0,"items":3},)"
      R"({"entity":1,"items":1}]})";
  const auto directory = [](const std::string& id) {
    return R"(200 {"order":"key","directory":{"id":")" + id +
           R"(",,,"items":7,"collections":2,"is_cut":false},)";
  };
  EXPECT_EQ(ByKey(""), directory("d1") + entities + R"("collections":[)" + ada + "," + bob + "]}");
  EXPECT_EQ(ByKey(R"(,"limit":1)"), directory("d2") + entities + R"("collections":[)" + ada +
                                        R"(],"after":"VVNFUiNhZGEAAQ=="})");
  EXPECT_EQ(ByKey(R"(,"directory":"d2","after":"VVNFUiNhZGEAAQ==")"),
            directory("d2") + entities + R"("collections":[)" + bob + "]}");
  // What was written since then is not in the directory.
  PutKey("USER#eve", "PROFILE");
  EXPECT_EQ(ByKey(R"(,"directory":"d1","prefix":"USER#b")"),
            directory("d1") + entities + R"("collections":[)" + bob + "]}");
  EXPECT_EQ(ByKey(R"(,"directory":"d1","prefix":"USER#b","after":"VVNFUiNhZGEAAQ==")"),
            directory("d1") + entities + R"("collections":[)" + bob + "]}");
  EXPECT_EQ(ByKey(R"(,"directory":"d1","prefix":"USER#c")"),
            directory("d1") + entities + R"("collections":[]})");
  // A directory that is gone is made anew.
  EXPECT_EQ(ByKey(R"(,"directory":"none")").substr(0, 46),
            R"(200 {"order":"key","directory":{"id":"d3",,,"i)");
  // So is that of another table, or of another index.
  EXPECT_EQ(ByKey(R"(,"directory":"d3","index":"byG")").substr(0, 46),
            R"(200 {"order":"key","directory":{"id":"d4",,,"i)");
}

TEST_F(ContentCalls, AnEntityLimitsTheListToItsCollections) {
  for (const char* p : {"A#1", "A#2", "A#3", "B#1", "B#2"}) PutKey(p, "META");
  EXPECT_EQ(ByKey(R"(,"entity":1,"limit":1)"),
            R"(200 {"order":"key","directory":{"id":"d1",,,"items":5,"collections":5,)"
            R"("is_cut":false},"entities":[{"entity":0,"key":{"p":"A#{digits}","s":"META"},)"
            R"("items":3,"collections":3,"attributes":["p","s"]},{"entity":1,)"
            R"("key":{"p":"B#{digits}","s":"META"},"items":2,"collections":2,)"
            R"("attributes":["p","s"]}],"collections":[{"key":{"p":{"S":"B#1"}},"items":1,)"
            R"("entities":[{"entity":1,"items":1}]}],"after":"QiMxAAE="})");
  Fails("collections", R"({"table":"app","entity":2})",
        R"(\"entity\" is the number of an entity; the directory has 2.)");
}

TEST_F(ContentCalls, AResetDropsTheDirectories) {
  PutKey("a", "1");
  EXPECT_EQ(ByKey("").substr(0, 42), R"(200 {"order":"key","directory":{"id":"d1",)");
  Post("reset", R"({"account":"111122223333"})");
  EXPECT_EQ(ByKey(R"(,"directory":"d1")").substr(0, 42),
            R"(200 {"order":"key","directory":{"id":"d2",)");
}

TEST_F(ContentCalls, KeysOfOtherTypesAreInTheirOwnOrder) {
  Ok("CreateTable",
     R"({"TableName":"bin","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
     R"({"AttributeName":"b","AttributeType":"B"},{"AttributeName":"n","AttributeType":"N"}],)"
     R"("KeySchema":[{"AttributeName":"b","KeyType":"HASH"},)"
     R"({"AttributeName":"n","KeyType":"RANGE"}],"GlobalSecondaryIndexes":[{"IndexName":"byN",)"
     R"("Projection":{"ProjectionType":"KEYS_ONLY"},"KeySchema":[)"
     R"({"AttributeName":"n","KeyType":"HASH"}]}]})");
  for (const char* key :
       {R"("b":{"B":"AAE="},"n":{"N":"-1"})", R"("b":{"B":"AA=="},"n":{"N":"10"})",
        R"("b":{"B":"/w=="},"n":{"N":"9"})"}) {
    Ok("PutItem", std::string(R"({"TableName":"bin","Item":{)") + key + "}}");
  }
  const auto keys = [this](const std::string& members) {
    rapidjson::Document document;
    document.Parse(Post("collections", R"({"table":"bin")" + members + "}").substr(4).c_str());
    std::string text;
    for (const auto& each : document["collections"].GetArray()) {
      for (const auto& part : each["key"].GetObject()) {
        text += std::string(part.value.MemberBegin()->value.GetString()) + ";";
      }
    }
    return text;
  };
  EXPECT_EQ(keys(R"(,"order":"key")"), "AA==;AAE=;/w==;");
  EXPECT_EQ(keys(R"(,"order":"key","index":"byN")"), "-1;9;10;");
  const std::string answer = Post("collections", R"({"table":"bin","order":"key"})");
  EXPECT_NE(answer.find(R"("key":{"b":"{binary}","n":"{number}"},"items":3)"), answer.npos)
      << answer;
  Fails("collections", R"({"table":"bin","prefix":"a"})",
        R"(\"prefix\" is for keys of type S, and \"b\" is of type B.)");
}

// --- drawn items against a plain grouping ---

struct Shown {
  std::string key;
  int items = 0;
  bool operator==(const Shown&) const = default;
};

class DrawnContent : public ContentCalls {
 protected:
  // Returns all pages of the call, and asserts that they are as long as the limit.
  std::vector<Shown> Pages(const std::string& members, std::size_t limit) {
    std::vector<Shown> all;
    std::string after;
    for (bool has_more = true; has_more;) {
      const std::string answer =
          Collections(members + R"(,"limit":)" + std::to_string(limit) + after);
      rapidjson::Document document;
      document.Parse(answer.substr(4).c_str());
      for (const auto& each : document["collections"].GetArray()) {
        all.push_back({each["key"].MemberBegin()->value["S"].GetString(), each["items"].GetInt()});
      }
      has_more = document.HasMember("after");
      if (!has_more) break;
      EXPECT_EQ(document["collections"].Size(), limit);
      after = document["after"].IsString()
                  ? std::string(R"(,"after":")") + document["after"].GetString() + "\""
                  : R"(,"after":{"p":{"S":")" + JsonEscaped(all.back().key) + R"("}})";
    }
    return all;
  }
  static std::string JsonEscaped(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
      if (c == '\0') {
        escaped += "\\u0000";
      } else {
        escaped += c;
      }
    }
    return escaped;
  }
  // Expects that each collection of an answer has the items that a Query answers.
  void ExpectFirstPagesAreQueries(const std::string& members) {
    rapidjson::Document document;
    document.Parse(Collections(members + R"(,"items":7)").substr(4).c_str());
    for (const auto& each : document["collections"].GetArray()) {
      const std::string key = JsonEscaped(each["key"]["p"]["S"].GetString());
      rapidjson::Document queried;
      queried.Parse(Ok("Query", R"({"TableName":"app","Limit":7,"KeyConditionExpression":"p = :p",)"
                                R"("ExpressionAttributeValues":{":p":{"S":")" +
                                    key + R"("}}})")
                        .c_str());
      EXPECT_EQ(each["first_page"]["Items"], queried["Items"]) << key;
      // A Query does not know that nothing follows a page that is full.
      EXPECT_EQ(each["first_page"].HasMember("LastEvaluatedKey"), each["items"].GetInt() > 7);
      if (each["items"].GetInt() > 7) {
        EXPECT_EQ(each["first_page"]["LastEvaluatedKey"], queried["LastEvaluatedKey"]) << key;
      }
    }
  }
  // Returns the partition keys in the order of a Scan.
  std::vector<std::string> ScanOrder() {
    std::vector<std::string> keys;
    rapidjson::Document document;
    document.Parse(Ok("Scan", R"({"TableName":"app","ProjectionExpression":"p"})").c_str());
    for (const auto& item : document["Items"].GetArray()) {
      std::string key(item["p"]["S"].GetString(), item["p"]["S"].GetStringLength());
      if (keys.empty() || keys.back() != key) keys.push_back(std::move(key));
    }
    return keys;
  }
};

TEST_F(DrawnContent, BothOrdersAreThoseOfAPlainGrouping) {
  Random random(7);
  std::map<std::string, std::set<std::string>> groups;
  for (int i = 0; i < 1500; ++i) {
    std::string p;
    for (int length = 1 + test::Below(random, 4); length > 0; --length) {
      p += "ab#z"[test::Below(random, 4)];
    }
    const std::string s = std::to_string(test::Below(random, 30));
    groups[p].insert(s);
    PutKey(p, s);
  }
  std::vector<Shown> by_key, by_hash;
  for (const auto& [p, sorts] : groups) by_key.push_back({p, static_cast<int>(sorts.size())});
  for (const std::string& p : ScanOrder()) {
    by_hash.push_back({p, static_cast<int>(groups[p].size())});
  }
  ASSERT_EQ(by_hash.size(), by_key.size());
  ExpectFirstPagesAreQueries(R"(,"order":"hash")");
  ExpectFirstPagesAreQueries(R"(,"order":"key")");
  for (const std::size_t limit : {1, 7, 200}) {
    EXPECT_EQ(Pages("", limit), by_hash);
    EXPECT_EQ(Pages(R"(,"directory":"d1","order":"key")", limit), by_key);
  }
  for (const std::string prefix : {"a", "ab", "z#", "zz##", "#"}) {
    std::vector<Shown> expected;
    for (const Shown& each : by_key) {
      if (each.key.starts_with(prefix)) expected.push_back(each);
    }
    EXPECT_EQ(Pages(R"(,"directory":"d1","prefix":")" + prefix + "\"", 5), expected) << prefix;
  }
}

TEST_F(DrawnContent, AFractionFindsTheCollectionThatHasIt) {
  for (int i = 0; i < 50; ++i) PutKey("k" + std::to_string(i), "1");
  rapidjson::Document document;
  document.Parse(Collections("").substr(4).c_str());
  std::set<std::string> seen;
  for (const auto& each : document["collections"].GetArray()) {
    const std::string key = each["key"]["p"]["S"].GetString();
    char at[40];
    std::snprintf(at, sizeof at, "%.17g", each["at"].GetDouble());
    const std::string found = Collections(std::string(R"(,"limit":1,"at":)") + at);
    EXPECT_NE(found.find("\"" + key + "\""), found.npos) << found;
    seen.insert(key);
  }
  EXPECT_EQ(seen.size(), 50u);
}

TEST_F(DrawnContent, ALargeCollectionIsPassedByADescent) {
  for (int i = 0; i < 1203; ++i) PutKey("big", std::to_string(i));
  for (int i = 0; i < 20; ++i) PutKey("k" + std::to_string(i), "1");
  std::vector<Shown> expected;
  for (const std::string& p : ScanOrder()) expected.push_back({p, p == "big" ? 1000 : 1});
  EXPECT_EQ(Pages("", 3), expected);
}

// --- the input of collections ---

TEST_F(ContentCalls, WrongInputIsRefusedWithASentence) {
  for (const auto& [members, sentence] : std::vector<std::pair<std::string, std::string>>{
           {R"("limit":0)", R"(\"limit\" is from 1 to 200.)"},
           {R"("limit":201)", R"(\"limit\" is from 1 to 200.)"},
           {R"("limit":-1)", R"(\"limit\" in the body is not a whole number from 0.)"},
           {R"("limit":"3")", R"(\"limit\" in the body is not a whole number from 0.)"},
           {R"("items":101)", R"(\"items\" is at most 100.)"},
           {R"("items":101,"order":"key")", R"(\"items\" is at most 100.)"},
           {R"("items":-1)", R"(\"items\" in the body is not a whole number from 0.)"},
           {R"("at":-0.1)", R"(\"at\" is from 0 to 1.)"},
           {R"("at":1.0000001)", R"(\"at\" is from 0 to 1.)"},
           {R"("at":1e999)", R"(The body is not a JSON object: )"},
           {R"("at":"0")", R"(\"at\" in the body is not a number.)"},
           {R"("at":0,"after":{"p":{"S":"a"}})", R"(\"after\" and \"at\" exclude each other.)"},
           {R"("after":"QQ==")",
            R"(\"after\" is not DynamoDB JSON such as {\"PK\":{\"S\":\"a\"}})"},
           {R"("after":{"p":{"N":"1"}})",
            R"(\"after\" is not the key of a collection, which is \"p\" (S).)"},
           {R"("after":{"p":{"S":"a"},"s":{"S":"b"}})",
            R"(\"after\" is not the key of a collection, which is \"p\" (S).)"},
           {R"("after":{})", R"(\"after\" is not the key of a collection, which is \"p\" (S).)"},
           {R"("after":{"p":{"S":""}})",
            R"(\"after\" is not DynamoDB JSON such as {\"PK\":{\"S\":\"a\"}}: One or more)"},
           {R"("after":{"p":{"L":[]}})",
            R"(\"after\" has \"p\" of type L, where a key attribute is S, N or B.)"},
           {R"("order":"size")", R"(\"order\" is \"hash\" or \"key\".)"},
           {R"("order":"hash","entity":0)",
            R"(\"entity\", \"prefix\" and \"directory\" are for the order \"key\".)"},
           {R"("order":"key","at":0)", R"(\"at\" is for the order \"hash\".)"},
           {R"("order":"key","limit":0)", R"(\"limit\" is from 1 to 200.)"},
           {R"("order":"key","after":{"p":{"S":"a"}})",
            R"(\"after\" is not what an answer in this order had.)"},
           {R"("order":"key","after":"Q")",
            R"(\"after\" is not what an answer in this order had.)"},
           {R"("entity":-1)", R"(\"entity\" in the body is not a whole number from 0.)"},
           {R"("entity":99999999999)",
            R"(\"entity\" is the number of an entity; the directory has 0.)"},
           {R"("prefix":"")", R"(\"prefix\" in the body is not a text of at least one character.)"},
           {R"("account":"12")",
            R"(\"12\" in \"account\" is not an account id, which has 12 digits.)"},
           {R"("tabel":"t")", R"(\"tabel\" is no member of the body)"}}) {
    const std::string answer = Collections("," + members);
    EXPECT_TRUE(answer.starts_with(R"(400 {"error":")" + sentence)) << members << "\n" << answer;
  }
  Fails("collections", "{}", R"(\"table\" is missing in the body.)");
  Fails("collections", R"({"table":"none"})", R"(There is no table \"none\".)", 404);
  Fails("collections", R"({"table":"app","region":"eu-west-1"})", R"(There is no table \"app\".)",
        404);
  Fails("collections", R"({"table":"app","index":"none","order":"key"})",
        R"(Table \"app\" has no index \"none\".)", 404);
}

TEST_F(ContentCalls, AnyBytesAreAPlaceInTheOrderOfKeys) {
  PutKey("a", "1");
  for (const char* after : {"", "AA==", "/////w==", "AP8A"}) {
    EXPECT_TRUE(ByKey(std::string(R"(,"after":")") + after + "\"").starts_with("200 ")) << after;
  }
}

// --- places ---

TEST_F(ContentCalls, AnItemHasAPlaceInEachIndexThatItBelongsTo) {
  PutKey("a", "1", R"(,"g":{"S":"x"},"n":{"N":"1"},"a":{"S":"y"},"note":{"S":"z"})");
  const std::string item =
      R"("item":{"p":{"S":"a"},"s":{"S":"1"},"a":{"S":"y"},"g":{"S":"x"},"n":{"N":"1"},)"
      R"("note":{"S":"z"}},"size_bytes":16,)";
  EXPECT_EQ(Post("places", R"({"table":"app","key":{"p":{"S":"a"},"s":{"S":"1"}}})"),
            "200 {" + item +
                R"("places":[{"key":{"p":{"S":"a"},"s":{"S":"1"}}},{"index":"byG",)"
                R"("key":{"g":{"S":"x"},"n":{"N":"1"}},"size_bytes":11,"missing":["note"]},)"
                R"({"index":"byN","key":{"p":{"S":"a"},"n":{"N":"1"}},"size_bytes":7,)"
                R"("missing":["a","g","note"]}],"absent":[]})");
  PutKey("a", "2", R"(,"g":{"S":"x"})");
  EXPECT_EQ(Post("places", R"({"table":"app","key":{"s":{"S":"2"},"p":{"S":"a"}}})"),
            R"(200 {"item":{"p":{"S":"a"},"s":{"S":"2"},"g":{"S":"x"}},"size_bytes":6,)"
            R"("places":[{"key":{"p":{"S":"a"},"s":{"S":"2"}}}],"absent":[)"
            R"({"index":"byG","reason":"The item has no attribute n."},)"
            R"({"index":"byN","reason":"The item has no attribute n."}]})");
}

TEST_F(ContentCalls, AnIndexThatWasAddedLaterSaysWhyItHasNotAnItem) {
  PutKey("a", "1", R"(,"h":{"N":"1"})");
  PutKey("a", "2", R"(,"h":{"S":""})");
  PutKey("a", "3", R"(,"h":{"S":")" + std::string(2049, 'x') + "\"}");
  Ok("UpdateTable",
     R"({"TableName":"app","AttributeDefinitions":[{"AttributeName":"h","AttributeType":"S"}],)"
     R"("GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"byH","KeySchema":[)"
     R"({"AttributeName":"h","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]})");
  const auto reason = [this](const char* s) {
    const std::string answer = Post(
        "places", std::string(R"({"table":"app","key":{"p":{"S":"a"},"s":{"S":")") + s + "\"}}}");
    const std::size_t at = answer.find(R"({"index":"byH","reason":)");
    return at == answer.npos ? answer : answer.substr(at);
  };
  EXPECT_TRUE(reason("1").starts_with(
      R"({"index":"byH","reason":"The attribute h is of type N, where the index takes S."})"))
      << reason("1");
  EXPECT_TRUE(reason("2").starts_with(R"({"index":"byH","reason":"The attribute h is empty."})"));
  EXPECT_TRUE(reason("3").starts_with(
      R"({"index":"byH","reason":"The attribute h is longer than a key may be."})"));
}

TEST_F(ContentCalls, AVectorIndexSaysWhatItNeeds) {
  Ok("CreateTable",
     R"({"TableName":"vec","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
     R"({"AttributeName":"PK","AttributeType":"S"}],"KeySchema":[{"AttributeName":"PK",)"
     R"("KeyType":"HASH"}],"VectorIndexes":[{"IndexName":"vix","VectorAttribute":)"
     R"({"AttributeName":"e"},"Dimensions":2,"DistanceFunction":"COSINE",)"
     R"("Projection":{"ProjectionType":"KEYS_ONLY"}}]})");
  Ok("PutItem", R"({"TableName":"vec","Item":{"PK":{"S":"a"},"e":{"L":[{"N":"1"},{"N":"0"}]}}})");
  Ok("PutItem", R"({"TableName":"vec","Item":{"PK":{"S":"b"}}})");
  EXPECT_EQ(Post("places", R"({"table":"vec","key":{"PK":{"S":"a"}}})"),
            R"(200 {"item":{"PK":{"S":"a"},"e":{"L":[{"N":"1"},{"N":"0"}]}},"size_bytes":12,)"
            R"("places":[{"key":{"PK":{"S":"a"}}},{"index":"vix","key":{},"size_bytes":12,)"
            R"("missing":["e"]}],"absent":[]})");
  EXPECT_EQ(Post("places", R"({"table":"vec","key":{"PK":{"S":"b"}}})"),
            R"(200 {"item":{"PK":{"S":"b"}},"size_bytes":3,"places":[{"key":{"PK":{"S":"b"}}}],)"
            R"("absent":[{"index":"vix","reason":"The item has no attribute e."}]})");
  Fails("collections", R"({"table":"vec","index":"vix"})",
        R"(\"vix\" is a vector index, which has no item collections.)");
}

TEST_F(ContentCalls, PlacesOfNoItemOrOfNoKeyAreRefused) {
  Fails("places", R"({"table":"app","key":{"p":{"S":"a"},"s":{"S":"1"}}})",
        R"(There is no item with this key in table \"app\".)", 404);
  Fails("places", R"({"table":"none","key":{"p":{"S":"a"},"s":{"S":"1"}}})",
        R"(There is no table \"none\".)", 404);
  Fails("places", R"({"table":"app","key":{"p":{"S":"a"}}})",
        R"(\"key\" is not the key of table \"app\", which is \"p\" (S) and \"s\" (S).)");
  Fails("places", R"({"table":"app","key":"a"})", R"(\"key\" in the body is not an object.)");
  Fails("places", R"({"table":"app"})", R"(\"key\" is missing in the body.)");
}

// --- changes ---

class ChangesCalls : public ContentCalls {
 protected:
  std::string Changes(const std::string& query = "") {
    static const std::regex time(R"("time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")");
    return std::regex_replace(Control("GET", "changes?table=app" + query), time, "T");
  }
};

TEST_F(ChangesCalls, AreKeptFromTheFirstPostOn) {
  PutKey("a", "0");
  const std::string off = R"(200 {"enabled":false,"limit":1000,"last_id":0,"forgotten":0)";
  EXPECT_EQ(Changes(), off + R"(,"changes":[]})");
  EXPECT_EQ(Post("changes", R"({"table":"app"})"),
            R"(200 {"enabled":true,"limit":1000,"last_id":0,"forgotten":0})");
  PutKey("a", "1", R"(,"v":{"N":"1"})");
  PutKey("a", "1", R"(,"v":{"N":"1"})");  // this changes nothing
  PutKey("a", "1", R"(,"v":{"N":"2"})");
  Ok("DeleteItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}}})");
  const std::string key = R"("key":{"p":{"S":"a"},"s":{"S":"1"}},)";
  const std::string one = R"({"p":{"S":"a"},"s":{"S":"1"},"v":{"N":"1"}})";
  const std::string two = R"({"p":{"S":"a"},"s":{"S":"1"},"v":{"N":"2"}})";
  const std::string first = R"({"id":1,T,"event":"INSERT",)" + key + R"("new":)" + one +
                            R"(,"by_ttl":false},{"id":2,T,"event":"MODIFY",)" + key + R"("old":)" +
                            one + R"(,"new":)" + two + R"(,"by_ttl":false},)";
  const std::string last =
      R"({"id":3,T,"event":"REMOVE",)" + key + R"("old":)" + two + R"(,"by_ttl":false})";
  const std::string on = R"(200 {"enabled":true,"limit":1000,"last_id":3,"forgotten":0)";
  EXPECT_EQ(Changes(), on + R"(,"changes":[)" + first + last + "]}");
  EXPECT_EQ(Changes("&since=2"), on + R"(,"missed":0,"changes":[)" + last + "]}");
  EXPECT_EQ(Changes("&since=99"), on + R"(,"missed":0,"changes":[]})");
  EXPECT_EQ(Post("changes", R"({"table":"app","limit":1})"),
            R"(200 {"enabled":true,"limit":1,"last_id":3,"forgotten":2})");
  EXPECT_EQ(Changes("&since=1"),
            R"(200 {"enabled":true,"limit":1,"last_id":3,"forgotten":2,"missed":1,"changes":[)" +
                last + "]}");
  EXPECT_EQ(Post("changes", R"({"table":"app","enabled":false})"), off + "}");
  PutKey("a", "2");
  EXPECT_EQ(Changes(), off + R"(,"changes":[]})");
}

TEST_F(ChangesCalls, OfEachTableAndAccountAreItsOwn) {
  Ok("CreateTable", kTable, "111122223333", "eu-west-1");
  Post("changes", R"({"table":"app"})");
  Post("changes", R"({"table":"app","account":"111122223333","region":"eu-west-1"})");
  PutKey("a", "1");
  PutKey("a", "2");
  Ok("PutItem", R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"1"}}})", "111122223333",
     "eu-west-1");
  const auto last_id = [this](const std::string& query) {
    const std::string answer = Changes(query);
    return answer.substr(answer.find("\"last_id\""), 11);
  };
  EXPECT_EQ(last_id(""), R"("last_id":2)");
  EXPECT_EQ(last_id("&account=111122223333&region=eu-west-1"), R"("last_id":1)");
}

TEST_F(ChangesCalls, OfAReplacedTableAreGone) {
  Post("changes", R"({"table":"app"})");
  PutKey("a", "1");
  Post("snapshots", R"({"name":"s"})");
  Post("reset", R"({"table":"app"})");
  PutKey("a", "1");
  EXPECT_EQ(Changes(),
            R"(200 {"enabled":false,"limit":1000,"last_id":0,"forgotten":0,"changes":[]})");
  Post("changes", R"({"table":"app"})");
  Post("snapshots/s/restore");
  EXPECT_EQ(Changes(),
            R"(200 {"enabled":false,"limit":1000,"last_id":0,"forgotten":0,"changes":[]})");
}

TEST_F(ChangesCalls, AnExpiredItemIsRemovedByItsTimeToLive) {
  Ok("UpdateTimeToLive",
     R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})");
  Post("clock", R"({"frozen":"2026-01-31T12:00:00Z"})");
  PutKey("a", "1", R"(,"ttl":{"N":"1769860801"})");
  Post("changes", R"({"table":"app"})");
  Post("clock", R"({"advance":"2d"})");
  EXPECT_EQ(Changes(),
            R"(200 {"enabled":true,"limit":1000,"last_id":1,"forgotten":0,"changes":[{"id":1,T,)"
            R"("event":"REMOVE","key":{"p":{"S":"a"},"s":{"S":"1"}},"old":{"p":{"S":"a"},)"
            R"("s":{"S":"1"},"ttl":{"N":"1769860801"}},"by_ttl":true}]})");
}

TEST_F(ChangesCalls, WrongInputIsRefusedWithASentence) {
  Fails("changes", "{}", R"(\"table\" is missing in the body.)");
  Fails("changes", R"({"table":"none"})", R"(There is no table \"none\".)", 404);
  Fails("changes", R"({"table":"none","enabled":false})", R"(There is no table \"none\".)", 404);
  for (const char* limit : {"0", "10001"}) {
    Fails("changes", std::string(R"({"table":"app","limit":)") + limit + "}",
          R"(\"limit\" is from 1 to 10000.)");
  }
  Fails("changes", R"({"table":"app","enabled":false,"limit":1})",
        R"(\"limit\" is for \"enabled\":true.)");
  Fails("changes", R"({"table":"app","enabled":1})",
        R"(\"enabled\" in the body is not true or false.)");
  EXPECT_EQ(Control("GET", "changes"), R"(400 {"error":"\"table\" is missing in the query."})");
  EXPECT_EQ(Control("GET", "changes?table=none"), R"(404 {"error":"There is no table \"none\"."})");
  EXPECT_EQ(Control("GET", "changes?table=app&since=x"),
            R"(400 {"error":"\"since\" is not the id of a change: \"x\"."})");
  EXPECT_EQ(Control("GET", "changes?table=app&account=1"),
            R"(400 {"error":"\"1\" is not an account id, which has 12 digits."})");
}

TEST(ContentCallsOfSharedTables, AnyAccountHasTheOneTable) {
  Database database({.shared_tables = true});
  database.Call("CreateTable", kTable);
  database.Control("POST", "changes", R"({"table":"app","account":"111122223333"})");
  database.Call("PutItem", R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"1"}}})");
  const Answer answer = database.Control("GET", "changes?table=app&account=444455556666");
  EXPECT_NE(answer.body.find(R"("last_id":1)"), answer.body.npos) << answer.body;
}

}  // namespace
}  // namespace hashrange
