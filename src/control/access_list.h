// AccessList: a gate that refuses nothing and writes down, as JSON, each access of one call: what
// it asks of which table or index, and what it consumed, read and wrote. Used by one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/output_buffer.h"
#include "operation/call/gate.h"
#include "wire/json_writer.h"

namespace hashrange {

class AccessList : public Gate {
 public:
  AccessList() { writer_.BeginArray(); }

  std::optional<Error> Enter(Call&, const Access&) override { return std::nullopt; }
  void Leave(Call& call, const Access& access, const Usage& usage) override;
  void Charge(Call& call, const Access& access, const Usage& usage) override;

  // The units of all accesses, those of failed ones included, which no answer reports.
  double read_units() const { return read_units_; }
  double write_units() const { return write_units_; }
  // Ends the list and returns it: a JSON array. Called once, after the call.
  std::string_view EndList();

 private:
  OutputBuffer out_;
  JsonWriter writer_{out_};
  double read_units_ = 0;
  double write_units_ = 0;
};

}  // namespace hashrange
