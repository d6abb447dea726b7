#include "control/files/dump.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "control/files/data_format.h"
#include "control/files/dump_folder.h"
#include "control/files/folder.h"
#include "operation/table/table_description.h"
#include "operation/table/table_transitions.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kWriteBytes = 256 << 10;
constexpr std::size_t kMaxTextBytes = 256 << 20;

bool IsBeingCreatedOrDeleted(const TableVersion& table) {
  return table.status() == ResourceStatus::kCreating || table.status() == ResourceStatus::kDeleting;
}

Status CheckTable(const Context& context, const std::string& name) {
  const TableRef table = FindSettled(context, name);
  if (!table) {
    return Error{ErrorCode::kResourceNotFoundException, "there is no table " + name, nullptr};
  }
  if (!IsBeingCreatedOrDeleted(*table)) return {};
  return Error{ErrorCode::kResourceInUseException,
               "the table " + name + " is being created or deleted", nullptr};
}

// Pins the caller's tables, or the requested table, at one instant.
Result<std::vector<TablePin>> PinTables(const Context& context, const DumpRequest& request) {
  if (request.table) HR_RETURN_IF_ERROR(CheckTable(context, *request.table));
  Scope scope{.account_id = context.account.account_id, .region = context.account.region};
  if (request.table) scope.table = *request.table;
  Catalog& catalog = context.engine.catalog();
  // FindSettled ends the transitions whose time is over, so that the pins have the present
  // statuses.
  for (const TableRef& table : catalog.TablesOf(scope)) FindSettled(context, table->name);
  std::vector<TablePin> pins = catalog.Pin(scope);
  std::erase_if(pins, [](const TablePin& pin) { return IsBeingCreatedOrDeleted(*pin.version); });
  if (!pins.empty()) return pins;
  // Without tables the dump fails. Otherwise an empty dump would replace an earlier dump, perhaps
  // only because the account was left out or mistyped.
  const std::string account_and_region =
      std::string(context.account.account_id) + ", Region " + std::string(context.account.region);
  return Error{ErrorCode::kResourceNotFoundException,
               request.table ? "there is no table " + *request.table
                             : "there are no tables to dump in account " + account_and_region,
               nullptr};
}

// Returns a copy of the pinned table that only this dump uses.
TableRef MakePrivateCopy(const Context& context, const TablePin& pin) {
  return context.engine.catalog().PreparePrivate(std::make_unique<TableVersion>(*pin.version),
                                                 &pin);
}

using WriteBytes = absl::FunctionRef<Status(std::string_view)>;

Status WriteItemLine(const TableVersion& table, const Item& item, DataFormat format,
                     OutputBuffer& out) {
  const ItemView view(table.key, &item);
  JsonWriter json(out);
  if (format == DataFormat::kJson) {
    HR_RETURN_IF_ERROR(WritePlainItem(view, json));
  } else {
    json.BeginObject();
    json.Name("Item");
    WriteItem(view, json);
    json.EndObject();
  }
  out.Append('\n');
  return {};
}

// Passes the lines of all items to `write`, in pieces of about kWriteBytes. Returns the number of
// items.
Result<std::int64_t> WriteItems(const Context& context, const TableVersion& table,
                                DataFormat format, WriteBytes write) {
  const Interval all;
  RangeReader items = context.engine.Range(table, nullptr, all, true);
  OutputBuffer out;
  std::int64_t count = 0;
  for (const Item* item = items.Next(); item; item = items.Next(), ++count) {
    const Status written = WriteItemLine(table, *item, format, out);
    if (!written.ok()) return WithFileName(table.name, written.error());
    if (out.size() < kWriteBytes) continue;
    HR_RETURN_IF_ERROR(write(out.view()));
    out.Clear();
  }
  HR_RETURN_IF_ERROR(write(out.view()));
  return count;
}

// "Table":{…},"TimeToLiveDescription":{…},"Tags":[…]
void WriteDefinitionMembers(const Context& context, const TableVersion& table, JsonWriter& json) {
  json.Name("Table");
  WriteTableDescription(context, table, ResourceStatus::kActive, json);
  if (const auto& attribute = table.settings.ttl_attribute) {
    json.BeginObject("TimeToLiveDescription");
    json.StringMember("TimeToLiveStatus", "ENABLED");
    json.StringMember("AttributeName", *attribute);
    json.EndObject();
  }
  const std::vector<Tag> tags = table.tags->All();
  if (!tags.empty()) {
    json.BeginArray("Tags");
    for (const Tag& tag : tags) {
      json.BeginObject();
      json.StringMember("Key", tag.key);
      json.StringMember("Value", tag.value);
      json.EndObject();
    }
    json.EndArray();
  }
}

void WriteDefinition(const Context& context, const TableVersion& table, OutputBuffer& out) {
  JsonWriter json(out);
  json.BeginObject();
  WriteDefinitionMembers(context, table, json);
  json.EndObject();
  out.Append('\n');
}

// Returns the line of a table in a dump of all.
std::string DefinitionWithOwner(const TransferParts& parts, const TableVersion& table) {
  Arena arena;
  const Context context = MakeContext(parts, {table.account_id, table.region}, arena);
  OutputBuffer out;
  JsonWriter json(out);
  json.BeginObject();
  json.StringMember("account", table.account_id);
  json.StringMember("region", table.region);
  WriteDefinitionMembers(context, table, json);
  json.EndObject();
  out.Append('\n');
  return std::string(out.view());
}

// Pins all tables but those that are being deleted, at one instant.
std::vector<TablePin> PinAllTables(const TransferParts& parts) {
  Catalog& catalog = parts.engine.catalog();
  for (const TableRef& table : catalog.TablesOf(Scope{})) {
    Arena arena;
    FindSettled(MakeContext(parts, {table->account_id, table->region}, arena), table->name);
  }
  std::vector<TablePin> pins = catalog.Pin(Scope{});
  std::erase_if(
      pins, [](const TablePin& pin) { return pin.version->status() == ResourceStatus::kDeleting; });
  return pins;
}

// A pinned map keeps its root: a change makes another.
bool HaveSameItems(const TablePin& one, const TablePin& other) {
  return std::ranges::equal(one.items, other.items, [](const PinnedMap& a, const PinnedMap& b) {
    return a.root == b.root;
  });
}

std::vector<std::string> NamesOfTables(const std::vector<TablePin>& pins) {
  std::vector<std::string> names;
  for (const TablePin& pin : pins) names.push_back(pin.version->name);
  return names;
}

Result<TransferredTable> DumpTable(const Context& context, const DumpRequest& request,
                                   const TablePin& pin, DumpFolder& folder) {
  const TableRef table = MakePrivateCopy(context, pin);
  OutputBuffer definition;
  WriteDefinition(context, *table, definition);
  HR_ASSIGN(const auto table_file, folder.Create(table->name, kTableFile, false));
  HR_RETURN_IF_ERROR(table_file->Write(definition.view()));
  HR_RETURN_IF_ERROR(table_file->Finish());
  std::string name = request.format == DataFormat::kJson ? "items.jsonl" : "items.json";
  if (request.compresses) name += ".gz";
  HR_ASSIGN(const auto items_file, folder.Create(table->name, name, request.compresses));
  HR_ASSIGN(const std::int64_t items,
            WriteItems(context, *table, request.format,
                       [&](std::string_view bytes) { return items_file->Write(bytes); }));
  HR_RETURN_IF_ERROR(items_file->Finish());
  return TransferredTable{table->name, items};
}

}  // namespace

Result<std::vector<TransferredTable>> Dump(const TransferParts& parts, const DumpRequest& request,
                                           const fs::path& path) {
  Arena arena;
  const Context context = MakeContext(parts, request.caller, arena);
  HR_ASSIGN(const std::vector<TablePin> pins, PinTables(context, request));
  HR_ASSIGN(const std::unique_ptr<DumpFolder> folder,
            DumpFolder::Open(path, {.tables = NamesOfTables(pins),
                                    .bounds = request.bounds,
                                    .overwrites = request.overwrites}));
  std::vector<TransferredTable> dumped;
  for (const TablePin& pin : pins) {
    HR_ASSIGN(TransferredTable table, DumpTable(context, request, pin, *folder));
    dumped.push_back(std::move(table));
  }
  HR_RETURN_IF_ERROR(folder->Finish());
  return dumped;
}

Status DumpText(const TransferParts& parts, const DumpRequest& request, OutputBuffer& text) {
  Arena arena;
  const Context context = MakeContext(parts, request.caller, arena);
  HR_ASSIGN(const std::vector<TablePin> pins, PinTables(context, request));
  const TableRef table = MakePrivateCopy(context, pins.front());
  const auto append = [&](std::string_view bytes) -> Status {
    if (text.size() + bytes.size() > kMaxTextBytes) {
      return ValidationError("the items are more than 256 MB of text: dump them into a path");
    }
    text.Append(bytes);
    return {};
  };
  const auto count = WriteItems(context, *table, request.format, append);
  return count.ok() ? Status() : Status(count.error());
}

DumpOfAll::DumpOfAll(const TransferParts& parts) : parts_(parts), pins_(PinAllTables(parts)) {
  for (const TablePin& pin : pins_)
    definitions_.push_back(DefinitionWithOwner(parts_, *pin.version));
}

bool DumpOfAll::HasSameContent(const DumpOfAll& other) const {
  return definitions_ == other.definitions_ &&
         std::ranges::equal(pins_, other.pins_, HaveSameItems);
}

void DumpOfAll::BeginTable() {
  Arena arena;
  const TablePin& pin = pins_[next_];
  table_ = MakePrivateCopy(
      MakeContext(parts_, {pin.version->account_id, pin.version->region}, arena), pin);
  items_.emplace(parts_.engine.Range(*table_, nullptr, all_, true));
}

bool DumpOfAll::Next(OutputBuffer& lines) {
  lines.Clear();
  while (lines.size() < kWriteBytes) {
    if (!items_) {
      if (next_ == pins_.size()) break;
      lines.Append(definitions_[next_]);
      BeginTable();
      ++next_;
    }
    const Item* const item = items_->Next();
    if (!item) {
      items_.reset();
      table_ = {};
      continue;
    }
    // Every item has this form.
    (void)WriteItemLine(*table_, *item, DataFormat::kDynamoDb, lines);
  }
  return lines.size() > 0;
}

}  // namespace hashrange
