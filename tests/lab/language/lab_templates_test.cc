#include "lab/language/lab_templates.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;

// An entity with the attributes "id" and "score", a number.
LabEntity Player() {
  LabEntity player;
  player.name = "Player";
  player.attributes.resize(2);
  player.attributes[0].name = "id";
  player.attributes[1].name = "score";
  player.attributes[1].type = LabType::kNumber;
  return player;
}

// Writes the parts as literal<attribute form width shards>.
std::string Parts(const std::string& text) {
  LabReading reading("lab");
  reading.file.entities = {Player()};
  LabNode node;
  node.text = text;
  node.place = {3, 7};
  const LabTemplate result = ReadTemplate(node, 0, reading);
  if (reading.ok()) CheckTemplateForms(result, reading);
  EXPECT_EQ(result.text, text);
  const auto file = reading.TakeFile();
  if (!file.ok()) return file.error().message;
  std::string parts;
  for (const LabTemplatePart& part : result.parts) {
    parts += part.literal;
    if (part.attribute.entity == kLabNone) continue;
    parts += "<" + std::to_string(part.attribute.attribute) + " " +
             std::to_string(static_cast<int>(part.form)) + " " + std::to_string(part.width) + " " +
             std::to_string(part.shards) + ">";
  }
  return parts;
}

struct TemplateRow {
  std::string text;
  std::string parts;  // or the sentence about the template
};

TEST(LabTemplates, LiteralsPlaceholdersFormsAndShards) {
  const TemplateRow kRows[] = {
      {"METADATA", "METADATA"},
      {"{id}", "<0 0 0 0>"},
      {"P#{id}#{ score }#", "P#<0 0 0 0>#<1 0 0 0>#"},
      {"{{{id}}}", "{<0 0 0 0>}"},  // braces that are text are written twice
      {"{{id}}", "{id}"},
      {"{score:08}", "<1 1 8 0>"},
      {"{score:desc6}", "<1 2 6 0>"},
      {"{id:lower}{id:upper}{id:prefix3}", "<0 8 0 0><0 9 0 0><0 10 3 0>"},
      {"S#{shard(id, 8)}", "S#<0 0 0 8>"},
  };
  for (const TemplateRow& row : kRows) EXPECT_EQ(Parts(row.text), row.parts) << row.text;
}

TEST(LabTemplates, WhatCannotBeUnderstoodIsAnError) {
  const std::string no_form =
      " is no form; the forms are a number's width with a zero in front (08), desc8, year, month, "
      "day, hour, minute, lower, upper and prefix3";
  const TemplateRow kRows[] = {
      {"{id", "a `{` has no `}` after it; a brace that is text is written twice"},
      {"id}", "a `}` has no `{` before it; a brace that is text is written twice"},
      {"{score:0}", "\"0\"" + no_form},
      {"{score:099}", "\"099\"" + no_form},
      {"{shard(id, 0)}",
       "a shard is written as {shard(order_id, 8)}: an attribute, and a whole number from 1 to "
       "100000"},
      {"{id:08}", "the form of \"id\" is for numbers, and this attribute is none"},
      {"{score:day}", "the form of \"score\" is for times in ISO 8601, and this attribute is none"},
  };
  for (const TemplateRow& row : kRows) {
    EXPECT_EQ(Parts(row.text), "lab:3:7: in the template \"" + row.text + "\", " + row.parts);
  }
  EXPECT_EQ(Parts("{name}"),
            "lab:3:7: Player has no attribute \"name\"; known are \"id\" and \"score\"");
}

}  // namespace
}  // namespace hashrange
