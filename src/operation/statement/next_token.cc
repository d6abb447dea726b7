#include "operation/statement/next_token.h"

#include <algorithm>
#include <vector>

#include "base/text/text_encodings.h"
#include "operation/parameter/digest_input.h"
#include "operation/parameter/item_key.h"
#include "operation/read/start_key.h"
#include "value/number.h"
#include "value/value_writer.h"

namespace hashrange {
namespace {

// Returns the attributes that a token holds, in its order.
std::vector<const KeyPart*> TokenKeyParts(const KeySchema& table, const IndexVersion* index) {
  std::vector<const KeyPart*> parts;
  for (std::size_t i = 0; i < table.parts(); ++i) parts.push_back(&table.part(i));
  for (std::size_t i = 0; index && i < index->schema.key.parts(); ++i) {
    const KeyPart& part = index->schema.key.part(i);
    if (!table.Find(part.name)) parts.push_back(&part);
  }
  return parts;
}

// Reads the values of a token, one after the other.
class TokenReader {
 public:
  explicit TokenReader(std::string_view bytes) : bytes_(bytes) {}

  // False: the bytes do not hold a value of this type.
  bool ReadValue(AttributeType type, Arena& arena, ValueView* value) {
    if (bytes_.size() < 2) return false;
    const std::size_t size = static_cast<std::size_t>(static_cast<unsigned char>(bytes_[0])) << 8 |
                             static_cast<unsigned char>(bytes_[1]);
    bytes_.remove_prefix(2);
    if (bytes_.size() < size) return false;
    const std::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    *value = ValueView(type, text);
    if (type != AttributeType::kN) return true;
    Number number;
    if (Number::Parse(text, &number) != NumberError::kNone) return false;
    *value = MakeNumber(number, arena);
    return true;
  }

  bool done() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

// Returns the bytes of the token, decoded into the arena; empty when the token is not Base 64.
std::string_view DecodedToken(std::string_view token, Arena& arena) {
  char* const bytes = arena.AllocateBytes(token.size() / 4 * 3 + 3);
  std::size_t size = 0;
  if (DecodeBase64(token, bytes, &size) != Base64Error::kNone) return {};
  return {bytes, size};
}

bool HasValidSizes(const KeySchema& key, std::span<const Attribute> attributes) {
  return CheckKeyValues(key, attributes).ok();
}

}  // namespace

RequestDigest StatementDigest(std::string_view text, std::span<const ValueView> parameters,
                              const TableVersion& table) {
  DigestInput input;
  input.AddText(std::string_view(table.table_id));
  input.AddText(text);
  for (const ValueView& parameter : parameters) input.AddValue(parameter);
  return input.Digest();
}

std::string MakeNextToken(const RequestDigest& digest, ItemView last, const IndexVersion* index) {
  std::string bytes(digest.begin(), digest.end());
  for (const KeyPart* part : TokenKeyParts(last.schema(), index)) {
    const ValueView value = *last.Find(part->name);
    const std::string text = part->type == AttributeType::kN
                                 ? Number::FromStored(value.bytes()).ToText()
                                 : std::string(value.bytes());
    bytes.push_back(static_cast<char>(text.size() >> 8));
    bytes.push_back(static_cast<char>(text.size()));
    bytes += text;
  }
  std::string token(Base64Length(bytes.size()), '\0');
  EncodeBase64(bytes, token.data());
  return token;
}

Result<Position> ReadNextToken(std::string_view token, const RequestDigest& digest,
                               const LocatedStatement& located, Arena& arena) {
  const std::string_view bytes = DecodedToken(token, arena);
  if (bytes.size() < digest.size()) return InvalidNextToken();
  if (!std::equal(digest.begin(), digest.end(), bytes.begin(),
                  [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); })) {
    return ValidationError("NextToken does not match request");
  }
  const KeySchema& key = located.table->key;
  const std::vector<const KeyPart*> parts = TokenKeyParts(key, located.index);
  const std::span<Attribute> attributes = arena.NewArray<Attribute>(parts.size());
  TokenReader reader(bytes.substr(digest.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    attributes[i].name = parts[i]->name;
    if (!reader.ReadValue(parts[i]->type, arena, &attributes[i].value)) return InvalidNextToken();
  }
  const std::span<const Attribute> start = SortAttributes(attributes);
  const bool is_valid = reader.done() && HasValidSizes(key, start) &&
                        (!located.index || HasValidSizes(located.index->schema.key, start));
  if (!is_valid) return InvalidNextToken();
  return StartPosition(*located.table, located.index, start, arena);
}

Error InvalidNextToken() { return ValidationError("Invalid NextToken"); }

}  // namespace hashrange
