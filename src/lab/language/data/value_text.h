// The texts of generated values: times, numbers, identifiers, words. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lab/language/data/draws.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// Appends "2026-01-31T12:00:00.000Z".
void AppendIsoTime(std::int64_t epoch_ms, std::string& out);

// Appends the time as an attribute of that form has it.
void AppendTimeInForm(std::int64_t epoch_ms, LabGenerator::TimeForm form, std::string& out);

// Appends the number with zeros in front, so that it has `width` digits; all digits of a longer
// one.
void AppendPadded(std::uint64_t number, int width, std::string& out);

// Appends the number as DynamoDB returns it: rounded to so many decimals, without exponent and
// without zeros at the end. Numbers beyond 1e37 become 1e37, which DynamoDB still stores.
void AppendDecimal(double number, int decimals, std::string& out);

// Appends the 10 characters of the time with which an ULID begins.
void AppendUlidTime(std::int64_t epoch_ms, std::string& out);

// Appends 26 characters: 10 of the time, then 16 that are drawn.
void AppendUlid(std::int64_t epoch_ms, DrawSequence& draws, std::string& out);

// Appends a random UUID in lower case.
void AppendUuid(DrawSequence& draws, std::string& out);

// Appends the elements of a vector of length 1 as DynamoDB's JSON has them: {"N":"0.125"},…. Each
// is the shortest decimal that names its 32-bit floating-point number.
void AppendVector(int dimensions, DrawSequence& draws, std::string& out);

// Appends English words with a space between them, `bytes` bytes. The last word is cut to fit.
void AppendWords(std::size_t bytes, DrawSequence& draws, std::string& out);

// Returns a number that depends on all bytes. It is the same on each machine.
std::uint64_t TextHash(std::string_view text);

// Returns DynamoDB's size of a number, whose text is canonical: plain decimal, without zeros that
// say nothing (docs/service/02-types-and-sizes.md, section 7).
std::size_t SizeOfNumberText(std::string_view number);

}  // namespace hashrange
