#include "operation/table_stream.h"

#include <string>
#include <utility>

namespace hashrange {

StreamOpening::~StreamOpening() {
  if (opened_) context_.streams.Abandon(context_.account, *opened_);
}

void StreamOpening::OpenFor(TableVersion* version) {
  auto& stream = version->settings.stream;
  if (!stream || stream->storage) return;
  const std::int64_t enabled_ms = context_.NowEpochMs() + context_.transition_ms;
  StreamDefinition definition = StreamDefinitionOf(*version, context_.region, enabled_ms);
  definition.creation_epoch_ms = context_.NowEpochMs();
  opened_ = context_.streams.Open(context_.account, std::move(definition));
  stream->storage = opened_;
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

void ApplyStream(const UpdateTableRequest& request, TableChange* change) {
  const auto asked = request.json.Object("StreamSpecification");
  if (!asked) return;
  const bool enables = asked->Boolean("StreamEnabled").value_or(false);
  change->passes = true;
  change->during->status = ResourceStatus::kUpdating;
  change->during->settings.stream_switch =
      enables ? StreamSwitch::kEnabling : StreamSwitch::kDisabling;
  for (TableVersion* version : {change->during.get(), change->after.get()}) {
    auto& stream = version->settings.stream;
    stream.reset();
    if (enables) stream = {true, std::string(*asked->String("StreamViewType")), nullptr};
  }
}

}  // namespace hashrange
