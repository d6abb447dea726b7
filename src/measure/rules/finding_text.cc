#include "measure/rules/finding_text.h"

#include "measure/number_text.h"

namespace hashrange {

std::string StoredSizeText(double size_bytes) {
  return size_bytes < 1024 ? CountedText(size_bytes, "byte") : BytesText(size_bytes);
}

std::string InBackticks(std::string_view text) { return "`" + std::string(text) + "`"; }

}  // namespace hashrange
