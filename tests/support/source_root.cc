#include "support/source_root.h"

namespace hashrange {

std::filesystem::path SourceRoot() { return HASHRANGE_SOURCE_DIR; }

}  // namespace hashrange
