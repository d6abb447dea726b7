#include "lab/report/lab_plan_json.h"

#include "lab/plan/request/request_template.h"
#include "lab/report/lab_sentences.h"
#include "lab/report/request_text.h"
#include "measure/report/json_report_members.h"

namespace hashrange {

void WritePlanMembers(const LabFile& file, const PatternPlan& plan, JsonWriter& writer) {
  WriteTextMember("service", ServiceText(plan), writer);
  WriteTextsMember("reasons", plan.reasons, writer);
  WriteTextsMember("rejected", plan.rejected, writer);
  if (!plan.impossible.empty()) WriteTextMember("impossible", plan.impossible, writer);
  WriteObjectsMember("steps", plan.steps, writer, [&](const PlanStep& step) {
    WriteTextMember("title", StepTitle(step), writer);
    WriteTextMember("operation", step.request.operation, writer);
    WriteTextMember("table", step.request.table, writer);
    WriteTextMember("index", step.request.index, writer);
    WriteTextMember("request", ReadableRequest(file, step.request), writer);
  });
}

}  // namespace hashrange
