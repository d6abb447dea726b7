#include "control/files/csv.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/memory/output_buffer.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

// Returns each record as "line: [cell][cell]". An error ends the list.
std::vector<std::string> Records(std::string text) {
  std::vector<std::string> records;
  CsvReader reader({text.data(), text.size()}, 1);
  std::vector<std::span<char>> cells;
  for (;;) {
    const auto has_record = reader.Next(&cells);
    std::string record = std::to_string(reader.line()) + ": ";
    if (!has_record.ok()) {
      records.push_back(record + has_record.error().message);
      return records;
    }
    if (!*has_record) return records;
    for (const auto& cell : cells) record.append("[").append(cell.begin(), cell.end()).append("]");
    records.push_back(record);
  }
}

using Texts = std::vector<std::string>;

TEST(CsvReader, CellsAreCutAtCommas) {
  EXPECT_EQ(Records("a,b,c\n1,,3\n,\n"), (Texts{"1: [a][b][c]", "2: [1][][3]", "3: [][]"}));
  EXPECT_EQ(Records(" a , b "), (Texts{"1: [ a ][ b ]"}));
}

TEST(CsvReader, LinesEndWithOrWithoutACarriageReturn) {
  EXPECT_EQ(Records("a,b\r\nc,d\r\n"), (Texts{"1: [a][b]", "2: [c][d]"}));
  EXPECT_EQ(Records("\"a\"\r\nb\r"), (Texts{"1: [a]", "2: [b]"}));
  EXPECT_EQ(Records("a\rb\n"), (Texts{"1: [a\rb]"}));
}

TEST(CsvReader, EmptyLinesAreLeftOut) {
  EXPECT_EQ(Records(""), Texts{});
  EXPECT_EQ(Records("\n\r\n\na\n\n\nb\n\n"), (Texts{"4: [a]", "7: [b]"}));
}

TEST(CsvReader, QuotesHoldAnything) {
  EXPECT_EQ(Records("\"a,b\",\"c\"\"d\",\"\"\n\"x\ny\r\n\",1\nlast"),
            (Texts{"1: [a,b][c\"d][]", "2: [x\ny\r\n][1]", "5: [last]"}));
}

TEST(CsvReader, WrongQuotesAreAnErrorOfTheirRecord) {
  EXPECT_EQ(Records("a\n1,b\"c\n"),
            (Texts{"1: [a]", "2: a quote stands in a cell that does not begin with one"}));
  EXPECT_EQ(Records("\"x\n\"y\n"), (Texts{"1: something stands behind a closing quote"}));
  EXPECT_EQ(Records("a\n\"x\n\n"), (Texts{"1: [a]", "2: a quote is not closed"}));
  EXPECT_EQ(Records("\""), (Texts{"1: a quote is not closed"}));
}

// A table with the keys PK (S) and n (N), and attributes of indexes: when (N), raw (B).
TableVersion& Table() {
  static TableVersion table;
  table.key.hash = {{"PK", AttributeType::kS}};
  table.key.range = {{"n", AttributeType::kN}};
  table.settings.attribute_definitions = {{"PK", AttributeType::kS},
                                          {"n", AttributeType::kN},
                                          {"raw", AttributeType::kB},
                                          {"when", AttributeType::kN}};
  return table;
}

// Returns the columns as "PK:S n:N", or the error.
std::string Header(std::string text) {
  CsvReader reader({text.data(), text.size()}, 1);
  std::vector<std::span<char>> cells;
  if (!reader.Next(&cells).ok()) return "no record";
  const auto header = ReadCsvHeader(cells, Table());
  if (!header.ok()) return header.error().message;
  std::string list;
  for (const CsvColumn& column : *header) {
    list.append(list.empty() ? "" : " ")
        .append(column.name)
        .append(":")
        .append(TypeTag(column.type));
  }
  return list;
}

TEST(CsvHeader, AColumnHasATypeOfItsOwnOrTheTables) {
  EXPECT_EQ(Header("PK,n,when,raw,age"), "PK:S n:N when:N raw:B age:S");
  EXPECT_EQ(Header("PK:S,n:N,a:S,b:N,c:B,d:BOOL,e:NULL,f:SS,g:NS,h:BS,i:L,j:M"),
            "PK:S n:N a:S b:N c:B d:BOOL e:NULL f:SS g:NS h:BS i:L j:M");
  EXPECT_EQ(Header("n,PK,xsi:type:S,\"a,b\""), "n:N PK:S xsi:type:S a,b:S");
}

TEST(CsvHeader, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(Header("PK,n,age:number"),
            "\"number\" is no type in the column \"age:number\": S, N, B, BOOL, NULL, SS, NS, BS, "
            "L or M");
  EXPECT_EQ(Header("PK,n,age:n"),
            "\"n\" is no type in the column \"age:n\": S, N, B, BOOL, NULL, SS, NS, BS, L or M");
  EXPECT_EQ(Header("PK,n,,x"), "the header has a column without a name");
  EXPECT_EQ(Header("PK,n,:S"), "the header has a column without a name");
  EXPECT_EQ(Header("PK,n,a,a:N"), "the header has the column \"a\" twice");
  EXPECT_EQ(Header("PK,a"), "the header has no column \"n\", a key of the table");
  EXPECT_EQ(Header("PK;n"), "the header has no column \"PK\", a key of the table");
  EXPECT_EQ(Header("PK,n,\xff"), "the header is not valid UTF-8");
}

// Returns the item of one record, or the error.
std::string ItemOf(std::string header_text, std::string text) {
  CsvReader header_reader({header_text.data(), header_text.size()}, 1);
  std::vector<std::span<char>> cells;
  EXPECT_TRUE(header_reader.Next(&cells).ok());
  const auto header = ReadCsvHeader(cells, Table());
  EXPECT_TRUE(header.ok());
  CsvReader reader({text.data(), text.size()}, 1);
  EXPECT_TRUE(*reader.Next(&cells));
  Arena arena;
  const auto item = ReadCsvItem(*header, cells, arena);
  if (!item.ok()) return item.error().message;
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(*item, writer);
  return std::string(out.view());
}

TEST(CsvItem, CellsAreOfTheirColumnsTypes) {
  EXPECT_EQ(ItemOf("PK,n,s,b:B,t:BOOL,f:BOOL,nil:NULL", "k,7, x ,YQ==,true,FALSE,true"),
            R"({"PK":{"S":"k"},"n":{"N":"7"},"s":{"S":" x "},"b":{"B":"YQ=="},"t":{"BOOL":true},)"
            R"("f":{"BOOL":false},"nil":{"NULL":true}})");
  EXPECT_EQ(ItemOf("PK,n,ss:SS,ns:NS,bs:BS,l:L,m:M",
                   "k,7,\"[\"\"a\"\",\"\"b\"\"]\",\"[1,\"\"2\"\"]\",\"[\"\"YQ==\"\"]\","
                   "\"[1,null]\",\"{\"\"x\"\":[true]}\""),
            R"({"PK":{"S":"k"},"n":{"N":"7"},"ss":{"SS":["a","b"]},"ns":{"NS":["1","2"]},)"
            R"("bs":{"BS":["YQ=="]},"l":{"L":[{"N":"1"},{"NULL":true}]},)"
            R"("m":{"M":{"x":{"L":[{"BOOL":true}]}}}})");
}

TEST(CsvItem, AnEmptyCellIsNoAttribute) {
  EXPECT_EQ(ItemOf("PK,n,a,b:N,c:M", "k,1,,\"\","), R"({"PK":{"S":"k"},"n":{"N":"1"}})");
}

TEST(CsvItem, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(ItemOf("PK,n,a", "k,1"), "it has 2 cells, the header 3");
  EXPECT_EQ(ItemOf("PK,n", "k"), "it has 1 cell, the header 2");
  EXPECT_EQ(ItemOf("PK,n", "k,1,2"), "it has 3 cells, the header 2");
  EXPECT_EQ(ItemOf("PK,n,t:BOOL", "k,1,yes"), "column t: \"yes\" is neither true nor false");
  EXPECT_EQ(ItemOf("PK,n,s:SS", "k,1,a"), "column s: it is no JSON: Invalid value. (at byte 1)");
  EXPECT_EQ(ItemOf("PK,n,s:SS", "k,1,{}"), "column s: it is no JSON array");
  EXPECT_EQ(ItemOf("PK,n,s:SS", "k,1,[true]"), "column s: a set holds texts or numbers");
  EXPECT_EQ(ItemOf("PK,n,m:M", "k,1,[]"), "column m: it is no JSON object");
  EXPECT_EQ(ItemOf("PK,n,a", "k,1,\xff"), "column a: it is not valid UTF-8");
}

}  // namespace
}  // namespace hashrange
