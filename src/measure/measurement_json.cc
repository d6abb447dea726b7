#include "measure/measurement_json.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/text/time_text.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// --- The figures ---

template <typename T, typename Part>
concept Is = std::same_as<std::remove_const_t<T>, Part>;

// Calls visit("name", part.name) for each figure of a part of a measurement, in the order of the
// rows. Both writing and reading go through these functions.
#define HR_PART(part, what) \
  template <typename Visit> \
  void VisitFigures(Visit& visit, Is<part> auto& of) {
#define HR_FIGURE(type, name, what) visit(#name, of.name);
#define HR_PART_END(part) }
#include "simulation/partitions/partition_map.def"
#define HR_PART(part, what) \
  template <typename Visit> \
  void VisitFigures(Visit& visit, Is<part> auto& of) {
#define HR_FIGURE(type, name, what) visit(#name, of.name);
#define HR_PART_END(part) }
#include "measure/measurement.def"

// Returns neighbouring hash ranges with the same units as one run each. A scan heats all ranges
// alike, and so is one run. Precondition: the ranges ascend.
std::vector<HeatRun> HeatRunsOf(const std::vector<HeatRange>& ranges) {
  std::vector<HeatRun> runs;
  for (const HeatRange& heat : ranges) {
    const bool continues = !runs.empty() && runs.back().last + 1 == heat.range &&
                           runs.back().read_units == heat.read_units &&
                           runs.back().write_units == heat.write_units;
    if (continues) {
      runs.back().last = heat.range;
    } else {
      runs.push_back({heat.range, heat.range, heat.read_units, heat.write_units});
    }
  }
  return runs;
}

// Returns the ranges of the runs; nothing if the runs do not ascend, or leave the 4,096 ranges.
std::optional<std::vector<HeatRange>> HeatRangesOf(const std::vector<HeatRun>& runs) {
  std::vector<HeatRange> ranges;
  for (const HeatRun& run : runs) {
    const bool ascends = ranges.empty() || ranges.back().range < run.first;
    if (!ascends || run.first > run.last || run.last >= kHashRanges) return std::nullopt;
    for (std::uint32_t range = run.first; range <= run.last; ++range) {
      ranges.push_back({range, run.read_units, run.write_units});
    }
  }
  return ranges;
}

// --- Writing ---

class FigureWriter {
 public:
  explicit FigureWriter(JsonWriter& writer) : writer_(writer) {}

  template <typename T>
  void operator()(const char* name, const T& member) {
    writer_.Name(name);
    Write(member);
  }

  void Write(const std::string& text) { writer_.String(text); }
  void Write(bool value) { writer_.Bool(value); }
  void Write(double value) { writer_.Double(value); }
  void Write(std::int64_t value) { writer_.Integer(value); }
  void Write(std::uint64_t value) { writer_.Integer(static_cast<std::int64_t>(value)); }
  void Write(std::uint32_t value) { writer_.Integer(value); }
  void Write(const Distribution& distribution);
  void Write(const std::vector<HeatRange>& heat) { Write(HeatRunsOf(heat)); }
  template <typename T>
  void Write(const std::vector<T>& list) {
    writer_.BeginArray();
    for (const T& element : list) Write(element);
    writer_.EndArray();
  }
  template <typename Part>
  void Write(const Part& part) {
    writer_.BeginObject();
    VisitFigures(*this, part);
    writer_.EndObject();
  }

 private:
  JsonWriter& writer_;
};

void FigureWriter::Write(const Distribution& distribution) {
  writer_.BeginObject();
  writer_.IntegerMember("count", static_cast<std::int64_t>(distribution.count()));
  writer_.DoubleMember("sum", distribution.sum());
  writer_.DoubleMember("p50", distribution.Percentile(0.5));
  writer_.DoubleMember("p95", distribution.Percentile(0.95));
  writer_.DoubleMember("p99", distribution.Percentile(0.99));
  writer_.DoubleMember("max", distribution.max());
  writer_.BeginArray("buckets");
  for (const Distribution::Bucket& bucket : distribution.buckets()) {
    writer_.BeginArray();
    writer_.Double(Distribution::GreatestOf(bucket.number));
    writer_.Integer(static_cast<std::int64_t>(bucket.count));
    writer_.EndArray();
  }
  writer_.EndArray();
  writer_.EndObject();
}

// --- The order of a PartitionMap that was read ---

struct MapProblem {
  std::string member = {};  // "partitions[3].parent"
  const char* wanted = "";  // what the member is not: "0 or a number below its own"
};

std::string ElementOf(std::string_view list, std::size_t at) {
  return std::string(list) + "[" + std::to_string(at) + "]";
}

bool IsHash(std::string_view text) {
  return text.size() == 16 &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

std::optional<MapProblem> FindPartitionProblem(std::span<const PartitionMeasure> partitions,
                                               std::size_t at) {
  const PartitionMeasure& partition = partitions[at];
  const std::string place = ElementOf("partitions", at);
  const std::int64_t before = at > 0 ? partitions[at - 1].number : 0;
  if (partition.number <= before) {
    return MapProblem{place + ".number", "above 0 and above the number before it"};
  }
  if (partition.parent >= partition.number) {
    return MapProblem{place + ".parent", "0 or a number below its own"};
  }
  if (!IsHash(partition.first_hash)) {
    return MapProblem{place + ".first_hash", "16 hexadecimal digits"};
  }
  if (!IsHash(partition.last_hash)) {
    return MapProblem{place + ".last_hash", "16 hexadecimal digits"};
  }
  return std::nullopt;
}

std::optional<MapProblem> FindSliceProblem(std::span<const PartitionSlice> slices, std::size_t at) {
  const PartitionSlice& slice = slices[at];
  const std::string place = ElementOf("slices", at);
  if (at > 0 && slice.begin_epoch_ms <= slices[at - 1].begin_epoch_ms) {
    return MapProblem{place + ".begin_epoch_ms", "after the begin of the slice before it"};
  }
  const bool ascend = std::ranges::adjacent_find(slice.partitions, std::greater_equal<>(),
                                                 &PartitionHeat::number) == slice.partitions.end();
  if (!ascend) return MapProblem{place + ".partitions", "a list of ascending numbers"};
  return std::nullopt;
}

// Part is a PartitionMeasure or a PartitionHeat.
template <typename Part>
bool HasDemand(const Part& part) {
  return part.read_demand > 0 || part.write_demand > 0;
}

template <typename Part>
void TakeUnitsAsDemand(Part& part) {
  part.read_demand = part.read_units;
  part.write_demand = part.write_units;
}

// Returns the first thing that is wrong with the map; nothing when the map is in the order on which
// everything relies that computes with it: partitions ascend by number, and no parent, which need
// not be in the map, has a greater number than its parts; ranges are hashes; slices have a length
// and ascend, and so do the partitions in each of them.
std::optional<MapProblem> FindMapProblem(const PartitionMap& map) {
  for (std::size_t at = 0; at < map.partitions.size(); ++at) {
    if (auto problem = FindPartitionProblem(map.partitions, at)) return problem;
  }
  if (!map.slices.empty() && map.slice_ms <= 0) {
    return MapProblem{"slice_ms", "a length of slices above 0"};
  }
  for (std::size_t at = 0; at < map.slices.size(); ++at) {
    if (auto problem = FindSliceProblem(map.slices, at)) return problem;
  }
  return std::nullopt;
}

// Makes what was served the demand of a map without any demand, such as one of a file from before
// the demand was counted.
void FillMissingDemand(PartitionMap* map) {
  if (std::ranges::any_of(map->partitions, HasDemand<PartitionMeasure>)) return;
  for (const PartitionSlice& slice : map->slices) {
    if (std::ranges::any_of(slice.partitions, HasDemand<PartitionHeat>)) return;
  }
  for (PartitionMeasure& partition : map->partitions) TakeUnitsAsDemand(partition);
  for (PartitionSlice& slice : map->slices) {
    for (PartitionHeat& heat : slice.partitions) TakeUnitsAsDemand(heat);
  }
}

// --- Reading ---

using Type = JsonValue::Type;

// No measurement has greater numbers. Greater ones would leave the range of later sums and plots.
constexpr double kGreatestNumber = 1e15;

bool IsMeasurable(double number) { return number >= 0 && number <= kGreatestNumber; }

// How large what is read may be. Reports and rules compare elements of one list with elements of
// another, so their time grows with the product of both, and an element may take a hundred times
// the memory of its JSON. The numbers of a HeatSlice are neither compared nor large, and a long
// measurement has millions of them, so they count in no sum.
struct ReadingLimits {
  std::size_t elements = SIZE_MAX;  // of a list
  std::size_t elements_in_all = SIZE_MAX;
  std::size_t patterns = SIZE_MAX;
  std::size_t tables = SIZE_MAX;  // and as many indexes of all of them
  std::size_t names = SIZE_MAX;   // see CountedName
};
// Of what comes from elsewhere. What the meter makes of fewer than dozens of tables is smaller.
constexpr ReadingLimits kLimitsFromElsewhere = {.elements = 10'000,
                                                .elements_in_all = 200'000,
                                                .patterns = 2000,
                                                .tables = 1000,
                                                .names = 2000};
constexpr ReadingLimits kNoLimits = {};
constexpr std::size_t kMostNumbers = 32;  // of a list of numbers, as a HeatSlice has them

template <typename T>
std::size_t MostElementsOf(const ReadingLimits& limits) {
  if constexpr (std::is_same_v<T, PatternMeasure>) return limits.patterns;
  if constexpr (std::is_same_v<T, TableMeasure>) return limits.tables;
  if constexpr (std::is_same_v<T, double>) return kMostNumbers;
  return limits.elements;
}

// What the readers of all parts of one measurement share.
struct ReadingState {
  const ReadingLimits& limits;
  Status status = {};
  std::size_t elements = 0;          // of all lists that were read so far
  std::set<std::string> names = {};  // of all parts: CountedName
};

// Returns what a part counts something for: a table or an index, or the name of an error or a
// caller. Empty for other parts.
template <typename Part>
std::string CountedName(const Part& part) {
  if constexpr (requires { part.table.size() + part.index.size(); }) {
    return part.table + '\0' + part.index;
  } else if constexpr (std::is_same_v<Part, NamedCount>) {
    return part.name;
  } else {
    return {};
  }
}

// Reads the members of one object. The first member of another type ends the reading.
class FigureReader {
 public:
  FigureReader(const JsonValue& json, std::string place, ReadingState* state)
      : json_(json), place_(std::move(place)), state_(*state), status_(state->status) {}

  void ReadWhole(PartitionMap& map) { Read(json_, place_, map); }

  template <typename T>
  void operator()(const char* name, T& member) {
    const JsonValue* const value = status_.ok() ? json_.Find(name) : nullptr;
    if (value) Read(*value, place_.empty() ? name : place_ + "." + name, member);
  }

 private:
  void Fail(const std::string& place, const char* wanted) {
    if (status_.ok()) status_ = ValidationError("\"" + place + "\" is not " + wanted + ".");
  }

  // Returns false when the list has more elements than one may have, or all lists have. T is the
  // type of its elements.
  template <typename T>
  bool CountElements(std::size_t elements, const std::string& place) {
    if (!status_.ok()) return false;
    const std::size_t most = MostElementsOf<T>(state_.limits);
    if (!std::is_same_v<T, double>) state_.elements += elements;
    if (elements > most) {
      status_ = ValidationError("\"" + place + "\" has " + std::to_string(elements) +
                                " elements, and a measurement may have " + std::to_string(most) +
                                " there.");
    } else if (state_.elements > state_.limits.elements_in_all) {
      status_ =
          ValidationError("The lists of a measurement have at most " +
                          std::to_string(state_.limits.elements_in_all) + " elements in all.");
    }
    return status_.ok();
  }

  void Read(const JsonValue& json, const std::string& place, std::string& text) {
    if (json.type != Type::kString) return Fail(place, "a text");
    text = json.string();
  }
  void Read(const JsonValue& json, const std::string& place, bool& value) {
    if (json.type != Type::kTrue && json.type != Type::kFalse) return Fail(place, "a boolean");
    value = json.type == Type::kTrue;
  }
  void Read(const JsonValue& json, const std::string& place, double& value) {
    const auto number = JsonNumber(json);
    if (!number) return Fail(place, "a number");
    if (!IsMeasurable(*number)) return Fail(place, "a number from 0 to 1e15");
    value = *number;
  }
  template <typename Whole>
    requires std::is_integral_v<Whole>
  void Read(const JsonValue& json, const std::string& place, Whole& value) {
    const bool is_whole = json.type == Type::kInteger;
    if (is_whole && json.integer < 0) return Fail(place, "a whole number of 0 or more");
    const bool fits = is_whole && std::in_range<Whole>(json.integer);
    if (!fits) return Fail(place, "a whole number");
    const bool is_time = place.ends_with("_ms");
    if (is_time && json.integer > kLongestDurationMs) {
      return Fail(place, "a time before the year 10000");
    }
    value = static_cast<Whole>(json.integer);
  }
  void Read(const JsonValue& json, const std::string& place, Distribution& distribution);
  void Read(const JsonValue& json, const std::string& place, std::vector<HeatRange>& heat) {
    std::vector<HeatRun> runs;
    Read(json, place, runs);
    auto ranges = HeatRangesOf(runs);
    if (!ranges) return Fail(place, "a list of ascending runs of ranges below 4096");
    heat = std::move(*ranges);
  }
  void Read(const JsonValue& json, const std::string& place, TimeMeasure& time) {
    ReadPart(json, place, time);
    const auto& buckets = time.buckets;
    const bool ascend = std::ranges::adjacent_find(buckets, std::greater_equal<>(),
                                                   &TimeBucket::begin_epoch_ms) == buckets.end();
    if (!ascend) return Fail(place + ".buckets", "a list of ascending buckets");
    if (!buckets.empty() && time.bucket_ms <= 0) {
      Fail(place + ".bucket_ms", "a length of buckets above 0");
    }
  }
  void Read(const JsonValue& json, const std::string& place, PartitionLimits& limits) {
    ReadPart(json, place, limits);
    const auto check = [&](const char* name, double units) {
      if (units < 1) Fail(place + "." + name, "a number of 1 or more");
    };
    VisitFigures(check, limits);
  }
  void Read(const JsonValue& json, const std::string& place, PartitionMap& map) {
    ReadPart(json, place, map);
    FillMissingDemand(&map);
    const auto problem = FindMapProblem(map);
    if (problem)
      Fail(place.empty() ? problem->member : place + "." + problem->member, problem->wanted);
  }
  template <typename T>
  void Read(const JsonValue& json, const std::string& place, std::vector<T>& list) {
    if (json.type != Type::kArray) return Fail(place, "a list");
    if (!CountElements<T>(json.elements().size(), place)) return;
    for (const JsonValue& element : json.elements()) {
      if (!status_.ok()) return;
      const std::string element_place = place + "[" + std::to_string(list.size()) + "]";
      Read(element, element_place, list.emplace_back());
    }
  }
  template <typename Part>
    requires std::is_class_v<Part>
  void Read(const JsonValue& json, const std::string& place, Part& part) {
    ReadPart(json, place, part);
  }
  template <typename Part>
  void ReadPart(const JsonValue& json, const std::string& place, Part& part) {
    if (json.type != Type::kObject) return Fail(place, "an object");
    FigureReader reader(json, place, &state_);
    VisitFigures(reader, part);
    if (std::string name = CountedName(part); !name.empty()) state_.names.insert(std::move(name));
    if (status_.ok() && state_.names.size() > state_.limits.names) {
      status_ =
          ValidationError("A measurement names at most " + std::to_string(state_.limits.names) +
                          " tables, indexes, errors and callers in all.");
    }
  }

  const JsonValue& json_;
  const std::string place_;
  ReadingState& state_;
  Status& status_;  // of the state
};

void FigureReader::Read(const JsonValue& json, const std::string& place,
                        Distribution& distribution) {
  if (json.type != Type::kObject) return Fail(place, "an object");
  double sum = 0, max = 0;
  if (const JsonValue* const member = json.Find("sum")) Read(*member, place + ".sum", sum);
  if (const JsonValue* const member = json.Find("max")) Read(*member, place + ".max", max);
  const JsonValue* const list = json.Find("buckets");
  if (!list || list->type != Type::kArray) return Fail(place + ".buckets", "a list");
  std::vector<Distribution::Bucket> buckets;
  for (const JsonValue& pair : list->elements()) {
    const bool is_pair = pair.type == Type::kArray && pair.elements().size() == 2;
    const auto value = is_pair ? JsonNumber(pair.elements()[0]) : std::nullopt;
    if (!value || !IsMeasurable(*value) || pair.elements()[1].type != Type::kInteger ||
        pair.elements()[1].integer < 0) {
      return Fail(place + ".buckets", "a list of pairs of a value and a count");
    }
    const std::uint32_t number = Distribution::BucketOf(*value);
    if (!buckets.empty() && buckets.back().number >= number) {
      return Fail(place + ".buckets", "a list with ascending values");
    }
    buckets.push_back({number, static_cast<std::uint64_t>(pair.elements()[1].integer)});
  }
  distribution = Distribution::Of(std::move(buckets), sum, max);
}

// Measurements of other versions have other forms of some members.
Status CheckVersion(const JsonValue& version) {
  const std::int64_t own = Measurement().version;
  if (version.type != Type::kInteger) return ValidationError("\"version\" is not a whole number.");
  if (version.integer == own) return {};
  return ValidationError("This is a measurement of version " + std::to_string(version.integer) +
                         ", of " + (version.integer < own ? "an earlier" : "a later") +
                         " Hashrange; this one reads version " + std::to_string(own) + ".");
}

Result<Measurement> ReadWithin(const ReadingLimits& limits, const JsonValue& json) {
  const JsonValue* const version = json.type == Type::kObject ? json.Find("version") : nullptr;
  if (!version) return ValidationError("This is no measurement: it has no \"version\".");
  HR_RETURN_IF_ERROR(CheckVersion(*version));
  Measurement measurement;
  ReadingState state = {.limits = limits};
  FigureReader reader(json, {}, &state);
  VisitFigures(reader, measurement);
  if (!state.status.ok()) return std::move(state.status).error();
  std::size_t indexes = 0;
  for (const TableMeasure& table : measurement.tables) indexes += table.indexes.size();
  if (indexes > limits.tables) {
    return ValidationError("The tables of a measurement have at most " +
                           std::to_string(limits.tables) + " indexes in all.");
  }
  return measurement;
}

}  // namespace

void WriteMeasurement(const Measurement& measurement, JsonWriter& writer) {
  FigureWriter(writer).Write(measurement);
}

void WritePartitionMap(const PartitionMap& map, JsonWriter& writer) {
  FigureWriter(writer).Write(map);
}

Result<Measurement> ReadMeasurement(const JsonValue& json) {
  return ReadWithin(kLimitsFromElsewhere, json);
}

Result<PartitionMap> ReadPartitionMap(const JsonValue& json) {
  if (json.type != Type::kObject) return ValidationError("This is no map of partitions.");
  PartitionMap map;
  ReadingState state = {.limits = kLimitsFromElsewhere};
  FigureReader(json, {}, &state).ReadWhole(map);
  if (!state.status.ok()) return std::move(state.status).error();
  return map;
}

Result<Measurement> ReadMeasurementText(std::string text) {
  HR_ASSIGN(const OwnedJson json, OwnedJson::Parse(std::move(text), JsonDialect::kStrict));
  return ReadMeasurement(json.value());
}

Result<Measurement> ReadOwnMeasurement(std::string text) {
  HR_ASSIGN(const OwnedJson json, OwnedJson::Parse(std::move(text), JsonDialect::kStrict));
  return ReadWithin(kNoLimits, json.value());
}

}  // namespace hashrange
