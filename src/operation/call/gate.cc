#include "operation/call/gate.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/log.h"

namespace hashrange {
namespace {

bool IsSame(const Access& a, const Access& b) {
  return a.member == b.member && a.kind == b.kind && a.table == b.table && a.index == b.index &&
         a.key == b.key;
}

}  // namespace

OpenAccesses::~OpenAccesses() {
  for (const OpenAccess& open : open_) {
    if (!open.table) continue;
    try {
      gate_->Leave(call_, open.access, {});
    } catch (const std::exception& exception) {
      Log(LogLevel::kError, exception.what());
    }
  }
}

std::optional<Error> OpenAccesses::Enter(const Access& access) {
  // The memory is allocated first: storing an access that the gate has admitted must not fail.
  if (open_.size() == open_.capacity()) open_.reserve(2 * open_.size() + 1);
  std::optional<Error> refused = gate_->Enter(call_, access);
  if (!refused) open_.push_back({access, TableRef::Share(access.table)});
  return refused;
}

void OpenAccesses::Leave(const Access& access, const Usage& usage) {
  const auto found = std::find_if(
      open_.begin() + static_cast<std::ptrdiff_t>(first_), open_.end(),
      [&](const OpenAccess& open) { return open.table && IsSame(open.access, access); });
  if (found == open_.end()) return;
  // The access is closed first, so that it is closed even if the gate throws. `closed` keeps the
  // table until the gate is done.
  const OpenAccess closed = std::move(*found);
  while (first_ < open_.size() && !open_[first_].table) ++first_;
  if (first_ == open_.size()) {
    open_.clear();
    first_ = 0;
  }
  gate_->Leave(call_, closed.access, usage);
}

}  // namespace hashrange
