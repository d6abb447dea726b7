#include "remote/copy/table_stages.h"

#include <algorithm>
#include <utility>

#include "measure/number_text.h"
#include "remote/copy/item_sink.h"
#include "remote/copy/segment_scan.h"

namespace hashrange {
namespace {

std::string ItemsText(std::int64_t items) {
  return CountedText(static_cast<double>(items), "item");
}

// Returns the definition with another name of the table.
Result<std::string> DefinitionFor(const EndpointTable& source, const TableState& table) {
  if (table.name == table.target) return source.definition;
  return RenameDefinition(source.definition, table.target);
}

Error NotFree(const PatientCaller& caller, const std::string& table) {
  return ValidationError("the table " + table + " at " + caller.name() +
                         " was created by another program after the copy began: nothing is "
                         "written into it");
}

std::string DifferenceText(const TableState& table, const ItemDigest& there) {
  std::string text = table.target + ": the destination has " + ItemsText(there.items());
  if (there.items() == table.digest.items()) {
    text += " with the digest " + there.Text() +
            ", and what was read from the source has the digest " + table.digest.Text();
  } else {
    text += ", and " + ItemsText(table.digest.items()) + " were read from the source";
  }
  return text + ": the source or the destination was written to meanwhile";
}

}  // namespace

TableStages::TableStages(const CopyParts& parts, std::size_t table, const PlannedTable& planned)
    : parts_(parts),
      table_(table),
      source_(planned.source),
      source_prices_(CopyUnitPricesOf(planned.source, parts.request.prices)),
      destination_prices_(CopyUnitPricesOf(planned.destination, parts.request.prices)) {}

Status TableStages::Enter(CopyStage stage) {
  return parts_.state.UpdateNow([&](CopyState& state) {
    TableState& table = state.tables[table_];
    table.stage = stage;
    state.usd = parts_.spending.usd();
    if (stage == CopyStage::kCreating && table.segments.empty()) {
      table.segments.resize(static_cast<std::size_t>(parts_.request.segments));
    }
  });
}

Result<CopiedTable> TableStages::Run() {
  const TableState begin = State();
  if (begin.stage == CopyStage::kWaiting) {
    if (parts_.to && !begin.existed) HR_RETURN_IF_ERROR(CheckIsFree(*parts_.to, begin.target));
    HR_RETURN_IF_ERROR(Enter(CopyStage::kCreating));
  }
  if (State().stage == CopyStage::kCreating) {
    HR_RETURN_IF_ERROR(MakeTable(begin.stage == CopyStage::kCreating || begin.existed));
    if (parts_.to) HR_RETURN_IF_ERROR(NoteIdentity());
    HR_RETURN_IF_ERROR(Enter(CopyStage::kItems));
  }
  CopiedTable copied{.name = begin.name, .target = begin.target, .items = begin.digest.items()};
  copied.was_done = begin.stage == CopyStage::kDone;
  copied.had_items = begin.had_items;
  if (copied.was_done) return WithDifference(std::move(copied));
  HR_ASSIGN(const std::unique_ptr<ItemSink> sink, OpenSink());
  if (State().stage == CopyStage::kItems) {
    HR_RETURN_IF_ERROR(CopyItems(*sink));
    HR_RETURN_IF_ERROR(Enter(CopyStage::kVerifying));
  }
  copied.items = State().digest.items();
  HR_ASSIGN(copied.is_verified, Verify(*sink));
  // Earlier, the destination would have deleted expired items that are still to be verified.
  if (parts_.to && !begin.existed) {
    HR_RETURN_IF_ERROR(SwitchTimeToLiveOn(begin.target));
  }
  HR_RETURN_IF_ERROR(Enter(CopyStage::kDone));
  return WithDifference(std::move(copied));
}

Status TableStages::MakeTable(bool may_exist) {
  const TableState table = State();
  if (parts_.to && may_exist) return UseTableAtEndpoint(table);
  if (parts_.to) return CreateTableAtEndpoint(table.target);
  HR_ASSIGN(const std::string definition, DefinitionFor(source_, table));
  return parts_.folder->WriteDefinition(table.target, definition);
}

// The state says already that an earlier run may have created the table, or that the table existed
// before the copy.
Status TableStages::UseTableAtEndpoint(const TableState& table) {
  HR_ASSIGN(const std::optional<EndpointTable> there, FindEndpointTable(*parts_.to, table.target));
  const std::string subject = "the table " + table.target + " at " + parts_.to->name() + " ";
  if (!there && !table.existed) return CreateTableAtEndpoint(table.target);
  if (!there) return ValidationError(subject + "existed when the copy began, and is gone");
  if (there->key != source_.key) {
    return ValidationError(subject + "has the key " + there->key + ", and the source has " +
                           source_.key);
  }
  return WaitUntilActive(*parts_.to, table.target);
}

Status TableStages::CreateTableAtEndpoint(const std::string& target) {
  Status created = CreateTableOf(*parts_.to, source_, target);
  if (created.ok() || created.error().code != ErrorCode::kResourceInUseException) return created;
  // The table is of another program, so a later run must not take it as one that the copy created.
  HR_RETURN_IF_ERROR(Enter(CopyStage::kWaiting));
  return NotFree(*parts_.to, target);
}

Status TableStages::SwitchTimeToLiveOn(const std::string& target) const {
  auto enabled = EnableTimeToLive(*parts_.to, source_.definition, target);
  if (enabled.ok()) return {};
  // An endpoint without the operation will not have it in a later run either.
  if (enabled.error().code != ErrorCode::kUnknownOperationException) {
    return std::move(enabled).error();
  }
  if (parts_.request.note) {
    parts_.request.note("the time to live of " + target +
                        " is not switched on: " + enabled.error().message);
  }
  return {};
}

Status TableStages::NoteIdentity() {
  HR_ASSIGN(std::optional<EndpointTable> there, FindEndpointTable(*parts_.to, State().target));
  return parts_.state.UpdateNow([&](CopyState& state) {
    std::string& id = state.tables[table_].target_id;
    if (id.empty() && there) id = std::move(there->identity);
  });
}

Result<std::unique_ptr<ItemSink>> TableStages::OpenSink() const {
  if (!parts_.to) {
    HR_ASSIGN(std::unique_ptr<FolderSink> sink,
              FolderSink::Open(*parts_.folder, parts_.state, table_));
    return std::unique_ptr<ItemSink>(std::move(sink));
  }
  const bool pays = parts_.request.pays_destination;
  return std::unique_ptr<ItemSink>(std::make_unique<EndpointSink>(
      EndpointSinkParts{.caller = *parts_.to,
                        .writes = parts_.writes,
                        .reads = parts_.verifying,
                        .spending = parts_.spending,
                        .stop = parts_.stop,
                        .state = parts_.state,
                        .usd_a_write_unit = pays ? destination_prices_.write_usd : 0,
                        .usd_a_read_unit = pays ? destination_prices_.read_usd : 0,
                        .segments = parts_.request.segments},
      State().target));
}

Status TableStages::CopyItems(ItemSink& sink) {
  const TableState table = State();
  if (parts_.request.progress) {
    parts_.request.progress->BeginTable(table.name, table.digest.items(), source_.items);
  }
  const Status copied = RunSegments(table.segments.size(), parts_.stop, [&](std::size_t segment) {
    return CopySegment(sink, segment);
  });
  return NoteSpending(copied);
}

// What was written and spent since the file was last written is not lost by an error.
Status TableStages::NoteSpending(const Status& status) const {
  Status saved =
      parts_.state.UpdateNow([this](CopyState& state) { state.usd = parts_.spending.usd(); });
  return status.ok() ? std::move(saved) : Status(status.error());
}

// A page is noted when all of it is written, so pages are small where writing is slow: all segments
// together write about a second's units at a time.
double TableStages::MostItemsOfAPage(std::size_t segments) const {
  const double units = parts_.request.write_units_a_second;
  return units > 0 ? std::max(1.0, units / static_cast<double>(segments)) : 0;
}

Status TableStages::CopySegment(ItemSink& sink, std::size_t segment) {
  const TableState table = State();
  if (table.segments[segment].is_done) return {};
  const SegmentScan scan{.caller = parts_.from,
                         .meter = parts_.reads,
                         .usd_a_unit = parts_.request.pays_source ? source_prices_.read_usd : 0,
                         .table = table.name,
                         .segment = static_cast<int>(segment),
                         .segments = static_cast<int>(table.segments.size()),
                         .next_key = table.segments[segment].next_key,
                         .most_items = MostItemsOfAPage(table.segments.size())};
  return ScanSegment(scan, [&](const ScannedItems& items) -> Status {
    WrittenPage page{.table = table_,
                     .segment = segment,
                     .next_key = items.next_key,
                     .usd = parts_.spending.usd()};
    for (const ScannedItem& item : items.items) page.digest.AddItem(item.attributes);
    HR_RETURN_IF_ERROR(sink.Write(items, page));
    if (parts_.request.progress) parts_.request.progress->AddItems(page.digest.items());
    return {};
  });
}

Result<bool> TableStages::Verify(ItemSink& sink) const {
  const TableState table = State();
  if (!parts_.request.verifies || table.had_items) return false;
  if (parts_.request.progress) parts_.request.progress->BeginVerifying();
  const auto there = sink.ReadBack();
  HR_RETURN_IF_ERROR(NoteSpending(there.ok() ? Status() : Status(there.error())));
  const bool is_equal = *there == table.digest;
  HR_RETURN_IF_ERROR(parts_.state.UpdateNow([&](CopyState& state) {
    state.tables[table_].difference = is_equal ? "" : DifferenceText(table, *there);
  }));
  return is_equal;
}

// The user learns of a difference at once, as a later table may end the copy.
CopiedTable TableStages::WithDifference(CopiedTable copied) const {
  copied.difference = State().difference;
  if (!copied.difference.empty() && parts_.request.note) parts_.request.note(copied.difference);
  return copied;
}

Status CheckIsFree(const PatientCaller& caller, const std::string& table) {
  HR_ASSIGN(const std::optional<EndpointTable> there, FindEndpointTable(caller, table));
  return there ? Status(NotFree(caller, table)) : Status();
}

Result<bool> HasItems(const PatientCaller& caller, const std::string& table) {
  HR_ASSIGN(std::string answer,
            caller.Call("Scan", table,
                        "{\"TableName\":\"" + table + "\",\"Limit\":1,\"ConsistentRead\":true}"));
  Arena arena;
  HR_ASSIGN(const ScannedItems items, ReadScanAnswer(answer, arena));
  return !items.items.empty();
}

}  // namespace hashrange
