#include "control/table_copy.h"

#include <string>

#include "base/random.h"
#include "engine/table_life_cycle.h"
#include "engine/ttl/expiry_set.h"
#include "operation/read/read_lag.h"

namespace hashrange {
namespace {

// "arn:aws:<service>:<region>:<account>:<resource>".
constexpr int kRegionField = 3;
constexpr int kAccountField = 4;

std::string_view ArnField(std::string_view arn, int field) {
  for (; field > 0; --field) {
    const std::size_t colon = arn.find(':');
    if (colon == std::string_view::npos) return {};
    arn.remove_prefix(colon + 1);
  }
  return arn.substr(0, arn.find(':'));
}

// The ARN of another account's resource, such as a shared key, does not change.
void ReplaceAccountInArn(std::string_view from, std::string_view to, std::string* arn) {
  const std::string_view account = ArnField(*arn, kAccountField);
  if (account.empty() || account != from) return;
  arn->replace(static_cast<std::size_t>(account.data() - arn->data()), account.size(), to);
}

// The parts that the copy of a version shares with the copies of the versions that follow it.
struct SharedParts {
  std::string_view account_id;
  std::string table_id;
  std::shared_ptr<TagSet> tags;
  std::shared_ptr<ExpirySet> expiries;
  std::shared_ptr<ReadLag> lag;
};

// Turns `copy`, a plain copy of a version of the original table, into a version of the new table.
// The parts in `shared` belong to the new table.
void MakeVersionOfCopy(const SharedParts& shared, TableVersion* copy) {
  TableSettings& settings = copy->settings;
  ReplaceAccountInArn(copy->account_id, shared.account_id, &copy->arn);
  if (settings.sse) {
    ReplaceAccountInArn(copy->account_id, shared.account_id, &settings.sse->kms_key_arn);
  }
  if (copy->account_id != shared.account_id) {
    settings.latest_stream_label.clear();
    // What is written to a fork must not be sent to the streams of the original.
    for (KinesisDestination& each : settings.destinations) {
      if (each.settled != DestinationStatus::kActive) continue;
      each.settled = DestinationStatus::kDisabled;
      each.change = DestinationStatus::kDisabling;
    }
  }
  if (settings.stream) {
    settings.stream->storage = nullptr;
    settings.stream->id = 0;
  }
  settings.expiries = settings.ttl_attribute ? shared.expiries : nullptr;
  settings.lag = shared.lag;
  settings.tail = nullptr;
  copy->account_id = shared.account_id;
  copy->table = nullptr;
  for (IndexVersion& index : copy->indexes) index.storage = nullptr;
  copy->table_id = shared.table_id;
  copy->tags = shared.tags;
}

}  // namespace

std::string_view RegionInArn(std::string_view arn) { return ArnField(arn, kRegionField); }

std::unique_ptr<TableVersion> CopyDefinition(const TableVersion& version,
                                             std::string_view account_id) {
  SharedParts shared{account_id, MakeUuid(Random::ThisThread()), std::make_shared<TagSet>(),
                     nullptr, nullptr};
  if (version.tags) shared.tags = std::make_shared<TagSet>(version.tags->All());
  // One set serves this version and those that follow it, because a table in a transition has time
  // to live either on in all of them, or off in all of them.
  if (const auto& attribute = version.settings.ttl_attribute) {
    shared.expiries = std::make_shared<ExpirySet>(*attribute);
  }
  if (version.settings.lag) shared.lag = version.settings.lag->CopyWithoutPast();
  auto copy = std::make_unique<TableVersion>(version);
  EditWithNextPhase(copy.get(), [&shared](TableVersion* each) { MakeVersionOfCopy(shared, each); });
  return copy;
}

}  // namespace hashrange
