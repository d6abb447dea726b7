// What the samples of a model say about its entities and their keys, and what they do not decide.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "lab/import/model_file.h"

namespace hashrange {
namespace {

// Returns `"PK": {"S": "u#1"}` for "PK=u#1", and {"N": "1"} for "n:=1".
std::string AttributeJson(std::string_view attribute) {
  const std::size_t equals = attribute.find('=');
  const bool is_number = attribute[equals - 1] == ':';
  const std::string_view name = attribute.substr(0, equals - (is_number ? 1 : 0));
  return "\"" + std::string(name) + "\":{\"" + (is_number ? "N" : "S") + "\":\"" +
         std::string(attribute.substr(equals + 1)) + "\"}";
}

// Returns a model of NoSQL Workbench. An item is "PK=u#1 SK=profile u_id=1".
std::string ModelOf(const std::vector<std::string_view>& items, std::string_view indexes) {
  std::string data;
  for (std::string_view item : items) {
    std::string json;
    while (!item.empty()) {
      const std::size_t end = std::min(item.find(' '), item.size());
      json += (json.empty() ? "{" : ",") + AttributeJson(item.substr(0, end));
      item.remove_prefix(std::min(end + 1, item.size()));
    }
    data += (data.empty() ? "" : ",") + json + "}";
  }
  const auto key = [](std::string_view name, std::string_view attribute) {
    return "\"" + std::string(name) + "\":{\"AttributeName\":\"" + std::string(attribute) +
           "\",\"AttributeType\":\"S\"}";
  };
  std::string of_index;
  if (!indexes.empty()) {
    of_index = ",\"GlobalSecondaryIndexes\":[{\"IndexName\":\"gsi\",\"KeyAttributes\":{" +
               key("PartitionKey", indexes) + "},\"Projection\":{\"ProjectionType\":\"ALL\"}}]";
  }
  return R"({"ModelName":"m","DataModel":[{"TableName":"app","KeyAttributes":{)" +
         key("PartitionKey", "PK") + "," + key("SortKey", "SK") + "}" + of_index +
         ",\"TableData\":[" + data + "]}]}";
}

struct Row {
  const char* name;
  std::vector<std::string_view> items;
  std::string_view expected;  // the items of the layout
  std::string_view index = {};
};
std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

class SampleKeysOf : public testing::TestWithParam<Row> {};

TEST_P(SampleKeysOf, Items) {
  const ImportedLab lab = LabOfModel(ModelOf(GetParam().items, GetParam().index));
  constexpr std::string_view kIndent = "          ";
  std::string items;
  std::size_t at = lab.text.find("        items:\n");
  at = lab.text.find('\n', at) + 1;
  while (at < lab.text.size() && lab.text.compare(at, kIndent.size(), kIndent) == 0) {
    const std::size_t end = lab.text.find('\n', at);
    items += lab.text.substr(at + kIndent.size(), end + 1 - at - kIndent.size());
    at = end + 1;
  }
  EXPECT_EQ(items, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Decided, SampleKeysOf,
    testing::Values(
        Row{"FollowersHaveOneIdAndOneConstant",
            {"PK=u#12345 SK=profile u_id=12345 name=Ann",
             "PK=u#67890 SK=profile u_id=67890 name=Bob",
             "PK=u#12345#follower SK=u#67890 u_id=12345 follower_id=67890",
             "PK=u#12345#follower SK=u#24680 u_id=12345 follower_id=24680"},
            R"(# PK: u_id in 2 of 2 samples; SK: constant in 2 of 2 samples
UProfile: {PK: "u#{u_id}", SK: "profile"}
# PK: u_id in 2 of 2 samples; SK: follower_id in 2 of 2 samples
UFollower: {PK: "u#{u_id}#follower", SK: "u#{follower_id}"}
)"},
        Row{"FormsOfAttributes",
            {"PK=E#ANN SK=2026-01-02 mail=ann at=2026-01-02T10:00:00Z",
             "PK=E#BOB SK=2026-01-03 mail=bob at=2026-01-03T10:00:00Z"},
            R"(# PK: mail:upper in 2 of 2 samples; SK: at:day in 2 of 2 samples
E: {PK: "E#{mail:upper}", SK: "{at:day}"}
)"},
        Row{"NumbersWithZeros",
            {"PK=N#00007 SK=T n:=7", "PK=N#00011 SK=T n:=11"},
            R"(# PK: n:05 in 2 of 2 samples; SK: constant in 2 of 2 samples
NT: {PK: "N#{n:05}", SK: "T"}
)"},
        Row{"ValuesBehindTheSameText",
            {"PK=$lib#isbn_7 SK=$book_1#copy_1 isbn=7 copy:=1",
             "PK=$lib#isbn_8 SK=$book_1#copy_2 isbn=8 copy:=2"},
            R"(# PK: isbn in 2 of 2 samples; SK: copy in 2 of 2 samples
Book1Copy: {PK: "$lib#isbn_{isbn}", SK: "$book_1#copy_{copy}"}
)"},
        Row{"WholeKeyWithSeparators",
            {"PK=http://a/b SK=PAGE url=http://a/b", "PK=http://c/d SK=PAGE url=http://c/d"},
            R"(# PK: url in 2 of 2 samples; SK: constant in 2 of 2 samples
Page: {PK: "{url}", SK: "PAGE"}
)"},
        Row{"OtherNamesForTheSameId",
            {"PK=USER#1 SK=P id=1 name=a", "PK=USER#2 SK=P id=2 name=b",
             "PK=USER#1 SK=O#7 user=1 order=7", "PK=USER#1 SK=O#8 user=1 order=8"},
            R"(# PK: id in 2 of 2 samples; SK: constant in 2 of 2 samples
UserP: {PK: "USER#{id}", SK: "P"}
# PK: user in 2 of 2 samples; SK: order in 2 of 2 samples
O: {PK: "USER#{user}", SK: "O#{order}"}
)"},
        Row{"TypesTellEntitiesApart",
            {"PK=1 SK=2 type=A a=1 b=2", "PK=3 SK=4 type=A a=3 b=4", "PK=5 SK=6 type=B a=5 b=6",
             "PK=7 SK=8 type=B a=7 b=8"},
            R"(# PK: a in 2 of 2 samples; SK: b in 2 of 2 samples
A: {PK: "{a}", SK: "{b}"}
# PK: a in 2 of 2 samples; SK: b in 2 of 2 samples
B: {PK: "{a}", SK: "{b}"}
)"},
        Row{"TypesOfEachSampleAreIds",
            {"PK=1 SK=2 type=C1 a=1 b=2", "PK=3 SK=4 type=C2 a=3 b=4"},
            R"(# PK: a in 2 of 2 samples; SK: b in 2 of 2 samples
App: {PK: "{a}", SK: "{b}"}
)"},
        Row{"WordsBehindIdsTellEntitiesApart",
            {"PK=u#1#a SK=x#5 id=1 o=5", "PK=u#2#a SK=x#6 id=2 o=6", "PK=u#1#b SK=x#5 id=1 o=5",
             "PK=u#2#b SK=x#6 id=2 o=6"},
            R"(# PK: id in 2 of 2 samples; SK: o in 2 of 2 samples
XA: {PK: "u#{id}#a", SK: "x#{o}"}
# PK: id in 2 of 2 samples; SK: o in 2 of 2 samples
XB: {PK: "u#{id}#b", SK: "x#{o}"}
)"},
        Row{"SparseIndex",
            {"PK=1 SK=A a=1 g=T#5 t=5", "PK=2 SK=A a=2 g=T#6 t=6", "PK=3 SK=A a=3"},
            R"(# PK: a in 3 of 3 samples; SK: constant in 3 of 3 samples; g: t in 2 of 2 samples
A: {PK: "{a}", SK: "A", g: "T#{t}"}
)",
            "g"},
        Row{"IndexOfAnAttribute",
            {"PK=1 SK=A a=1 status=OPEN", "PK=2 SK=A a=2 status=OPEN"},
            R"(# PK: a in 2 of 2 samples; SK: constant in 2 of 2 samples; status: itself in 2 of 2 samples
A: {PK: "{a}", SK: "A", status: "{status}"}
)",
            "status"}),
    [](const testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Undecided, SampleKeysOf,
    testing::Values(
        Row{"OneSample",
            {"PK=u#1 SK=x id=1"},
            R"(# PK: one sample; SK: one sample
UX: {PK: "{?which parts of the keys are constants? There is one sample only: PK \"u#1\", SK \"x\". Check the template of each. Proposal: \"u#{id}\".}", SK: "x"}
)"},
        Row{"OneIdInAllSamples",
            {"PK=o#77 SK=p#1 p=1", "PK=o#77 SK=p#2 p=2", "PK=o#77 SK=s#1 s=1",
             "PK=o#77 SK=s#2 s=2"},
            R"(# PK: o_id only in the key; SK: p in 2 of 2 samples
P: {PK: "{?is the second part of PK always \"77\", or is it an id? It is the same in 2 of 2 samples, and no attribute has its value. Proposal: \"o#{o_id}\".}", SK: "p#{p}"}
# PK: o_id only in the key, as another key asks; SK: s in 2 of 2 samples
S: {PK: "o#{o_id}", SK: "s#{s}"}
)"},
        Row{"OnePartitionKeyInAllSamples",
            {"PK=player1 SK=p#1 p=1", "PK=player1 SK=p#2 p=2"},
            R"(# PK: pk_id only in the key; SK: p in 2 of 2 samples
P: {PK: "{?is PK always \"player1\", or is it an id? It is the same in 2 of 2 samples, and no attribute has its value. Proposal: \"{pk_id}\".}", SK: "p#{p}"}
)"},
        Row{"AnAttributeOfAnotherEntity",
            {"PK=Case1 SK=meta case=Case1", "PK=Case2 SK=meta case=Case2", "PK=Case1 SK=c#1 c=1",
             "PK=Case1 SK=c#2 c=2"},
            R"(# PK: case in 2 of 2 samples; SK: constant in 2 of 2 samples
Meta: {PK: "{case}", SK: "meta"}
# PK: case only in the key; SK: c in 2 of 2 samples
C: {PK: "{?what is PK, such as \"Case1\"? It varies in other entities, and no attribute has its value; case of another entity has. Proposal: \"{case}\".}", SK: "c#{c}"}
)"},
        Row{"TwoAttributesAgree",
            {"PK=D#1 SK=x id=1 other=1", "PK=D#2 SK=x id=2 other=2"},
            R"(# PK: id in 2 of 2 samples; SK: constant in 2 of 2 samples
DX: {PK: "{?is the second part of PK id or other? Each of them has its value in 2 of 2 samples, such as \"D#2\" and \"D#1\". Proposal: \"D#{id}\".}", SK: "x"}
)"},
        Row{"SamplesContradict",
            {"PK=T#1 SK=x id=1", "PK=T#2 SK=x id=2", "PK=T#3 SK=x id=9"},
            R"(# PK: id in 2 of 3 samples; SK: constant in 3 of 3 samples
TX: {PK: "{?what is the second part of PK, such as \"T#1\" and \"T#3\"? It varies, and id has its value in 2 of 3 samples only. Proposal: \"T#{id}\".}", SK: "x"}
)"},
        Row{"NoAttributeAgreesInEitherKey",
            {"PK=u#1 SK=u#2", "PK=u#2 SK=u#3", "PK=u#3 SK=u#1"},
            R"(# PK: u_id only in the key; SK: u_id_of_sk only in the key
U: {PK: "{?what is the second part of PK, such as \"u#2\" and \"u#3\"? It varies, and no attribute has its value. Proposal: \"u#{u_id}\".}", SK: "{?what is the second part of SK, such as \"u#3\" and \"u#1\"? It varies, and no attribute has its value. Proposal: \"u#{u_id_of_sk}\".}"}
)"},
        Row{"WordsAtTheEndOfSortKeys",
            {"PK=1 SK=2026-01-01#OPEN a=1 d=2026-01-01",
             "PK=2 SK=2026-01-02#PAID a=2 d=2026-01-02"},
            R"(# PK: a in 2 of 2 samples; SK: d in 2 of 2 samples, sk_id only in the key
App: {PK: "{a}", SK: "{?what is the second part of SK, such as \"2026-01-01#OPEN\" and \"2026-01-02#PAID\"? It varies, and no attribute has its value. Proposal: \"{d}#{sk_id}\".}"}
)"},
        Row{"WordsThatVary",
            {"PK=1 SK=S#OPEN a=1", "PK=2 SK=S#PAID a=2", "PK=3 SK=S#OPEN a=3"},
            R"(# PK: a in 3 of 3 samples; SK: s_id only in the key
S: {PK: "{a}", SK: "{?what is the second part of SK, such as \"S#OPEN\" and \"S#PAID\"? It varies, and no attribute has its value. Proposal: \"S#{s_id}\".}"}
)"},
        Row{"WordsOfOneOfSeveralEntities",
            {"PK=USER#alice SK=PROFILE user=alice age:=1", "PK=USER#bob SK=PROFILE user=bob age:=2",
             "PK=USER#alice SK=SETTINGS user=alice theme=x",
             "PK=USER#bob SK=SETTINGS user=bob theme=y",
             "PK=USER#alice SK=ADDR#home user=alice street=x",
             "PK=USER#alice SK=ADDR#work user=alice street=y"},
            R"(# PK: user in 2 of 2 samples; SK: constant in 2 of 2 samples
UserProfile: {PK: "USER#{user}", SK: "PROFILE"}
# PK: user in 2 of 2 samples; SK: constant in 2 of 2 samples
UserSettings: {PK: "USER#{user}", SK: "SETTINGS"}
# PK: user in 2 of 2 samples; SK: addr_id only in the key
Addr: {PK: "USER#{user}", SK: "{?what is the second part of SK, such as \"ADDR#home\" and \"ADDR#work\"? It varies, and no attribute has its value. Proposal: \"ADDR#{addr_id}\".}"}
)"},
        Row{"ConstantOfTwoSamples",
            {"PK=ORG#b1 SK=ORG#b1 id=b1", "PK=ORG#b2 SK=ORG#b2 id=b2", "PK=CONFIG#v0 SK=A name=x",
             "PK=CONFIG#v0 SK=B name=y"},
            R"(# PK: constant in 2 of 2 samples; SK: sk_id only in the key
ConfigV0: {PK: "CONFIG#v0", SK: "{?what is SK, such as \"A\" and \"B\"? It varies, and no attribute has its value. Proposal: \"{sk_id}\".}"}
# PK: id in 2 of 2 samples; SK: id in 2 of 2 samples
Org: {PK: "ORG#{id}", SK: "ORG#{id}"}
)"},
        Row{"OneValueThatAnAttributeHas",
            {"PK=1 SK=S#5 a=1 b=5", "PK=2 SK=S#5 a=2 b=5"},
            R"(# PK: a in 2 of 2 samples; SK: b in 2 of 2 samples
S: {PK: "{a}", SK: "{?is the second part of SK always \"5\", or b? Both are so in 2 of 2 samples. Proposal: \"S#{b}\".}"}
)"},
        Row{"EachATypeOfItsOwn",
            {"PK=1 SK=2 type=Cat a=1 b=2", "PK=3 SK=4 type=Dog a=3 b=4"},
            R"(# PK: a in 2 of 2 samples; SK: b in 2 of 2 samples
App: {PK: "{?are samples of the types Cat, Dog one entity? Each has a type of its own, and their keys have the same shape. Proposal: \"{a}\".}", SK: "{b}"}
)"},
        Row{"TwoEntitiesOfOneShape",
            {"PK=1 SK=5 u=1 a=5 street=x city=y", "PK=2 SK=6 u=2 a=6 street=x city=y",
             "PK=1 SK=7 u=1 o=7 total:=3 state=z", "PK=2 SK=8 u=2 o=8 total:=4 state=z"},
            R"(# PK: u in 2 of 2 samples; SK: a in 2 of 2 samples
App: {PK: "{u}", SK: "{a}"}
# PK: u in 2 of 2 samples; SK: o in 2 of 2 samples
App2: {PK: "{?are samples with o, state, total, u another entity than samples with a, city, street, u, although their keys have the same shape? If so, what in the keys tells them apart? Proposal: \"{u}\".}", SK: "{o}"}
)"},
        Row{"IndexKeyOfOneSample",
            {"PK=1 SK=A a=1 GSI1PK=T#5 t=5", "PK=2 SK=A a=2"},
            R"(# PK: a in 2 of 2 samples; SK: constant in 2 of 2 samples; GSI1PK: t in 1 of 1 sample
A: {PK: "{a}", SK: "A", GSI1PK: "{?which parts of GSI1PK are constants? One sample only has it: \"T#5\". Proposal: \"T#{t}\".}"}
)",
            "GSI1PK"},
        Row{"TwoPartsOfAKey",
            {"PK=x#1#2 SK=A", "PK=x#3#4 SK=A"},
            R"(# PK: x_id only in the key, x_id_of_pk only in the key; SK: constant in 2 of 2 samples
XA: {PK: "{?what is the second part of PK, such as \"x#1#2\" and \"x#3#4\"? It varies, and no attribute has its value. Also, what is the third part of PK, such as \"x#1#2\" and \"x#3#4\"? It varies, and no attribute has its value. Proposal: \"x#{x_id}#{x_id_of_pk}\".}", SK: "A"}
)"},
        Row{"KeysOfSeveralShapes",
            {"PK=1 SK=A a=1 GSI1PK=T#5 t=5", "PK=2 SK=A a=2 GSI1PK=T#6 t=6",
             "PK=3 SK=A a=3 GSI1PK=7"},
            R"(# PK: a in 3 of 3 samples; SK: constant in 3 of 3 samples; GSI1PK: t in 2 of 3 samples
A: {PK: "{a}", SK: "A", GSI1PK: "{?what is the template of GSI1PK? Only in 2 of 3 samples it has as many parts as in \"T#6\". Proposal: \"T#{t}\".}"}
)",
            "GSI1PK"}),
    [](const testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace hashrange
