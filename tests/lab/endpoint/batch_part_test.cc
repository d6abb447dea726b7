#include "lab/endpoint/batch_part.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

LabLayout Layout() {
  LabLayout layout;
  layout.tables.resize(2);
  layout.tables[0].name = "t";
  layout.tables[0].hash = {"PK"};
  layout.tables[0].range = {"SK"};
  layout.tables[1].name = "u";
  layout.tables[1].hash = {"id"};
  return layout;
}

constexpr const char* kRequest =
    R"({"RequestItems":{"t":[{"PutRequest":{"Item":{"x":{"N":"1"},"PK":{"S":"a"},"SK":{"S":"1"}}}},)"
    R"({"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"S":"2"}}}}],)"
    R"("u":[{"PutRequest":{"Item":{"id":{"S":"7"}}}}]},"ReturnConsumedCapacity":"TOTAL"})";

TEST(BatchPart, WhatIsUnprocessedIsLeftOut) {
  EXPECT_EQ(ProcessedPart(
                kRequest,
                R"({"t":[{"PutRequest":{"Item":{"SK":{"S":"1"},"PK":{"S":"a"},"x":{"N":"1"}}}}]})",
                Layout()),
            R"({"RequestItems":{"t":[{"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"S":"2"}}}}],)"
            R"("u":[{"PutRequest":{"Item":{"id":{"S":"7"}}}}]},"ReturnConsumedCapacity":"TOTAL"})");
  EXPECT_EQ(
      ProcessedPart(kRequest,
                    R"({"t":[{"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"S":"2"}}}},)"
                    R"({"PutRequest":{"Item":{"SK":{"S":"1"},"PK":{"S":"a"},"x":{"N":"1"}}}}]})",
                    Layout()),
      R"({"RequestItems":{"u":[{"PutRequest":{"Item":{"id":{"S":"7"}}}}]},)"
      R"("ReturnConsumedCapacity":"TOTAL"})");
}

TEST(BatchPart, NothingIsLeftOfABatchThatWasNotProcessed) {
  EXPECT_EQ(ProcessedPart(R"({"RequestItems":{"u":[{"PutRequest":{"Item":{"id":{"S":"7"}}}}]}})",
                          R"({"u":[{"PutRequest":{"Item":{"id":{"S":"7"}}}}]})", Layout()),
            "");
  EXPECT_EQ(ProcessedPart("{", "{}", Layout()), "");
}

}  // namespace
}  // namespace hashrange
