// A small random application as the text of a lab file: three entities and five patterns. The same
// number gives the same text.
#pragma once

#include <cstdint>
#include <string>

namespace hashrange {

std::string RandomApplication(std::uint64_t number);

}  // namespace hashrange
