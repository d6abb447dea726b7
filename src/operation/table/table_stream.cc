#include "operation/table/table_stream.h"

#include <utility>

namespace hashrange {

StreamOpening::~StreamOpening() {
  if (opened_) context_.streams.Abandon(context_.account, *opened_);
}

void StreamOpening::OpenFor(TableVersion* version) {
  auto& stream = version->settings.stream;
  if (!stream || stream->storage) return;
  const std::int64_t enabled_ms = context_.NowEpochMs() + context_.transition_ms;
  StreamDefinition definition = MakeStreamDefinition(*version, context_.region, enabled_ms);
  definition.creation_epoch_ms = context_.NowEpochMs();
  definition.is_durable = context_.engine.catalog().IsDurable(context_.account.account_id);
  opened_ = context_.streams.Open(context_.account, std::move(definition));
  stream->storage = opened_;
  stream->id = opened_->definition().id;
  version->settings.latest_stream_label = opened_->label();
}

void StreamOpening::OpenFor(TableChange* change) {
  OpenFor(change->after.get());
  TableSettings& during = change->during->settings;
  if (!during.stream) return;
  during.stream = change->after->settings.stream;
  during.latest_stream_label = change->after->settings.latest_stream_label;
}

void CloseStream(const Context& context, const TableVersion& replaced) {
  const auto& stream = replaced.settings.stream;
  if (!stream || !stream->storage) return;
  const std::int64_t now_ms = context.NowEpochMs();
  context.streams.Close(context.account, *stream->storage, now_ms, now_ms + context.transition_ms);
}

}  // namespace hashrange
