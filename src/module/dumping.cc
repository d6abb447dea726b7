// The functions of hashrange.wasm with which a host keeps all tables
// (clients/js/lib/serve/data.cjs):
//
//   hashrange_begin_dump()        1: a dump has begun; 0: nothing has changed since the last one
//   hashrange_next_dump_lines()   1: the next lines are the body of an answer; 0: the end
//   hashrange_end_dump(is_kept)   the host has kept the dump, or gives it up
//
// Between these calls, others may change the tables: a dump is of the instant at which it began.
#include <memory>
#include <new>
#include <utility>

#include "hashrange/database.h"
#include "module/host_calls.h"
#include "module/module_state.h"

using hashrange::Module;
using hashrange::TheModule;

// Begins a dump of all tables as of now. Returns 1; 0: there is nothing new since the last dump
// that was kept; −1: there is no memory.
HR_EXPORT(hashrange_begin_dump)()->int {
  Module& module = TheModule();
  try {
    module.dump = module.database->DumpAll();
    if (!module.last_dump || !module.dump->HasSameContent(*module.last_dump)) return 1;
    module.dump.reset();
    return 0;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

// Keeps the dump's next lines for the host, as the body of an answer (Database::TextDump). Returns
// 1; 0 at the end; −1: there is no memory.
HR_EXPORT(hashrange_next_dump_lines)()->int {
  Module& module = TheModule();
  try {
    return module.dump && module.dump->Next(module.answer.body) ? 1 : 0;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

// Ends the dump, read to its end or not. `is_kept`: from now on, this is what is not new.
HR_EXPORT(hashrange_end_dump)(bool is_kept)->void {
  Module& module = TheModule();
  if (is_kept) module.last_dump = std::move(module.dump);
  module.dump.reset();
}
