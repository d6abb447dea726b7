#include "measure/finding_text.h"

#include "measure/figure_text.h"

namespace hashrange {

std::string CountedText(double count, std::string_view noun) {
  std::string text = FigureText(count) + " " + std::string(noun);
  if (count != 1) text += "s";
  return text;
}

std::string StoredSizeText(double size_bytes) {
  constexpr double kStep = 1024;
  if (size_bytes < kStep) return CountedText(size_bytes, "byte");
  double size = size_bytes;
  for (const char* const unit : {"KB", "MB", "GB"}) {
    size /= kStep;
    if (size < kStep) return FigureText(size) + " " + unit;
  }
  return FigureText(size / kStep) + " TB";
}

std::string InBackticks(std::string_view text) { return "`" + std::string(text) + "`"; }

}  // namespace hashrange
