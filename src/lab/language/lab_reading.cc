#include "lab/language/lab_reading.h"

#include <algorithm>
#include <utility>

#include "lab/language/lab_document.h"

namespace hashrange {

void LabReading::Fail(LabPlace place, std::string_view sentence) {
  if (error_.ok()) error_ = LabErrorAt(name_, place, sentence);
}

void LabReading::Warn(LabPlace place, std::string_view sentence) {
  // What a layout takes from another one by `like:` is read for each of them.
  std::string warning = LabErrorAt(name_, place, sentence).message;
  if (std::ranges::find(file.warnings, warning) != file.warnings.end()) return;
  file.warnings.push_back(std::move(warning));
}

void LabReading::EndPart() {
  if (error_.ok()) return;
  faults_.push_back(std::move(error_).error());
  error_ = {};
}

void LabReading::EndParts() {
  EndPart();
  if (!faults_.empty()) error_ = faults_.front();
}

std::vector<std::string> LabReading::Faults() const {
  std::vector<std::string> sentences;
  for (const Error& fault : faults_) sentences.push_back(fault.message);
  if (sentences.empty() && !error_.ok()) sentences.push_back(error_.error().message);
  return sentences;
}

Result<LabFile> LabReading::TakeFile() {
  if (!error_.ok()) return std::move(error_).error();
  return std::move(file);
}

}  // namespace hashrange
