// ReadCandidate: one way in which a layout can serve a read, and what it is estimated to cost. Of
// all ways the cheapest is taken. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/read/asked_interval.h"
#include "lab/plan/read/read_rest.h"
#include "lab/plan/request/pattern_plan.h"

namespace hashrange {

struct ReadCandidate {
  std::vector<AskedHost> hosts = {};
  AskedInterval interval = {};
  ReadRest rest = {};
  bool is_scan = false;
  bool is_get = false;     // the primary key is known: GetItem
  bool has_limit = false;  // the request has the pattern's limit
  bool fetches = false;    // what the index lacks is read from the table
  bool sorts_at_client = false;
  std::int64_t items = 0;  // after which reading ends; 0: at the end
  // Estimates, filters aside: what is read is charged before the filter.
  double read_units = 0;
  double examined = 1;  // items that are read
  double requests = 1;
};

struct ReadChoice {
  std::optional<ReadCandidate> taken = {};  // nothing: `impossible` says why
  std::vector<ReadCandidate> dearer = {};   // one for each other key that serves
  std::vector<std::string> rejected = {};   // why each other key does not
  std::string impossible = {};
};

// Returns how items of the hosts are read together: by the key that costs least, or, where no key
// serves and there is one host only, by the Scan of a table or an index that costs least. `taken`
// is empty where no key holds all hosts.
ReadChoice ChooseRead(const ReadQuestion& question, const std::vector<AskedHost>& hosts);

// Returns the steps of a read that was chosen (query_request.cc).
std::vector<PlanStep> StepsOfRead(const ReadQuestion& question, const ReadCandidate& candidate);

// SizeEstimate: how many instances there are, how large their items are and how many of them a key
// condition finds, on average, from the generators and distributions of a lab file. Plans are
// chosen by it; nothing that is reported as a figure comes from it. Used by one thread.

class SizeEstimate {
 public:
  // `constants` are what the pattern says of values; all outlive the object.
  SizeEstimate(const LabFile& file, const LabLayout& layout,
               const std::vector<LabCondition>& constants)
      : file_(file), layout_(layout), constants_(constants) {}

  double Instances(int entity) const;
  // Returns the bytes of an item in its table, embedded entities included.
  double ItemBytes(const LabItem& item) const;
  // Returns the bytes of what a key has of the item: all of it, or the projection of the index.
  double BytesInKey(const LabItem& item, LabKey key) const;
  // Returns how many instances of the entity have one value of each of the placeholders; 1 or more.
  double Matching(int entity, const std::vector<LabTemplatePart>& placeholders) const;
  // Returns the share of the entity's instances whose item is stored and is in the key, a sparse
  // index. What the instances of the placeholders have is known, and does not make the share
  // smaller.
  double ShareInKey(const LabItem& item, LabKey key,
                    const std::vector<LabTemplatePart>& placeholders) const;
  // Returns the share of the instances that the range leaves.
  double ShareOfRange(const LabRange& range) const;

 private:
  double ValueBytes(LabAttributeRef ref) const;
  double TemplateBytes(const LabTemplate& text) const;
  double AttributeBytes(LabAttributeRef ref) const;
  double KeyBytes(const LabItem& item, const std::vector<std::string>& attributes) const;
  double EmbeddedBytes(int entity) const;
  // Returns which share of the instances has a value that the condition asks for; nothing where
  // that value is as good as any other.
  std::optional<double> ShareOfCondition(const LabCondition& condition) const;
  // Returns which share of the entity's instances has one value of the placeholder.
  double ShareOf(int entity, const LabTemplatePart& part) const;
  double SpanMs(LabAttributeRef ref) const;

  const LabFile& file_;
  const LabLayout& layout_;
  const std::vector<LabCondition>& constants_;
};

}  // namespace hashrange
