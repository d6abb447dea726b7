#include "measure/findings_json.h"

#include <cstdint>
#include <string_view>

namespace hashrange {
namespace {

void WriteUnlessEmpty(std::string_view name, std::string_view text, JsonWriter& writer) {
  if (!text.empty()) writer.StringMember(name, text);
}

void WriteAssessment(const RuleAssessment& assessment, JsonWriter& writer) {
  writer.BeginObject();
  writer.IntegerMember("rule", assessment.rule);
  writer.StringMember("slug", assessment.slug);
  writer.StringMember("what", assessment.what);
  writer.StringMember("state", StateName(assessment.state));
  WriteUnlessEmpty("reason", assessment.reason, writer);
  writer.IntegerMember("findings", static_cast<std::int64_t>(assessment.findings));
  writer.EndObject();
}

void WritePlace(const FindingPlace& place, JsonWriter& writer) {
  WriteUnlessEmpty("table", place.table, writer);
  WriteUnlessEmpty("index", place.index, writer);
  WriteUnlessEmpty("pattern", place.pattern, writer);
  WriteUnlessEmpty("entity", place.entity, writer);
  WriteUnlessEmpty("key", place.key, writer);
}

void WriteFindingCost(const FindingCost& cost, JsonWriter& writer) {
  writer.Name("cost");
  writer.BeginObject();
  writer.Name("usd");
  writer.Double(cost.usd);
  writer.StringMember("per", cost.per);
  writer.StringMember("of", cost.of);
  writer.StringMember("basis", BasisName(cost.basis));
  writer.EndObject();
}

void WriteFinding(const Finding& finding, JsonWriter& writer) {
  writer.BeginObject();
  writer.IntegerMember("rule", finding.rule);
  writer.StringMember("slug", finding.slug);
  writer.StringMember("severity", SeverityName(finding.severity));
  WritePlace(finding.place, writer);
  writer.StringMember("evidence", finding.evidence);
  writer.StringMember("basis", BasisName(finding.basis));
  if (finding.cost) WriteFindingCost(*finding.cost, writer);
  writer.StringMember("advice", finding.advice);
  writer.EndObject();
}

}  // namespace

void WriteDesignFindings(const DesignFindings& findings, JsonWriter& writer) {
  writer.BeginObject();
  writer.StringMember("profile", ProfileName(findings.profile));
  writer.Name("rules");
  writer.BeginArray();
  for (const RuleAssessment& assessment : findings.rules) WriteAssessment(assessment, writer);
  writer.EndArray();
  writer.Name("findings");
  writer.BeginArray();
  for (const Finding& finding : findings.findings) WriteFinding(finding, writer);
  writer.EndArray();
  writer.EndObject();
}

}  // namespace hashrange
