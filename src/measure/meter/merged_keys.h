// MergedKeys: the resources of all stripes, by their names, and the templates of their keys from
// all stripes and from the stored items together. A table that was deleted and created again is one
// resource. Used by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "measure/key_templates.h"
#include "measure/meter/resource_counters.h"
#include "measure/meter/stripe.h"

namespace hashrange {

class MergedKeys {
 public:
  struct Resource {
    ResourceName name;            // NameTables changes the texts of the table and the index
    bool is_stored = false;       // the table, or the index, exists when the measurement is read
    std::vector<KeyTree> trees;   // one for each key part
    std::vector<ResourceId> ids;  // each once: a table that is created again has another id
    std::vector<const ResourceCounters*> counters;  // of the stripes
  };

  // `stripes` outlive this object.
  MergedKeys(std::string separators, const std::vector<StripeCounters>& stripes);

  // Returns the number of the resource, which is added if it is new.
  std::size_t NumberOf(const ResourceName& name);
  // Returns the number of a resource of a stripe.
  std::size_t NumberOf(std::size_t stripe, std::uint32_t resource) const {
    return moved_[stripe][resource].number;
  }
  // Gives tables and indexes of one name names that differ: "111122223333 shop" where the resources
  // have several accounts, "us-east-1 shop" where they have several Regions, and "shop (2)" for a
  // deleted table whose keys differ from the keys of the table "shop".
  void NameTables();
  // Returns the node of a key part for the node of a stripe's tree.
  KeyTree::NodeId NodeOf(std::size_t stripe, std::uint32_t resource, std::size_t part,
                         KeyTree::NodeId node) const;

  Resource& At(std::size_t number) { return resources_[number]; }
  const Resource& At(std::size_t number) const { return resources_[number]; }
  std::size_t size() const { return resources_.size(); }

  // Returns the templates of a key: "PK=CUST#{…}, SK=META". `nodes` may be fewer than the parts.
  std::string KeyTemplate(std::size_t number, const std::vector<KeyTree::NodeId>& nodes) const;
  // Returns the same for the values of the key parts.
  std::string KeyTemplate(std::size_t number, const std::vector<std::string>& values);

 private:
  struct Moved {
    std::size_t number = 0;
    std::vector<std::vector<KeyTree::NodeId>> nodes;  // by key part
  };
  const std::string separators_;
  std::map<std::string, std::size_t> numbers_;  // by ResourceName::identity
  std::vector<Resource> resources_;
  std::vector<std::vector<Moved>> moved_;  // by stripe and resource
};

}  // namespace hashrange
