#include "engine/token_record.h"

#include "base/record_fields.h"

namespace hashrange {

template <typename Fields>
void VisitFields(Fields& fields, TokenRecord& record) {
  fields.Field(1, record.account_id);
  fields.Field(2, record.region);
  fields.Field(3, record.token);
  fields.Field(4, record.request);
  fields.Field(5, record.expiry_epoch_ms);
  fields.Field(6, record.completed.size_bytes);
  fields.Field(7, record.completed.tables);
}

std::string EncodeToken(const TokenRecord& record) { return EncodeRecord(record); }

Result<TokenRecord> DecodeToken(std::string_view bytes) {
  TokenRecord record;
  HR_RETURN_IF_ERROR(DecodeRecord(bytes, "the record of a token", &record));
  if (!record.account_id.empty()) return record;
  return Error{ErrorCode::kInternalServerError, "the record of a token names no account", nullptr};
}

}  // namespace hashrange
