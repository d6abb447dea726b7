#include "cli/lab_endpoint.h"

#include <string>
#include <utility>

#include "cli/ctl_answer.h"
#include "remote/client/endpoint_url.h"

namespace hashrange {
namespace {

constexpr const char* kUsualRegion = "us-east-1";

std::string RegionOf(const LabEndpointLine& line, const EndpointUrl& url) {
  if (!line.region.empty()) return line.region;
  std::string region = RegionOfEndpoint(url);
  if (region.empty()) region = ConfiguredRegion(line.profile);
  return region.empty() ? kUsualRegion : region;
}

}  // namespace

Result<OpenedEndpoint> OpenLabEndpoint(const LabLine& line, const LabFile& file,
                                       const std::atomic<bool>& stop,
                                       std::function<void(double)> progress) {
  const LabEndpointLine& asked = line.endpoint;
  OpenedEndpoint opened;
  HR_ASSIGN(const EndpointUrl url, ParseEndpointUrl(asked.url));
  const bool is_aws = IsAwsEndpoint(url);
  HR_ASSIGN(opened.credentials, FindCredentials({.profile = asked.profile, .may_invent = !is_aws}));
  EndpointRunOptions options;
  options.url = url;
  options.region = RegionOf(asked, url);
  options.credentials = opened.credentials.get();
  options.ca_file = asked.ca_file;
  options.traffic = asked.traffic;
  options.prefix = asked.prefix;
  options.is_charged = is_aws;
  options.spend_usd = asked.spend_usd;
  options.only_layouts = line.options.only_layouts;
  options.stop = &stop;
  options.progress = std::move(progress);
  options.note = [](const std::string& sentence) { PrintCtlError(sentence); };
  HR_ASSIGN(opened.lab, EndpointLab::Open(file, options));
  return opened;
}

void PrintEndpointTrouble(const EndpointResult& result) {
  for (const EndpointLayoutRun& run : result.runs) {
    if (!run.ended_early_because.empty()) {
      PrintCtlError("layout \"" + run.layout + "\" ended early: " + run.ended_early_because);
    }
    if (!run.left_behind.empty()) PrintCtlError(run.left_behind);
  }
}

}  // namespace hashrange
